"""A proof that an input contradicts is refuted before it is printed."""

from dataclasses import replace
from pathlib import Path

import pytest

from symcrete.explore.attack.attack import RAISE, RefutedProof, attack
from symcrete.explore.compose import prepare
from symcrete.explore.cover.summary import summarise
from symcrete.explore.findings import TargetReport
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.progress import Progress
from symcrete.explore.options import Options
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.solve.count import CountQueries
from symcrete.solve.solver import Answer, Unsat

REACHABLE = """
def f(x: int) -> int:
    if x * x > 70:
        return 1
    return 0
"""
BY_KIND = """
def f(x: int) -> int:
    if type(x) is not int:
        return 1
    return 0
"""
BY_DERIVED = """
def f(x: int) -> int:
    if x.__class__.__name__ not in ("int", "bool"):
        return 1
    return 0
"""
TWO_CLAIMS = """
def f(d: dict[str, int]) -> int:
    if hasattr(d, "default_factory"):
        return 1
    if hasattr(d, "move_to_end"):
        return 2
    return 0
"""
GROWING = """
from typing import Annotated
from annotated_types import Len

def f(xs: Annotated[list[int], Len(0, 1)], n: int) -> int:
    xs += [n, n]
    if len(xs) > 3:
        return 1
    return 0
"""
READ_ONLY = """
from collections.abc import {kind}

def f(d: {kind}[{of}]) -> int:
    if hasattr(d, "{method}"):
        return 1
    return 0
"""
TRUE_PROOF = """
def f(x: int) -> int:
    if x > 5 and x < 3:
        return 1
    return 0
"""


class Lying:
    """A solver that says of everything that it is impossible."""

    def solve(self, constraint: object, near: object) -> Answer:
        return Unsat(())


def attacked(source: str, folder: Path, *, lying: bool) -> TargetReport:
    file = folder / "attacked.py"
    file.write_text(source)
    options = Options(budget=10.0, replay=False, strategy="dfs", max_runs=200)
    made, phase = prepare(targets_of(f"{file}::f")[0], EveryBranch(), options)
    solver = CountQueries(Lying(), made.parts.solver.counts) if lying else made.parts.solver
    exploration = Exploration(replace(made.parts, solver=solver), Progress(solver))
    status = exploration.explore(phase)
    attack(exploration, options)
    return summarise(exploration, options, status, 0.0)


def test_a_wrong_answer_of_a_solver_is_found_out_and_its_branch_covered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(RAISE)

    report = attacked(REACHABLE, tmp_path, lying=True)

    assert report.infeasible == ()
    assert report.conditions.covered == 2
    assert any("a proof of ours was wrong" in note for note in report.notes)


def test_in_our_own_tests_a_refuted_proof_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RefutedProof):
        attacked(REACHABLE, tmp_path, lying=True)


def test_a_value_of_a_subtype_refutes_what_the_shapes_left_out(tmp_path: Path) -> None:
    report = attacked(BY_KIND, tmp_path, lying=False)

    assert report.infeasible == ()


def test_what_a_value_of_another_kind_refutes_is_covered_by_an_input_with_it(
    tmp_path: Path,
) -> None:
    report = attacked(BY_DERIVED, tmp_path, lying=False)

    assert report.open == () and report.infeasible == ()
    assert report.inputs[-1].args == {"x": 'new_class("Number", (int,))(0)'}
    assert report.inputs[-1].imports == (("types", "new_class"),)
    assert [spot.side for spot in report.inputs[-1].covers] == [True]


@pytest.mark.parametrize(
    ("kind", "of", "method", "written"),
    [
        ("Mapping", "str, int", "update", "MappingProxyType({})"),
        ("Set", "int", "add", "frozenset()"),
    ],
)
def test_an_abstract_collection_may_be_one_that_cannot_be_changed(
    kind: str, of: str, method: str, written: str, tmp_path: Path
) -> None:
    source = READ_ONLY.format(kind=kind, of=of, method=method)

    report = attacked(source, tmp_path, lying=False)

    assert report.infeasible == ()
    assert report.inputs[-1].args == {"d": written}


def test_an_attack_goes_on_after_the_first_claim_that_it_refutes(tmp_path: Path) -> None:
    report = attacked(TWO_CLAIMS, tmp_path, lying=False)

    assert report.infeasible == ()
    assert {"d": "defaultdict(int, {})"} in [each.args for each in report.inputs]
    assert {"d": "OrderedDict({})"} in [each.args for each in report.inputs]


def test_a_true_proof_survives(tmp_path: Path) -> None:
    report = attacked(TRUE_PROOF, tmp_path, lying=False)

    assert report.conditions.infeasible == 1
    assert report.notes == ()


def test_what_one_call_of_the_attack_does_to_its_arguments_is_not_seen_by_the_next(
    tmp_path: Path,
) -> None:
    report = attacked(GROWING, tmp_path, lying=False)

    assert not report.notes
    assert [spot.text for spot in report.infeasible] == ["len(xs) > 3"]
