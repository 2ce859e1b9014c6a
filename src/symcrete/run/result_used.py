"""Use what a run's call gave the way its kind is used, with inputs of its own.

Functions made inside the program are called, generators that look at what they are sent or thrown
are driven, contexts are entered and left. What is done next, and with what, is part of the input
(`inputs/late.py`), and the least that can be done is the plainest: a function is called once, a
generator is run to its end, a context is left without an exception. More steps than are tried
always exist: no proof is about code that a result leads to (`explore/proof/standing.py`).
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import typing
from collections.abc import Callable, Iterator, Sequence
from types import AsyncGeneratorType, CellType, CodeType, FunctionType, GeneratorType
from typing import Any

from symcrete.errors import SymcreteError, UnsupportedInput
from symcrete.inputs.infer.body import inferred_types, is_sure
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.annotations import Reader
from symcrete.inputs.shapes.arguments import Arguments, arguments_of
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, Shape, one_of, write
from symcrete.program.source.yields import Yields, yields_of
from symcrete.run.drain import drain
from symcrete.run.use import WAYS, Use, awaited_steps, entering
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.values.build.late_inputs import late_input
from symcrete.values.tracking import recording
from symcrete.values.tracking.followed import is_followed

MOST_USES = 4  # steps with one result; chosen, not measured
MOST_CAUGHT_ERRORS = 3  # classes of exceptions that are thrown into one; chosen, not measured
_STOP = "stop"
_OTHER_ERRORS = (ValueError, KeyError)  # for errors that a generator does not catch by name
_HOLDING = (tuple, list, dict)  # what may hold functions
_PLAIN = (type(None), list, dict, tuple, set)
_NOTHING_INSIDE = (int, float, str)  # tracked or not, there is no step to take with them


@dataclass(frozen=True, slots=True)
class Taken:
    """One step that a run took."""

    how: str  # what is done, as in `Use`
    root: str  # what the names of its variables begin with
    name: str  # what a test may call the thing that is used
    again: bool  # whether the thing used before is used once more
    given: tuple[tuple[str, str, Shape], ...] = ()  # what precedes it in a call, its root and shape


def used(result: Any) -> Any:
    """What comes of the result of a call when it is used as the input of the run under way says:
    functions are called, generators driven or run to their end, contexts entered.
    """
    kind = type(result)
    if isinstance(result, _NOTHING_INSIDE):
        return result
    if kind in _PLAIN:
        return _called_in(result) if kind in _HOLDING and result else result
    if kind is GeneratorType or kind is AsyncGeneratorType:
        return _driven(result)
    if _is_made_inside(result):
        return _called(result)
    how = entering(result)
    return _entered(result, how) if how else drain(result)


_NOTHING_GIVEN = ("*[]", "*()", "**{}")  # texts that are left out of a call


def uses_of(taken: Sequence[Taken], given: Assignment) -> tuple[list[Use], set[tuple[str, str]]]:
    """Steps as text, with the (module, name) pairs that it mentions.

    Raises NoLiteral where a value has no text.
    """
    found: list[Use] = []
    imports: set[tuple[str, str]] = set()
    for step in taken:
        texts = []
        for before, root, shape in step.given:
            written = write(shape, root, given)
            imports |= written.imports
            if before + written.text not in _NOTHING_GIVEN:
                texts.append(before + written.text)
        found.append(Use(step.how, ", ".join(texts), step.again, step.name))
    return found, imports


def _took(step: Taken) -> None:
    recording.active().memory.setdefault("used", []).append(step)


def _next_root() -> str:
    taken = recording.active().memory.get("used", ())
    return f"used@{len(taken) + 1}"


def _chosen(root: str, ways: Sequence[Any]) -> Any:
    shape = ChoiceShape(tuple([ConstantShape(way) for way in ways]))
    return late_input(Late(f"{root}.how", shape, ""))


# -- functions


def _is_made_inside(result: Any) -> bool:
    """Whether it is a function that the program made inside another one."""
    function = result.func if isinstance(result, functools.partial) else result
    if type(function) is not FunctionType:
        return False
    inside = "<locals>" in function.__qualname__ or "<locals>" in function.__code__.co_qualname
    return inside and is_followed(function)


def _called(function: Any) -> Any:
    result, again = function, False
    for _ in range(MOST_USES):
        root = _next_root()
        if again and _chosen(root, (_STOP, "call")) == _STOP:
            return result
        try:
            arguments = _arguments(function)
        except (SymcreteError, TypeError):
            return function
        result = _call(function, arguments, root, again=again)
        if _is_made_inside(result) and result is not function:
            function, again = result, False
        elif getattr(_plain(function), "__closure__", None):
            again = True  # it may remember what it was called with
        else:
            return result
    return result


def _called_in(result: Any) -> Any:
    """What the last call gives of the functions that a result holds, called in the order that the
    input says; the result itself if it holds none.
    """
    values = result.values() if type(result) is dict else result
    for each in values:
        if not isinstance(each, _NOTHING_INSIDE):
            break
    else:
        return result  # as most are: numbers and texts
    items = result.items() if type(result) is dict else enumerate(result)
    inside = {
        key: each
        for key, each in items
        if not isinstance(each, _NOTHING_INSIDE)
        and type(key) in (int, str)
        and _is_made_inside(each)
    }
    found = result
    for step in range(MOST_USES if inside else 0):
        root = _next_root()
        chosen = _chosen(root, [*[_STOPPED] * (step > 0), *inside])
        if chosen is _STOPPED:
            break
        try:
            arguments = _arguments(inside[chosen])
        except (SymcreteError, TypeError):
            break
        found = _call(inside[chosen], arguments, root, again=step > 0, key=chosen)
    return found


_STOPPED = (_STOP,)  # no key of a result is equal to it


def _call(
    function: Any, arguments: Arguments, root: str, *, again: bool, key: int | str | None = None
) -> Any:
    """What a function gives for arguments that are inputs of the run. `key`: where the result that
    is used holds the function, if it does.
    """
    for why in arguments.open:
        recording.active().losses["", 0, why] = None
    roots = {each.name: f"{root}.{each.name}" for each in arguments.parameters}
    values = {
        each.name: late_input(Late(roots[each.name], each.shape, ""))
        for each in arguments.parameters
    }
    words = [
        (f"{p.name}=" if p.by_keyword else p.spread, roots[p.name], p.shape)
        for p in arguments.parameters
    ]
    if key is None:
        _took(Taken("call", root, _name(function), again, tuple(words)))
    else:
        where = ("", f"{root}.key", ConstantShape(key))
        _took(Taken("item", root, "functions", again, (where, *words)))
    positional, keywords = arguments.split(values)
    result = WAYS["call"](function, *positional, **keywords)
    return result if _is_made_inside(result) else drain(result)


def _arguments(function: Any) -> Arguments:
    if type(function) is not FunctionType:
        return arguments_of(function, {}, _name(function))
    key = function.__code__
    if key not in _known:
        _known[key] = arguments_of(function, {}, _name(function))
    return _known[key]


# By code: functions made from one `def` take the same arguments. It is never emptied: a program has
# only so many definitions.
_known: dict[CodeType, Arguments] = {}


def _plain(function: Any) -> Any:
    return function.func if isinstance(function, functools.partial) else function


def _name(function: Any) -> str:
    name: str = _plain(function).__code__.co_name
    return name if name.isidentifier() else "function"


# -- generators and contexts


def _driven(generator: Any) -> Any:
    yields = _yields(generator)
    if not yields.is_sent and not yields.is_guarded:
        return drain(generator)
    if _chosen(_next_root(), (_STOP, "next")) == _STOP:
        return drain(generator)
    if type(generator) is AsyncGeneratorType:
        return awaited_steps(generator, _steps(generator, yields, "a"))
    result = None
    for how, values in _steps(generator, yields, ""):
        result = WAYS[how](generator, *values)
    return result


def _steps(generator: Any, yields: Yields, kind: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The steps that the input of the run under way takes with a generator, and what each is given;
    `kind` is what their names begin with.
    """
    names: dict[str, Any] = _frame(generator).f_globals
    yield _step(f"{kind}next", again=False)
    errors = errors_of(yields, names) if yields.is_guarded else ()
    ways = [_STOP, "next", *["send"] * yields.is_sent, *errors, *["close"] * yields.is_guarded]
    for _ in range(MOST_USES):
        root = _next_root()
        way = _chosen(root, ways)
        if way == _STOP:
            return
        if way == "send":
            shape = _sent(_code(generator), names, yields)
            value = late_input(Late(f"{root}.value", shape, ""))
            yield _step(f"{kind}send", (value,), ("", f"{root}.value", shape))
        elif isinstance(way, type):
            yield _step(f"{kind}throw", (way,), _constant(way, root))
        else:
            yield _step(f"{kind}{way}")


