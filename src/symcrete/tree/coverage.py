"""Which outcomes have been covered, by which run, and which are still wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from symcrete.program.source.sites import Branch, Outcome, Site, SiteTable, is_within
from symcrete.slotted import dataclass
from symcrete.tree.tree import ExecutionTree

# An outcome of these kinds is an error that the operation raises when its condition is false.
ERRORS = frozenset({"ZeroDivisionError", "IndexError", "KeyError", "ValueError"})
ERROR_TRIES = 3  # solver answers in vain, after which an operation is taken not to fail


def bit(site: int, side: bool) -> int:
    """An outcome in a set, which is an int: a byte for each, as recordings have them."""
    return 1 << (16 * site + 8 * side)


@dataclass(slots=True)
class Coverage:
    """What the runs so far have covered of a target; sets of outcomes are ints made of `bit`."""

    sites: SiteTable
    own: tuple[Site, ...]  # the target's conditions
    branches: tuple[Branch, ...]  # its arcs between lines
    seen: int = 0
    scope: str = ""
    file: str = ""
    wanted: int = field(init=False)  # own outcomes nobody has covered yet
    own_bits: int = field(init=False)
    errors: dict[int, None] = field(default_factory=dict)  # implicit sites of the target, as seen
    returned: int = 0  # own outcomes of runs that came back
    came_back: bool = False  # some run did
    doubtful: int = 0  # own outcomes of runs that raised what a value of a wrong type does
    _known_sites: int = field(init=False)

    def __post_init__(self) -> None:
        self._known_sites = len(self.sites)
        self.want(self.own)

    def want(self, sites: tuple[Site, ...]) -> None:
        """Every outcome of these conditions is to be covered, and of no others."""
        self.own = sites
        self.wanted = 0
        for site in sites:
            for side in site.sides:
                self.wanted |= bit(site.number, side)
        self.own_bits = self.wanted

    def add(self, covered: int) -> int:
        """Outcomes that nobody covered before, as bits."""
        new = covered & ~self.seen
        if new:
            self.seen |= new
            self.wanted &= ~new
            self._find_errors()
        return new

    def add_returned(self, covered: int) -> int:
        """The target's outcomes with which no run came back before this one: what comes after a
        condition is executed only by runs that do not raise on the way.
        """
        new = covered & self.own_bits & ~self.returned
        self.returned |= new
        self.came_back = True
        return new

    def failed_in(self, covered: int) -> bool:
        """Whether an operation of the target failed, such as a conversion or a look-up."""
        return any(covered & bit(number, False) for number in self.errors)

    def doubt(self, covered: int) -> None:
        """A run raised what a value of a wrong type raises: another may come back."""
        self.doubtful |= covered & self.own_bits

    @property
    def doubts(self) -> bool:
        """Whether some outcome was taken by runs only that may have had a wrong type."""
        return bool(self.doubtful & ~self.returned)

    def _find_errors(self) -> None:
        """Operations of the target that can fail, found while running."""
        for number in range(self._known_sites, len(self.sites)):
            site = self.sites[number]
            inside = site.file == self.file and is_within(site.scope, self.scope)
            if site.kind in ERRORS and inside:
                self.errors[number] = None
                self.own_bits |= bit(number, False)
        self._known_sites = len(self.sites)

    def counts(self, bits: int) -> bool:
        """Whether outcomes of the target itself are among these."""
        return bool(bits & self.own_bits)

    def errors_settled(self, tree: ExecutionTree) -> bool:
        """Each operation that can fail has failed once, or was tried often enough."""
        return all(self.has(n, False) or tree.tries(n, False) >= ERROR_TRIES for n in self.errors)

    def wants(self, site: int, side: bool) -> bool:
        return bool(self.wanted & bit(site, side))

    def has(self, site: int, side: bool) -> bool:
        return bool(self.seen & bit(site, side))

    def has_branch(self, branch: Branch, covered: int | None = None) -> bool:
        seen = self.seen if covered is None else covered
        return any(seen & bit(site, side) for site, side in branch.outcomes)

    @property
    def complete(self) -> bool:
        return not self.wanted


def outcomes(bits: int) -> Iterator[Outcome]:
    """The outcomes in a set, lowest site first."""
    while bits:
        low = bits & -bits
        number = low.bit_length() >> 3
        yield number >> 1, bool(number & 1)
        bits ^= low
