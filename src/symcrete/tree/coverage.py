"""Which outcomes have been covered, by which run, and which are still wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from symcrete.program.sites import Branch, Outcome, Site, SiteTable


@dataclass(slots=True)
class Coverage:
    """Outcomes are bits: 2 * site + side."""

    sites: SiteTable
    own: tuple[Site, ...]  # the target's conditions
    branches: tuple[Branch, ...]  # its arcs between lines
    seen: int = 0
    wanted: int = field(init=False)  # own outcomes nobody has covered yet

    def __post_init__(self) -> None:
        self.wanted = 0
        for site in self.own:
            for side in site.sides:
                self.wanted |= 1 << (2 * site.number + side)

    def add(self, covered: int) -> int:
        """Outcomes that nobody covered before, as bits."""
        new = covered & ~self.seen
        if new:
            self.seen |= new
            self.wanted &= ~new
        return new

    def wants(self, site: int, side: bool) -> bool:
        return bool(self.wanted >> (2 * site + side) & 1)

    def has(self, site: int, side: bool) -> bool:
        return bool(self.seen >> (2 * site + side) & 1)

    def has_branch(self, branch: Branch, covered: int | None = None) -> bool:
        seen = self.seen if covered is None else covered
        return any(seen >> (2 * site + side) & 1 for site, side in branch.outcomes)

    @property
    def complete(self) -> bool:
        return not self.wanted


def outcomes(bits: int) -> Iterator[Outcome]:
    """The (site, side) pairs of a bit set, lowest first."""
    while bits:
        low = bits & -bits
        number = low.bit_length() - 1
        yield number >> 1, bool(number & 1)
        bits ^= low


def as_bits(pairs: Iterable[Outcome]) -> int:
    bits = 0
    for site, side in pairs:
        bits |= 1 << (2 * site + side)
    return bits
