"""What chance brings is an input, unless it was seeded."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.world.asking import Answers

from symcrete.world.random_draws import CHANCE
from symcrete.world.source import Instead


def functions(asked: Answers) -> dict[str, Callable[..., Any]]:
    found = [each for each in CHANCE.stand_ins(asked) if isinstance(each, Instead)]
    return {f"{each.module}.{each.name}": each.by for each in found}


def test_the_plain_value_is_the_least_that_can_come_up() -> None:
    draw = functions(Answers())

    assert draw["random.random"]() == 0.0
    assert draw["random.randint"](3, 9) == 3
    assert draw["random.randrange"](5) == 0
    assert draw["random.choice"]("xyz") == "x"
    assert draw["secrets.randbits"](4) == 0
    assert len(draw["os.urandom"](3)) == 3


def test_what_the_library_refuses_it_refuses_in_a_run_too() -> None:
    draw = functions(Answers())

    with pytest.raises(ValueError):
        draw["random.randint"](9, 3)
    with pytest.raises(IndexError):
        draw["random.choice"]([])
    with pytest.raises(ValueError):
        draw["secrets.randbelow"](0)


def test_arguments_that_no_shape_is_known_for_go_to_the_library() -> None:
    asked = Answers()
    draw = functions(asked)

    assert draw["random.randrange"](0, 10, 2) in range(0, 10, 2)
    assert 1 <= draw["random.triangular"](1, 4, 2) <= 4
    assert draw["random.randint"](a=1, b=2) in (1, 2)
    assert len(asked.lost) == 3


def test_a_seed_of_none_leaves_it_to_chance() -> None:
    asked = Answers()
    draw = functions(asked)

    draw["random.seed"](None)

    assert draw["random.random"]() == 0.0
    assert len(asked.asked) == 1


def test_after_a_seed_there_is_no_chance() -> None:
    asked = Answers()
    draw = functions(asked)

    draw["random.seed"](7)

    assert draw["random.random"]() == random.Random(7).random()
    assert not asked.asked
