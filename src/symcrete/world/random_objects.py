"""Chance in other forms: objects of `random.Random` without a seed, orders, samples, identifiers.

An order or a sample is a row of positions, each among what is left. The plainest order is the one
that is there already.
"""

from __future__ import annotations

import base64
import math
import random
import uuid
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from symcrete.inputs.draw.text import BytesShape
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import IntShape
from symcrete.world.random_draws import CHOSEN, DRAWS, drawn_values, shape_for
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    InsteadOfMethod,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_NAME = "random objects"
_SEEDED = "random.Random with a seed"
_MOST_ORDERED = (
    12  # of a list that is shuffled, a sample and choices: for more the library is asked
)
_TOKEN = 32  # bytes of a token for which no length is given, as the library has it
_FREE_BITS = 122  # of an identifier: the others tell how it was made
# The functions that make identifiers of time and machine, or by chance, and the version of these.
# The first one asks the system by a socket, which the walls refuse: both need a stand-in.
_VERSIONS = {"uuid.uuid1": 1, "uuid.uuid4": 4}
_METHODS = {name: shape_of for module, name, shape_of in DRAWS if module == "random"}


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    yield Instead("random", "Random", _made(ask))
    for name in (*_METHODS, CHOSEN):
        yield InsteadOfMethod("random", "Random", name, _method(ask, name))
    yield InsteadOfMethod("random", "Random", "seed", _seed(ask))
    yield Instead("random", "shuffle", _shuffle(ask))
    yield Instead("random", "sample", _sample(ask))
    yield Instead("random", "choices", _choices(ask))
    for version in _VERSIONS.values():
        yield Instead("uuid", f"uuid{version}", _identifier(ask, version))
    yield Instead("secrets", "token_hex", _token(ask, "token_hex", lambda data: data.hex()))
    yield Instead("secrets", "token_urlsafe", _token(ask, "token_urlsafe", _urlsafe))


# -- objects


def _made(ask: Asking) -> Callable[..., random.Random]:
    def make(*seed: Any) -> random.Random:
        made = random.Random(*[ask.plain(each) for each in seed])
        if ask.running and seed not in ((), (None,)):
            ask.remembered(_SEEDED, list).append(made)
        return made

    return make


def _method(ask: Asking, name: str) -> Callable[..., Any]:
    def method(self: Any, *given: Any, **named: Any) -> Any:
        plain = tuple([ask.plain(each) for each in given]) if name != CHOSEN else given
        by_chance = ask.running and not named and _is_unseeded(ask, self)
        if by_chance and name == CHOSEN and hasattr(given[0], "__len__") and len(given[0]):
            count = ask.plain(len(given[0]))
            root = f"random.Random.choice({count})"
            return ask.item(given[0], ask.next_value(root, IntShape(0, count - 1), _NAME))
        shape = shape_for(_METHODS[name], plain) if by_chance and name != CHOSEN else None
        if shape is None:
            if ask.running:
                ask.reads(f"Random.{name}()")
            return getattr(type(self), name)(self, *plain, **named)
        shown = ", ".join([repr(each) for each in plain])
        return ask.next_value(f"random.Random.{name}({shown})", shape, _NAME)

    return method


def _seed(ask: Asking) -> Callable[..., None]:
    def seed(self: Any, *given: Any) -> None:
        if ask.running and given not in ((), (None,)):
            ask.remembered(_SEEDED, list).append(self)
        type(self).seed(self, *[ask.plain(each) for each in given])

    return seed


def _is_unseeded(ask: Asking, generator: Any) -> bool:
    """Whether the draws of this object are inputs: it is one of the library's own classes, and the
    run has not seeded it. An object that was there before the run counts, since a test cannot
    know its seed.
    """
    if type(generator) not in (random.Random, random.SystemRandom):
        return False
    return not any(each is generator for each in ask.remembered(_SEEDED, list))


# -- orders and samples


