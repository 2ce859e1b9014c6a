"""One random program: helpers, module state and a function `f` with few inputs."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from random import Random

from tests.truth.domains import PRELUDE, Parameter, inputs, parameters
from tests.truth.expressions import Expressions, Names
from tests.truth.pieces import PIECES, Piece
from tests.truth.referee import Referee, TooLong
from tests.truth.statements import SELDOM, THEMES, Statements

ENTRY = "f"
DRAFTS = 3  # of a program; the sides that are taken double against one
WITH_NAMES = 0.25  # share of drafts with names that may not be bound
WITH_PIECES = 0.5  # share of programs with constructs that hold surprises
SAMPLE = 30  # inputs that are tried on a draft

_HELPERS = {
    "lists": """
def put(items: list[int], value: int) -> None:
    if value > 1:
        items.append(value)
""",
    "objects": """
def bump(pair: Pair) -> None:
    if pair.on:
        pair.n += 1
    else:
        pair.on = True
""",
    "closures": """
def adder(n: int):
    def add(v: int) -> int:
        if v == n:
            return 0
        return n + v

    return add
""",
    "generators": """
def steps(n: int):
    value = n % 4
    while value > 0:
        yield value
        value -= 1
""",
    "errors": """
class Quiet:
    def __init__(self, kind: type[Exception]) -> None:
        self.kind = kind
        self.caught = False

    def __enter__(self) -> Quiet:
        return self

    def __exit__(self, kind, error, trace) -> bool:
        self.caught = kind is not None and issubclass(kind, self.kind)
        return self.caught
""",
    "state": """
_log: list[int] = []
_table: dict[int, int] = {}
_box = Pair(0, False)
_count = 0


def note() -> int:
    global _count
    _count = (_count + 1) % 3
    return _count


@functools.lru_cache(maxsize=None)
def cached(n: int) -> int:
    _log.append(n)
    return n + 1
""",
}


@dataclass(frozen=True, slots=True)
class Program:
    """The text of a module, and the domain of its function `f`."""

    seed: int
    text: str
    parameters: tuple[Parameter, ...]
    has_state: bool = False
    unordered: tuple[str, ...] = ()  # constants that are sets, whose order may be any


def program(seed: int) -> Program:
    """The program of a seed: of a few drafts the one whose inputs take the most sides."""
    # A source of its own for what came later: programs without it are those of their seeds still.
    chance = Random(f"{seed}:names")
    pieces = _pieces(Random(f"{seed}:pieces"))
    drafts = [_draft(seed, Random(f"{seed}:{number}"), chance, pieces) for number in range(DRAFTS)]
    return max(drafts, key=_sides_taken)


@functools.lru_cache(maxsize=DRAFTS)
def referee_of(text: str) -> Referee:
    """The referee of a program, the same for the choice among drafts and for the judgement."""
    return Referee(text)


def _pieces(random: Random) -> tuple[Piece, ...]:
    """No pieces, or one or two; what depends on an order is by itself, as replays have orders too."""
    if random.random() >= WITH_PIECES:
        return ()
    chosen = random.sample(PIECES, random.choice([1, 1, 2]))
    return tuple(chosen[:1] if any(each.unordered for each in chosen) else chosen)


def _sides_taken(draft: Program) -> int:
    """A program with a run that does not end is worth nothing."""
    try:
        some = inputs(draft.parameters)[:SAMPLE]
        return len(referee_of(draft.text).everything(ENTRY, some, 1).sides)
    except TooLong:
        return -1


def _draft(seed: int, random: Random, chance: Random, pieces: tuple[Piece, ...]) -> Program:
    given = parameters(random)
    themes = set(random.sample(THEMES, random.randint(1, 3)))
    if random.random() < 0.5:  # programs with state are replayed, which takes ten times as long
        themes -= {"state"}
    if any(each.unordered for each in pieces):
        themes -= {"state"}
    if chance.random() < WITH_NAMES:
        themes.add(SELDOM)
    expressions = Expressions(random)
    helpers = [_HELPERS[theme] for theme in THEMES if theme in themes and theme in _HELPERS]
    helpers += [each.helper for each in pieces if each.helper]
    if random.random() < 0.4:
        helpers.append(_helper(random))
        expressions.calls.append("helper({0})")
    if random.random() < 0.15:
        helpers.append(_recursive(random))
        expressions.calls.append("depth({0})")
    names: Names = {}
    for parameter in given:
        names[parameter.kind] = [*names.get(parameter.kind, []), parameter.name]
    statements = Statements(random, expressions, themes, pieces)
    while statements.room > 0:
        statements.block(1, names)
    signature = ", ".join(f"{each.name}: {each.annotation}" for each in given)
    body = [f"def {ENTRY}({signature}):", *statements.lines, "    return 0"]
    text = "\n\n".join([PRELUDE, *helpers]) + "\n\n" + "\n".join(body) + "\n"
    has_state = "state" in themes or any(each.has_state for each in pieces)
    unordered = tuple([name for each in pieces for name in each.unordered])
    return Program(seed, text, given, has_state, unordered)


def _helper(random: Random) -> str:
    expressions = Expressions(random)
    names: Names = {"int": ["v"]}
    return (
        "\ndef helper(v: int) -> int:\n"
        f"    if {expressions.condition(names, 1)}:\n"
        f"        return {expressions.number(names, 1)}\n"
        f"    return {expressions.number(names, 1)}\n"
    )


def _recursive(random: Random) -> str:
    step = random.choice(["depth(v - 1) + 1", "1 - depth(v - 2)", "depth(v - 1) * 2"])
    return f"\ndef depth(v: int) -> int:\n    if v <= 0 or v > 6:\n        return 0\n    return {step}\n"
