"""Judge one expression on one input: is the tracked run what CPython does, also for other inputs?

For an input A the expression is run tracked. It must give CPython's value, type or exception; every condition
passed must hold for A; the terms of the result must be worth the result. Then other inputs B are tried: where
every condition that A passed holds for B too, the terms must give what CPython gives for B, and the tracked run
on B must pass the same conditions. Where a model says that it agrees with what it stands for, it must.
"""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from symcrete.inputs.draw.text import ByteArrayShape, BytesShape, StrShape, spread
from symcrete.inputs.shapes.shape import FloatShape, IntShape, Shape
from symcrete.instrument.hooks import Hooks
from symcrete.instrument.loader import Rewritten
from symcrete.terms.evaluate import Assignment, evaluate, first_broken
from symcrete.terms.operations import MODELLED
from symcrete.terms.term import Term
from symcrete.terms.texts import WINDOW, element_names, length_name
from symcrete.terms.visit import children, postorder
from symcrete.values.build.variables import tracked_input
from symcrete.values.text.content.strings import ConcolicBytes, ConcolicStr
from symcrete.values.text.methods.bytearrays import ConcolicByteArray
from symcrete.values.tracking import recording
from symcrete.values.tracking.numeric import ConcolicFloat, ConcolicInt, untracked
from symcrete.values.tracking.recording import Recording, held
from symcrete.values.tracking.truth import Truth

SHAPES: dict[str, Shape] = {
    "s": StrShape(),
    "t": StrShape(),
    "b": BytesShape(),
    "c": BytesShape(),
    "a": ByteArrayShape(),
    "n": IntShape(),
    "m": IntShape(),
    "x": FloatShape(),
}


class Disagreement(AssertionError):
    """The tracked run is not what CPython does."""


@dataclass(frozen=True)
class Outcome:
    """What came of a call: a value, or the class of an exception."""

    value: Any
    error: type[BaseException] | None


class World:
    """Where expressions are compiled, both as they are and rewritten."""

    def __init__(self) -> None:
        rewritten = Rewritten()
        self.record = Recording(rewritten.sites)
        rewritten.on_numbered = self.record.fit
        self.hooks = Hooks(self.record)
        self._rewritten = rewritten
        self._count = 0

    def compile(self, text: str) -> Operation:
        """`text` is an expression, or the body of a function that returns something."""
        tree = ast.parse(text)
        body = text if isinstance(tree.body[-1], ast.Return) else f"return {text}"
        read = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
        stored = {
            each.id
            for each in ast.walk(tree)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        }
        names = sorted((read - stored | {"a"} & read) & set(SHAPES))
        lines = "\n".join("    " + line for line in body.splitlines())
        source = f"import re\ndef call({', '.join(names)}):\n{lines}\n"
        self._count += 1
        file = f"<differential {self._count}>"
        plain: dict[str, Any] = {}
        exec(compile(source, file, "exec"), plain)
        tracked: dict[str, Any] = {}
        exec(self._rewritten.compile(source, file), tracked)
        self.hooks.install()  # those of the world that compiled last are in force
        return Operation(self, text, tuple(names), plain["call"], tracked["call"])


@dataclass(frozen=True)
class Tracked:
    """One tracked run."""

    outcome: Outcome
    result: Any
    given: Assignment
    events: list[Any]
    losses: list[Any]

    @property
    def conditions(self) -> list[Term]:
        return [held(event) for event in self.events]


@dataclass(frozen=True)
class Operation:
    world: World
    text: str
    names: tuple[str, ...]
    plain: Callable[..., Any]
    rewritten: Callable[..., Any]

    def cpython(self, values: dict[str, Any]) -> Outcome:
        copies = {n: bytearray(v) if isinstance(v, bytearray) else v for n, v in values.items()}
        try:
            return Outcome(self.plain(**copies), None)
        except Exception as error:
            return Outcome(None, type(error))

    def run(self, values: dict[str, Any], constants: frozenset[str]) -> Tracked:
        """With every value tracked but those that stay constants."""
        given: Assignment = {}
        record = self.world.record
        record.start()
        self.world.hooks.allow(100_000)
        former = recording.activate(record)
        record.live = True
        try:
            for name, value in values.items():
                if name not in constants:
                    assign(given, name, value)
            args = {
                name: value if name in constants else tracked_input(SHAPES[name], name, given)
                for name, value in values.items()
            }
            try:
                result = self.rewritten(**args)
                outcome = Outcome(plain_value(result), None)
            except Exception as error:
                result = None
                outcome = Outcome(None, type(error))
            events, losses = list(record.events), list(record.losses)
        finally:
            record.live = False
            recording.activate(former)
        return Tracked(outcome, result, given, events, losses)


def assign(given: Assignment, name: str, value: Any) -> None:
    if isinstance(value, str):
        spread(name, list(map(ord, value)), given)
    elif isinstance(value, bytes | bytearray):
        spread(name, list(value), given)
    else:
        given[name] = value


def plain_value(value: Any) -> Any:
    """The value as a program would see it, without terms."""
    if type(value) in (list, tuple):
        return type(value)([plain_value(each) for each in value])
    if type(value) is dict:
        return {plain_value(k): plain_value(v) for k, v in value.items()}
    return untracked(value)


