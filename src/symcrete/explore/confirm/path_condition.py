"""The path condition of an input as Python: it can be evaluated, and is true of that input.

A condition is kept if each of its variables is an expression over the arguments that has the value
the run had, and if the whole is true once the arguments are evaluated. What fails that (a choice
made inside a model, a function that has no name) is left out and counted, never shown in words that
only look like Python.
"""

from __future__ import annotations

import ast
import contextlib
import enum
import functools
import importlib
import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from types import CodeType, ModuleType
from typing import Any

from symcrete.explore.confirm.stripped_text import with_strips
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, Shape
from symcrete.inputs.told_apart import imported
from symcrete.run.untouched.monkeypatch import MonkeyPatch
from symcrete.run.untouched.played import Call
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.terms.show import LONGEST_SHOWN, Expressions, conjunct
from symcrete.terms.term import Term
from symcrete.terms.visit import names as variables_of

_NUMBERS = (bool, int, float)


@dataclass(frozen=True, slots=True)
class PathCondition:
    """The condition of a path as text, and how much of it that leaves out."""

    text: str
    left_out: int = 0  # conditions that have no expression over the arguments
    modules: tuple[str, ...] = ()  # modules of the library that the text mentions


class PathConditions:
    """The path conditions of one target's inputs; what one has worked out serves the next."""

    def __init__(self, arguments: Arguments) -> None:
        self._shapes = {each.name: each.shape for each in arguments.parameters}
        # by variable, its text for the first input that has it
        self._usual: dict[str, str | None] = {}
        self._names: _Names | None = None  # the names for the input at hand
        self._expressions = Expressions(self._usual_text)
        self._variables: dict[Term, tuple[str, ...]] = {}  # most paths share most of their terms

    def of(self, terms: Sequence[Term], call: Call, given: Assignment) -> PathCondition:
        """The conjunction, as Python, of the conditions that held on the path of an input."""
        if not call.situation:
            return self._of(terms, call, given)
        # The conditions are evaluated in the state that the call is to find, since they were true
        # there.
        monkeypatch = MonkeyPatch()
        try:
            for each in call.situation:
                # Files cannot be made here, where the sandbox forbids it.
                if "tmp_path" not in each.set:
                    exec(_code(each.set, "exec"), {"monkeypatch": monkeypatch, "io": io})
            return self._of(terms, call, given)
        except Exception:
            return PathCondition("True", len(terms))
        finally:
            monkeypatch.undo()

    def _of(self, terms: Sequence[Term], call: Call, given: Assignment) -> PathCondition:
        scope = evaluated(call)
        if scope is None:
            return PathCondition("True", len(terms))
        for each in call.situation:
            first = each.source.partition(".")[0]
            if first in sys.stdlib_module_names:
                scope.setdefault(first, importlib.import_module(first))
        choices: dict[str, list[Term]] = {}
        for term in terms:
            if _is_choice(self._variables_of(term)):
                choices.setdefault(self._variables_of(term)[0], []).append(term)
        self._names = names = _Names(scope, given, self._shapes, choices)
        parts: dict[str, None] = {}
        room, left_out = LONGEST_SHOWN, 0
        for term in terms:
            text = self._text(term, names)
            shown = None if text is None else conjunct(text)
            plainer = None if shown is None else with_strips(shown)
            if plainer != shown and plainer is not None and _holds(plainer, scope):
                shown = plainer
            if shown is None or len(shown) > room or not _holds(shown, scope):
                left_out += 1
            elif shown not in parts:
                parts[shown] = None
                room -= len(shown) + len(" and ")
        text = " and ".join(parts) or "True"
        return PathCondition(text, left_out, _modules(text, scope))

    def _text(self, term: Term, names: _Names) -> str | None:
        variables = self._variables_of(term)
        if _is_choice(variables):
            return names.choice(variables[0].rstrip("?"))
        text = self._expressions.text(term)
        for each in variables:
            if names.text(each) != self._usual.get(each):
                return Expressions(names.text).text(term)
        return text

    def _variables_of(self, term: Term) -> tuple[str, ...]:
        variables = self._variables.get(term)
        if variables is None:
            variables = self._variables[term] = tuple(variables_of(term))
        return variables

    def _usual_text(self, name: str) -> str | None:
        assert self._names is not None
        if self._usual.get(name) is None:
            self._usual[name] = self._names.text(name)
        return self._usual[name]


