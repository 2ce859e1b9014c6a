"""A test under Hypothesis's `@given` as a target: its strategies say what its inputs are."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.explore.exploring import explore

from symcrete.errors import UnsupportedInput
from symcrete.inputs.strategies.given_tests import known_by_given
from symcrete.program.source.target import INNER_TEST, targets_of
from symcrete.values.build import strategy_values
from symcrete.values.models import hypothesis_calls
from symcrete.values.vocabulary.builders import BUILDERS
from symcrete.values.vocabulary.models import MODELS

IMPORTS = "from hypothesis import assume, given, note, strategies as st\n"


def test_only_functions_that_hypothesis_decorates_are_called_by_their_inner_test(
    tmp_path: Path,
) -> None:
    file = tmp_path / "several.py"
    file.write_text(
        "import hypothesis as h\nfrom hypothesis import given as all_of\nfrom pytest_bdd import given\n"
        "@all_of(1)\ndef a(x): ...\n@h.given(1)\ndef b(x): ...\n@given('a cart')\ndef c(): ...\n"
    )

    called = {target.scope: target.called for target in targets_of(str(file))}

    assert called == {"a": "a" + INNER_TEST, "b": "b" + INNER_TEST, "c": "c"}


def test_strategies_bound_what_is_feasible(tmp_path: Path) -> None:
    report = explore(
        IMPORTS
        + "@given(st.integers(0, 9), st.text(max_size=3))\n"
        + "def test_it(n, code):\n"
        + "    if n > 9 or len(code) > 3:\n"
        + "        return 1\n"
        + "    if n == 7 and code == 'abc':\n"
        + "        return 2\n",
        tmp_path,
        "test_it",
    )

    assert report.status == "complete"
    assert {spot.text for spot in report.infeasible} == {"n > 9", "len(code) > 3"}
    assert {"n": "7", "code": '"abc"'} in [found.args for found in report.inputs]


def test_code_of_maps_filters_and_composites_is_solved_for(tmp_path: Path) -> None:
    report = explore(
        IMPORTS
        + "@st.composite\n"
        + "def pair(draw, least):\n"
        + "    first = draw(st.integers(least, 900))\n"
        + "    return first, draw(st.integers(0, 900)) + first\n"
        + "@given(pair(10), st.integers(0, 900).filter(lambda n: n % 7 == 3).map(lambda n: n + 1))\n"
        + "def test_it(p, n):\n"
        + "    if p[0] == 333 and p[1] == 400:\n"
        + "        return 1\n"
        + "    if n == 704:\n"
        + "        return 2\n"
        + "    if n == 705:\n"
        + "        return 3\n",
        tmp_path,
        "test_it",
    )

    assert report.branches.covered == 5
    assert [spot.text for spot in report.infeasible] == ["n == 705"]


def test_what_a_test_assumes_is_no_input_of_it(tmp_path: Path) -> None:
    report = explore(
        IMPORTS
        + "@given(st.integers())\n"
        + "def test_it(n):\n"
        + "    assume(n % 2 == 0)\n"
        + "    if n % 2 == 1:\n"
        + "        return 1\n"
        + "    assert n != 86\n",
        tmp_path,
        "test_it",
    )

    assert {spot.text for spot in report.infeasible} == {"n % 2 == 1"}
    assert "86" in [found.args["n"] for found in report.inputs if found.outcome == "raised"]


def test_a_strategy_that_depends_on_what_was_drawn_proves_nothing(tmp_path: Path) -> None:
    report = explore(
        IMPORTS
        + "@st.composite\n"
        + "def pair(draw):\n"
        + "    first = draw(st.integers(0, 5))\n"
        + "    return first, draw(st.integers(first, 9))\n"
        + "@given(pair())\n"
        + "def test_it(p):\n"
        + "    if p[1] < p[0]:\n"
        + "        return 1\n",
        tmp_path,
        "test_it",
        budget=3.0,
    )

    assert not report.infeasible
    assert report.branches.covered == 1


@pytest.mark.parametrize(
    ("body", "what"), [("    note('x')\n", "note()"), ("    pass\n", "data()")]
)
def test_what_works_only_while_hypothesis_runs_is_refused_by_name(
    body: str, what: str, tmp_path: Path
) -> None:
    file = tmp_path / "refused.py"
    file.write_text(IMPORTS + f"@given(st.data())\ndef test_it(x):\n{body}")
    module: Any = ModuleType("refused")
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)

    with pytest.raises(UnsupportedInput, match=rf"uses {what[:-2]}\(\)"):
        known = known_by_given(module, targets_of(str(file))[0])
        assert known is not None
        known("x", "test_it.x", None)  # type: ignore[arg-type]


def test_the_rows_of_strategies_are_listed() -> None:
    assert set(strategy_values.BUILDERS) <= set(BUILDERS)
    assert set(hypothesis_calls.MODELS) <= set(MODELS)
