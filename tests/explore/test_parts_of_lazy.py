"""Lazy expansion in two parts: real runs for abstract paths, and the search that asks for them."""

from __future__ import annotations

import textwrap
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from tests.run.running import expanding

from symcrete.explore.compose import prepare
from symcrete.explore.lazy.abstracting import abstracting
from symcrete.explore.lazy.expansion import LazyExploration
from symcrete.explore.lazy.realise import Concretiser, Refuted, Settings
from symcrete.explore.options import options_from
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.sites import SiteTable
from symcrete.program.source.target import targets_of
from symcrete.run.trace import Trace
from symcrete.search.strategy import Guide
from symcrete.search.table import make_strategy
from symcrete.solve.choose import make_solver
from symcrete.tree.coverage import Coverage

SIZES = """
    def size(n: int) -> int:
        if n > 100:
            return 3
        if n > 10:
            return 2
        return 1

    def f(n: int) -> str:
        if size(n) == 2:
            return "middle"
        if size(n) == 7:
            return "never"
        return "other"
"""
AS_PUBLISHED = Settings(known_paths=False, backjumping=False, whole_run_first=False)


def concretiser(runner: Any, told: list[Trace], settings: Settings) -> Concretiser:
    guide = Guide(Random(0), Coverage(SiteTable(), (), ()))
    solver = make_solver("auto", ippc="off", seconds=5.0, seed=0, cache=False)
    return Concretiser(
        runner=runner,
        solve=solver.solve,
        make_strategy=lambda: make_strategy("dfs", guide),
        spent=lambda: False,
        on_run=told.append,
        settings=settings,
    )


@pytest.mark.parametrize("settings", [Settings(), AS_PUBLISHED], ids=["ours", "as published"])
def test_an_abstract_path_is_realised_by_a_run_with_every_call_followed(
    settings: Settings, tmp_path: Path
) -> None:
    told: list[Trace] = []
    with expanding(SIZES, tmp_path, "size") as (runner, _):
        abstract = runner.run_abstract({"n": 0, "size#1": 2})

        found = concretiser(runner, told, settings).concretise(abstract, lambda trace: True)

    assert isinstance(found, Trace)
    assert not found.abstract
    assert 10 < found.assignment["n"] <= 100
    assert found in told


def test_a_result_that_no_path_of_the_callee_gives_is_refuted(tmp_path: Path) -> None:
    with expanding(SIZES, tmp_path, "size") as (runner, _):
        abstract = runner.run_abstract({"n": 0, "size#1": 7, "size#2": 7})

        found = concretiser(runner, [], Settings()).concretise(abstract, lambda trace: True)

    assert isinstance(found, Refuted)


def test_a_search_without_patience_gives_up_and_says_so(tmp_path: Path) -> None:
    with expanding(SIZES, tmp_path, "size") as (runner, _):
        abstract = runner.run_abstract({"n": 0, "size#1": 2})
        lazy = concretiser(runner, [], AS_PUBLISHED)

        found = lazy.concretise(abstract, lambda trace: True, patience=0)

    assert isinstance(found, Refuted)
    assert lazy.impatient


def test_a_run_that_is_not_wanted_does_not_realise_the_path(tmp_path: Path) -> None:
    told: list[Trace] = []
    with expanding(SIZES, tmp_path, "size") as (runner, _):
        abstract = runner.run_abstract({"n": 50, "size#1": 2})

        found = concretiser(runner, told, Settings()).concretise(abstract, lambda trace: False)

    assert isinstance(found, Refuted)
    assert told


@pytest.fixture
def lazily(tmp_path: Path) -> Any:
    def explored(source: str, lazy: str) -> LazyExploration:
        file = tmp_path / "lazy_parts.py"
        file.write_text(textwrap.dedent(source))
        options = options_from({"budget": 10.0, "replay": False, "lazy": lazy, "strategy": "dfs"})
        exploration, phase = prepare(targets_of(f"{file}::f")[0], EveryBranch(), options)
        assert isinstance(exploration, LazyExploration)
        exploration.explore(phase)
        return exploration

    return explored


def test_the_paths_of_the_function_alone_are_counted_realised_or_refuted(lazily: Any) -> None:
    found = lazily(SIZES, "size")

    # "middle" and "other" have inputs; size(n) == 7 has none.
    assert (found.paths, found.refuted, found.undecided) == (2, 1, 0)
    assert found.proved_whole


def test_what_was_abstracted_is_told(lazily: Any) -> None:
    assert any("size" in note for note in lazily(SIZES, "size").notes())


def test_paths_without_the_effects_of_a_callee_prove_nothing(lazily: Any) -> None:
    found = lazily(
        """
        seen = []

        def note(n: int) -> int:
            seen.append(n)
            return n + 1

        def f(n: int) -> str:
            if note(n) > 3:
                return "high"
            return "low"
        """,
        "note",
    )

    assert found.parts.coverage.complete
    assert not found.proved_whole


@pytest.mark.parametrize("as_published", [True, False])
def test_the_algorithm_as_published_has_none_of_our_additions(
    as_published: bool, tmp_path: Path
) -> None:
    options = options_from({"lazy": "size", "lazy_as_published": as_published})
    asked: list[str] = []
    with expanding(SIZES, tmp_path, "size") as (runner, _):
        parts: Any = SimpleNamespace(
            runner=runner, imported=SimpleNamespace(record=None), watch=None
        )

        made = abstracting(parts, options, "auto", lambda name: asked.append(name))  # type: ignore[arg-type,return-value]
        made.make_strategy()
        made.make_callee_strategy()

    assert made.settings.known_paths is made.settings.backjumping is not as_published
    assert asked == ["auto", "bfs"]
