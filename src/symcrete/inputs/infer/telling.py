"""What a function and those it calls can tell apart: kinds, identity, text, time zones, errors.

A declared type has values of subtypes too, two parameters may be one object, and a callable may
raise. Such inputs are offered only to programs that could notice; what counts as noticing is read
off the source here, generously: asking too much costs a few runs, asking too little a wrong proof.
"""

from __future__ import annotations

import ast
import builtins
import datetime
import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType, ModuleType
from typing import Any, TypeGuard

from symcrete.inputs.infer.asked_kinds import asking_places
from symcrete.inputs.infer.callers import meant
from symcrete.inputs.infer.class_source import CHANGES
from symcrete.program.source.module import SHARED_TREES, is_of_program, parsed, walked
from symcrete.program.source.parameter_uses import INDEXED, SEARCHED, WHOLE, uses
from symcrete.program.source.sites import functions
from symcrete.slotted import dataclass

# functions looked at for one target: those beyond are seldom about its arguments; chosen, not
# measured
MOST_FUNCTIONS_READ = 60
_KIND_QUESTIONS = frozenset({"isinstance", "issubclass"})
# Attributes by which a program looks at a time zone.
_ZONES = frozenset(
    [
        *("tzinfo", "utcoffset", "astimezone", "tzname", "dst", "isoformat"),
        *("timezone", "ZoneInfo", "UTC"),
    ]
)
_EQUAL = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
_SINGLETONS = (None, True, False, ...)  # `is` with one of these does not ask for identity


@dataclass(frozen=True, slots=True)
class Telling:
    """What the code of a target can tell about its arguments."""

    kinds: tuple[Any, ...] = ()  # classes that it asks for by name
    any_kind: bool = False  # it looks at `type(x)` or `x.__class__`
    truths: bool = False  # it asks `is True` or `is False`
    identity: bool = False  # it asks whether two things are one object
    changes: bool = False  # it changes an object
    zones: bool = False  # it looks at the time zone of a datetime or time
    catches: tuple[type[Exception], ...] = ()  # exceptions that it handles
    reads_again: bool = False  # it mentions one of its parameters more than once
    # what it does with its parameters, as `parameter_uses.py` says
    uses: frozenset[str] = frozenset()
    # it asks whether two things are equal, which objects without an `__eq__` of their own are only
    # to themselves
    equality: bool = False
    # it makes texts of values otherwise than in the errors that it raises: True has another one
    # than 1
    texts: bool = False

    @property
    def asks_kinds(self) -> bool:
        """Whether it asks for the class of anything."""
        return bool(self.kinds) or self.any_kind

    def asks_for(self, *kinds: type) -> bool:
        """Whether it tells one of these classes from others."""
        return self.any_kind or any(kind in self.kinds for kind in kinds)

    def asks_by_name(self, kind: Any) -> bool:
        """Whether it names just this class to ask for objects of it."""
        return any(each is kind for each in self.kinds)


NOTHING = Telling()
# The kinds of nodes that tell anything; most of a tree are others.
_TELLING = (
    ast.Call,
    ast.Attribute,
    ast.Compare,
    ast.Name,
    ast.Subscript,
    ast.AugAssign,
    ast.ExceptHandler,
    ast.MatchClass,
    ast.MatchSingleton,
    ast.Set,
    ast.SetComp,
    ast.Dict,
    ast.DictComp,
    ast.BinOp,
    ast.FormattedValue,
)
# Functions and methods, by name, that make texts of values.
_TEXT_MAKERS = frozenset({"str", "repr", "ascii", "format"})
_TEXT_METHODS = frozenset(
    {"format", "format_map", "dumps", "substitute", "safe_substitute", "pformat"}
    | {"__str__", "__repr__", "__format__"}
)
_HASHING = frozenset({"set", "frozenset", "dict", "Counter"})  # classes that tell what is equal
# Methods that do, of sequences, sets and dicts.
_COMPARING = frozenset(
    [
        *("index", "count", "get", "fromkeys", "union", "intersection", "difference"),
        *("symmetric_difference", "isdisjoint", "issubset", "issuperset"),
    ]
)


