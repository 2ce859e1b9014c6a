"""Whether what a program stores into a field is of the type that the field is declared with.

A field that a constructor takes as it is has every value of its type in some input, whatever the
program stores there later; unless it stores something else, such as None where an int is declared.
"""

from __future__ import annotations

import ast
import types
import typing
from collections.abc import Collection, Iterator, Mapping

from symcrete.program.source.module import walked
from symcrete.program.source.sites import functions
from symcrete.slotted import dataclass

_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)  # operators that give an int for ints
_NUMBERS = ("bool", "int", "float")
# The types that built-in functions give, whatever they are given.
_GIVEN_BY = {
    "len": "int",
    "ord": "int",
    "hash": "int",
    "int": "int",
    "float": "float",
    "str": "str",
    "repr": "str",
    "chr": "str",
    "bool": "bool",
    "isinstance": "bool",
    "callable": "bool",
}
# Methods of a str that give a str.
_TEXT_METHODS = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize"})
# Methods that put something into a container; those of the first set put just what they are given.
PUTTING_ONE = frozenset({"append", "add", "appendleft"})
PUTTING = PUTTING_ONE | {"extend", "insert", "update", "setdefault", "extendleft", "__setitem__"}
_FILLING = frozenset({"update", "setdefault", "pop", "clear", "__setitem__"})  # of a namespace
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Misfit:
    """A place that may give a field something that is not of its declared type."""

    field: str
    line: int
    scope: str


def misfits(
    tree: ast.Module, family: Collection[str], declared: Mapping[str, str]
) -> Iterator[Misfit]:
    """The places of a module that may give a field something not of its declared type.

    `declared` are the fields of a class with their types as text. `family` are the names of the
    class and of those above and below it: the first parameter of their methods is an object with
    these fields, that of other methods an object with fields of its own.
    """
    if not declared:
        return  # most classes have no such field, and all modules of a program would be read for it
    for scope, known, nodes in known_scopes(tree, family, declared):
        for field, line in known.misfits(nodes):
            yield Misfit(field, line, scope)


def known_scopes(
    tree: ast.Module, family: Collection[str], declared: Mapping[str, str]
) -> Iterator[tuple[str, Known, list[ast.AST]]]:
    """The functions of a module, and "" for itself, with what is known of types in each of them and
    with its nodes, those of functions inside it left out.
    """
    bound = _bound(tree)
    classes = {each.name for each in walked(tree) if isinstance(each, ast.ClassDef)}
    for scope, node in functions(tree):
        owner, receiver = scope.rpartition(".")[0], _receiver(node) if "." in scope else ""
        own = owner in family
        in_class = owner.rpartition(".")[2] in classes
        other = receiver if receiver and not own and in_class else ""
        known = Known(declared, _parameters(node), receiver if own else "", other, bound)
        yield scope, known, list(_own(node))
    nothing = Known(declared, {}, "", "", bound)
    for each in walked(tree):
        if isinstance(each, ast.Lambda):
            yield "", nothing, list(_own(each))
    yield "", nothing, list(_own(tree))


