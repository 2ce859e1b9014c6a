"""Which expressions differ between two processes that import the same text on one machine: hashes
of texts, addresses, and the order in which a set of texts gives them.

The seed of the hashes (PYTHONHASHSEED) decides these. Names and attributes count by what they are
called: one that holds a set anywhere in the module holds one everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TELLING = (
    *(ast.Call, ast.For, ast.AsyncFor, ast.Starred, ast.Assign, ast.FormattedValue, ast.BinOp),
    *(ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.Attribute),
)
# With those that bind something; most of a module's nodes are others.
_READ = frozenset({*_TELLING, *_FUNCTIONS, ast.NamedExpr, ast.AnnAssign, ast.arg})
_HASHING = frozenset({"hash", "id"})
_SETS = frozenset({"set", "frozenset"})
_OF_SETS = frozenset(  # methods of a set that give one
    {"union", "difference", "intersection", "symmetric_difference", "copy"}
)
_JOINING = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)
# Functions that give the same in whatever order they get things, unless they have a `key`.
_WITHOUT_ORDER = frozenset(
    {"len", "sorted", "min", "max", "sum", "any", "all", "set", "frozenset", "bool"}
)
# Functions and methods, by their last names, whose results have or tell the order of a set.
_WITH_ORDER = frozenset(
    [
        *("list", "tuple", "iter", "next", "enumerate", "zip", "map", "filter", "reversed", "dict"),
        *("str", "repr", "format", "join", "fromkeys", "extend", "dumps", "reduce", "deque"),
        *("islice", "chain", "from_iterable", "cycle", "product", "permutations", "combinations"),
        *("OrderedDict", "Counter", "groupby", "accumulate", "most_common", "array"),
    ]
)
_SET_TYPES = frozenset({"set", "frozenset", "Set", "FrozenSet", "AbstractSet", "MutableSet"})


def differing(nodes: Iterable[ast.AST]) -> frozenset[ast.AST]:
    """The expressions among these nodes, which are the outermost first, that differ."""
    telling, functions = [], {}
    holding: set[str] = set()  # names and attributes that hold sets
    for node in nodes:
        if type(node) not in _READ:
            continue
        if isinstance(node, _TELLING):
            telling.append(node)
        elif isinstance(node, _FUNCTIONS):
            functions[node.name] = node
        _note_holding(node, functions, holding)
    found: set[ast.AST] = set()
    excused: set[ast.AST] = set()  # what only goes where no order counts: `sorted(list(names))`
    for node in telling:
        found.update(_differing(node, holding, excused))
    return frozenset(found)


def _note_holding(
    node: ast.AST, functions: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef], held: set[str]
) -> None:
    """Note what holds a set by this node: what it binds, or a parameter that it gives one to."""
    match node:
        case ast.Assign(targets=targets, value=value) if _is_set(value, held):
            held.update(filter(None, map(_name_of, targets)))
        case ast.NamedExpr(target=target, value=value) if _is_set(value, held):
            held.add(target.id)
        case ast.AnnAssign(target=target, annotation=hint, value=value):
            if _is_set_type(hint) or (value is not None and _is_set(value, held)):
                held.update(filter(None, [_name_of(target)]))
        case ast.arg(arg=name, annotation=ast.expr() as hint) if _is_set_type(hint):
            held.add(name)
        case ast.Call(func=ast.Name(id=name), args=args) if name in functions:
            given = functions[name].args
            for each, parameter in zip(args, [*given.posonlyargs, *given.args], strict=False):
                if _is_set(each, held):
                    held.add(parameter.arg)


def _name_of(target: ast.expr) -> str:
    match target:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_set_type(hint: ast.expr) -> bool:
    """Whether an annotation says that it is a set of something else than numbers."""
    match hint:
        case ast.Subscript(slice=ast.Name(id="int" | "float" | "bool")):
            return False
        case ast.Subscript(value=value):
            return _name_of(value) in _SET_TYPES
    return _name_of(hint) in _SET_TYPES


def _is_set(node: ast.expr, held: set[str]) -> bool:
    """Whether an expression gives a set whose order may differ: more than one thing is in it, and
    not only numbers.
    """
    match node:
        case ast.Set(elts=[one]):
            return isinstance(one, ast.Starred)
        case ast.Set(elts=several):
            return not all(_is_number(each) for each in several)
        case ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name), args=args) if name in _SETS:
            return not any(_is_numbers(each) for each in args)
        case ast.Call(func=ast.Attribute(value=of, attr=name)) if name in _OF_SETS:
            return _is_set(of, held)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _JOINING):
            return _is_set(left, held) or _is_set(right, held)
        case ast.IfExp(body=one, orelse=other):
            return _is_set(one, held) or _is_set(other, held)
        case ast.NamedExpr(value=value):
            return _is_set(value, held)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in held
    return False


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _is_numbers(node: ast.expr) -> bool:
    """Whether an expression gives only numbers."""
    match node:
        case ast.Call(func=ast.Name(id="range")):
            return True
        case ast.List(elts=several) | ast.Tuple(elts=several) | ast.Set(elts=several):
            return all(_is_number(each) for each in several)
    return False


def _differing(node: ast.AST, held: set[str], excused: set[ast.AST]) -> Iterable[ast.AST]:
    """What differs by this node: itself, or a set in it. `excused` gets what need not be looked at
    any more.
    """
    match node:
        case ast.Attribute(attr="__hash__"):
            yield node
        case ast.Call(func=ast.Name(id=name)) if name in _HASHING:
            yield node
        case ast.Call(func=function, args=args, keywords=options):
            if _handed(args, [each.value for each in options]) & _HASHING:
                yield node  # `map(hash, names)`
            name = _name_of(function)
            takes = name in _WITHOUT_ORDER and not options
            if takes or node in excused:
                excused.update(args)
            elif _tells_order(function, name, args, held):
                yield node
        case ast.For(target=_, iter=each) | ast.AsyncFor(target=_, iter=each):
            if _is_set(each, held):
                yield each
        case ast.ListComp() | ast.GeneratorExp() | ast.DictComp() if node not in excused:
            yield from (each.iter for each in node.generators if _is_set(each.iter, held))
        case ast.Starred(value=value) | ast.FormattedValue(value=value) if _is_set(value, held):
            if node not in excused:
                yield value
        case ast.Assign(targets=targets, value=value) if _is_set(value, held):
            if any(isinstance(each, ast.Tuple | ast.List) for each in targets):
                yield value
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
            if _is_set(right, held):
                yield right


def _handed(args: Sequence[ast.expr], options: Sequence[ast.expr]) -> set[str]:
    return {each.id for each in (*args, *options) if isinstance(each, ast.Name)}


def _tells_order(function: ast.expr, name: str, args: Sequence[ast.expr], held: set[str]) -> bool:
    """Whether a call gives something by the order of a set."""
    if isinstance(function, ast.Attribute) and name == "pop" and not args:
        return _is_set(function.value, held)
    if name in _WITH_ORDER or name in _WITHOUT_ORDER - _SETS - {"len", "bool", "any", "all"}:
        return any(_is_set(each, held) for each in args)
    return False
