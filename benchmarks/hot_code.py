"""The ways of writing hot code that comments in the source appeal to, beside the plainer ways.

    python -m benchmarks.hot_code [--seconds 0.5]

Each row is one choice: nanoseconds as the source has it, as it would be written otherwise, and the
ratio. Both are measured in turn, several times; the fastest round of each counts, since a shared
machine only ever adds time.
"""

from __future__ import annotations

import argparse
import operator
import time
import timeit
from collections.abc import Callable
from typing import Any, NamedTuple

from symcrete.terms.evaluate import _closure, compiled
from symcrete.terms.integers import add, le, mul
from symcrete.terms.term import Sort, int_const, var
from symcrete.terms.texts import STR
from symcrete.values.text.content.contents import Fixed, constant
from symcrete.values.text.content.strings import text
from symcrete.values.text.meaning.comparison import equal_texts
from symcrete.values.text.methods.text_classes import equal
from symcrete.values.tracking.truth import truth

ROUNDS = 15  # in turn; a busy machine spoils some of them


class Choice(NamedTuple):
    """One thing to do, as the source does it and otherwise."""

    what: str
    ours: Callable[[], Any]
    otherwise: Callable[[], Any]


class _Hook:
    def __init__(self) -> None:
        self.passed: list[int] = []
        self.covered = bytearray(8)

    def branch(self, site: int) -> None:
        self.covered[site] = 1
        self.passed.append(site)
        self.passed.pop()


def _closure_hook() -> Callable[[int], None]:
    passed: list[int] = []
    covered = bytearray(8)
    append, pop = passed.append, passed.pop

    def branch(site: int) -> None:
        covered[site] = 1
        append(site)
        pop()

    return branch


def variables() -> Choice:
    """instrument/hooks.py: the variables of a hook are a closure's."""
    closure, method = _closure_hook(), _Hook().branch
    return Choice(
        "a hook's variables in a closure, or in an object", lambda: closure(3), lambda: method(3)
    )


def operators() -> Choice:
    """values/tracking/operators.py: the operator is compiled into the function that hooks it."""

    def compiled_in(left: int, right: int) -> int:
        return left + right

    def through(function: Callable[[int, int], int]) -> Callable[..., int]:
        def call(*operands: int) -> int:
            return function(*operands)

        return call

    closed = through(operator.add)
    return Choice(
        "an operator compiled in, or called", lambda: compiled_in(3, 4), lambda: closed(3, 4)
    )


def characters() -> Choice:
    """values/text/methods/text_classes.py: one character and a constant have a way of their own."""
    content = Fixed(STR, (var("s[0]", Sort.INT),))
    character = text("a", content)

    def general() -> Any:
        return truth(str(character) == "b", equal_texts(content, constant(STR, "b")))

    return Choice(
        "one character compared with a constant, or as any text",
        lambda: equal(character, "b"),
        general,
    )


def small_terms() -> Choice:
    """terms/evaluate.py: a small term becomes closures, which are made and called once or twice."""
    x, y = var("x", Sort.INT), var("y", Sort.INT)
    term = le(add(mul(x, y), int_const(3)), add(x, y))
    given = {"x": 3, "y": 4}
    return Choice(
        "a small term made into closures and called, or compiled",
        lambda: _closure(term)(given),
        lambda: compiled([term])(given),
    )


def shared_terms() -> Choice:
    """terms/evaluate.py: of a term with shared parts, compiled code computes each part once."""
    term = var("x", Sort.INT)
    for _ in range(8):
        term = mul(term, add(term, int_const(1)))
    given = {"x": -1}
    ours, otherwise = compiled([term]), _closure(term)
    return Choice(
        "a term with shared parts compiled, or as closures",
        lambda: ours(given),
        lambda: otherwise(given),
    )


CHOICES = (variables, operators, characters, small_terms, shared_terms)


def nanoseconds(call: Callable[[], Any], seconds: float) -> float:
    """One call, on average over this many seconds."""
    timer = timeit.Timer(call, timer=time.process_time)
    number, took = timer.autorange()
    rounds = max(1, int(number * seconds / took))
    return 1e9 * timer.timeit(rounds) / rounds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each round")
    seconds = parser.parse_args().seconds / ROUNDS
    print(f"{'ours':>10} {'otherwise':>10} {'ratio':>6}")
    for make in CHOICES:
        choice = make()
        times = [
            (nanoseconds(choice.ours, seconds), nanoseconds(choice.otherwise, seconds))
            for _ in range(ROUNDS)
        ]
        ours, otherwise = (min(column) for column in zip(*times, strict=True))
        print(f"{ours:7.0f} ns {otherwise:7.0f} ns {otherwise / ours:6.2f}  {choice.what}")


if __name__ == "__main__":
    main()
