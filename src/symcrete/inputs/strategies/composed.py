"""Inputs that functions make of drawn ones: `.map`, `.filter`, `builds`, `@composite`.

Whoever builds such an input says how functions are called: in a run in their rewritten form,
elsewhere as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, ClassVar, TypeAlias

from symcrete.errors import AssumptionFailed, NotAnInput
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.literal import NoLiteral, imports_of, literal
from symcrete.inputs.shapes.shape import Shape, Written, write
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

# draws for a filtered input: the last one is taken even if it does not pass; chosen, not measured
MOST_FILTERED_DRAWS = 20
# Gives the shape of a strategy's values. The second argument makes plain values of those that carry
# terms.
ReadAs: TypeAlias = Callable[[Any, Callable[[Any], Any]], Shape]
# Gives what is called in place of a function.
Call: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]


def itself(value: Any) -> Any:
    """The value unchanged: for functions that are called as they are, and values without terms."""
    return value


@dataclass(frozen=True, slots=True)
class MappedShape:
    """What a function makes of a value of another shape."""

    shape: Shape
    function: Callable[[Any], Any]
    decides: ClassVar[bool] = True

    def plain(self, name: str, given: Assignment) -> Any:
        return self.function(self.shape.plain(name, given))

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        self.shape.sample(name, pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        try:
            value = self.plain(name, given)
            return Written(literal(value), frozenset(imports_of(value)))
        except NoLiteral:
            module = getattr(self.function, "__module__", "")
            called = getattr(self.function, "__qualname__", "<")
            if not module or not all(part.isidentifier() for part in called.split(".")):
                raise
            inner = write(self.shape, name, given)
            imported = (module, called.split(".")[0])
            return Written(f"{called}({inner.text})", inner.imports | {imported})


@dataclass(frozen=True, slots=True)
class FilteredShape:
    """The values of a shape for which a condition holds; building any other raises NotAnInput."""

    shape: Shape
    condition: Callable[[Any], Any]
    decides: ClassVar[bool] = True

    def plain(self, name: str, given: Assignment) -> Any:
        value = self.shape.plain(name, given)
        if not self.condition(value):
            raise NotAnInput
        return value

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for _ in range(MOST_FILTERED_DRAWS):
            drawn: Assignment = {}
            self.shape.sample(name, pool, random, drawn)
            try:
                self.plain(name, drawn)
            except (AssumptionFailed, Exception):
                continue
            break
        given.update(drawn)

    def write(self, name: str, given: Assignment) -> Written:
        return write(self.shape, name, given)


@dataclass(frozen=True, slots=True)
class ComposedShape:
    """What a function returns that draws while it runs (`@composite`), or is given drawn arguments
    (`builds`).
    """

    definition: Callable[..., Any]
    args: tuple[Any, ...]
    keywords: Mapping[str, Any]
    read_as: ReadAs
    draws: bool  # it draws itself; else its arguments are the strategies to draw from
    decides: ClassVar[bool] = True

    def made(self, call: Call, draw: Callable[..., Any]) -> Any:
        """The value, drawn by `draw`, with the function called through `call`."""
        if self.draws:
            return call(self.definition)(draw, *self.args, **self.keywords)
        positional = [draw(each) for each in self.args]
        keywords = {name: draw(each) for name, each in self.keywords.items()}
        return call(self.definition)(*positional, **keywords)

    def plain(self, name: str, given: Assignment) -> Any:
        draw = Drawing(name, lambda strategy, where: self._read(strategy).plain(where, given))
        return self.made(itself, draw)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        def drawn(strategy: Any, where: str) -> Any:
            shape = self._read(strategy)
            shape.sample(where, pool, random, given)
            return shape.plain(where, given)

        try:
            self.made(itself, Drawing(name, drawn))
        except (AssumptionFailed, Exception):
            return  # what it drew until then is an input too, if a useless one

    def _read(self, strategy: Any) -> Shape:
        return self.read_as(strategy, itself)


class Drawing:
    """The `draw` of a composite strategy: each call is an input with a name of its own."""

    def __init__(self, name: str, draw: Callable[[Any, str], Any]) -> None:
        self._name = name
        self._draw = draw
        self._count = 0

    def __call__(self, strategy: Any, label: Any = None) -> Any:
        where = f"{self._name}.draw[{self._count}]"
        self._count += 1
        return self._draw(strategy, where)