def as_text(annotation: object) -> str:
    """A declared type as `misfits` compares it: "int", "int | None", "list[int]"."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return "None" if annotation is types.NoneType else annotation.__name__
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return " | ".join([as_text(each) for each in typing.get_args(annotation)])
    text = annotation if isinstance(annotation, str) else str(annotation)
    text = text.replace("typing.", "")
    inner = text.removeprefix("Optional[").removesuffix("]")
    return f"{inner} | None" if text.startswith("Optional[") else text


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, or of a module, but for those of the functions inside it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS):
            yield child
            yield from _own(child)


def _bound(tree: ast.AST) -> frozenset[str]:
    """The names that a module binds anywhere, so that they may not be the built-in ones."""
    found: set[str] = set()
    for each in walked(tree):
        match each:
            case (
                ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.alias(asname=str(name))
            ):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.alias(name=name):
                found.add(name)
    return frozenset(found)


def _receiver(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    decorated = {ast.unparse(each) for each in node.decorator_list}
    given = [*node.args.posonlyargs, *node.args.args]
    return given[0].arg if given and not decorated & {"staticmethod", "classmethod"} else ""


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, str]:
    """The declared types of parameters that the function does not bind otherwise, and whose
    defaults are of that type.
    """
    given = [*node.args.posonlyargs, *node.args.args]
    defaults: dict[str, ast.expr | None] = {each.arg: None for each in given}
    with_default = given[len(given) - len(node.args.defaults) :]
    defaults |= {a.arg: d for a, d in zip(with_default, node.args.defaults, strict=True)}
    pairs = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    defaults |= {a.arg: d for a, d in pairs}
    stored = {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }
    found: dict[str, str] = {}
    for each in (*given, *node.args.kwonlyargs):
        if each.annotation is None or each.arg in stored:
            continue
        declared, default = as_text(ast.unparse(each.annotation)), defaults[each.arg]
        if default is None or fits(Known({}, {}, "", "", frozenset()).type_of(default), declared):
            found[each.arg] = declared
    return found


def fits(kind: str, declared: str) -> bool:
    """Whether a value of one type is of another, both as text; "" is a type nobody knows."""
    if not kind:
        return False
    parts = [each.strip() for each in declared.split("|")]
    return (
        kind == declared
        or kind in parts
        or (kind == "bool" and "int" in parts)
        or (kind in ("int", "bool") and "float" in parts)
    )


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the types of expressions in one function."""

    declared: Mapping[str, str]  # of fields
    parameters: Mapping[str, str]
    receiver: str  # the parameter that is an object with these fields
    other: str  # the parameter that is an object of another class
    bound: frozenset[str]  # names that may not be the built-in ones

    def misfits(self, nodes: list[ast.AST]) -> Iterator[tuple[str, int]]:
        """Fields that may be given something else, each with the line."""
        plain: set[ast.AST] = set()
        for each in nodes:
            match each:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        plain.add(target)
                        yield from self._stored(target, self.type_of(value))
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    plain.add(target)
                    yield from self._stored(target, self.type_of(value))
                case ast.AugAssign(target=ast.Attribute(attr=name) as target, op=op, value=value):
                    plain.add(target)
                    before = self.declared.get(name, "")
                    yield from self._stored(target, _result(before, op, self.type_of(value)))
                case ast.Call():
                    yield from self._called(each)
        for each in nodes:
            match each:
                case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()) if each not in plain:
                    yield from self._stored(each, "")
                case ast.Subscript(value=owner, slice=key, ctx=ast.Store() | ast.Del()):
                    if self._is_namespace(owner):
                        yield from self._at_key(key, each.lineno)
                    elif isinstance(owner, ast.Attribute) and owner.attr in self.declared:
                        yield owner.attr, each.lineno

    def _stored(self, target: ast.expr, kind: str) -> Iterator[tuple[str, int]]:
        match target:
            case ast.Attribute(value=ast.Name(id=holder)) if holder == self.other:
                return
            case ast.Attribute(attr=name) if name in self.declared:
                if not fits(kind, self.declared[name]):
                    yield name, target.lineno

    def _at_key(self, key: ast.expr | None, line: int) -> Iterator[tuple[str, int]]:
        """The field that a text names; all of them where it is not known which."""
        named = isinstance(key, ast.Constant) and isinstance(key.value, str)
        for name in self.declared:
            if not named or name == getattr(key, "value", None):
                yield name, line

    def _is_other(self, holder: ast.expr) -> bool:
        return isinstance(holder, ast.Name) and holder.id == self.other

    def _is_namespace(self, node: ast.expr) -> bool:
        """Whether an expression is the dict of the attributes of an object with these fields."""
        match node:
            case ast.Attribute(value=holder, attr="__dict__"):
                return not self._is_other(holder)
            case ast.Call(func=ast.Name(id="vars"), args=[holder]):
                return not self._is_other(holder)
        return False

    def _called(self, call: ast.Call) -> Iterator[tuple[str, int]]:
        """Fields that a call may give something else: by `setattr`, or by a method that puts
        something into the container they hold.
        """
        match call:
            case ast.Call(
                func=ast.Name(id="setattr" | "delattr")
                | ast.Attribute(attr="__setattr__" | "__delattr__"),
                args=[holder, *others],
            ) if not self._is_other(holder):
                # `super().__setattr__(name, value)` is given no object.
                named = (
                    others[:1] if len(others) > 1 or isinstance(call.func, ast.Name) else [holder]
                )
                yield from self._at_key(named[0] if named else None, call.lineno)
            case ast.Call(func=ast.Attribute(value=owner, attr=method)) if (
                method in _FILLING and self._is_namespace(owner)
            ):
                yield from self._at_key(None, call.lineno)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr=method)):
                if name in self.declared and method in PUTTING:
                    element = self.declared[name].partition("[")[2].removesuffix("]")
                    given = [self.type_of(each) for each in call.args]
                    if method not in PUTTING_ONE or not all(fits(g, element) for g in given):
                        yield name, call.lineno

    def type_of(self, node: ast.expr) -> str:
        """The type of an expression as text; "" if it is not known."""
        match node:
            case ast.Constant(value=None):
                return "None"
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.JoinedStr():
                return "str"
            case ast.Name(id=name):
                return self.parameters.get(name, "")
            case ast.Attribute(value=ast.Name(id=name), attr=field) if name == self.receiver:
                return self.declared.get(field, "")
            case ast.UnaryOp(op=ast.Not()):
                return "bool"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                kind = self.type_of(operand)
                return kind if kind in ("int", "float") else ""
            case ast.Compare(left=left, comparators=others):
                known = [self.type_of(each) for each in (left, *others)]
                return "bool" if all(each in (*_NUMBERS, "str") for each in known) else ""
            case ast.BinOp(left=left, op=op, right=right):
                return _result(self.type_of(left), op, self.type_of(right))
            case ast.IfExp(body=body, orelse=orelse):
                kinds = {self.type_of(body), self.type_of(orelse)}
                return kinds.pop() if len(kinds) == 1 else ""
            case ast.Call(func=ast.Name(id="abs" | "min" | "max" as name), args=args):
                kinds = {self.type_of(each) for each in args}
                several = len(args) > 1 or name == "abs"
                usual = several and not node.keywords and name not in self.bound
                return kinds.pop() if usual and kinds in ({"int"}, {"float"}) else ""
            case ast.Call(func=ast.Name(id=name)):
                return _GIVEN_BY.get(name, "") if name not in self.bound else ""
            case ast.Call(func=ast.Attribute(value=value, attr=method)):
                is_text = method in _TEXT_METHODS and self.type_of(value) == "str"
                return "str" if is_text else ""
        return ""


def _result(left: str, op: ast.operator, right: str) -> str:
    """The type that an operator gives for operands of these types; "" if it is not known."""
    if left in _NUMBERS and right in _NUMBERS:
        if isinstance(op, ast.Div):
            return "float"
        if isinstance(op, _WHOLE):
            return "float" if "float" in (left, right) else "int"
    if left == "str" and (isinstance(op, ast.Mod) or (isinstance(op, ast.Add) and right == "str")):
        return "str"
    return ""
