"""Choices with parameters, as a user writes them."""

from __future__ import annotations

import pytest

from symcrete.errors import BadOption
from symcrete.notation import Parameter, nearest, read, several, split

SECONDS = Parameter("seconds", 2.0, "for one query", least=0)
CACHE = Parameter("cache", True, "answers are kept")
TABU = Parameter("tabu", 3, "T", words=("max", "min"))
STEP = Parameter("step", "heavy", "of the walk", words=("heavy", "normal"))


def test_a_name_alone_has_no_parameters():
    assert split("z3") == ("z3", {})


def test_parameters_follow_a_colon_and_spaces_do_not_matter():
    assert split(" z3 : seconds = 5 , cache=no") == ("z3", {"seconds": "5", "cache": "no"})


def test_a_value_is_read_as_the_type_of_the_default():
    given = {"seconds": "5", "cache": "no", "tabu": "max", "step": "normal"}

    values = read(given, (SECONDS, CACHE, TABU, STEP), "solver x")

    assert values == {"seconds": 5.0, "cache": False, "tabu": "max", "step": "normal"}


@pytest.mark.parametrize(
    "given, told",
    [
        ({"cache": "maybe"}, "solver x: cache is yes or no, not 'maybe'"),
        ({"tabu": "most"}, "solver x: tabu is max or min or a whole number, not 'most'"),
        ({"step": "long"}, "solver x: step is heavy or normal, not 'long'"),
        ({"seconds": "nan"}, "solver x: seconds is at least 0, not nan"),
        ({"secnds": "1"}, "solver x has no parameter 'secnds'; did you mean seconds?"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(given: dict[str, str], told: str):
    with pytest.raises(BadOption) as refused:
        read(given, (SECONDS, CACHE, TABU, STEP), "solver x")

    assert str(refused.value) == told


def test_a_list_shows_name_default_and_meaning():
    assert CACHE.shown() == "cache=yes (answers are kept)"


def test_a_name_like_no_other_is_answered_with_all_of_them():
    assert nearest("qqq", ["auto", "z3"]) == "one of auto, z3"


def test_one_thing_is_no_plural():
    assert [several(count, "run") for count in (0, 1, 2)] == ["0 runs", "1 run", "2 runs"]
