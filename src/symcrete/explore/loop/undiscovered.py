"""How likely a further run finds something new, from how often runs found what is known.

Good and Turing (Biometrika 1953): the share that a sample holds only once estimates the share that
it does not hold at all. Here a run is a draw, and an outcome of the target's conditions a species;
flips are aimed, so that for them it is a guide and not a measurement.
"""

from __future__ import annotations

from symcrete.slotted import dataclass


@dataclass(slots=True)
class Sightings:
    """The outcomes that one run took, and those that several did; sets are ints of
    `coverage.bit`.
    """

    runs: int = 0
    once: int = 0
    often: int = 0

    def add(self, taken: int) -> None:
        """Take in the outcomes of a run."""
        self.runs += 1
        if taken & ~self.often:
            self.often |= self.once & taken
            self.once = (self.once | taken) & ~self.often

    def undiscovered(self) -> float:
        """The estimated share of further runs that would find something new.

        Where every outcome was met twice it is not 0 but one in so many runs, as an upper bound.
        """
        return min(1.0, max(1, self.once.bit_count()) / self.runs) if self.runs else 1.0