def _positions(ask: Asking, what: str, counts: Sequence[int], first: int = 0) -> list[Any]:
    """For one call of a function, a position for each of these numbers: one of that many from the
    first.
    """
    calls: list[None] = ask.remembered(what, list)
    calls.append(None)
    return [
        ask.next_value(f"{what}#{len(calls)}[{index}]", IntShape(first, first + count - 1), _NAME)
        for index, count in enumerate(counts)
    ]


def _by_chance(ask: Asking, items: Any) -> bool:
    """Whether an order of these items is an input: a run is under way that has set no seed."""
    seeded = ask.remembered("random.seed", list)
    return ask.running and not seeded and isinstance(items, list | tuple | str | range)


def _left_out(ask: Asking) -> None:
    """Say that the library draws an order, which nothing can be proved of."""
    if ask.running:
        ask.lose("an order that is no input: it is seeded, too long or weighted")


def _taken(ask: Asking, items: Sequence[Any], positions: Sequence[Any]) -> list[Any]:
    """The items at these positions, each of which counts what those before it have left."""
    left, found = list(items), []
    for position in positions:
        found.append(ask.item(left, position))
        del left[ask.plain(position)]
    return found


def _shuffle(ask: Asking) -> Callable[..., None]:
    def shuffle(x: Any) -> None:  # as the library calls its parameter
        if not _by_chance(ask, x) or not isinstance(x, list) or len(x) > _MOST_ORDERED:
            _left_out(ask)
            random.shuffle(x)
            return
        counts = range(ask.plain(len(x)), 0, -1)
        x[:] = _taken(ask, x, _positions(ask, "random.shuffle", counts))

    return shuffle


def _sample(ask: Asking) -> Callable[..., Any]:
    def sample(population: Any, k: Any, **named: Any) -> Any:
        plain = ask.plain(k)
        known = not named and _by_chance(ask, population) and plain <= len(population)
        if not known or not 0 <= plain <= _MOST_ORDERED:
            _left_out(ask)
            return random.sample(population, plain, **named)
        size = ask.plain(len(population))
        counts = range(size, size - plain, -1)
        return _taken(ask, population, _positions(ask, "random.sample", counts))

    return sample


def _choices(ask: Asking) -> Callable[..., Any]:
    def choices(
        population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1
    ) -> Any:
        weights, sums = (
            given if given is None else [ask.plain(each) for each in given]
            for given in (weights, cum_weights)
        )
        plain = ask.plain(k)
        span = None
        if _by_chance(ask, population) and 0 <= plain <= _MOST_ORDERED:
            span = _may_come_up(ask.plain(len(population)), weights, sums)
        if span is None:
            _left_out(ask)
            return random.choices(population, weights, cum_weights=sums, k=plain)
        positions = _positions(ask, "random.choices", [len(span)] * plain, span.start)
        return [ask.item(population, each) for each in positions]

    return choices


def _may_come_up(
    count: int, weights: Sequence[Any] | None, sums: Sequence[Any] | None
) -> range | None:
    """The positions below `count` that such weights, or sums of weights, let come up, as a range;
    None where there is none, or where one between others cannot come up.
    """
    if weights is None and sums is None:
        return range(count) or None
    given = sums if weights is None else weights
    if given is None or (weights is not None and sums is not None) or len(given) != count:
        return None
    added: list[Any] = [0]
    if all(type(each) in (int, float) for each in given):
        added += sums or accumulate(given)
    # The library refuses weights whose sum is not finite, though each of them is.
    if len(added) != count + 1 or not all(map(_is_finite, added)):
        return None
    steps = [upper - lower for lower, upper in pairwise(added)]
    positions = [position for position, step in enumerate(steps) if step > 0]
    if not positions or min(steps) < 0:
        return None
    span = range(positions[0], positions[-1] + 1)
    return span if len(span) == len(positions) else None


