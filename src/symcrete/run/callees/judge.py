"""Which called functions are abstracted, and why the others are followed."""

from __future__ import annotations

import ast
import inspect
import types
import typing
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from symcrete.inputs.shapes.shape import Shape, TupleShape
from symcrete.program.source.side_effects import ModuleText, Routine, effects_of
from symcrete.run.callees.callees import NOT_ASKED_FOR, Callee
from symcrete.run.callees.results import UNSEEN, holds_objects, shape_of_result

# conditions; a callee with fewer multiplies the paths of its caller less than searching it costs;
# chosen, not measured
WORTH_ABSTRACTING = 3
# results of one function that its shape is told from; chosen, not measured
MOST_OBSERVED = 20
_CONDITIONS = (
    ast.If,
    ast.While,
    ast.For,
    ast.IfExp,
    ast.BoolOp,
    ast.comprehension,
    ast.Match,
    ast.Assert,
)
_UNCHANGING = (
    int,
    str,
    float,
    bool,
    bytes,
    type(None),
    types.FunctionType,
    types.BuiltinFunctionType,
    types.ModuleType,
    type,
)


class Judge:
    """Decides of a function met in a call whether it is abstracted.

    Without names every called function is considered, and those with effects or with hardly a
    condition are followed. Functions asked for by name are abstracted whenever their results can be
    unknown at all.
    """

    def __init__(
        self, names: tuple[str, ...], *, follow: dict[str, str] | None = None, state: bool = True
    ) -> None:
        """`state`: callees that set attributes of what they are given are abstracted too."""
        self._names = names
        self._state = state
        self._follow = follow or {}  # labels to be followed, with the reason
        self._modules: dict[str, ModuleText | None] = {}
        self._observed: dict[CodeType, list[Any]] = {}

    @property
    def decides(self) -> bool:
        """Whether no names were given, so that it decides for every function."""
        return not self._names

    def observe(self, callee: Callee, result: Any) -> None:
        """Remember a result of a function without return annotation."""
        seen = self._observed.setdefault(callee.code, [])
        if len(seen) < MOST_OBSERVED:
            seen.append(result)

    def needs_observing(self, callee: Callee) -> bool:
        """Whether the function's results have to be seen before it can be abstracted."""
        return UNSEEN in callee.why_followed and callee.code not in self._observed

    def follow(self, label: str, reason: str) -> bool:
        """From now on follow the functions of this name; False if they were followed already."""
        if label in self._follow:
            return False
        self._follow[label] = reason
        return True

    def __call__(self, function: FunctionType) -> Callee:
        label = function.__qualname__.replace(".<locals>", "")
        code = function.__code__
        named = self._is_named(function, label)
        reason = self._unfit(function, label, named)
        routine = None if reason else self._routine(function)
        if routine is None:
            return Callee(label, code, why_followed=reason or "its source is not found")
        effects = effects_of(routine)
        effect, writes = effects.said, tuple(sorted(effects.writes))
        if writes and (effect or not self._state):
            effect, writes = effects.said or f"changes {writes[0][0]}", ()
        annotation, seen = _return_annotation(function), self._observed.get(code, [])
        if writes:
            shape, reason = _shape_with_writes(annotation, seen, writes)
        else:
            shape, reason = shape_of_result(annotation, seen)
        guessed = annotation is inspect.Parameter.empty or bool(writes)
        if not reason and not named:
            reason = effect or self._too_small(routine)
        return Callee(
            label,
            code,
            shape=shape,
            writes=writes,
            is_guessed=guessed or (shape is not None and holds_objects(shape)),
            effect=effect,
            hides_changes=effects.hidden,
            why_followed=reason,
            state=_state(function, self._text(code.co_filename)),
        )

    def _unfit(self, function: FunctionType, label: str, named: bool) -> str:
        """Why a function is followed whatever its text says; "" if that is to be looked at."""
        if self._names and not named:
            return NOT_ASKED_FOR
        if label in self._follow:
            return self._follow[label]
        if inspect.isgeneratorfunction(function):
            return "is a generator"
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            return "is a coroutine"
        return ""

    def _too_small(self, routine: Routine) -> str:
        few = self._conditions(routine, set()) < WORTH_ABSTRACTING
        return "has too few conditions to pay" if few else ""

    def _is_named(self, function: FunctionType, label: str) -> bool:
        return any(
            name in (label, function.__name__, f"{function.__module__}.{label}")
            for name in self._names
        )

    def _text(self, file: str) -> ModuleText | None:
        if file not in self._modules:
            try:
                tree = ast.parse(Path(file).read_bytes())
            except (OSError, SyntaxError, ValueError):
                self._modules[file] = None
            else:
                self._modules[file] = ModuleText(tree)
        return self._modules[file]

    def _routine(self, function: FunctionType) -> Routine | None:
        text = self._text(function.__code__.co_filename)
        if text is None:
            return None
        # By the name of the code: `functools.wraps` gives a wrapper the name of what it wraps.
        found = text.by_scope.get(function.__code__.co_qualname.replace(".<locals>", ""))
        if found is None:
            return None
        return found.named_by(_Names(self, function, text))

    def _conditions(self, routine: Routine, done: set[int]) -> int:
        """How many conditions the function has, those it calls included."""
        if id(routine.node) in done:
            return 0
        done.add(id(routine.node))
        count = 0
        for node in ast.walk(routine.node):
            count += isinstance(node, _CONDITIONS) + isinstance(node, ast.While | ast.For)
            if isinstance(node, ast.Call):
                name = node.func
                known = None
                if isinstance(name, ast.Name):
                    known = routine.resolve(name.id, False)
                elif isinstance(name, ast.Attribute):
                    known = routine.resolve(name.attr, True)
                count += sum(self._conditions(each, done) for each in known or ())
        return count

    def imported(self, function: FunctionType, name: str) -> list[Routine] | None:
        """The routines that a global name means which comes from another module of the program;
        None if it is not known.
        """
        value = function.__globals__.get(name)
        if isinstance(value, type):
            made = vars(value).get("__init__")
            if isinstance(made, FunctionType):
                value = made
            else:
                return [] if value.__module__ == function.__module__ else None
        if not isinstance(value, FunctionType):
            return None
        found = self._routine(value)
        return None if found is None else [found]


