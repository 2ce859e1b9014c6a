"""From a strategy of Hypothesis to the shape of its values.

A strategy is known by the public function that makes it and by the arguments that were given to
that. What is not known here is drawn by Hypothesis itself: such values carry no terms, and it is
said so.
"""

from __future__ import annotations

import collections.abc
import copy
import datetime
import enum
import inspect
import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.shapes.annotations import SIMPLE, Reader
from symcrete.inputs.shapes.containers import DictShape, SequenceShape, SetShape
from symcrete.inputs.shapes.library import DayShape, FlagShape
from symcrete.inputs.shapes.objects import InstanceShape, Part, RecordShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ConstantShape,
    IntShape,
    SampledShape,
    Shape,
    TupleShape,
    one_of,
)
from symcrete.inputs.strategies.bounds import between, floats, integers, of_characters
from symcrete.inputs.strategies.composed import (
    ComposedShape,
    FilteredShape,
    MappedShape,
    itself,
)
from symcrete.terms.texts import FIRST_SURROGATE, LAST_CODE, LAST_SURROGATE

# elements of `sampled_from` that are alternatives; of more, Hypothesis draws; chosen, not measured
MOST_SAMPLED = 60
EVERY_CHARACTER = 0x110000 - 0x800  # how many characters there are: all but lone surrogates
# draws by Hypothesis, until one passes the filters of its strategy; chosen, not measured
MOST_HYPOTHESIS_DRAWS = 20
DEEPEST_STRATEGY = 20  # strategies inside strategies: one may refer to itself; chosen, not measured
_HELD = (str, bytes, int, float, bool, complex, type(None), enum.Enum)  # their values never change


class NotKnown(Exception):
    """A strategy that is not understood; it is drawn by Hypothesis."""