def _step(
    how: str,
    values: tuple[Any, ...] = (),
    given: tuple[str, str, Shape] | None = None,
    *,
    again: bool = True,
) -> tuple[str, tuple[Any, ...]]:
    _took(Taken(how, _next_root(), "generator", again, () if given is None else (given,)))
    return how, values


def _entered(context: Any, how: str) -> Any:
    root = _next_root()
    generator = context.gen
    yields = _yields(generator)
    frame = _frame(generator)
    errors = errors_of(yields, frame.f_globals if frame is not None else {})
    way: Any = _chosen(root, (_STOP, *errors)) if yields.is_guarded and errors else _STOP
    if way == _STOP:
        _took(Taken(how, root, "entered", again=False))
        return WAYS[how](context)
    _took(Taken(how, root, "entered", again=False, given=(_constant(way, root),)))
    return WAYS[how](context, way)


def _constant(error: type, root: str) -> tuple[str, str, Shape]:
    where = (error.__module__, error.__qualname__)
    return "", f"{root}.error", ConstantShape(error, where)


def _frame(generator: Any) -> Any:
    return getattr(generator, "gi_frame", None) or getattr(generator, "ag_frame", None)


def _code(generator: Any) -> Any:
    return getattr(generator, "gi_code", None) or getattr(generator, "ag_code", None)