def worth(value: Any, given: Assignment) -> Any:
    """What the terms of a result give for an assignment."""
    kind = type(value)
    if kind in (list, tuple):
        return kind([worth(each, given) for each in value])
    if kind is dict:
        return {worth(k, given): worth(v, given) for k, v in value.items()}
    if kind in (ConcolicInt, ConcolicFloat, Truth):
        return evaluate(value.term, given)
    content = getattr(value, "content", None)
    if content is None:
        return value
    whole = evaluate(content.whole, given)
    count = evaluate(content.length, given)
    if count != len(whole):
        raise Disagreement(f"the length of {whole!r} is {count} by its term")
    codes = [evaluate(content.at(index), given) for index in range(count)]
    if content.kind.join(codes) != whole:
        raise Disagreement(f"{whole!r} is {content.kind.join(codes)!r} by its characters")
    for back in range(1, min(count, 3) + 1):
        if evaluate(content.from_end(back), given) != codes[-back]:
            raise Disagreement(f"{whole!r} has another character {back} from its end")
    return bytearray(whole) if kind is ConcolicByteArray else whole


def same(left: Any, right: Any) -> bool:
    """Equal and of the same types all the way down; nan is itself."""
    if type(left) is not type(right):
        return False
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return same(list(left.items()), list(right.items()))
    if isinstance(left, float):
        return (
            left == right and math.copysign(1, left) == math.copysign(1, right)
        ) or left != left != right
    return bool(left == right)


def judge(
    operation: Operation,
    values: dict[str, Any],
    others: Iterable[dict[str, Any]],
    constants: frozenset[str],
    *,
    models: bool = True,
    enough: int = 1,
) -> tuple[int, bool]:
    """How many of the others take the same path, up to `enough` of them; whether a term was lost."""
    here = operation.run(values, constants)
    expected = operation.cpython(values)
    where = f"{operation.text} with {values!r}, constant {sorted(constants)}"
    if here.outcome.error is not expected.error or not same(here.outcome.value, expected.value):
        raise Disagreement(f"{where}: {here.outcome}, CPython: {expected}")
    conditions = here.conditions
    broken = first_broken(conditions, here.given)
    if broken is not None:
        raise Disagreement(f"{where}: does not hold: {broken}")
    _check_worth(operation, here, here.given, expected, where)
    followed = 0
    for other in others:
        if followed == enough:
            break
        other = {**other, **{name: values[name] for name in constants}}
        given: Assignment = {}
        for name, value in other.items():
            if name not in constants:
                assign(given, name, value)
        if first_broken(conditions, given) is not None:
            continue
        followed += 1
        there = operation.run(other, constants)
        beside = f"{where}, then {other!r}"
        if [(code, term) for code, term in there.events] != here.events:
            raise Disagreement(f"{beside}: other branches\n{conditions}\n{there.conditions}")
        expected = operation.cpython(other)
        if here.outcome.error is not expected.error:
            raise Disagreement(f"{beside}: CPython: {expected}")
        _check_worth(operation, here, given, expected, beside)
        if models:
            check_models([*conditions, *terms_of(here.result)], given, beside)
    if models:
        check_models([*conditions, *terms_of(here.result)], here.given, where)
    return followed, bool(here.losses)


def _check_worth(
    operation: Operation, here: Tracked, given: Assignment, expected: Outcome, where: str
) -> None:
    if here.losses or here.outcome.error is not None:
        return
    try:
        found = worth(here.result, given)
    except Disagreement as error:
        raise Disagreement(f"{where}: {error}") from None
    if not same(found, expected.value):
        raise Disagreement(f"{where}: the terms give {found!r}, CPython {expected.value!r}")


def terms_of(value: Any) -> list[Term]:
    kind = type(value)
    if kind in (list, tuple):
        return [term for each in value for term in terms_of(each)]
    if kind in (ConcolicInt, ConcolicFloat, Truth):
        return [value.term]
    if kind in (ConcolicStr, ConcolicBytes):
        return [value.content.length, value.content.at(0)] if value.content.count else []
    return []


def check_models(terms: list[Term], given: Assignment, where: str) -> None:
    """Where a model says that it agrees, it does; whatever is behind the end of a text."""
    filled = dict(given)
    noise = random.Random(len(given))
    for name in SHAPES:
        if length_name(name) in given:
            count = given[length_name(name)]
            for each in element_names(name, WINDOW)[count:WINDOW]:
                filled[each] = noise.choice((0, 44, 48, 65, 97, 223, 32))
    for node in postorder(terms, _looked_at):
        if node.op is not MODELLED or not evaluate(node.args[2], filled):
            continue
        try:
            exact = evaluate(node.args[0], filled)
        except (ValueError, LookupError, TypeError, ArithmeticError):
            continue  # only asked for where a condition says that it can be computed
        model = evaluate(node.args[1], filled)
        if exact != model and not (exact != exact and model != model):
            raise Disagreement(f"{where}: {node} is {exact!r}, its model {model!r}")


def _looked_at(node: Term) -> list[Term]:
    return list(node.args[1:]) if node.op is MODELLED else children(node)
