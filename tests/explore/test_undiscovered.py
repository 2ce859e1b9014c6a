"""The estimate of what further runs would find."""

from random import Random

import pytest

from symcrete.explore.loop.undiscovered import Sightings
from symcrete.tree.coverage import bit

A, B, C = (bit(site, True) for site in range(3))


def test_what_was_met_once_tells_what_was_not_met() -> None:
    sightings = Sightings()
    for taken in (A, A | B, A | C, A):
        sightings.add(taken)

    assert sightings.undiscovered() == pytest.approx(2 / 4)


def test_a_second_sighting_counts_no_more() -> None:
    sightings = Sightings()
    for taken in (A, B, A, B, A):
        sightings.add(taken)

    assert (sightings.once, sightings.often) == (0, A | B)
    assert sightings.undiscovered() == pytest.approx(1 / 5)


def test_before_the_first_run_everything_may_be_new() -> None:
    assert Sightings().undiscovered() == 1.0


def test_the_estimate_is_near_the_truth_for_independent_draws() -> None:
    # 300 outcomes, each equally likely: after 400 draws the chance of a new one is (299/300)**400.
    random = Random(0)
    sightings = Sightings()
    for _ in range(400):
        sightings.add(bit(random.randrange(300), True))

    assert sightings.undiscovered() == pytest.approx((299 / 300) ** 400, abs=0.06)
