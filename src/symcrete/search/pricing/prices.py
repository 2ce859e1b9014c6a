"""What kinds of steps cost and bring, learned while they are taken.

Everything is in two units: seconds, and outcomes covered for the first time. So steps of every
kind compare by one number, outcomes per second.
"""

from __future__ import annotations

from symcrete.constraint.theory import BITS, FLOAT, ONLY_LINEAR, OPAQUE, PRODUCT, ROUNDING
from symcrete.slotted import dataclass

# Seconds of a query before one of its theory was measured, and where work is counted instead of
# timed; chosen, not measured.
FIRST_PRICES = {
    ONLY_LINEAR: 5e-4,
    BITS: 2e-3,
    PRODUCT: 5e-3,
    OPAQUE: 5e-3,
    FLOAT: 5e-3,
    ROUNDING: 1e-2,
}
# measured queries that the first price counts as much as; chosen, not measured
PRIOR_QUERIES = 2.0
# the part of their weight that earlier queries and flips keep at each further one, so that prices
# follow a search into harder code; chosen, not measured
FADING = 0.95


# tries of one outcome that are told apart by number; from there on they are alike
TOLD_APART = 3


@dataclass(slots=True)
class Spending:
    """What the queries of one theory took."""

    price: float  # seconds that a query is assumed to take before any was measured
    seconds: float = 0.0  # of the queries so far, earlier ones faded
    timed: float = 0.0  # the number of those queries, faded alike

    def learn(self, seconds: float) -> None:
        """Take in one query; one that ran out of time counts with all the time it took."""
        self.seconds = FADING * self.seconds + seconds
        self.timed = FADING * self.timed + 1

    @property
    def mean(self) -> float:
        """The seconds that the next query is expected to take."""
        return (PRIOR_QUERIES * self.price + self.seconds) / (PRIOR_QUERIES + self.timed)


@dataclass(slots=True)
class Successes:
    """How many of the flips of one sort came to the outcome that they were for."""

    doubt: float  # flips in vain that are assumed before any was tried
    tries: float = 0.0
    successes: float = 0.0

    def learn(self, *, success: bool) -> None:
        self.tries = FADING * self.tries + 1
        self.successes = FADING * self.successes + success

    @property
    def chance(self) -> float:
        """How likely the next one comes there, by the rule of succession."""
        return (1 + self.successes) / (1 + self.doubt + self.tries)


class Prices:
    """What queries of each theory take, and how likely flips succeed; the first flip for an
    outcome, the second and so on are recorded apart.
    """

    def __init__(self) -> None:
        self._spending: dict[int, Spending] = {}
        self._successes: dict[tuple[int, int], Successes] = {}

    def of(self, theory: int) -> Spending:
        """The record of these theories together, which starts at the price of the dearest."""
        found = self._spending.get(theory)
        if found is None:
            parts = [price for bit, price in FIRST_PRICES.items() if theory & bit]
            price = max(parts, default=FIRST_PRICES[ONLY_LINEAR])
            found = self._spending[theory] = Spending(price)
        return found

    def chances(self, theory: int, tries: int) -> Successes:
        """The record of flips for an outcome that was tried so often before."""
        key = theory, min(tries, TOLD_APART)
        found = self._successes.get(key)
        if found is None:
            found = self._successes[key] = Successes(1.0 + key[1])
        return found


# what is left of earlier gains and costs of a kind when it brings something; chosen, not measured
AFTER_A_FIND = 0.5


class Kind:
    """One kind of steps: what it brought and took, with a first guess at both.

    Steps in vain make it the dearer the longer they go on, so that kinds which bring nothing
    get time in proportion to what was hoped of them.
    """

    def __init__(self, name: str, hope: float, stake: float) -> None:
        self.name = name
        self._hope = hope  # outcomes
        self._stake = stake  # seconds
        self._gain = 0.0
        self._seconds = 0.0

    @property
    def rate(self) -> float:
        """Outcomes per second that the next step of this kind is expected to cover."""
        return (self._hope + self._gain) / (self._stake + self._seconds)

    def learn(self, gain: float, seconds: float) -> None:
        """Take in what one step brought, in outcomes, and what it took."""
        if gain:
            self._gain = AFTER_A_FIND * self._gain + gain
            self._seconds *= AFTER_A_FIND
        self._seconds += seconds

    def spend(self, seconds: float) -> None:
        """Add to what the last step took."""
        self._seconds += seconds

    def take_heart(self, share: float) -> None:
        """Forget this share of what was spent: another kind opened a place to look at."""
        self._seconds *= 1 - share