def together(tellings: Sequence[Telling]) -> Telling:
    """What several functions can tell that are given the same arguments."""
    return Telling(
        kinds=tuple(dict.fromkeys([kind for each in tellings for kind in each.kinds])),
        any_kind=any(each.any_kind for each in tellings),
        truths=any(each.truths for each in tellings),
        identity=any(each.identity for each in tellings),
        changes=any(each.changes for each in tellings),
        zones=any(each.zones for each in tellings),
        catches=tuple(dict.fromkeys([error for each in tellings for error in each.catches])),
        reads_again=any(each.reads_again for each in tellings),
        uses=frozenset[str]().union(*[each.uses for each in tellings]),
        equality=any(each.equality for each in tellings),
        texts=any(each.texts for each in tellings),
    )


def told_by(function: Callable[..., Any]) -> Telling:
    """What a function, with the functions of the project that it mentions, can tell apart;
    everything but exceptions if its text is not at hand.
    """
    try:
        return _told(function)
    except (OSError, TypeError, ValueError, SyntaxError):
        used = frozenset({WHOLE, INDEXED, SEARCHED})
        return Telling((), True, True, True, True, True, uses=used, texts=True)


# A function keeps its module alive, and with it all that was recorded of exploring it: a few.
@functools.lru_cache(maxsize=16)  # functions; chosen, not measured
def _told(function: Callable[..., Any]) -> Telling:
    kinds: dict[Any, None] = {}
    caught: dict[type[Exception], None] = {}
    flags: set[str] = set()
    used: set[str] = set()
    texts, raised = set[ast.AST](), set[ast.AST]()
    for node, names in _reached(function):
        used |= uses(node, lambda name, names=names: _is_read(names.get(name), names))  # type: ignore[misc]
        for each in walked(node):
            if isinstance(each, ast.Raise):
                raised.update(ast.walk(each))
            if not isinstance(each, _TELLING):
                continue
            if _makes_text(each):
                texts.add(each)
            match each:
                case ast.Call(func=ast.Name(id=called), args=[_, asked]) if (
                    called in _KIND_QUESTIONS
                ):
                    kinds |= dict.fromkeys(_resolved(asked, names))
                case ast.MatchClass(cls=asked):
                    kinds |= dict.fromkeys(_resolved(asked, names))
                case ast.Call(func=ast.Name(id="type"), args=[_]):
                    flags.add("any_kind")
                case ast.Attribute(attr="__class__"):
                    flags.add("any_kind")
                case ast.Attribute(attr="register") | ast.Name(id="singledispatch"):
                    flags.add("any_kind")
                case ast.Call(func=ast.Name(id="id")):
                    flags.add("identity")
                case ast.Compare(left=left, ops=ops, comparators=others):
                    flags |= _compared(left, ops, others)
                case ast.MatchSingleton(value=bool()):
                    flags.add("truths")
                case (
                    ast.Attribute(ctx=ast.Store() | ast.Del())
                    | ast.Subscript(ctx=ast.Store() | ast.Del())
                ):
                    flags.add("changes")
                case ast.AugAssign(target=ast.Name(), value=value) if not isinstance(
                    value, ast.Constant
                ):
                    flags.add("changes")  # a list in place
                case ast.Call(func=ast.Attribute(attr=method)) if method in CHANGES:
                    flags.add("changes")
                case ast.ExceptHandler(type=asked):
                    caught |= dict.fromkeys(_errors(asked, names))
                case ast.Set() | ast.SetComp() | ast.DictComp():
                    flags.add("equality")
                case ast.Dict(keys=keys) if not all(map(_is_constant, keys)):
                    flags.add("equality")
                case ast.Call(func=ast.Name(id=called)) if called in _HASHING:
                    flags.add("equality")
                case ast.Call(func=ast.Attribute(attr=called)) if called in _COMPARING:
                    flags.add("equality")
                case _:
                    pass
            if isinstance(each, ast.Call) and len(each.args) > 1:
                kinds |= dict.fromkeys(_asked_through(each, names))
            if _is_about_zones(each, names):
                flags.add("zones")
    return Telling(
        tuple(kinds),
        "any_kind" in flags,
        "truths" in flags,
        "identity" in flags,
        "changes" in flags,
        "zones" in flags,
        tuple(caught),
        _reads_again(_plain_function(function)),
        frozenset(used),
        "equality" in flags,
        not texts <= raised,
    )


