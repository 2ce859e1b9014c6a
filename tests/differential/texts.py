"""Every modelled operation on texts against CPython, on random and boundary inputs.

    python -m tests.differential.texts --each 5000

prints one line per expression, and any disagreement with the input that gives it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.differential import text_operations as catalogue
from tests.differential.judge import Disagreement, World, judge

from symcrete.terms import term as terms

PLAIN = "ab,. 1-"
ODD = "ßΣİıﬁǅ١²Ⅳ½\u00a0\u2028\x85\x1c\r\n\tşΩé🙂\x00ªŉſK"
WORDS = ("", "a", "b", ",", " ", "ab", "a,b", "abc", "aa", "aba", "1", "-", "--", "é", "ß", ", ")
NUMBERS = (" 12 ", "1_0", "٣٤", "0x1f", "1e3", "nan", "inf", "-", "", ".", "1.", "0b1", "0o7")
MATCHED = ("123-ab", "12-ab", "aab", "ab,", "k=1", "kk=", "aXb", "a\nb", "Ab", "abab", "1.5", "-12")

FORGET_AFTER = 250  # inputs: every run asks for all the values that runs before it have met

Draw = Callable[[random.Random], Any]


def text(r: random.Random) -> str:
    alphabet = r.choice((PLAIN, PLAIN, "ab", "aAbB", "ab \t\n", PLAIN + ODD, ODD + "aZ"))
    return "".join([r.choice(alphabet) for _ in range(r.choice((0, 1, 2, 3, 3, 4, 5, 6, 8)))])


def short(r: random.Random) -> str:
    return r.choice(WORDS) if r.random() < 0.7 else text(r)[:2]


def number_text(r: random.Random) -> str:
    digits = "".join([r.choice("0123456789") for _ in range(r.choice((1, 1, 2, 3, 4)))])
    kind = r.randrange(8)
    if kind < 3:
        return digits
    if kind == 3:
        return r.choice("+-") + digits
    if kind == 4:
        return digits + "." + digits
    if kind == 5:
        return r.choice(NUMBERS)
    if kind == 6:
        return "".join([r.choice("0123456789abcdefxXF_+- .") for _ in range(r.randrange(5))])
    return text(r)


def matched(r: random.Random) -> str:
    return text(r) if r.random() < 0.5 else r.choice(MATCHED)


def blob(r: random.Random) -> bytes:
    if r.random() < 0.2:
        return text(r).encode("utf-8", "replace")
    alphabet = r.choice(
        (b"ab,. 1-", b"aAbB", b"ab \t\n\r\x0b", bytes(range(256)), b"\xc3\xa9\xe4a")
    )
    return bytes([r.choice(alphabet) for _ in range(r.choice((0, 1, 2, 3, 4, 5, 6)))])


def short_blob(r: random.Random) -> bytes:
    words = (b"", b"a", b"b", b",", b" ", b"ab", b"aa")
    return r.choice(words) if r.random() < 0.8 else blob(r)[:2]


def small(r: random.Random) -> int:
    return r.choice((0, 0, 1, 1, 2, 3, 4, 5, 8, -1, -1, -2, -3, -9))


def integer(r: random.Random) -> int:
    return r.choice((small(r), r.randrange(-300, 300), r.randrange(-(10**6), 10**6), 2**40))


def real(r: random.Random) -> float:
    plain = (0.0, -0.0, 1.5, -2.25, 1e20, 1e-7, float("nan"), float("inf"))
    return r.choice((*plain, r.uniform(-9, 9)))


DRAWN: dict[str, Draw] = {
    "s": text,
    "t": short,
    "b": blob,
    "c": short_blob,
    "a": lambda r: bytearray(blob(r)),
    "n": small,
    "m": small,
    "x": real,
}


@dataclass(frozen=True)
class Entry:
    """One expression, what it is tried on, and with how many others it shares an operation."""

    group: str
    text: str
    drawn: dict[str, Draw] = field(default_factory=dict)
    share: int = 1

    @property
    def source(self) -> str:
        return self.text.replace(" ;; ", "\n")

    def draw(self, name: str, r: random.Random) -> Any:
        return self.drawn.get(name, DRAWN[name])(r)


def entries() -> Iterator[Entry]:
    groups: dict[str, dict[str, Draw]] = {
        "position": {},
        "comparison": {},
        "keys": {"s": short},
        "search": {},
        "parts": {},
        "case": {},
        "building": {},
        "formatting": {},
        "rendering": {"n": integer},
        "numbers": {"s": number_text},
        "codes": {},
        "arrays": {},
        "other_regex": {"s": matched},
    }
    for group, drawn in groups.items():
        for line in getattr(catalogue, group.upper()).strip().splitlines():
            yield Entry(group, line, drawn)
    for line in catalogue.REGEX.strip().splitlines():
        for pattern in catalogue.PATTERNS:
            expression = line.replace("PATTERN", f"r'{pattern}'")
            yield Entry("regex", expression, {"s": matched}, len(catalogue.PATTERNS))


def neighbours(
    entry: Entry, values: dict[str, Any], r: random.Random, count: int
) -> Iterator[dict[str, Any]]:
    """Inputs that differ a little: those that take the same path are the test."""
    for _ in range(count):
        other = dict(values)
        for name in r.sample(list(other), r.choice((1, len(other))) if other else 0):
            other[name] = _near(other[name], entry.draw(name, r), r)
        yield other


def _near(value: Any, fresh: Any, r: random.Random) -> Any:
    """A text with a character put in, taken out or exchanged; sometimes another one altogether."""
    if not isinstance(value, str | bytes | bytearray) or r.random() < 0.2:
        return fresh
    kind: Any = type(value)
    codes: list[Any] = list(map(ord, value)) if isinstance(value, str) else list(value)
    pool = (list(map(ord, fresh)) if kind is str else list(fresh)) or [97]
    for _ in range(r.choice((1, 1, 2))):
        how, at = r.randrange(4), r.randrange(len(codes) + 1)
        if how == 0 or not codes:
            codes.insert(at, r.choice(pool))
        elif how == 1:
            del codes[min(at, len(codes) - 1)]
        else:
            codes[min(at, len(codes) - 1)] = r.choice(pool)
    return "".join(map(chr, codes)) if kind is str else kind(codes)


def check(entry: Entry, each: int, seed: int, *, models: int = 4) -> tuple[int, int]:
    """How many others took the same path, and how many inputs lost a term; raises Disagreement.

    Of so many inputs, one has its models looked at, which takes longest.
    """
    r = random.Random(f"{entry.text}:{seed}")
    followed = lost = 0
    for number in range(each):
        if number % FORGET_AFTER == 0:
            terms.forget()
            operation = World().compile(entry.source)
        values = {name: entry.draw(name, r) for name in operation.names}
        constants = frozenset(name for name in operation.names[1:] if r.random() < 0.5)
        near = neighbours(entry, values, r, 4)
        shared, losses = judge(operation, values, near, constants, models=number % models == 0)
        followed += shared
        lost += losses
    return followed, lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=5000, help="inputs for each operation")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="expressions that contain this")
    options = parser.parse_args()
    failed = total = shared = 0
    began = time.perf_counter()
    for entry in entries():
        if options.only not in entry.text:
            continue
        each = -(-options.each // entry.share)
        try:
            followed, lost = check(entry, each, options.seed, models=16)
        except Disagreement as error:
            failed += 1
            print(f"FAILED {entry.text}: {str(error)[:1500]}", flush=True)
            continue
        total, shared = total + each, shared + followed
        words = f", {lost} lost a term" if lost else ""
        print(f"{entry.text}: {each} inputs, {followed} others{words}", flush=True)
    seconds = time.perf_counter() - began
    print(f"{total} inputs, {shared} others on the same path, {failed} failed, {seconds:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