class _Names:
    """Tells what names in a function mean: first in its own module, then in the module they come
    from.
    """

    def __init__(self, judge: Judge, function: FunctionType, text: ModuleText) -> None:
        self._judge = judge
        self._function = function
        self._text = text

    def __call__(self, name: str, attribute: bool) -> list[Routine] | None:
        found = self._text.resolve(name, attribute)
        if found is not None or attribute:
            return found
        return self._judge.imported(self._function, name)


def _shape_with_writes(
    annotation: Any, seen: list[Any], writes: tuple[tuple[str, str], ...]
) -> tuple[Shape | None, str]:
    """The shape of a function's result and of the attributes that it sets, as one tuple, told from
    what was seen of them; or None and why there is none.
    """
    if not seen:
        return None, f"changes {writes[0][0]} and {UNSEEN}"
    shapes: list[Shape] = []
    for place, column in enumerate(zip(*seen, strict=True)):
        declared = inspect.Parameter.empty if place else annotation
        shape, reason = shape_of_result(declared, list(column))
        if shape is None:
            what = writes[place - 1][1] if place else "result"
            return None, f"changes {writes[0][0]}, and its {what} {reason}"
        shapes.append(shape)
    return TupleShape(tuple(shapes)), ""


def _return_annotation(function: FunctionType) -> Any:
    try:
        return typing.get_type_hints(function).get("return", inspect.Parameter.empty)
    except Exception:  # a name only a type checker knows
        found = function.__annotations__.get("return", inspect.Parameter.empty)
        return inspect.Parameter.empty if isinstance(found, str) else found


def _state(function: FunctionType, text: ModuleText | None) -> tuple[str, ...]:
    """Globals of the function's module whose values may differ from one call to the next.

    All of the module's are taken: what the function calls reads them too.
    """
    written = text.global_names if text is not None else frozenset()
    return tuple(
        sorted(
            name
            for name, value in function.__globals__.items()
            if not name.startswith("__") and (name in written or _may_change(value))
        )
    )


def _may_change(value: Any) -> bool:
    if isinstance(value, _UNCHANGING):
        return False
    if isinstance(value, tuple | frozenset):
        return any(_may_change(each) for each in value)
    return not isinstance(value, type) and type(value).__module__ not in (
        "typing",
        "types",
        "re",
        "__future__",
    )