def _makes_text(node: ast.AST) -> bool:
    """Whether this makes a text of a value, or hands on what does: `map(str, numbers)`."""
    match node:
        case ast.FormattedValue():
            return True
        case ast.Call(func=ast.Name(id=name), args=args):
            handed = name not in _KIND_QUESTIONS and [getattr(each, "id", "") for each in args]
            return name in _TEXT_MAKERS or not _TEXT_MAKERS.isdisjoint(handed or ())
        case ast.Attribute(attr=name):
            return name in _TEXT_METHODS
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return True
    return False


def _is_about_zones(node: ast.AST, names: Mapping[str, Any]) -> bool:
    """Whether a node looks at a time zone, or names one, a class of them or a moment with one."""
    match node:
        case ast.Attribute(attr=name):
            return name in _ZONES
        case ast.Name(id=name) if name in names:
            value = names[name]
            if isinstance(value, type):
                return issubclass(value, datetime.tzinfo)
            if isinstance(value, datetime.datetime | datetime.time):
                value = value.tzinfo
            return isinstance(value, datetime.tzinfo)
    return False


def _reads_again(function: FunctionType) -> bool:
    """Whether a parameter is mentioned twice: an iterator may be used up by then."""
    written = _written(function)
    names = [each.id for each in walked(written) if isinstance(each, ast.Name)] if written else []
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return any(names.count(each) > 1 for each in parameters)