def _is_finite(number: float) -> bool:
    """Whether it is finite, as an int is that is not too large for a float."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


# -- identifiers


def _identifier(ask: Asking, version: int) -> Callable[..., Any]:
    name = f"uuid{version}"

    def identifier(*given: Any, **named: Any) -> Any:
        if not ask.running or given or named:  # whoever gives a machine wants an identifier of it
            return original("uuid", name)(*given, **named)
        number = ask.next_value(f"uuid.{name}()", IntShape(0, 2**_FREE_BITS - 1), _NAME)
        return ask.callee(uuid.UUID)(int=_with_version(number, version))

    return identifier


def _with_version(number: Any, version: int) -> Any:
    """The number of an identifier: 48 bits, the version, 12 bits, the variant, and 62 bits."""
    high, middle, low = number >> 74, (number >> 62) & 0xFFF, number & (2**62 - 1)  # RFC 4122
    return (high << 80) + (version << 76) + (middle << 64) + (2 << 62) + low  # RFC 4122


def _token(ask: Asking, name: str, told: Callable[[Any], Any]) -> Callable[..., Any]:
    def token(count: Any = None) -> Any:
        plain = _TOKEN if count is None else ask.plain(count)
        if not ask.running or type(plain) is not int or plain < 0:
            return original("secrets", name)(count)
        shape = BytesShape(least=plain, most=plain)
        return told(ask.next_value(f"secrets.{name}({plain})", shape, _NAME))

    return token


def _urlsafe(data: Any) -> str:
    return base64.urlsafe_b64encode(bytes(data)).rstrip(b"=").decode("ascii")


# -- tests


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    rows: dict[str, dict[str, list[Any]]] = {}  # positions by function and call
    drawn: list[Answer] = []
    for each in answers:
        function, _, call = each.root.partition("#")
        if call:
            rows.setdefault(function, {}).setdefault(call.partition("[")[0], []).append(each.value)
        elif each.root.startswith(tuple(_VERSIONS)):
            version = _VERSIONS[each.root.partition("()")[0]]
            text = f'UUID("{uuid.UUID(int=_with_version(each.value, version))}")'
            drawn.append(Answer(each.root, each.value, text))
        elif each.root.startswith("secrets.token"):
            told = each.value.hex() if "hex" in each.root else _urlsafe(each.value)
            drawn.append(Answer(each.root, told, literal(told)))
        else:
            drawn.append(each)
    for setting in drawn_values(drawn, targets):
        before = "from uuid import UUID\n\n" if setting.source.startswith("uuid") else ""
        yield Setting(setting.source, setting.value, before + setting.line)
    for function, calls in rows.items():
        yield from _ordered(function, list(calls.values()), targets)


def _ordered(function: str, calls: list[list[Any]], targets: Targets) -> Iterable[Setting]:
    module, _, name = function.partition(".")
    if name == "sample":
        calls = [_of_all(each) for each in calls]
    same = len(calls) == 1
    value = literal(calls[0]) if same else literal(calls)
    row = value if same else "next(rows)"
    rest = "" if same else f", rows=iter({value})"
    taken = f"population[i] for i in {row}"
    # The parameters are called as those of the library, which a program may name.
    by = {
        "shuffle": f"lambda x{rest}: x.extend([x.pop(i) for i in {row}])",
        "sample": f"lambda population, k{rest}: [{taken}]",
        "choices": f"lambda population, *weights{rest}, **options: [{taken}]",
    }[name]
    for target in targets(module, name):
        line = f"monkeypatch.setattr({literal(target)}, {by})"
        yield Setting(f"{function}() positions", value, line)


def _of_all(positions: Sequence[int]) -> list[int]:
    """Turn positions that each count only what is left by those before into positions in the whole
    row.
    """
    left = list(range(len(positions) + max(positions, default=0) + 1))
    return [left.pop(each) for each in positions]


RANDOM_OBJECTS = Source(
    name=_NAME,
    what="objects of `random.Random` without a seed, `random.shuffle`, `sample`, `choices`, "
    "`uuid.uuid1`, `uuid4`, `secrets.token_hex`, `token_urlsafe`",
    stand_ins=_stand_ins,
    shown=_shown,
)
