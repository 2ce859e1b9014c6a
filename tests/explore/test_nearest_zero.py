"""Numbers of a failing input become the nearest to zero that still fail."""

import pytest

import symcrete
from symcrete.explore.minimise.nearest_zero import _smaller


@pytest.mark.parametrize(
    ("least", "plainest"), [(1001, "a=1001"), (-77, "a=-77"), (3, "a=3"), (10**20, f"a={10**20}")]
)
def test_the_number_next_to_those_that_pass_is_found(least: int, plainest: str) -> None:
    @symcrete.forall
    def within(a: int) -> None:
        assert not (a >= least if least > 0 else a <= least)

    with pytest.raises(AssertionError) as caught:
        within()

    assert f"@symcrete.example({plainest})" in "".join(caught.value.__notes__)


def test_what_one_element_loses_another_gets() -> None:
    @symcrete.forall
    def sums(xs: list[int]) -> None:
        assert sum(xs) != 99 or len(xs) < 3

    with pytest.raises(AssertionError) as caught:
        sums()

    numbers = "".join(caught.value.__notes__).partition("xs=[")[2].partition("]")[0]
    assert sorted(numbers.split(", ")) == ["0", "0", "99"]


def test_shorter_inputs_are_tried_before_smaller_numbers() -> None:
    given = {"len(xs)": 2, "xs[0]": 4, "xs[1]": 0}

    found = list(_smaller(given))

    assert found[0] == {"len(xs)": 0}
    assert {"len(xs)": 2, "xs[0]": 0, "xs[1]": 0} in found