def _compared(left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> set[str]:
    """What a chain of comparisons tells apart: "truths" by `is True`, "identity" by `is`,
    "equality" by `==` or `in` with anything that is no constant.
    """
    found: set[str] = set()
    for op, one, other in zip(ops, [left, *others], others, strict=False):
        if isinstance(op, ast.Is | ast.IsNot):
            constants = [each.value for each in (one, other) if isinstance(each, ast.Constant)]
            if any(isinstance(each, bool) for each in constants):
                found.add("truths")
            if not any(each is alone for each in constants for alone in _SINGLETONS):
                found.add("identity")
        elif isinstance(op, _EQUAL) and not _is_constant(one) and not _is_constant(other):
            found.add("equality")
    return found


def _is_constant(node: ast.expr | None) -> bool:
    """Whether an expression is a constant, or a display of constants: no object is equal to it."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return all(map(_is_constant, node.elts))
    return isinstance(node, ast.Constant | ast.JoinedStr)


def _resolved(asked: ast.expr, names: Mapping[str, Any]) -> list[Any]:
    """The classes that the second argument of `isinstance` means."""
    found: list[Any] = []
    for part in asked.elts if isinstance(asked, ast.Tuple) else [asked]:
        try:
            kind = eval(compile(ast.Expression(part), "<isinstance>", "eval"), dict(names))
        except Exception:
            continue  # it mentions a local name
        flat = kind if isinstance(kind, tuple) else (kind,)
        for each in flat:
            united = isinstance(each, types.UnionType)
            found += typing.get_args(each) if united else [typing.get_origin(each) or each]
    return [each for each in found if isinstance(each, type)]


def _asked_through(call: ast.Call, names: Mapping[str, Any]) -> list[Any]:
    """The classes that a call hands to a function of the program that asks for them."""
    function = meant(call.func, names)
    asking = [asking_places(function, question) for question in sorted(_KIND_QUESTIONS)]
    given = [call.args[places[1]] for places in asking if places and max(places) < len(call.args)]
    return [kind for each in given for kind in _resolved(each, names)]


def _errors(asked: ast.expr | None, names: Mapping[str, Any]) -> list[type[Exception]]:
    """The classes of exceptions that a handler catches and that can be raised without arguments;
    ValueError for a handler of all exceptions.
    """
    if asked is None:
        return [ValueError]
    found: list[type[Exception]] = []
    for kind in _resolved(asked, names):
        if kind in (Exception, BaseException):
            kind = ValueError
        if issubclass(kind, Exception) and _is_raised_bare(kind):
            found.append(kind)
    return found


def _is_raised_bare(kind: type[Exception]) -> bool:
    try:
        kind()
    except Exception:
        return False
    return "<locals>" not in kind.__qualname__


def _reached(function: Callable[..., Any]) -> Iterator[tuple[ast.AST, Mapping[str, Any]]]:
    """The function and those of the project that it mentions, each with the names it knows.

    A method is known by its name alone, whatever object it is called on.
    """
    waiting: list[FunctionType] = [_plain_function(function)]
    seen: set[int] = set()
    while waiting and len(seen) < MOST_FUNCTIONS_READ:
        each = waiting.pop(0)
        if id(each.__code__) in seen:
            continue
        seen.add(id(each.__code__))
        written = _written(each)
        if written is None:
            if len(seen) == 1:
                raise TypeError("no source")
            continue
        names = {**vars(builtins), **each.__globals__}
        for node in (written, *_methods_named_in(written, each)):
            yield node, names
            waiting += _mentioned(node, each.__globals__)


def _plain_function(function: Any) -> FunctionType:
    found = inspect.unwrap(getattr(function, "func", function))
    if not isinstance(found, FunctionType):
        raise TypeError("no Python function")
    return found


def _written(function: FunctionType) -> ast.AST | None:
    """The node of a function; None where its text is not at hand."""
    file = function.__code__.co_filename
    try:
        tree = parsed(file)
    except (OSError, SyntaxError, ValueError):
        return None
    return _by_line(tree).get((function.__name__, function.__code__.co_firstlineno))


@functools.lru_cache(maxsize=SHARED_TREES)
def _by_line(tree: ast.Module) -> dict[tuple[str, int], ast.AST]:
    found: dict[tuple[str, int], ast.AST] = {}
    for scope, node in functions(tree):
        name = scope.rpartition(".")[2]
        for line in {node.lineno, *[each.lineno for each in node.decorator_list]}:
            found[name, line] = node
    return found


@functools.lru_cache(maxsize=SHARED_TREES)
def _methods(tree: ast.Module) -> dict[str, list[ast.AST]]:
    """The methods of a module's classes, and functions inside functions, by their name."""
    found: dict[str, list[ast.AST]] = {}
    for scope, node in functions(tree):
        if "." in scope:
            found.setdefault(node.name, []).append(node)
    return found


def _methods_named_in(node: ast.AST, function: FunctionType) -> list[ast.AST]:
    """The methods of the same module that a function may call, and those that these may call."""
    known = _methods(parsed(function.__code__.co_filename))
    found: dict[ast.AST, None] = {}
    waiting = [node]
    while waiting:
        names = {each.attr for each in walked(waiting.pop()) if isinstance(each, ast.Attribute)}
        for method in [method for name in names for method in known.get(name, ())]:
            if method not in found and method is not node:
                found[method] = None
                waiting.append(method)
    return list(found)


def _mentioned(node: ast.AST, names: Mapping[str, Any]) -> list[FunctionType]:
    """The functions of the project that a function mentions, as `name` or as `module.name`."""
    found: list[Any] = []
    for each in walked(node):
        match each:
            case ast.Name(id=name):
                found.append(names.get(name))
            case ast.Attribute(value=ast.Name(id=module), attr=name) if isinstance(
                names.get(module), ModuleType
            ):
                found.append(vars(names[module]).get(name))
            case _:
                pass
    plain = [inspect.unwrap(each) for each in found if callable(each)]
    return [each for each in plain if _is_of_program(each, names)]


def _is_read(named: Any, names: Mapping[str, Any]) -> bool:
    """Whether a name stands for a function that `_reached` comes to by itself."""
    return callable(named) and _is_of_program(inspect.unwrap(named), names)


def _is_of_program(found: Any, names: Mapping[str, Any]) -> TypeGuard[FunctionType]:
    """Whether a function belongs to the program that the module of these names is part of."""
    if not isinstance(found, FunctionType):
        return False
    own = str(names.get("__name__"))
    return is_of_program(found.__code__.co_filename, str(found.__module__), own)
