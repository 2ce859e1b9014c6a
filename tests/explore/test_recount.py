"""Only what the inputs of a report take is covered."""

from dataclasses import replace
from pathlib import Path

import pytest

from symcrete.explore.cover.plan import Plan, plan_of
from symcrete.explore.cover.recount import EXHAUSTED, REFUTED, recounted, sides_of, those_that_add
from symcrete.explore.findings import FoundInput, Spot, Status, Tally, TargetReport, each_once
from symcrete.program.source.target import targets_of
from symcrete.run.use import Ending

PROGRAM = """
def f(x: int, y: int) -> int:
    if x > 7 and y > 7:
        return 1
    while x:
        x -= 1
    return 0
"""


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    (tmp_path / "prog.py").write_text(PROGRAM)
    return plan_of(targets_of(str(tmp_path / "prog.py"))[0])


def taking(*sides: str) -> FoundInput:
    return FoundInput({"x": "0"}, Ending.RETURNED, "0", None, (), "", sides=frozenset(sides))


def test_a_plan_names_every_side_and_every_branch(plan: Plan) -> None:
    assert [spot.key for spot in plan.conditions] == ["0-", "0+", "1-", "1+", "2-", "2+"]
    assert plan.conditions[1].text == "x > 7"
    assert set(map(frozenset, plan.branches)) == {
        frozenset({"1+"}),
        frozenset({"0-", "1-"}),
        frozenset({"2+"}),
        frozenset({"2-"}),
    }


def test_a_text_that_cannot_be_read_has_an_empty_plan(tmp_path: Path) -> None:
    file = tmp_path / "prog.py"
    file.write_text(PROGRAM)
    (target,) = targets_of(str(file))
    file.write_text("def f(:")

    assert plan_of(target) == Plan()


def test_inputs_with_the_same_call_are_listed_once() -> None:
    first, again = taking("0-"), taking("0-", "2-")
    other = replace(first, args={"x": "1"})

    assert each_once([first, again, other]) == (first, other)


def test_what_inputs_take_is_counted_and_the_rest_is_open(plan: Plan) -> None:
    report = TargetReport(
        "f", Status.COVERED, inputs=(taking("0-", "2-"), taking("0-", "2-", "2+"))
    )

    counted = recounted(report, plan, lambda name: f"why {name}")

    assert counted.conditions == Tally(6, 3, 0)
    assert counted.branches == Tally(4, 3, 0)
    assert counted.status == "budget"
    assert [(spot.key, spot.reason) for spot in counted.open] == [
        ("0+", "why 0+"),
        ("1-", "why 1-"),
        ("1+", "why 1+"),
    ]
    news = [[spot.key for spot in each.covers] for each in counted.inputs]
    assert news == [["0-", "2-"], ["2+"]]


def test_a_proof_that_an_input_refutes_is_none(plan: Plan) -> None:
    spots = {spot.key: spot for spot in plan.conditions}
    report = TargetReport(
        "f", Status.COMPLETE, infeasible=(spots["1+"], spots["2+"]), inputs=(taking("0+", "1+"),)
    )

    counted = recounted(report, plan)

    assert [spot.key for spot in counted.infeasible] == ["2+"]
    assert counted.branches == Tally(4, 1, 1)


def test_only_inputs_that_add_something_are_taken_over() -> None:
    first, second, third = taking("0+"), taking("0+"), taking("0+", "1+")

    assert those_that_add([first, second, third], {"2+"}) == [first, third]
    assert sides_of([first, third]) == {"0+", "1+"}


def test_runs_that_a_replay_refutes_prove_nothing(plan: Plan) -> None:
    proved = (
        Spot(3, 1, True, key="1+", proof=EXHAUSTED),
        Spot(3, 1, False, key="1-", proof="type"),
    )
    report = TargetReport("f", Status.COMPLETE, inputs=(taking("0-", "2-"),), infeasible=proved)

    doubted = recounted(report, plan)
    late = recounted(report, plan, lambda name: "too late")

    assert [spot.proof for spot in doubted.infeasible] == ["type"]
    assert REFUTED in [spot.reason for spot in doubted.open]
    assert late.infeasible == proved
