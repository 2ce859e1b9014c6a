"""Chance: the least that can come up, unless a branch needs more."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.inputs.draw.text import BytesShape
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import FloatShape, IntShape, Shape
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_UNIT = FloatShape(low=0.0, high=1.0, high_open=True)
CHOSEN = "choice"  # the function that takes what it chooses from
_FARTHEST = sys.float_info.max  # the bound of draws that have none
_MOST_RANDOM_BITS = 4096  # of a random number, or bytes drawn; for more the library is asked


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    for module, name, shape_of in DRAWS:
        yield Instead(module, name, _draw(ask, module, name, shape_of))
    for module in ("random", "secrets"):
        yield Instead(module, CHOSEN, _choice(ask, module))
    yield Instead("random", "seed", _seed(ask))


def _draw(
    ask: Asking, module: str, name: str, shape_of: Callable[..., Shape | None]
) -> Callable[..., Any]:
    """Stands in for a function that draws: what it gives is an input, named after the function and
    its arguments, which say what can be drawn.
    """

    def draw(*given: Any, **named: Any) -> Any:
        if not ask.running or _is_seeded(ask, module):
            return original(module, name)(*given, **named)
        plain = tuple([ask.plain(each) for each in given])
        shape = None if named else shape_for(shape_of, plain)
        if shape is None:  # the library raises, or draws what we have no shape for
            ask.lose(f"{module}.{name}()")
            options = {key: ask.plain(each) for key, each in named.items()}
            return original(module, name)(*plain, **options)
        shown = ", ".join([repr(each) for each in plain])
        return ask.next_value(f"{module}.{name}({shown})", shape, "chance")

    return draw


def shape_for(shape_of: Callable[..., Shape | None], given: Sequence[Any]) -> Shape | None:
    """What can be drawn for these arguments; None where there is no shape for it."""
    try:
        return shape_of(*given)
    except TypeError:
        return None  # more arguments than the shape knows of: the library says what they mean


def _is_seeded(ask: Asking, module: str) -> bool:
    """Whether the run has called `random.seed`: what is drawn after that is not up to chance."""
    return module == "random" and bool(ask.remembered("random.seed", list))


def _seed(ask: Asking) -> Callable[..., Any]:
    def seed(*given: Any, **named: Any) -> Any:
        if ask.running:
            given = tuple([ask.plain(each) for each in given])
            named = {key: ask.plain(each) for key, each in named.items()}
            # None is no seed: the library takes one from the system.
            if (given[0] if given else named.get("a")) is not None:
                ask.remembered("random.seed", list).append(True)
        return original("random", "seed")(*given, **named)

    return seed


def _choice(ask: Asking, module: str) -> Callable[[Any], Any]:
    def choice(items: Any, /) -> Any:
        if not ask.running or _is_seeded(ask, module) or not hasattr(items, "__len__"):
            return original(module, "choice")(items)
        count = ask.plain(len(items))
        if count == 0:
            return original(module, "choice")(items)
        index = ask.next_value(f"{module}.choice({count})", IntShape(0, count - 1), "chance")
        return ask.item(items, index)

    return choice


def _whole(*numbers: Any) -> bool:
    return all(type(each) is int for each in numbers)


def _unit() -> Shape:
    return _UNIT


def _between(low: Any = None, high: Any = None) -> Shape | None:
    return IntShape(low, high) if _whole(low, high) and low <= high else None


def _in_range(start: Any = None, stop: Any = None) -> Shape | None:
    low, high = (0, start) if stop is None else (start, stop)
    return IntShape(low, high - 1) if _whole(low, high) and low < high else None


def _below(most: Any = None) -> Shape | None:
    return IntShape(0, most - 1) if _whole(most) and most > 0 else None


def _bits(count: Any = None) -> Shape | None:
    return IntShape(0, 2**count - 1) if _whole(count) and 0 < count <= _MOST_RANDOM_BITS else None


def _real(low: Any = None, high: Any = None) -> Shape | None:
    numbers = all(type(each) in (int, float) for each in (low, high))
    return FloatShape(low=float(low), high=float(high)) if numbers and low <= high else None


def _normal(mean: Any = 0.0, spread: Any = 1.0) -> Shape | None:
    known = all(type(each) in (int, float) for each in (mean, spread)) and spread > 0
    return FloatShape(low=-_FARTHEST, high=_FARTHEST) if known else None


def _above(rate: Any = 1.0) -> Shape | None:
    known = type(rate) in (int, float) and rate > 0
    return FloatShape(low=0.0, high=_FARTHEST) if known else None


def _bytes(count: Any = None) -> Shape | None:
    return (
        BytesShape(least=count, most=count)
        if _whole(count) and 0 <= count <= _MOST_RANDOM_BITS
        else None
    )


# Module, function, and what gives the shape of a draw for its arguments: None where there is none.
DRAWS: tuple[tuple[str, str, Callable[..., Shape | None]], ...] = (
    ("random", "random", _unit),
    ("random", "randint", _between),
    ("random", "randrange", _in_range),
    ("random", "uniform", _real),
    ("random", "getrandbits", _bits),
    ("random", "randbytes", _bytes),
    ("random", "triangular", _real),
    ("random", "gauss", _normal),
    ("random", "normalvariate", _normal),
    ("random", "expovariate", _above),
    ("secrets", "randbelow", _below),
    ("secrets", "randbits", _bits),
    ("secrets", "token_bytes", _bytes),
    ("os", "urandom", _bytes),
)


def drawn_values(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    """How a test sets what is drawn: by functions that give these values, one after the other where
    they differ.
    """
    reads: dict[str, list[str]] = {}
    for each in answers:
        reads.setdefault(each.root.partition("(")[0], []).append(each.text)
    for function, texts in reads.items():
        module, _, name = function.partition(".")
        method = name.partition(".")[2]
        same = len(set(texts)) == 1
        value = texts[0] if same else f"[{', '.join(texts)}]"
        if name.endswith(CHOSEN):
            before = "self, items" if method else "items"
            by = f"lambda {before}: items[{value}]"
            by = by if same else f"lambda {before}, values=iter({value}): items[next(values)]"
        else:
            by = f"lambda *_: {value}"
            by = by if same else f"lambda *_, values=iter({value}): next(values)"
        source = f"{function}()" + (" index" if name.endswith(CHOSEN) else "")
        for target in [function] if method else targets(module, name):
            yield Setting(source, value, f"monkeypatch.setattr({literal(target)}, {by})")


CHANCE = Source(
    name="chance",
    what="`random.random`, `randint`, `randrange`, `uniform`, `choice`, `getrandbits`, "
    "`gauss`, `secrets.randbelow`, `choice`, `token_bytes`, `os.urandom`",
    stand_ins=_stand_ins,
    shown=drawn_values,
)
