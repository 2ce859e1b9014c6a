"""Random objects, orders and identifiers are inputs."""

import random
from typing import Any

import pytest
from tests.world.asking import Answers

from symcrete.world.random_objects import RANDOM_OBJECTS
from symcrete.world.source import Answer, Instead, InsteadOfMethod


def stand_ins(asked: Answers) -> dict[str, Any]:
    found = list(RANDOM_OBJECTS.stand_ins(asked))
    assert all(isinstance(each, Instead | InsteadOfMethod) for each in found)
    return {each.name: each.by for each in found}  # type: ignore[union-attr]


def test_an_object_without_a_seed_is_chance_and_one_with_a_seed_is_not() -> None:
    asked = Answers({"random.Random.randint(1, 6)": 4})
    calls = stand_ins(asked)

    free, seeded = calls["Random"](), calls["Random"](7)

    assert calls["randint"](free, 1, 6) == 4
    assert calls["randint"](seeded, 1, 6) == random.Random(7).randint(1, 6)


def test_arguments_that_no_shape_is_known_for_go_to_the_library() -> None:
    calls = stand_ins(Answers())

    assert calls["randrange"](calls["Random"](), 0, 10, 2) in range(0, 10, 2)


def test_a_large_sample_is_drawn_by_the_library() -> None:
    asked = Answers()

    found = stand_ins(asked)["sample"](range(1000), 500)

    assert len(set(found)) == 500
    assert asked.lost and not asked.asked


def test_the_plainest_order_is_the_one_that_is_there() -> None:
    items = [3, 1, 2]

    stand_ins(Answers())["shuffle"](items)

    assert items == [3, 1, 2]


def test_an_order_is_a_row_of_positions_among_what_is_left() -> None:
    items = ["a", "b", "c"]

    stand_ins(Answers({"random.shuffle#1[0]": 2, "random.shuffle#1[1]": 1}))["shuffle"](items)

    assert items == ["c", "b", "a"]


def test_what_the_library_refuses_it_refuses_in_a_run_too() -> None:
    with pytest.raises(ValueError):
        stand_ins(Answers())["sample"]([1, 2], 3)


def test_the_lines_of_a_test_take_positions_among_all() -> None:
    answers = [Answer(f"random.sample#1[{index}]", value, "") for index, value in enumerate((1, 1))]

    (line,) = [each.line for each in RANDOM_OBJECTS.shown(answers, lambda *name: [".".join(name)])]

    assert line == (
        'monkeypatch.setattr("random.sample", lambda population, k: [population[i] for i in [1, 2]])'
    )


@pytest.mark.parametrize(
    ("function", "named"),
    [
        ("shuffle", {"x": ["a", "b"]}),
        ("sample", {"population": ["a", "b"], "k": 2}),
        ("choices", {"population": ["a", "b"], "weights": [1, 1], "k": 2}),
    ],
)
def test_parameters_have_the_names_that_the_library_gives_them(
    function: str, named: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Answers()
    answers = [Answer(f"random.{function}#1[{index}]", 0, "") for index in range(2)]
    (told,) = RANDOM_OBJECTS.shown(answers, lambda *name: [".".join(name)])

    stand_ins(asked)[function](**named)
    exec(told.line, {"monkeypatch": monkeypatch})
    getattr(random, function)(**named)

    assert len(asked.asked) == 2


def test_an_identifier_says_how_it_was_made() -> None:
    assert stand_ins(Answers())["uuid4"]().version == 4
    assert stand_ins(Answers())["uuid1"]().version == 1


def test_an_identifier_of_a_given_machine_is_the_real_one() -> None:
    assert stand_ins(Answers())["uuid1"](node=7, clock_seq=1).node == 7


def test_the_line_of_a_test_has_the_identifier_with_its_version() -> None:
    answers = [Answer("uuid.uuid1()", 3, "3")]

    (setting,) = RANDOM_OBJECTS.shown(answers, lambda *name: [".".join(name)])

    assert "uuid.uuid1" in setting.line
    assert 'UUID("00000000-0000-1000-8000-000000000003")' in setting.line


@pytest.mark.parametrize(
    ("given", "positions"),
    [
        ({}, (0, 2)),
        ({"weights": [1, 5, 10]}, (0, 2)),
        ({"weights": [0, 5, 0.5]}, (1, 2)),
        ({"cum_weights": [1, 5, 10]}, (0, 2)),
        ({"cum_weights": [0, 5, 5]}, (1, 1)),
        ({"weights": [0, 0, 2], "k": 2}, (2, 2)),
    ],
)
def test_choices_are_among_the_positions_that_weights_let_come_up(
    given: dict[str, Any], positions: tuple[int, int]
) -> None:
    asked = Answers()

    drawn = stand_ins(asked)["choices"](["a", "b", "c"], **given)

    assert [(each.shape.low, each.shape.high) for each in asked.asked] == [positions] * len(drawn)  # type: ignore[attr-defined]
    low, high = positions
    seen = {each for _ in range(500) for each in random.choices(["a", "b", "c"], **given)}
    assert seen == set(["a", "b", "c"][low : high + 1])


@pytest.mark.parametrize("weights", [[1, 0, 1], [-1, 2, 2]])
def test_other_weights_are_left_to_the_library(weights: list[int]) -> None:
    asked = Answers()

    stand_ins(asked)["choices"](["a", "b", "c"], weights)

    assert asked.lost and not asked.asked


@pytest.mark.parametrize(
    "given",
    [
        {"weights": [0, 0]},
        {"weights": [1]},
        {"weights": [1, 1], "cum_weights": [1, 2]},
        {"weights": [1e308, 1e308]},
        {"cum_weights": [1, float("inf")]},
        {"weights": [1, 10**400]},
    ],
)
def test_weights_that_the_library_refuses_it_refuses_in_a_run_too(given: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        stand_ins(Answers())["choices"](["a", "b"], **given)
