"""Which outcomes have been covered, by which run, and which are still wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from symcrete.program.source.sites import Branch, Outcome, Site, SiteTable, is_within
from symcrete.slotted import dataclass
from symcrete.tree.tree import ExecutionTree

# An outcome of these kinds is an error that the operation raises when its condition is false.
ERRORS = frozenset({"ZeroDivisionError", "IndexError", "KeyError", "ValueError"})
# solver answers in vain after which an operation is taken not to fail; chosen, not measured
ERROR_TRIES = 3


def bit(site: int, side: bool) -> int:
    """The set of this one outcome; sets are ints with a byte for each outcome, as recordings have
    them.
    """
    return 1 << (16 * site + 8 * side)  # the lowest bit of its byte


@dataclass(frozen=True, slots=True)
class Proved:
    """Why no input takes an outcome."""

    why: str
    assumes: tuple[str, ...]  # what the proof stands on besides the declared types
    technique: str


@dataclass(slots=True)
class Coverage:
    """What the runs so far have covered of a target; sets of outcomes are ints made of `bit`."""

    sites: SiteTable
    own: tuple[Site, ...]  # the target's conditions
    branches: tuple[Branch, ...]  # its arcs between lines
    seen: int = 0
    scope: str = ""
    file: str = ""
    wanted: int = field(init=False)  # outcomes of the target that are not covered yet
    places: int = field(init=False)  # handlers and ends of `try` blocks where no run has been
    own_bits: int = field(init=False)
    # sites of the target's operations that can fail, as they are met
    errors: dict[int, None] = field(default_factory=dict)
    returned: int = 0  # outcomes of the target in runs that returned
    came_back: bool = False  # whether some run returned
    # outcomes of the target in runs that raised what a value of a wrong type raises
    doubtful: int = 0
    # Outcomes that no input of the declared types takes, and why; nobody looks for them.
    impossible: Mapping[Outcome, str] = field(default_factory=dict)
    # Outcomes of which it was proved later that no input takes them.
    proofs: dict[Outcome, Proved] = field(default_factory=dict)
    # How outcomes were come by that the search itself did not.
    techniques: dict[Outcome, str] = field(default_factory=dict)
    _known_sites: int = field(init=False)

    def __post_init__(self) -> None:
        self._known_sites = 0
        self.want(self.own)
        for outcome in self.impossible:
            self.wanted &= ~bit(*outcome)
        self._find_errors()  # an earlier exploration of the same program may have met some

    def want(self, sites: tuple[Site, ...]) -> None:
        """Make the outcomes of these conditions, and of no others, those to be covered."""
        self.own = sites
        self.wanted = self.places = 0
        for site in sites:
            for side in site.sides:
                self.wanted |= bit(site.number, side)
            if site.place:
                self.places |= bit(site.number, True)
        self.own_bits = self.wanted | self.places

    def add(self, covered: int) -> int:
        """Take in what a run covered; returns the outcomes, as bits, that were not covered
        before.
        """
        new = covered & ~self.seen
        if new:
            self.seen |= new
            self.wanted &= ~new
            self.places &= ~new
            self._find_errors()
        return new

    def prove(self, outcome: Outcome, proved: Proved) -> None:
        """Take in that no input takes an outcome; nobody looks for it any more."""
        self.proofs[outcome] = proved
        self.techniques[outcome] = proved.technique
        self.wanted &= ~bit(*outcome)

    def add_returned(self, covered: int) -> int:
        """Take in what a run that returned covered; returns the target's outcomes with which none
        returned before.

        What comes after a condition is executed only by runs that do not raise on the way.
        """
        new = covered & self.own_bits & ~self.returned
        self.returned |= new
        self.came_back = True
        return new

    def failed_in(self, covered: int) -> bool:
        """Whether an operation of the target failed, such as a conversion or a look-up."""
        return any(covered & bit(number, False) for number in self.errors)

    def doubt(self, covered: int) -> None:
        """Note that a run raised what a value of a wrong type raises: another one may return."""
        self.doubtful |= covered & self.own_bits

    @property
    def doubts(self) -> bool:
        """Whether some outcome was taken only by runs that may have had a value of a wrong type."""
        return bool(self.doubtful & ~self.returned)

    def _find_errors(self) -> None:
        """Take in operations of the target that can fail, which are found while running."""
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
        """Whether each operation that can fail has failed once, or was tried often enough."""
        return all(self.has(n, False) or tree.tries(n, False) >= ERROR_TRIES for n in self.errors)

    def wants(self, site: int, side: bool) -> bool:
        """Whether an outcome is one to be covered that is not covered yet."""
        return bool(self.wanted & bit(site, side))

    def has(self, site: int, side: bool) -> bool:
        """Whether some run has taken this outcome."""
        return bool(self.seen & bit(site, side))

    def has_branch(self, branch: Branch, covered: int | None = None) -> bool:
        """Whether one of a branch's outcomes is among these, or by default among all so far."""
        seen = self.seen if covered is None else covered
        return any(seen & bit(site, side) for site, side in branch.outcomes)

    @property
    def complete(self) -> bool:
        """Whether every condition is covered; places count for nothing here."""
        return not self.wanted

    @property
    def sought(self) -> int:
        """The outcomes and the places that an input is still worth looking for."""
        return self.wanted | self.places


def outcomes(bits: int) -> Iterator[Outcome]:
    """The outcomes in a set, lowest site first."""
    while bits:
        low = bits & -bits
        number = low.bit_length() >> 3  # of the byte: twice the site plus the side
        yield number >> 1, bool(number & 1)
        bits ^= low
