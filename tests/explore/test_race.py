"""Plain search and lazy expansion by turns: neither is lost, and what stalls costs little."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
from benchmarks.lazy_parsers import PARSERS, search
from tests.explore.exploring import assert_covers_all, explore

from symcrete.explore.lazy.on_request import in_turn
from symcrete.explore.lazy.race import TURN_RUNS
from symcrete.explore.loop.phase import Budget, Phase

# Each call of `word` begins where the last one ended and the object keeps the place.
COMMAND = """
    class Reader:
        def __init__(self, text: str) -> None:
            self.text = text
            self.at = 0

        def word(self) -> str:
            start = self.at
            while self.at < len(self.text) and self.text[self.at] != " ":
                self.at += 1
            found = self.text[start : self.at]
            while self.at < len(self.text) and self.text[self.at] == " ":
                self.at += 1
            return found

    def f(text: str) -> int:
        reader = Reader(text)
        if reader.word() == "set":
            if reader.word() == "no":
                return 3
            return 2
        return 1
"""


def test_what_plain_search_covers_is_covered_with_lazy_too(tmp_path):
    plain = explore(COMMAND, tmp_path, max_runs=600)
    raced = explore(COMMAND, tmp_path, lazy=True, max_runs=600)

    assert_covers_all(plain)
    assert_covers_all(raced)
    assert {found.args["text"] for found in raced.inputs} == {
        found.args["text"] for found in plain.inputs
    }


@pytest.mark.parametrize(("name", "most_runs"), [("cards", 2000), ("query form", 800)])
def test_code_behind_a_parser_is_covered_by_both_searches_in_one_run(name, most_runs):
    """Plain search alone leaves some of it open in 10 s."""
    parser = next(each for each in PARSERS if each.name == name)

    first = search(parser, lazy=True, max_runs=most_runs)
    second = search(parser, lazy=True, max_runs=most_runs)

    assert first.conditions.open == 0
    counted = re.search(r"by plain search: (\d+), with calls abstracted: (\d+)", first.notes[0])
    assert counted is not None
    assert int(counted[1]) > 0
    assert int(counted[2]) > 0
    # Where work is counted a race is the same every time.
    assert [found.args for found in first.inputs] == [found.args for found in second.inputs]


# -- whose turn it is


@dataclass
class Searched:
    """A search that finds something at these runs of its own, and otherwise runs on."""

    parts: Any
    progress: Any
    finds_at: frozenset[int] = frozenset()
    own_runs: int = 0
    given: list[object] = field(default_factory=list)
    proved_whole: bool = False
    proved_before_losses: bool = False

    def explore(self, phase: Phase) -> str:
        self.given += phase.first
        while not phase.over(self.progress.runs):
            self.progress.runs += 1
            self.own_runs += 1
            if self.own_runs in self.finds_at:
                found = SimpleNamespace(trace=SimpleNamespace(assignment={"n": self.own_runs}))
                self.progress.kept.append(found)
        return "budget"


def race(plain_finds: set[int], lazy_finds: set[int], runs: int) -> tuple[Searched, Searched]:
    parts = SimpleNamespace(coverage=SimpleNamespace(complete=False), clock=lambda: 0.0)
    progress = SimpleNamespace(runs=0, kept=[])
    plain = Searched(parts, progress, frozenset(plain_finds))
    lazy = Searched(parts, progress, frozenset(lazy_finds))
    anything: Any = None
    phase = Phase(Budget(0.0, runs), anything, first=({"n": 0},))
    made: Any = (plain, lazy, anything)
    in_turn(*made).explore(replace(phase))
    return plain, lazy


@pytest.mark.parametrize("gap", [300, 900])
def test_a_search_that_stalls_costs_no_more_than_the_other_goes_without_a_find(gap):
    plain, lazy = race(set(range(0, 20_000, gap)), set(), 10_000)

    assert lazy.own_runs <= 1.25 * gap + TURN_RUNS
    assert plain.own_runs == 10_000 - lazy.own_runs


def test_searches_that_both_find_nothing_get_the_same(tmp_path):
    plain, lazy = race(set(), set(), 10_000)

    assert 0.7 < plain.own_runs / lazy.own_runs < 1.4


def test_each_search_goes_on_from_what_the_other_found():
    plain, lazy = race({7}, {150}, 2_000)

    assert lazy.given == [{"n": 0}, {"n": 7}]
    assert plain.given == [{"n": 0}, {"n": 150}]


def test_lazy_expansion_is_not_loaded_by_what_composes_an_exploration():
    script = "import sys, symcrete.explore.compose\nprint(*sys.modules)"

    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    lazy = [name for name in run.stdout.split() if name.startswith("symcrete.explore.lazy.")]
    assert lazy == ["symcrete.explore.lazy.on_request"]
