"""Every place where a module's functions read something that may change between two calls.

A name of the module that is bound once to a function, a class, a module or a literal is a constant,
and so is a table that nothing in the text changes or hands on. Any other name of the module, every
attribute of another module, attributes that are stored on a class or a function, what is sent to a
generator and mutable defaults are places where state is read: each gets a number, and rewritten
code says when it comes by. Whether it really is state is asked when a proof depends on it.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from symcrete.program.state.at_import import taken_names
from symcrete.program.state.by_name import (
    ANY_ATTRIBUTE,
    REMAKING,
    attribute_set,
    binds_unseen,
    hands_on_setter,
    is_patch,
    namespace_changed,
)
from symcrete.program.state.facts import Change, Kind, ModuleFacts, StateRead
from symcrete.program.state.fixed_values import (
    is_flag,
    is_literal,
    is_made_here,
    is_table,
    mutable_defaults,
)
from symcrete.program.state.looked_up import LookedUp
from symcrete.program.state.owners import (
    CACHE,
    class_values,
    declared_as,
    is_class_itself,
    is_given_class,
    is_receiver,
    makes_classes,
    may_be_class,
    names_chosen,
    owner_of,
    shared_values,
    stored_attributes,
    values_bound,
)
from symcrete.program.state.scopes import Scopes, nodes_of
from symcrete.program.state.uses import How, how_used

# the attribute of a syntax node that has the variable of a name which `global` rebinds
STORED = "_state_stored"
MARK = "_state_read"  # the attribute of a syntax node that has the number of the read
# the attribute of a syntax node that has the module and name of a read of another module's
# attribute
ORIGIN = "_state_origin"
# Built-ins that are not counted as code which may read any attribute of what it is given.
_ASKING = frozenset({"getattr", "hasattr", "vars", "setattr", "isinstance", "issubclass", "super"})
_ATTRIBUTE_READERS = frozenset({"getattr", "hasattr", "vars"})
_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CATCHING = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)
# Nodes that bind names, and nodes that read: others need not be compared with all the patterns.
_BINDING = {ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, *_METHODS, ast.ClassDef, ast.Name}
_READING = frozenset({ast.Name, ast.Attribute, ast.Call, ast.Yield, ast.YieldFrom})


class Collector:
    """Finds the reads of one module, and writes their numbers on the nodes."""

    def __init__(self, scopes: Scopes, file: str, reads: list[StateRead]) -> None:
        self._scopes, self._reads = scopes, reads
        self.facts = ModuleFacts(file)
        self._bound: dict[str, list[ast.AST]] = {}
        self._looked_up = LookedUp(scopes)
        self._stored = stored_attributes(scopes.nodes)
        self._bind()
        # Of the module's own classes: one inside another may have the name of one of these.
        self._class_values = class_values([node for each in self._bound.values() for node in each])
        bound, values = values_bound(scopes.tree), class_values(scopes.nodes)
        modules, imported = self.facts.modules, self.facts.imported
        self.facts.learn_taken(
            taken_names(bound, values, modules, imported, self._chosen(), scopes.nodes, self._bound)
        )
        self._note_changes()
        self._mark()

    # -- what the names are bound to

    def _bind(self) -> None:
        for node in self._scopes.nodes:
            if type(node) not in _BINDING:
                continue
            match node:
                case ast.Global(names=names):
                    for name in names:
                        self.facts.rebound.setdefault(name, self._change("changed", node))
                case ast.Nonlocal(names=names):
                    self.facts.nonlocals.update(names)
                case ast.Import(names=aliases):
                    for alias in aliases:
                        name = alias.asname or alias.name.partition(".")[0]
                        self.facts.modules[name] = alias.name if alias.asname else name
                        self._bound.setdefault(name, []).append(node)
                case ast.ImportFrom(names=aliases, module=module):
                    for alias in aliases:
                        name = alias.asname or alias.name
                        self.facts.imported[name] = (module or "", alias.name)
                        self._bound.setdefault(name, []).append(node)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    if not self._scopes.runs_later(node) and self._at_top(node):
                        self._bound.setdefault(node.name, []).append(node)
                case ast.Name(id=name, ctx=ast.Store()) if not self._scopes.runs_later(node):
                    if self._at_top(node):
                        self._bound.setdefault(name, []).append(self._value_of(node))

    def _chosen(self) -> Iterator[tuple[str, ast.expr]]:
        yield from names_chosen(self._scopes.tree)
        for node in self._scopes.nodes:
            if isinstance(node, ast.ClassDef):
                yield from ((f"{node.name}.{name}", test) for name, test in names_chosen(node))

    def _at_top(self, node: ast.AST) -> bool:
        return not any(isinstance(each, ast.ClassDef) for each in self._scopes.around(node))

    def _value_of(self, name: ast.Name) -> ast.AST:
        around = self._scopes.parent[name]
        if isinstance(around, ast.Assign | ast.AnnAssign) and around.value is not None:
            return around.value
        return name

    def _change(self, how: How, node: ast.AST) -> Change:
        line = getattr(node, "lineno", 0)
        return Change(how, line, self._scopes.function_around(node))

    # -- what changes

    def _note_changes(self) -> None:
        for node in self._scopes.nodes:
            if type(node) not in _READING:
                continue
            later = self._scopes.runs_later(node)
            match node:
                case ast.Name(ctx=ast.Load()) if later and self._scopes.is_global(node):
                    self._note_use(node)
                case ast.Name(ctx=ast.Load()) if not later and self._is_kept_at_import(node):
                    self._note_use(node)
                case ast.Attribute(attr=name, ctx=ast.Load()):
                    self.facts.loads.add(name)
                    if later:
                        self._note_module_use(node)
                    if later and how_used(node, self._scopes) == "changed":
                        self._note_outside(node.value, name, node)
                        self._note_attribute(name, node)
                case ast.Attribute(attr=name) if later:
                    self._note_attribute_store(node, name)
                    self._note_store(node.value, name, node)
                    self._note_outside(node.value, name, node)
                case ast.Attribute(attr=name) if ast.unparse(node) in self.facts.taken:
                    self._note_store(node.value, name, node)  # at import, from elsewhere
            self._note_by_name(node, later=later)
        self._note_class_values()

    def _is_kept_at_import(self, node: ast.Name) -> bool:
        """Whether the module keeps a name's value, or a method of it, under another name too."""
        around = self._scopes.parent.get(node)
        if isinstance(around, ast.Attribute):
            return not self._is_called(around)
        if any(
            isinstance(each, ast.expr) and is_table(each) for each in self._bound.get(node.id, ())
        ):
            # As a default, or by a call: `partial(add, TABLE)`.
            how = how_used(node, self._scopes)
            return how == "handed on" or (how == "changed" and isinstance(around, ast.Call))
        return isinstance(around, ast.Assign | ast.AnnAssign | ast.List | ast.Tuple | ast.Dict)

    def _note_use(self, node: ast.Name) -> None:
        key = self.facts.imported.get(node.id, ("", node.id))
        how = how_used(node, self._scopes)
        if how != "looked at":
            self.facts.uses.setdefault(key, []).append(self._change(how, node))

    def _note_module_use(self, node: ast.Attribute) -> None:
        if module := self.facts.module_meant(node.value, imported=True):
            how = how_used(node, self._scopes)
            if how != "looked at":
                change = self._change(how, node)
                self.facts.uses.setdefault((module, node.attr), []).append(change)

    def _note_store(self, owner: ast.expr, name: str, node: ast.AST) -> None:
        if module := self.facts.module_meant(owner, imported=True):
            self.facts.stores.setdefault((module, name), self._change("changed", node))
        is_module = isinstance(owner, ast.Name) and owner.id in self.facts.modules
        if not is_module and self._is_class_or_function(owner):
            self.facts.attributes.setdefault(name, self._change("changed", node))
        if name in REMAKING:
            self.facts.learn_unseen(self._change("changed", node))

    def _note_by_name(self, node: ast.AST, *, later: bool) -> None:
        """Note what is set in a way that does not name it in the text."""
        found = attribute_set(node)
        if found is not None and found[1] != ANY_ATTRIBUTE:
            self._note_store(*found, node)
            self._note_outside(*found, node)
        elif found is not None and later and self._outlives(found[0]):
            self.facts.learn_unseen(self._change("changed", node))
        elif found is not None:
            self._note_outside(*found, node)
        if hands_on_setter(node, self._scopes):  # also where it is kept for later
            for stores in (self.facts.stored_outside, self.facts.stored_on_any):
                stores.setdefault(ANY_ATTRIBUTE, self._change("changed", node))
            self.facts.stored_unnamed.append(("", self._change("changed", node)))
        if later or is_patch(node, self._scopes):
            self._note_namespace(node)
            if binds_unseen(node, self._scopes, self._looked_up):
                self.facts.learn_unseen(self._change("changed", node))

    def _outlives(self, owner: ast.expr) -> bool:
        """Whether an object whose attributes are set by name may be one that outlives the call:
        none of the function itself, or the class of a class method.
        """
        if self._is_self(owner):
            return self._is_class_or_function(owner)
        if not isinstance(owner, ast.Name) or self._scopes.is_global(owner):
            return True
        return owner.id in self.facts.modules or owner.id in self.facts.imported

    def _note_namespace(self, node: ast.AST) -> None:
        """Note that any attribute of something may be stored, by way of its dict."""
        match node:
            case ast.Attribute(value=owner, attr="__dict__", ctx=ast.Load()):
                pass
            case ast.Call(func=ast.Name(id="vars"), args=[owner]):
                pass
            case _:
                return
        if self._is_class_or_function(owner) and how_used(node, self._scopes) != "looked at":
            self.facts.learn_unseen(self._change("changed", node))
        if namespace_changed(node, self._scopes.parent, self._scopes.methods) is not None:
            self._note_outside(owner, ANY_ATTRIBUTE, node)

    def _note_attribute(self, name: str, node: ast.AST) -> None:
        change = self._change("changed", node)
        self.facts.attribute_changes.setdefault(name, []).append(change)

    def _note_attribute_store(self, node: ast.Attribute, name: str) -> None:
        in_constructor = self._scopes.function_around(node).endswith(".__init__")
        if in_constructor and self._is_self(node.value):
            return  # the object is new: nothing was read of it before
        self._note_attribute(name, node)
        if not isinstance(self._scopes.parent.get(node), ast.AugAssign):
            self.facts.attributes_set.add(name)
            return
        owner = owner_of(node.value, self._scopes, self._bound)
        if owner:
            read = self._read(node, "attribute", name, "", ast.unparse(node), owner)
            self.facts.updates.append(read)

    def _note_outside(self, owner: ast.expr, name: str, node: ast.AST) -> None:
        if self._scopes.runs_later(node) and not self._is_self(owner):
            change = self._change("changed", node)
            self.facts.stored_outside.setdefault(name, change)
            if name in (ANY_ATTRIBUTE, "__dict__"):
                self.facts.stored_unnamed.append((declared_as(owner, self._scopes), change))
            if may_be_class(owner, self._scopes):
                self.facts.stored_on_any.setdefault(name, change)

    def _is_self(self, owner: ast.expr) -> bool:
        """Whether an expression is the object that the method around it is called on."""
        if isinstance(owner, ast.Call) and getattr(owner.func, "id", "") == "super":
            return True
        if not isinstance(owner, ast.Name):
            return False
        inner: ast.AST = owner
        for each in self._scopes.around(owner):
            if isinstance(each, ast.ClassDef) and isinstance(inner, _METHODS):
                return is_receiver(inner, owner.id) and not makes_classes(each, self._scopes)
            inner = each
        return False

    def _is_class_or_function(self, owner: ast.expr) -> bool:
        """Whether the thing an attribute is stored on is a class or function, which outlives the
        call.
        """
        match owner:
            case ast.Name(id=name) if self._scopes.is_global(owner):
                bound = self._bound.get(name, [])
                return not bound or any(not isinstance(each, ast.expr) for each in bound)
            case ast.Name(id="cls" | "mcs" | "klass" | "__class__"):
                return True
            case ast.Name(id=name) if name in self.facts.modules or name in self.facts.imported:
                return True  # which the function imports itself
            case ast.Name():
                return is_given_class(owner, self._scopes)
            case ast.Attribute(attr="__class__") | ast.Call(func=ast.Name(id="type")):
                return True
            case ast.Attribute(value=inner):  # a member of an enumeration, say
                return self._is_class_or_function(inner)
        return False

    def _note_class_values(self) -> None:
        """Note lists and the like that all objects of a class share, where something changes
        them.
        """
        shared: set[str] = set()
        for node in self._scopes.nodes:
            if isinstance(node, ast.ClassDef):
                shared.update(shared_values(node))
        for node in self._scopes.nodes:
            if isinstance(node, ast.Attribute) and node.attr in shared:
                is_read = isinstance(node.ctx, ast.Load) and self._scopes.runs_later(node)
                how = how_used(node, self._scopes) if is_read else "looked at"
                if how != "looked at":
                    self.facts.attributes.setdefault(node.attr, self._change(how, node))

    # -- where it is read

    def _mark(self) -> None:
        for node in self._scopes.nodes:
            if type(node) not in _READING or not self._scopes.runs_later(node):
                continue
            match node:
                case ast.Name(id=name, ctx=ast.Load()):
                    # A function may import a name for itself.
                    if self._scopes.is_global(node) or name in self.facts.imported:
                        self._mark_name(node, name)
                case ast.Attribute(attr=name, ctx=ast.Load()):
                    self._mark_attribute(node, name)
                case ast.Call(func=ast.Name(id=reader) as func) if reader in _ATTRIBUTE_READERS:
                    self._mark_reader(func, node)
                case ast.Name(id=name, ctx=ast.Store()) if name in self.facts.rebound:
                    if self._scopes.is_global(node):
                        self._mark_store(node, name)
                case ast.Yield() | ast.YieldFrom():
                    self._mark_yield(node)
        for node in self._scopes.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                self._mark_defaults(node)

    def _mark_name(self, node: ast.Name, name: str) -> None:
        bound = self._bound.get(name)
        if bound is None and (hasattr(builtins, name) or name == "__name__"):
            return
        if name not in self.facts.rebound:
            taken = self.facts.taken.get(name)
            is_chosen = taken is not None and taken.chosen
            if bound and not is_chosen and all(self._is_constant(each, name) for each in bound):
                if isinstance(bound[0], ast.expr):
                    self.facts.constants.append(self._read(node, "name", name, "", name))
                elif self.facts.attributes and self._is_handed_on(node):
                    read = next(iter(self.facts.attributes))
                    self._number(node, "attribute", read, "", name)
                return
            if name in self.facts.imported and self._is_called(node) and not is_chosen:
                return
        origin, original = self.facts.imported.get(name, ("", name))
        kind: Kind = "imported" if name in self.facts.imported else "name"
        self._number(node, kind, original if origin else name, origin, name)
        if name in self.facts.rebound:
            setattr(node, STORED, self._variable(name))

    def _mark_store(self, node: ast.Name, name: str) -> None:
        setattr(node, STORED, self._variable(name))
        around = self._scopes.parent.get(node)
        if isinstance(around, ast.AugAssign):
            self._number(node, "name", name, "", name)
        elif not isinstance(around, ast.Assign):
            self.facts.stored_otherwise.add(name)

    def _variable(self, name: str) -> str:
        """A name for the variable that no other module's has."""
        return f"{self.facts.file}:{name}"

    def _is_constant(self, bound: ast.AST, name: str) -> bool:
        match bound:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Import():
                return True
            case ast.expr() if is_flag(bound):
                return False  # it is there to be set
            case ast.expr():
                changes = self.facts.uses.get(("", name), [])
                return is_literal(bound) or (is_table(bound) and not changes)
        return False

    def _is_called(self, node: ast.expr) -> bool:
        return getattr(self._scopes.parent.get(node), "func", None) is node

    def _is_handed_on(self, node: ast.Name) -> bool:
        """Whether a function or class is given to something that may read its attributes."""
        around = self._scopes.parent.get(node)
        if not isinstance(around, ast.Call) or around.func is node:
            return False
        known = isinstance(around.func, ast.Name) and around.func.id in _ASKING
        return not known and how_used(node, self._scopes) == "handed on"

    def _mark_attribute(self, node: ast.Attribute, name: str) -> None:
        base = node.value
        owner = owner_of(base, self._scopes, self._bound)
        stored = self.facts.attributes
        if name in stored or self._may_be_set(node, owner, name):
            self._number(node, "attribute", name, "", ast.unparse(node), owner)
        elif name in ("__dict__", "__getattribute__") and stored:
            self._number(node, "attribute", next(iter(stored)), "", ast.unparse(node))
        elif module := self.facts.module_meant(base):
            if not self._is_called(node):
                self._number(node, "imported", name, module, ast.unparse(node))
        elif isinstance(base, ast.Name) and base.id in self.facts.imported:
            module, inner = self.facts.imported[base.id]
            # `from . import settings`: modules have names in lower case, most classes do not.
            if inner.islower() and not self._is_called(node):
                origin = f"{module}.{inner}" if module else inner
                self._number(node, "imported", name, origin, ast.unparse(node))

    def _mark_reader(self, func: ast.Name, node: ast.Call) -> None:
        """Mark `getattr(f, "calls", 0)` and the like, which read an attribute as `f.calls` does."""
        stored = self.facts.attributes
        match node.args:
            case [owner, ast.Constant(value=str() as name), *_] if (
                module := self.facts.module_meant(owner)
            ):
                setattr(func, MARK, len(self._reads))
                self._reads.append(self._read(func, "imported", name, module, ast.unparse(node)))
                return
            case [ast.Name(id=base), ast.Constant(value=str() as name), *_] if isinstance(
                self._bound.get(base, [None])[0], ast.FunctionDef
            ):
                read = None if name.startswith("__") else name
            case [_, ast.Constant(value=str() as name), *_]:
                read = name if name in stored else None
            case _:  # any of them
                read = next(iter(stored), None) if node.args else None
        if read is not None:
            self._number(func, "attribute", read, "", ast.unparse(node))

    def _may_be_set(self, node: ast.Attribute, owner: str, name: str) -> bool:
        """Whether an attribute may hold what an earlier call left there: a flag of a class; any
        attribute of an object or function of the module, or `cache_info`. So may what the body of a
        class took from elsewhere: whether that is the system's is asked when a run reads it.
        """
        if not owner:
            return False
        match self._bound.get(owner):
            case [ast.ClassDef()] if f"{owner}.{name}" in self.facts.taken:
                return name not in self._stored  # objects may have one of their own
            case [ast.ClassDef()] if is_class_itself(node.value, self._scopes, self._bound):
                values = self._class_values.get((owner, name), [])
                return bool(values) and all(map(is_flag, values))
            case [ast.Call()]:
                return not self._is_called(node)
            case [ast.FunctionDef(decorator_list=[_, *_])] if name == CACHE:
                return True
            case [ast.FunctionDef() | ast.AsyncFunctionDef()]:
                return not name.startswith("__") and not self._is_called(node)
        return False

    def _mark_yield(self, node: ast.Yield | ast.YieldFrom) -> None:
        around = self._scopes.parent.get(node)
        # What is sent goes on to the inner generator, which may do anything with it.
        goes_on = isinstance(node, ast.YieldFrom) and not is_made_here(node.value)
        if goes_on or not isinstance(around, ast.Expr):
            self._number(node, "sent", "what is sent to it", "", "yield")
        elif any(isinstance(each, _CATCHING) for each in self._scopes.around(node)):
            self._number(node, "thrown", "what is thrown into it", "", "yield")

    def _mark_defaults(self, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        shared = mutable_defaults(function.args)
        for node in nodes_of(function) if shared else ():
            read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            if read and node.id in shared and not hasattr(node, MARK):  # type: ignore[attr-defined]
                self._number(node, "default", node.id, "", node.id)  # type: ignore[arg-type,attr-defined]

    def _number(
        self, node: ast.expr, kind: Kind, name: str, origin: str, shown: str, owner: str = ""
    ) -> None:
        setattr(node, MARK, len(self._reads))
        if kind == "imported":
            setattr(node, ORIGIN, (origin, name))
        self._reads.append(self._read(node, kind, name, origin, shown, owner))

    def _read(
        self, node: ast.expr, kind: Kind, name: str, origin: str, shown: str, owner: str = ""
    ) -> StateRead:
        scope = self._scopes.function_around(node)
        return StateRead(kind, self.facts.file, node.lineno, scope, name, origin, shown, owner)