class StrategyReader:
    """Reads the strategies of one input, `where`. `seen` makes plain values of those that carry
    terms, which the strategies of a composite may be made of.
    """

    def __init__(self, reader: Reader, where: str, seen: Callable[[Any], Any] = itself) -> None:
        self._reader = reader
        self._where = where
        self._seen = seen
        self._depth = 0

    def shape(self, strategy: Any) -> Shape:
        """The shape of a strategy's values."""
        self._depth += 1
        try:
            return self._known(strategy)
        except NotKnown as reason:
            return self._drawn(strategy, str(reason))
        finally:
            self._depth -= 1

    def _known(self, strategy: Any) -> Shape:
        if self._depth > DEEPEST_STRATEGY:
            raise NotKnown("it refers to itself")
        kind = type(strategy).__name__
        if kind == "LazyStrategy":
            return self._lazy(strategy)
        read = _BY_CLASS.get(kind)
        if read is None:
            raise NotKnown("it is not one of those that are understood")
        return read(self, strategy)

    def _lazy(self, strategy: Any) -> Shape:
        """The shape of a strategy by the public function that made it, its arguments, and the
        `.map` and `.filter` that followed.
        """
        function = strategy.function
        read = _BY_NAME.get(function.__name__)
        public = str(function.__module__).startswith("hypothesis.")
        if read is None or not public:
            return self._known(strategy.wrapped_strategy)
        args = strategy._LazyStrategy__args
        keywords = strategy._LazyStrategy__kwargs
        bound = inspect.signature(inspect.unwrap(function)).bind(*args, **keywords)
        bound.apply_defaults()
        given = {name: self._plain(value) for name, value in bound.arguments.items()}
        return _changed(read(self, given), getattr(strategy, "_transformations", ()))

    def _plain(self, value: Any) -> Any:
        """An argument of a strategy without terms; a strategy is read later."""
        return value if hasattr(value, "do_draw") else self._seen(value)

    def _drawn(self, strategy: Any, why: str) -> Shape:
        self._reader.leave_open(
            f"{self._where}: values of {_shown(strategy)} are drawn by Hypothesis, not solved for"
            f" ({why})"
        )
        return SampledShape(
            lambda pool, random: drawn(strategy, random), drawn(strategy, Random(0))
        )

    # -- by the public function

    def _integers(self, given: Mapping[str, Any]) -> Shape:
        return integers(given["min_value"], given["max_value"])

    def _floats(self, given: Mapping[str, Any]) -> Shape:
        odd = given["exclude_min"] or given["exclude_max"] or given["allow_subnormal"] is not None
        if given["width"] != 64 or odd:  # bits of a double
            raise NotKnown("of floats bounds, nan and infinities are understood")
        names = ("min_value", "max_value", "allow_nan", "allow_infinity")
        return floats(*[given[name] for name in names])

    def _text(self, given: Mapping[str, Any]) -> Shape:
        least, most = given["min_size"], given["max_size"]
        return self._of_characters(given["alphabet"], least, most)

    def _characters(self, strategy: Any) -> Shape:
        return self._of_characters(strategy, 1, 1)

    def _of_characters(self, alphabet: Any, least: int, most: int | None) -> Shape:
        intervals = _intervals(alphabet)
        if intervals is None:
            raise NotKnown("its alphabet is not understood")
        kept = [part for low, high in intervals for part in _without_surrogates(low, high)]
        if _size(kept) < _size(intervals):
            self._reader.leave_open(f"{self._where}: texts with lone surrogates are not tried")
        if _size(kept) == EVERY_CHARACTER:
            return StrShape(least, most)
        return of_characters(kept, least, most)

    def _binary(self, given: Mapping[str, Any]) -> Shape:
        return BytesShape(given["min_size"], given["max_size"])

    def _just(self, given: Mapping[str, Any]) -> Shape:
        return _constant(given["value"])

    def _sampled_from(self, given: Mapping[str, Any]) -> Shape:
        return self._one_of_these(given["elements"])

    def _one_of_these(self, elements: Any) -> Shape:
        if isinstance(elements, type) and issubclass(elements, enum.Flag):
            return FlagShape(elements)
        found = [self._seen(each) for each in elements]
        if not 0 < len(found) <= MOST_SAMPLED:
            raise NotKnown(f"more than {MOST_SAMPLED} elements to choose from")
        return one_of([_constant(each) for each in found])

    def _lists(self, given: Mapping[str, Any]) -> Shape:
        if given["unique"] or given["unique_by"] is not None:
            raise NotKnown("its elements are unique")
        least, most = given["min_size"], given["max_size"]
        return SequenceShape(self.shape(given["elements"]), list, least, most)

    def _sets(self, given: Mapping[str, Any], kind: Any = set) -> Shape:
        element = self.shape(given["elements"])
        return SetShape(element, kind, given["min_size"], given["max_size"])

    def _frozensets(self, given: Mapping[str, Any]) -> Shape:
        return self._sets(given, frozenset)

    def _dictionaries(self, given: Mapping[str, Any]) -> Shape:
        if given["dict_class"] is not dict:
            raise NotKnown("of dictionaries those of class dict are understood")
        key, value = self.shape(given["keys"]), self.shape(given["values"])
        return DictShape(key, value, dict, given["min_size"], given["max_size"])

    def _fixed_dictionaries(self, given: Mapping[str, Any]) -> Shape:
        required, optional = given["mapping"], given.get("optional") or {}
        keys = [*required, *optional]
        plain = type(required) is dict and all(type(key) is str for key in keys)
        if not plain or any('"' in key or "\\" in key for key in keys):
            raise NotKnown("of fixed dictionaries those with plain names as keys are understood")
        parts = [(key, self.shape(each), True) for key, each in required.items()]
        parts += [(key, self.shape(each), False) for key, each in optional.items()]
        return RecordShape(tuple(parts))

    def _tuples(self, given: Mapping[str, Any]) -> Shape:
        return TupleShape(tuple([self.shape(each) for each in given["args"]]))

    def _one_of(self, given: Mapping[str, Any]) -> Shape:
        parts = given["args"]
        if len(parts) == 1 and not hasattr(parts[0], "do_draw"):
            parts = tuple(parts[0])
        return one_of([self.shape(each) for each in parts])

    def _builds(self, given: Mapping[str, Any]) -> Shape:
        target, args, keywords = given["target"], given.get("args", ()), given.get("kwargs", {})
        if any(each is ... for each in (*args, *keywords.values())) or _asks_for_more(
            target, args, keywords
        ):
            raise NotKnown("some of its arguments follow from annotations")
        if not isinstance(target, type):
            return ComposedShape(target, tuple(args), dict(keywords), self._read_as, draws=False)
        parts = [Part(str(i), self.shape(each)) for i, each in enumerate(args)]
        parts += [Part(name, self.shape(each), True) for name, each in keywords.items()]
        return InstanceShape(target, lambda: tuple(parts))

    def _from_regex(self, given: Mapping[str, Any]) -> Shape:
        pattern = re.compile(given["regex"])
        if given.get("alphabet") is not None:
            raise NotKnown("its alphabet is not understood")
        whole: Shape = StrShape() if isinstance(pattern.pattern, str) else BytesShape()
        return FilteredShape(whole, pattern.fullmatch if given["fullmatch"] else pattern.search)

    def _day(self, kind: Any, given: Mapping[str, Any]) -> Shape:
        zones = given.get("timezones")
        if zones is not None and repr(zones) != "none()":
            raise NotKnown("it has time zones")
        low, high = given["min_value"], given["max_value"]
        shape = SIMPLE[kind]
        if isinstance(shape, DayShape):  # so that draws are not far off
            year, *others = shape.fields
            shape = DayShape(kind, ((year[0], IntShape(low.year, high.year)), *others))
        return between(shape, low, high)

    # -- by class

    def _sampled(self, strategy: Any) -> Shape:
        return _changed(self._one_of_these(strategy.elements), strategy._transformations)

    def _alternatives(self, strategy: Any) -> Shape:
        return one_of([self.shape(each) for each in strategy.original_strategies])

    def _mapped(self, strategy: Any) -> Shape:
        return MappedShape(self.shape(strategy.mapped_strategy), strategy.pack)

    def _filtered(self, strategy: Any) -> Shape:
        shape = self.shape(strategy.filtered_strategy)
        for condition in strategy.flat_conditions:
            shape = FilteredShape(shape, condition)
        return shape

    def _composite(self, strategy: Any) -> Shape:
        args, keywords = strategy.args, strategy.kwargs
        return ComposedShape(strategy.definition, args, keywords, self._read_as, draws=True)

    def _read_as(self, strategy: Any, seen: Callable[[Any], Any]) -> Shape:
        return StrategyReader(self._reader, self._where, seen).shape(strategy)