def _yields(generator: Any) -> Yields:
    code = _code(generator)
    return yields_of(code.co_filename, code.co_firstlineno, code.co_name)


def errors_of(yields: Yields, names: dict[str, Any]) -> tuple[type, ...]:
    """Classes of exceptions to throw into a generator: the first of those that it catches by name,
    and one other.
    """
    found: dict[type, None] = {}
    for text in yields.catches:
        first, *rest = text.split(".")
        kind = names.get(first, getattr(builtins, first, None))
        for part in rest:
            kind = getattr(kind, part, None)
        for each in kind if isinstance(kind, tuple) else (kind,):
            if isinstance(each, type) and _can_be_made(each):
                found[each] = None
    # Who catches every exception, too, is given one that has no name there.
    named = [each for each in found if each not in (Exception, BaseException)]
    others = [each for each in _OTHER_ERRORS if not any(issubclass(each, kind) for kind in named)]
    return (*named[:MOST_CAUGHT_ERRORS], *others[:1])


def _can_be_made(kind: type) -> bool:
    if not issubclass(kind, Exception) or "<locals>" in kind.__qualname__:
        return False
    try:
        kind()
    except Exception:
        return False
    return True


def _sent(code: CodeType, names: dict[str, Any], yields: Yields) -> Shape:
    """The shape of the values to send into a generator: of its declared type, else of the types
    that its body uses them as.
    """
    key = (code, "sent")
    if key not in _sent_shapes:
        _sent_shapes[key] = _shape_sent(code, names, yields)
    return _sent_shapes[key]


_sent_shapes: dict[tuple[CodeType, str], Shape] = {}


def _shape_sent(code: CodeType, names: dict[str, Any], yields: Yields) -> Shape:
    reader = Reader(names)
    for declared in _declared(yields.returns, names):
        with contextlib.suppress(UnsupportedInput):
            return reader.shape(declared, "what is sent")
    cells = tuple([CellType() for _ in code.co_freevars])
    function: Callable[..., Any] = FunctionType(code, names, code.co_name, None, cells)
    kinds = inferred_types(function, yields.name) if yields.name else []
    shapes: list[Shape] = []
    for kind in kinds:
        with contextlib.suppress(UnsupportedInput):
            shapes.append(reader.shape(kind, "what is sent"))
    if not shapes or not is_sure(function, yields.name) or kinds == [None]:
        shapes.append(reader.anything("what is sent"))
    return one_of(shapes)


def _declared(returns: str, names: dict[str, Any]) -> list[Any]:
    """The type that a generator declares for what it is sent, the second of `Generator[int, str,
    None]`, as a list; empty if it declares none.
    """
    if not returns:
        return []
    try:
        args = typing.get_args(eval(returns, {**vars(typing), **names}))
    except Exception:  # a name that only type checkers know
        return []
    return [args[1]] if len(args) > 1 and args[1] not in (None, type(None), Any) else []
