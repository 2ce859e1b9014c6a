"""The recipes of CONTRIBUTING.md, followed: one of each is added from outside, by a row alone."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from tests.contracts import recipes
from tests.explore.exploring import explore

from symcrete.constraint.path import PathConstraint
from symcrete.constraint.theory import PRODUCT
from symcrete.explore.findings import Report
from symcrete.inputs.shapes import annotations as annotated
from symcrete.report.emitter import FORMATS, Format, make_emitter
from symcrete.search.table import STRATEGIES, Row
from symcrete.solve import portfolio
from symcrete.solve.solver import Sat
from symcrete.solve.solvers import SOLVERS, Backend, named
from symcrete.terms import integers
from symcrete.terms.term import Sort, int_const, var
from symcrete.values.tracking.numeric import untracked
from symcrete.values.vocabulary import vocabulary

SORTED = """
def f(x: int, y: int) -> int:
    if x > 41:
        if y == x + 3:
            return 1
    return 0
"""
HEADING = """
from tests.contracts.recipes import Angle

def f(a: Angle) -> str:
    if type(a) is not Angle:
        return "a class that the program does not know"
    if not a:
        return "north"
    return "west" if int(a) == 270 else "elsewhere"
"""
WHERE = "tests.contracts.recipes"


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Backend:
    row = Backend(f"{WHERE}:Counting", "small integers, one after the other")
    monkeypatch.setitem(SOLVERS, "counting", row)
    recipes.asked.clear()
    return row


def test_a_backend_is_one_row(counting: Backend, tmp_path: Path) -> None:
    report = explore(SORTED, tmp_path, solver="counting", strategy="dfs")

    assert named()["counting"] is counting
    assert report.branches.covered == report.branches.total == 4
    assert recipes.asked


def test_a_backend_that_is_not_installed_is_known_and_not_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = Backend("nowhere.at_all:Solver", "needs a package", package="nowhere_at_all")
    monkeypatch.setitem(SOLVERS, "absent", row)

    assert not row.installed
    assert portfolio.Backends(seconds=1.0, seed=0).make("absent", 1.0) is None


def test_auto_comes_to_a_backend_that_offers_itself_for_what_the_plans_leave(
    monkeypatch: pytest.MonkeyPatch, counting: Backend
) -> None:
    monkeypatch.setitem(SOLVERS, "counting", replace(counting, share=0.5, theories=PRODUCT))
    monkeypatch.setitem(portfolio.PLANS, "products", ())
    monkeypatch.setitem(portfolio.PLANS, "bits", ())
    x = var("x", Sort.INT)
    solver = portfolio.Auto(portfolio.Backends(seconds=1.0, seed=0))
    square = PathConstraint((), integers.eq(integers.mul(x, x), int_const(49)))
    masked = PathConstraint((), integers.eq(integers.bitand(x, int_const(12)), int_const(8)))

    answer = solver.solve(square, {"x": 0})
    other = solver.solve(masked, {"x": 0})

    assert answer == Sat({"x": 7})
    assert not isinstance(other, Sat)
    assert recipes.asked == [square]


def test_a_strategy_is_one_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(STRATEGIES, "newest", Row(f"{WHERE}:Newest", "the newest branch first"))

    report = explore(SORTED, tmp_path, strategy="newest")

    assert report.branches.covered == report.branches.total == 4


def test_a_format_is_one_row(tmp_path: Path) -> None:
    report = explore(SORTED, tmp_path)
    out = io.StringIO()
    rows = (*FORMATS, Format("lines", f"{WHERE}:Lines", "one line for each target", ".lines"))

    make_emitter("lines", rows).emit(Report((report,), 0), out)

    assert out.getvalue() == f"{report.target}: {report.status}\n"


def test_a_kind_of_value_is_one_row_and_its_shape(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    listed = vocabulary.LISTED
    more = replace(
        listed,
        kinds=(*listed.kinds, recipes.ANGLE),
        builders={**listed.builders, recipes.AngleShape: recipes.build_angle},
    )
    monkeypatch.setattr(vocabulary, "LISTED", more)
    monkeypatch.setitem(annotated.SIMPLE, recipes.Angle, recipes.AngleShape())

    report = explore(HEADING, tmp_path)

    given = {found.args["a"] for found in report.inputs}
    assert {"Angle(0)", "Angle(270)"} <= given
    assert [spot.text for spot in report.infeasible] == ["type(a) is not Angle"]


def test_the_rows_of_a_vocabulary_are_known_while_it_is_in_use_and_not_after() -> None:
    listed = vocabulary.LISTED
    angle = recipes.TrackedAngle(5)

    vocabulary.use(replace(listed, kinds=(*listed.kinds, recipes.ANGLE)))
    during = untracked(angle)
    vocabulary.use(listed)
    after = untracked(angle)

    assert type(during) is recipes.Angle
    assert after is angle