def _changed(shape: Shape, transformations: Any) -> Shape:
    """The shape after the `.map` and `.filter` of a strategy."""
    for how, function, *_ in transformations:
        shape = MappedShape(shape, function) if how == "map" else FilteredShape(shape, function)
    return shape


def drawn(strategy: Any, random: Random) -> Any:
    """A value that Hypothesis draws; raises UnsupportedInput where it finds none."""
    from hypothesis.control import BuildContext
    from hypothesis.errors import StopTest
    from hypothesis.internal.conjecture.data import ConjectureData

    for _ in range(MOST_HYPOTHESIS_DRAWS):
        data = ConjectureData(random=random)
        try:
            with BuildContext(data, wrapped_test=drawn):
                return data.draw(strategy)
        except StopTest:
            continue
        except Exception as error:
            raise UnsupportedInput(f"{_shown(strategy)} cannot be drawn from: {error}") from None
    raise UnsupportedInput(f"{_shown(strategy)} gave no value")


def _constant(value: Any) -> Shape:
    """The shape of one value; a value that a run could change is copied for each run."""
    if isinstance(value, (*_HELD, type)) or callable(value):
        return ConstantShape(value, _named(value))
    if type(value) is tuple and all(isinstance(each, _HELD) for each in value):
        return ConstantShape(value)

    def copied(pool: Pool, random: Random) -> Any:
        return copy.deepcopy(value)

    return SampledShape(copied, value)


