"""The Hypothesis backend: what it finds, and that Hypothesis's own features keep working."""

import math
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, find, given, seed, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.provider_conformance import run_conformance_test
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

from symcrete.explore.options import Options
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.program.source.module import source_of_file
from symcrete.program.source.target import Target
from symcrete.properties import case_search
from symcrete.properties.case_search import CaseSearch
from symcrete.properties.drawing_terms import PlainDraws
from symcrete.properties.hypothesis_entry import register
from symcrete.properties.in_place import ProgramInPlace
from symcrete.properties.provider import SymcreteProvider, plain
from symcrete.properties.ready import prepare_in_place
from symcrete.run.runner import Limits, Runner

register()
by_symcrete = settings(
    backend="symcrete",
    database=None,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def failing_input(test: Any) -> str:
    """The input that Hypothesis reports for a failing test."""
    with pytest.raises(AssertionError) as caught:
        test()
    return "".join(caught.value.__notes__).replace("_", "")


def test_the_backend_is_registered_by_name_alone() -> None:
    assert AVAILABLE_PROVIDERS["symcrete"] == "symcrete.properties.provider.SymcreteProvider"


def test_it_conforms() -> None:
    run_conformance_test(
        SymcreteProvider,
        settings=settings(
            max_examples=15,
            stateful_step_count=15,
            deadline=None,
            database=None,
            phases=[Phase.generate],  # shrinking would take minutes where it does not
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_conditions_of_the_test_are_solved_for() -> None:
    @by_symcrete
    @given(st.integers(), st.text())
    def holds(number: int, text: str) -> None:
        if number * 3 == 22_227:
            assert text[:3] != "key"

    told = failing_input(holds)

    assert "number=7409" in told
    assert "text='key'" in told


def test_after_test_cases_that_take_long_to_follow_hypothesis_goes_on_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(case_search, "FOLLOWED_SECONDS", 0.05)
    followed: list[bool] = []

    @settings(by_symcrete, max_examples=12)
    @given(st.integers(1, 10**6))
    def holds(number: int) -> None:
        followed.append(type(number) is not int)
        total = 0
        while followed[-1] and total < 10**9:  # without end, as far as this test waits for it
            total += number if number > total else 1

    holds()

    assert sum(followed) == case_search.MOST_CUT
    assert len(followed) > 12


def test_choices_of_strategies_are_branches() -> None:
    @by_symcrete
    @given(st.sampled_from("abcdefgh"), st.booleans(), st.lists(st.integers(0, 10**9)))
    def holds(letter: str, flag: bool, numbers: list[int]) -> None:
        if letter == "g" and flag and len(numbers) == 2:
            assert numbers[0] - numbers[1] != 123_456

    told = failing_input(holds)

    assert "letter='g'" in told
    assert "numbers=[123456, 0]" in told


def test_filters_and_mapped_strategies_are_seen_through() -> None:
    odd_thirds = st.integers().filter(lambda n: n % 3 == 1).map(lambda n: n * 7)

    @by_symcrete
    @given(odd_thirds)
    def holds(number: int) -> None:
        assert number != 7 * 90_001

    assert "number=630007," in failing_input(holds)


def test_floats_and_bytes_are_solved_for() -> None:
    @by_symcrete
    @given(st.floats(0, 1e9), st.binary())
    def holds(number: float, data: bytes) -> None:
        assert not (number / 4 == 1234.5 and data.startswith(b"\x89PNG"))

    told = failing_input(holds)

    assert "number=4938.0" in told
    assert r"data=b'\x89PNG'" in told


def test_what_only_followed_code_does_is_no_failure() -> None:
    @by_symcrete
    @given(st.integers())
    def looks_at_its_own_code(number: int) -> None:
        names = sys._getframe().f_code.co_names
        assert not any(name.startswith("_symcrete") for name in names)

    looks_at_its_own_code()


def test_a_test_that_takes_too_long_only_when_followed_is_no_failure() -> None:
    calls: list[int] = []

    @settings(by_symcrete, deadline=20, max_examples=5)
    @given(st.integers(0, 3))
    def is_slow_when_followed(number: int) -> None:
        calls.append(1)
        if len(calls) in (2, 3):  # the first is Hypothesis's own, and not followed
            time.sleep(0.05)

    is_slow_when_followed()

    assert len(calls) >= 5


def test_draws_that_are_slow_only_when_followed_fail_no_health_check() -> None:
    drawn: list[int] = []

    def slow_at_first(number: int) -> int:
        drawn.append(1)
        if 1 < len(drawn) < 8:  # the first is Hypothesis's own, and not followed
            time.sleep(0.3)
        return number

    @settings(by_symcrete, suppress_health_check=[], deadline=200, max_examples=15)
    @given(st.integers(0, 100).map(slow_at_first))
    def holds(number: int) -> None:
        assert number >= 0 or number < 50

    holds()

    assert len(drawn) >= 8


def test_failures_are_stored_and_tried_again_by_hypothesis() -> None:
    database = InMemoryExampleDatabase()

    @settings(by_symcrete, database=database, derandomize=False)
    @given(st.integers())
    def holds(number: int) -> None:
        seen.append(number)
        assert number != 987_654

    seen: list[int] = []
    failing_input(holds)
    seen.clear()
    failing_input(holds)

    assert seen[0] == 987_654
    assert type(seen[0]) is int


def test_hypothesis_finds_with_it_and_shrinks_as_ever() -> None:
    found = find(
        st.lists(st.integers()),
        lambda xs: sum(xs) > 100_000 and len(xs) > 1,
        settings=settings(by_symcrete, max_examples=200),
    )

    assert sum(found) == 100_001
    assert len(found) == 2


def test_a_seed_and_phases_are_accepted() -> None:
    @seed(3)
    @settings(by_symcrete, phases=[Phase.generate], verbosity=Verbosity.quiet, max_examples=10)
    @given(st.dictionaries(st.text(max_size=2), st.floats(allow_nan=False), max_size=2))
    def holds(values: dict[str, float]) -> None:
        assert all(not math.isnan(each) for each in values.values())

    holds()


def test_what_was_drawn_is_given_back_without_terms() -> None:
    provider = SymcreteProvider(None)
    with provider.per_test_case_context_manager():
        drawn = [provider.draw_integer(0, 9), provider.draw_boolean()]
        kinds = [type(each) for each in drawn]

    assert int not in kinds
    assert [type(each) for each in provider.realize(drawn)] == [int, bool]
    assert plain({"a": (drawn[0], {1})}) == {"a": (int(drawn[0]), {1})}


def test_a_replay_that_runs_out_of_draws_goes_on_by_chance() -> None:
    own = ConjectureData(random=_random(), provider=HypothesisProvider).provider
    draws = PlainDraws([("integer", 5), ("integer", 50)], own)
    bounds = {"min_value": 0, "max_value": 9, "weights": None, "shrink_towards": 0}

    values = [draws.draw("integer", bounds) for _ in range(3)]

    assert values[0] == 5
    assert all(0 <= each <= 9 for each in values)


def test_a_search_without_a_test_draws_by_chance_first() -> None:
    search = CaseSearch(None, _random())

    chosen = search.choose()

    assert chosen is not None
    assert chosen[1] == {}


def _random() -> Any:
    from random import Random

    return Random(0)


def test_a_search_can_begin_without_draws(tmp_path: Path) -> None:
    (tmp_path / "some.py").write_text("def f(a: int) -> None: ...")
    source = source_of_file(tmp_path / "some.py")
    program = ProgramInPlace(source, ModuleType("some"), ())
    runner = Runner(print, Arguments(()), program.record, program.hooks, Limits(1, 1, 1, 1))

    exploration, phase = prepare_in_place(
        Target(source, "f", "f"), runner, Arguments(()), program, Options(), draws=0
    )

    assert exploration.progress.runs == 0
    assert phase.whole_tree
