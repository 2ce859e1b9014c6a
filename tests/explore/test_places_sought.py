"""An input is looked for that comes to each handler, and one that passes each `try` block."""

from pathlib import Path

from tests.explore.exploring import explore

from symcrete.explore.findings import TargetReport


def told(report: TargetReport) -> dict[str, str]:
    """The places that inputs come to first, and the inputs."""
    return {
        spot.text: ", ".join(each.args.values())
        for each in report.inputs
        for spot in each.covers
        if spot.text.startswith("except") or spot.text == "nothing raised"
    }


def test_a_handler_of_what_a_callee_raises_gets_an_input(tmp_path: Path) -> None:
    report = explore(
        """
        def g(d: dict[str, int]) -> int:
            if len(d) == 3:
                raise LookupError("three")
            return 1

        def f(d: dict[str, int]) -> int:
            try:
                return g(d)
            except LookupError:
                return -1
        """,
        tmp_path,
    )

    assert told(report).keys() == {"nothing raised", "except LookupError"}
    assert (report.branches.total, report.conditions.total) == (0, 0)


def test_a_block_that_every_plain_input_leaves_by_an_exception_is_passed(tmp_path: Path) -> None:
    report = explore(
        """
        def f(d: dict[str, int]) -> int:
            try:
                return d["a"] + d["b"]
            except KeyError:
                return -1
        """,
        tmp_path,
    )

    assert eval(told(report)["nothing raised"]) == {"a": 0, "b": 0}


def test_a_handler_that_nothing_leads_to_is_told_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    report = explore(
        """
        def f(n: int) -> int:
            try:
                if n > 3:
                    return 1
                return 2
            except KeyError:
                return 3
        """,
        tmp_path,
        max_runs=5000,
    )

    assert report.status == "complete"
    assert "no input found that comes to 7: except KeyError" in report.notes
    assert report.runs < 1000