def _named(value: Any) -> tuple[str, str] | None:
    """The module and the name of a class or function; None for values that are literals."""
    called = getattr(value, "__qualname__", "")
    return (value.__module__, called) if called.isidentifier() and value.__module__ else None


def _asks_for_more(target: Any, args: Any, keywords: Mapping[str, Any]) -> bool:
    """Whether a function has parameters that were not given and have no default; Hypothesis finds
    those out from their annotations.
    """
    try:
        inspect.signature(target).bind(*args, **keywords)
    except (TypeError, ValueError):
        return True
    return False


def _intervals(alphabet: Any) -> list[tuple[int, int]] | None:
    """The numbers of the characters that a strategy gives, as intervals; None where that is not
    known.
    """
    if not hasattr(alphabet, "do_draw"):
        if isinstance(alphabet, collections.abc.Iterable):
            found = sorted({ord(each) for each in alphabet})
            return [(each, each) for each in found]
        return None
    if repr(alphabet) == "characters(codec='utf-8')":  # the default; tables of it take seconds
        return _without_surrogates(0, LAST_CODE)
    inner = getattr(alphabet, "wrapped_strategy", alphabet)
    known = getattr(getattr(inner, "intervals", None), "intervals", None)
    return None if known is None else [(low, high) for low, high in known]


def _without_surrogates(low: int, high: int) -> list[tuple[int, int]]:
    """An interval of numbers of characters without those of lone surrogates."""
    parts = [(low, min(high, FIRST_SURROGATE - 1)), (max(low, LAST_SURROGATE + 1), high)]
    return [(first, last) for first, last in parts if first <= last]


def _size(intervals: list[tuple[int, int]]) -> int:
    return sum([high - low + 1 for low, high in intervals])


def _shown(strategy: Any) -> str:
    try:
        return " ".join(repr(strategy).split())
    except Exception:
        return type(strategy).__name__


def _none(reader: StrategyReader, given: Any) -> Shape:
    return ConstantShape(None)


def _booleans(reader: StrategyReader, given: Any) -> Shape:
    return BoolShape()


_BY_NAME: dict[str, Callable[[StrategyReader, Mapping[str, Any]], Shape]] = {
    "integers": StrategyReader._integers,
    "floats": StrategyReader._floats,
    "text": StrategyReader._text,
    "binary": StrategyReader._binary,
    "booleans": _booleans,
    "none": _none,
    "just": StrategyReader._just,
    "sampled_from": StrategyReader._sampled_from,
    "lists": StrategyReader._lists,
    "sets": StrategyReader._sets,
    "frozensets": StrategyReader._frozensets,
    "dictionaries": StrategyReader._dictionaries,
    "fixed_dictionaries": StrategyReader._fixed_dictionaries,
    "tuples": StrategyReader._tuples,
    "one_of": StrategyReader._one_of,
    "builds": StrategyReader._builds,
    "from_regex": StrategyReader._from_regex,
    "dates": lambda reader, given: reader._day(datetime.date, given),
    "datetimes": lambda reader, given: reader._day(datetime.datetime, given),
    "times": lambda reader, given: reader._day(datetime.time, given),
    "timedeltas": lambda reader, given: reader._day(datetime.timedelta, given),
}
# Strategies that are made otherwise, by the names of their classes.
_BY_CLASS: dict[str, Callable[[StrategyReader, Any], Shape]] = {
    "BooleansStrategy": _booleans,
    "JustStrategy": StrategyReader._sampled,
    "SampledFromStrategy": StrategyReader._sampled,
    "OneOfStrategy": StrategyReader._alternatives,
    "MappedStrategy": StrategyReader._mapped,
    "FilteredStrategy": StrategyReader._filtered,
    "CompositeStrategy": StrategyReader._composite,
    "OneCharStringStrategy": StrategyReader._characters,
}
