"""Ten properties that few inputs break, each for ten seconds: by `forall`, by the Hypothesis backend,
and by other backends of Hypothesis with the same budget.

    python -m benchmarks.properties forall symcrete hypothesis crosshair

A row is one property and one way: whether a failure was found, and the seconds it took.
"""

from __future__ import annotations

import inspect
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import symcrete

SECONDS = 10  # wall clock for each property
CASES = 100_000  # test cases that a backend may use up in that time


def magic(x: int) -> None:
    assert x * x + 3 * x != 1234321 * 1234324


def checksum(digits: str) -> None:
    if len(digits) == 6 and digits.isascii() and digits.isdigit():
        weights = (7, 3, 1, 7, 3, 1)
        assert sum(int(d) * w for d, w in zip(digits, weights, strict=True)) != 101


def coupon(total: int, code: str) -> None:
    assert not (total > 1000 and code.startswith("SAVE") and code[4:] == "77")


def order(xs: list[int]) -> None:
    assert not (len(xs) == 4 and xs[0] + xs[1] == 777 and xs[2] > xs[3] + 1000)


def header(data: bytes) -> None:
    assert not (data[:4] == b"\x89PNG" and len(data) > 5 and data[5] == 7)


def half(x: float) -> None:
    assert x * 2 + 0.5 != 2469.0


def modular(a: int, b: int) -> None:
    assert not (a % 9973 == 4545 and b % 7919 == a % 100)


def command(line: str) -> None:
    verb, _, rest = line.partition(":")
    assert not (verb == "quit" and rest.strip() == "now")


def nested(a: int, b: int, c: int) -> None:
    if a > 100 and b == a * 3 and c - b == 17:
        assert a != 4242


def word(s: str) -> None:
    assert s.upper() != "KEY-4"


PROPERTIES = [magic, checksum, coupon, order, header, half, modular, command, nested, word]
STRATEGIES: dict[str, st.SearchStrategy[Any]] = {
    "int": st.integers(),
    "str": st.text(),
    "bytes": st.binary(),
    "float": st.floats(allow_nan=False),
    "list[int]": st.lists(st.integers()),
}


def by_forall(test: Callable[..., None]) -> Callable[[], None]:
    return symcrete.forall(budget=SECONDS)(test)


def by_backend(test: Callable[..., None], backend: str) -> Callable[[], None]:
    drawn = {
        name: STRATEGIES[parameter.annotation]
        for name, parameter in inspect.signature(test).parameters.items()
    }
    chosen = settings(
        backend=backend,
        max_examples=CASES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    return chosen(given(**drawn)(test))


class Over(BaseException):
    """The time is spent."""


def _ring(*_: object) -> None:
    raise Over


def outcome(check: Callable[[], None]) -> str:
    """What became of a check within its time."""
    signal.signal(signal.SIGALRM, _ring)
    signal.alarm(SECONDS + 1)
    try:
        check()
    except AssertionError:
        return "found"
    except Over:
        return "not in time"
    except Exception as error:
        return type(error).__name__
    finally:
        signal.alarm(0)
    return "not found"


def main() -> None:
    for way in sys.argv[1:] or ["forall", "symcrete", "hypothesis"]:
        for test in PROPERTIES:
            check = by_forall(test) if way == "forall" else by_backend(test, way)
            began = time.perf_counter()
            result = outcome(check)
            print(f"{way:12} {test.__name__:10} {result:12} {time.perf_counter() - began:6.1f} s")


if __name__ == "__main__":
    main()
