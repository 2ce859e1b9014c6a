"""The chain of a program under random testing, as an exploration of it shows."""

import textwrap
from pathlib import Path

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.loop.random_testing import chain_from
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of
from symcrete.search.chains.markov import MarkovChain

SOURCE = """
def f(flag: bool, x: int) -> str:
    if flag:
        if x == 123456789:
            return "rare"
    while x > 0:
        x -= x
    return "done"
"""


def estimated(folder: Path, **options: object) -> tuple[MarkovChain[str], set[str]]:
    file = folder / "program.py"
    file.write_text(textwrap.dedent(SOURCE), encoding="utf-8")
    (target,) = targets_of(f"{file}::f")
    given = {"chain": True, "replay": False, "sandbox": False, "max_runs": 600, **options}
    return chain_from(cover(target, options_from(given)).chain)


def test_probabilities_are_those_of_random_inputs(tmp_path: Path) -> None:
    chain, covered = estimated(tmp_path, strategy="random-input")

    row = chain.successors["entry"]
    assert set(row) == {"3: flag", "3: not flag"}
    assert row["3: flag"] == pytest.approx(0.5, abs=0.1)
    rare = chain.successors["3: flag"]["4: x == 123456789"]
    assert 0 < rare < 0.1 and rare + chain.successors["3: flag"]["4: x != 123456789"] <= 1
    assert "6: x <= 0" in covered


def test_what_was_solved_for_says_nothing_of_random_inputs(tmp_path: Path) -> None:
    """Flips before any draw take each side once, whatever its chance."""
    chain, covered = estimated(tmp_path, strategy="bfs")

    assert "4: x == 123456789" in covered
    assert chain.successors["3: flag"]["4: x == 123456789"] < 0.1


def test_states_in_the_same_words_are_told_apart() -> None:
    plain = {
        "states": ["entry", "2: a", "2: a"],
        "covered": [True, True, False],
        "steps": [[0, 1, 0.25], [0, 2, 0.75]],
    }

    chain, covered = chain_from(plain)

    assert chain.successors["entry"] == {"2: a": 0.25, "2: a (2)": 0.75}
    assert covered == {"entry", "2: a"}
