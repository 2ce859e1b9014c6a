"""What a function may change besides what it returns, read from its source.

Lazy expansion may replace a call by an unknown result only if nothing else of the call is missed: a
function that writes a global, an element or an argument, or calls an unknown function, is said to
have an effect; unknown methods are judged by their names (`MUTATORS`). Attributes of its own
parameters that it sets (`self.pos += 1` in a lexer) are told apart: they are a result like the one
it returns.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeAlias

from symcrete.slotted import dataclass

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

# Methods that change their object, or move on in a stream.
MUTATORS = frozenset(
    [
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "popitem",
        "add",
        "discard",
        "write",
        "writelines",
        "read",
        "readline",
        "readlines",
        "seek",
        "close",
        "send",
        "throw",
        "appendleft",
        "extendleft",
        "popleft",
        "rotate",
        "difference_update",
        "intersection_update",
        "symmetric_difference_update",
        "subtract",
        "move_to_end",
        "put",
        "get_nowait",
        "release",
        "acquire",
        "set",
    ]
)
# Built-ins whose calls have no effect.
# fmt: off
PURE_BUILTINS = frozenset([
    "abs", "all", "any", "ascii", "bin", "bool", "bytes", "bytearray", "callable", "chr",
    "complex", "dict", "divmod", "enumerate", "filter", "float", "format", "frozenset",
    "hasattr", "hash", "hex", "int", "isinstance", "issubclass", "len", "list", "map", "max",
    "min", "oct", "ord", "pow", "range", "repr", "reversed", "round", "set", "slice", "sorted",
    "str", "sum", "tuple", "type", "zip", "getattr", "super", "id", "memoryview", "iter",
    "object", "property",
])
# fmt: on
# Built-ins that give a new object, or one that cannot change.
MAKERS = frozenset(
    [
        "list",
        "dict",
        "set",
        "bytearray",
        "sorted",
        "tuple",
        "frozenset",
        "str",
        "int",
        "float",
        "bool",
        "range",
        "enumerate",
        "zip",
    ]
)
PURE_MODULES = frozenset(
    [
        "math",
        "cmath",
        "operator",
        "string",
        "re",
        "fractions",
        "decimal",
        "unicodedata",
        "bisect",
        "statistics",
    ]
)

# Tells what a name means: the functions of that name, or the constructors of the class; for an
# attribute all methods of that name; None if it is unknown.
Resolve: TypeAlias = Callable[[str, bool], "list[Routine] | None"]


class Routine:
    """One function of the program, with what tells the meaning of its names."""

    __slots__ = ("is_constructor", "modules", "node", "resolve", "scope")

    def __init__(
        self,
        node: FunctionNode,
        scope: str,
        resolve: Resolve,
        modules: frozenset[str],
        *,
        is_constructor: bool = False,
    ) -> None:
        self.node = node
        self.scope = scope
        self.resolve = resolve  # (name, whether it is an attribute) -> what it may mean
        self.modules = modules  # names that are imported modules
        self.is_constructor = is_constructor

    def named_by(self, resolve: Resolve) -> Routine:
        """The same function where this tells what its names mean."""
        return Routine(
            self.node, self.scope, resolve, self.modules, is_constructor=self.is_constructor
        )


class ModuleText:
    """The functions and classes of one module, by name."""

    def __init__(
        self, tree: ast.Module, elsewhere: Callable[[str], list[Routine] | None] = lambda name: None
    ) -> None:
        self._elsewhere = elsewhere  # what a name means that this module imports
        self._functions: dict[str, list[Routine]] = {}
        self._methods: dict[str, list[Routine]] = {}
        self._classes: dict[str, list[Routine]] = {}
        self.by_scope: dict[str, Routine] = {}
        self.global_names = frozenset(
            name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
        )
        self._modules = frozenset(
            (alias.asname or alias.name).split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for alias in node.names
        )
        self._collect(tree.body, "", None)

    def _collect(self, body: list[ast.stmt], prefix: str, owner: str | None) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                scope = prefix + node.name
                made = node.name in ("__init__", "__new__", "__post_init__")
                routine = Routine(node, scope, self.resolve, self._modules, is_constructor=made)
                self.by_scope[scope] = routine
                where = self._functions if owner is None else self._methods
                where.setdefault(node.name, []).append(routine)
                if made and owner is not None:
                    self._classes.setdefault(owner, []).append(routine)
                self._collect(node.body, scope + ".", None)
            elif isinstance(node, ast.ClassDef):
                self._classes.setdefault(node.name, [])
                self._collect(node.body, f"{prefix}{node.name}.", node.name)
            elif isinstance(node, ast.If | ast.Try | ast.With):
                self._collect(
                    [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)],
                    prefix,
                    owner,
                )

    def resolve(self, name: str, attribute: bool) -> list[Routine] | None:
        """What a name means, or for an attribute all methods of that name; None if unknown."""
        if attribute:
            return self._methods.get(name)
        if name in self._functions:
            return self._functions[name]
        if name in self._classes:
            return self._classes[name]
        return self._elsewhere(name)


@dataclass(frozen=True, slots=True)
class Effects:
    """What a call does besides computing a result."""

    said: str = ""  # in words; "" if nothing but what `writes` has
    writes: frozenset[tuple[str, str]] = frozenset()  # parameters, and attributes it sets of them
    # whether lists, dicts and sets that it is given may be changed all the same: through another
    # name (`out = items; out += more`) or by a method that is handed on (`map(items.append, more)`)
    hidden: bool = False


def effect_of(routine: Routine) -> str:
    """What a call of this does besides computing a result, in words; "" if nothing."""
    found = effects_of(routine)
    changed = min([f"changes {name}" for name, _ in found.writes], default="")
    return found.said or changed


def effects_of(routine: Routine) -> Effects:
    """What a call of this does besides computing a result."""
    reader = _Reader()
    while True:
        before = reader.count
        said = reader.read(routine)
        if said or reader.count == before:  # what recursion writes is known in the next reading
            writes = reader.writes[id(routine.node)]
            return Effects(said, frozenset(writes), reader.hidden)
        reader.again()


class _Reader:
    """Reads functions, and those that they call, for effects."""

    def __init__(self) -> None:
        self._done: set[int] = set()
        self.writes: dict[int, set[tuple[str, str]]] = {}
        self.hidden = False

    @property
    def count(self) -> int:
        """How many written attributes are known, of all routines together."""
        return sum(map(len, self.writes.values()))

    def again(self) -> None:
        """Get ready to read everything once more, with what is known."""
        self._done.clear()

    def read(self, routine: Routine) -> str:
        """What a call does besides setting the attributes that `writes` has; "" if nothing."""
        node = routine.node
        self.writes.setdefault(id(node), set())
        if id(node) in self._done:
            return ""  # recursion: judged where it was first met
        self._done.add(id(node))
        if isinstance(node, ast.AsyncFunctionDef):
            return "is a coroutine"
        fresh = _fresh_names(routine)
        called = {id(each.func) for each in _own_nodes(node) if isinstance(each, ast.Call)}
        for inner in _own_nodes(node):
            self.hidden = self.hidden or _hides(inner, fresh, called)
            found = self._of_node(inner, routine, fresh)
            if found:
                return found
        return ""

    def _of_node(self, node: ast.AST, routine: Routine, fresh: frozenset[str]) -> str:
        match node:
            case ast.Yield() | ast.YieldFrom():
                return "is a generator"
            case ast.Await():
                return "is a coroutine"
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                return f"writes {', '.join(names)}"
            case ast.Attribute(ctx=ast.Store(), value=ast.Name(id=name), attr=attribute) if (
                name not in fresh and name in _steady_parameters(routine.node)
            ):
                self.writes[id(routine.node)].add((name, attribute))
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del(), value=value)
                | ast.Subscript(ctx=ast.Store() | ast.Del(), value=value)
            ):
                root = _root(value)
                if root is None or root not in fresh:
                    return f"changes {ast.unparse(value)}"
            case ast.AugAssign(target=ast.Name(id=name), value=value) if name not in fresh:
                # `items += [1]` changes a list that belongs to the caller; a number it does not.
                given = name in _parameters(routine.node) and not _is_number(value)
                if given or isinstance(value, ast.List | ast.ListComp | ast.Set | ast.Dict):
                    return f"may change {name}"
            case ast.Import() | ast.ImportFrom():
                return "imports a module"
            case ast.Call():
                return self._of_call(node, routine, fresh)
        return ""

    def _of_call(self, node: ast.Call, routine: Routine, fresh: frozenset[str]) -> str:
        function = node.func
        if isinstance(function, ast.Name):
            name = function.id
            known = None if name in fresh else routine.resolve(name, False)
            if known is not None:
                return self._of_all(known, name, None, node, routine, fresh)
            if name in PURE_BUILTINS or name.endswith(("Error", "Exception", "Warning")):
                return ""
            return f"calls {name}()"
        if isinstance(function, ast.Attribute):
            return self._of_method(function, node, routine, fresh)
        return "calls what it computes"

    def _of_method(
        self, function: ast.Attribute, call: ast.Call, routine: Routine, fresh: frozenset[str]
    ) -> str:
        root, name = _root(function.value), function.attr
        if root in routine.modules:
            return "" if root in PURE_MODULES else f"calls {root}.{name}()"
        known = routine.resolve(name, True)
        if known is not None:
            return self._of_all(known, name, function.value, call, routine, fresh)
        if name in MUTATORS and (root is None or root not in fresh):
            return f"calls {ast.unparse(function)}()"
        return ""

    def _of_all(
        self,
        known: list[Routine],
        name: str,
        receiver: ast.expr | None,
        call: ast.Call,
        routine: Routine,
        fresh: frozenset[str],
    ) -> str:
        for each in known:
            found = self.read(each)
            if found:
                return f"calls {name}(), which {found}"
            for parameter, attribute in sorted(self.writes[id(each.node)]):
                given = _given(each.node, parameter, receiver, call)
                if not isinstance(given, ast.Name):
                    return f"calls {name}(), which changes {parameter}"
                if given.id in fresh:
                    continue
                if given.id not in _steady_parameters(routine.node):
                    return f"calls {name}(), which changes {given.id}"
                self.writes[id(routine.node)].add((given.id, attribute))
        return ""


def _hides(node: ast.AST, fresh: frozenset[str], called: set[int]) -> bool:
    """Whether a node may change a container in a way that is not told as an effect; `called` has
    the functions of calls, by id.
    """
    match node:
        case ast.AugAssign(target=target, value=value) if not _is_number(value):
            return _root(target) not in fresh
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()) if _root(value) not in fresh:
            special = name.startswith("__") and name.endswith("__")
            return special or (name in MUTATORS and id(node) not in called)
    return False


def _given(
    function: FunctionNode, parameter: str, receiver: ast.expr | None, call: ast.Call
) -> ast.expr | None:
    """What a call hands over as this parameter; None if that cannot be told."""
    named = [each.value for each in call.keywords if each.arg == parameter]
    if named:
        return named[0]
    places = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    static = any(
        isinstance(each, ast.Name) and each.id == "staticmethod" for each in function.decorator_list
    )
    given = [*([] if receiver is None or static else [receiver]), *call.args]
    place = places.index(parameter) if parameter in places else len(given)
    starred = any(isinstance(each, ast.Starred) for each in given[: place + 1])
    return None if starred or place >= len(given) else given[place]


def _steady_parameters(function: FunctionNode) -> frozenset[str]:
    """The parameters that always hold what the function was given: nothing in it binds them."""
    stored = {
        node.id
        for node in _own_nodes(function)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    return _parameters(function) - stored - _bound_otherwise(function)


def _bound_otherwise(function: FunctionNode) -> frozenset[str]:
    """The names in a function that something else than an assignment binds: a pattern, a handler,
    a call of a function inside it.
    """
    bound: set[str] = set()
    for node in _own_nodes(function):
        match node:
            case ast.Lambda() | ast.FunctionDef() | ast.AsyncFunctionDef():
                bound |= _parameters(node)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                bound.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                bound.add(name)
    return frozenset(bound)


def _own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """All nodes that a call of the function may execute; functions inside it count as called."""
    for statement in function.body:
        yield from ast.walk(statement)


def _parameters(function: FunctionNode | ast.Lambda) -> frozenset[str]:
    a = function.args
    every = [
        *a.posonlyargs,
        *a.args,
        *a.kwonlyargs,
        *([a.vararg] if a.vararg else []),
        *([a.kwarg] if a.kwarg else []),
    ]
    return frozenset(each.arg for each in every)


def _fresh_names(routine: Routine) -> frozenset[str]:
    """The locals that only hold what the function itself made: changing those is no effect."""
    made: dict[str, bool] = {}
    for node in _own_nodes(routine.node):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    _note(target, value, made, routine)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                _note(target, value, made, routine)
            case (
                ast.For(target=target)
                | ast.comprehension(target=target)
                | ast.NamedExpr(target=target)
            ):
                _note(target, None, made, routine)
            case ast.withitem(optional_vars=target) if target is not None:
                _note(target, None, made, routine)
    fresh = {name for name, is_fresh in made.items() if is_fresh}
    fresh -= _parameters(routine.node) | _bound_otherwise(routine.node)
    if routine.is_constructor and routine.node.args.args:
        fresh.add(routine.node.args.args[0].arg)
    return frozenset(fresh)


def _note(
    target: ast.expr, value: ast.expr | None, made: dict[str, bool], routine: Routine
) -> None:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            new = node is target and value is not None and _makes(value, routine)
            made[node.id] = made.get(node.id, True) and new


def _makes(value: ast.expr, routine: Routine) -> bool:
    """Whether the value is a new object, or one that cannot change."""
    match value:
        case (
            ast.List()
            | ast.Dict()
            | ast.Set()
            | ast.ListComp()
            | ast.DictComp()
            | ast.SetComp()
            | ast.Constant()
            | ast.JoinedStr()
            | ast.Compare()
            | ast.BinOp()
            | ast.UnaryOp()
        ):
            return True
        case ast.Call(func=ast.Name(id=name)):
            if name in MAKERS:
                return True
            known = routine.resolve(name, False)
            return known is not None and all(each.is_constructor for each in known)
    return False


def _root(node: ast.expr) -> str | None:
    """The variable that directly holds the object which is changed; None if it is held
    otherwise.
    """
    return node.id if isinstance(node, ast.Name) else None


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