class _Names:
    """Gives the variables of one input as expressions over its arguments."""

    def __init__(
        self,
        scope: dict[str, Any],
        given: Assignment,
        shapes: Mapping[str, Shape],
        choices: Mapping[str, Sequence[Term]],
    ) -> None:
        self._scope = scope
        self._given = given
        self._shapes = shapes
        self._choices = choices  # by variable: the terms that say of which kind an argument is
        self._known: dict[str, str | None] = {}

    def text(self, name: str) -> str | None:
        """The expression for a variable: `n`, `len(xs)`, `ord(s[0])`; None if the arguments do not
        have it.
        """
        if name not in self._known:
            self._known[name] = self._found(name)
        return self._known[name]

    def _found(self, name: str) -> str | None:
        value, there = _value(name, self._scope)
        if not there:
            return None
        if name not in self._given:  # a text as a whole, or what the run left open
            return name if isinstance(value, str | bytes | bool | int | float) else None
        expected = self._given[name]
        if isinstance(value, _NUMBERS) and _same(value, expected):
            return name
        if type(value) is str and len(value) == 1 and ord(value) == expected:
            return f"ord({name})"
        return None

    def choice(self, name: str) -> str | None:
        """The condition, as text, that says which kind of value an argument is, or which member of
        an enumeration it may be; None if there is none.
        """
        shape = self._shapes.get(name)
        value, there = _value(name, self._scope)
        if not there:
            return _absent(name)
        if value is None or value is True or value is False:
            return f"({name} is {value})"
        which = self._given.get(name + shape.which) if isinstance(shape, ChoiceShape) else None
        if isinstance(shape, ChoiceShape) and which is not None:
            if isinstance(shape.choices[which], ConstantShape) and type(value) in (int, str, bytes):
                return f"({name} == {value!r})"
            if isinstance(value, enum.Enum):
                return _members(name, shape, self._choices.get(name + shape.which, ()))
        kind = type(value)
        if kind.__module__ == "builtins":
            return f"(type({name}) is {kind.__qualname__})"
        return f"(type({name}).__name__ == {kind.__name__!r})"


def _is_choice(variables: tuple[str, ...]) -> bool:
    """Whether a term with these variables only says of which kind one argument is."""
    return len(variables) == 1 and variables[0].endswith("?")


def _members(name: str, shape: ChoiceShape, terms: Iterable[Term]) -> str:
    """The condition, as text, that an argument is one of the members that all terms allow."""
    allowed = [
        each.value.name
        for which, each in enumerate(shape.choices)
        if isinstance(each, ConstantShape) and isinstance(each.value, enum.Enum)
        if all_hold(terms, {name + shape.which: which})
    ]
    if len(allowed) == 1:
        return f"({name}.name == {allowed[0]!r})"
    return f"({name}.name in {tuple(allowed)!r})"


def evaluated(call: Call) -> dict[str, Any] | None:
    """The arguments of a call by name, with what its texts import; None if they cannot be made."""
    scope: dict[str, Any] = {}
    try:
        for where, name in call.imports:
            first, value = imported(where, name)
            scope[first] = value
        for statement in call.setup:
            exec(_code(statement, "exec"), scope)
        # One scope for all: a later argument may be an object that an earlier one has named. But a
        # parameter may have the name of a class that a later argument is made of.
        given = {
            each.lstrip("*"): eval(_code(text, "eval"), scope) for each, text in call.args.items()
        }
        scope |= given
    except KeyboardInterrupt:
        raise
    except BaseException:  # a constructor of the program may raise anything
        return None
    return scope


def _value(text: str, scope: dict[str, Any]) -> tuple[Any, bool]:
    """The value of an expression, and whether it has one."""
    try:
        return eval(_code(text, "eval"), scope), True
    except KeyboardInterrupt:
        raise
    except BaseException:  # attributes of the program's objects may raise anything
        return None, False


def _holds(text: str, scope: dict[str, Any]) -> bool:
    """Whether a condition as text is true of the arguments; library modules are found by name."""
    try:
        for name in _code(text, "eval").co_names:
            if name not in scope and name in sys.modules and name in sys.stdlib_module_names:
                scope[name] = sys.modules[name]
        value, there = _value(text, scope)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    try:
        return there and bool(value)
    except Exception:  # of the program's own `__bool__`
        return False


@functools.lru_cache(maxsize=1 << 14)  # conditions are shared by most inputs of a target
def _code(text: str, mode: str) -> CodeType:
    return compile(text, "<input>", mode)


def _same(value: Any, expected: Any) -> bool:
    return type(expected) in _NUMBERS and (
        value == expected or (value != value and expected != expected)
    )


def _absent(name: str) -> str | None:
    """The condition, as text, that a dictionary lacks a key; None for other names."""
    with contextlib.suppress(SyntaxError):
        match ast.parse(name, mode="eval").body:
            case ast.Subscript(value=whole, slice=ast.Constant(value=key)):
                return f"({key!r} not in {ast.unparse(whole)})"
            case _:
                pass
    return None


def _modules(text: str, scope: dict[str, Any]) -> tuple[str, ...]:
    """The modules of the library that a condition mentions."""
    loaded = {name for name, value in scope.items() if isinstance(value, ModuleType)}
    if not loaded:
        return ()
    found = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    return tuple(sorted(found & loaded))
