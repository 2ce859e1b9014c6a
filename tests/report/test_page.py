"""The page: what stands in it; how it behaves is seen in a browser (`make test-page`)."""

from __future__ import annotations

import ast
import io
import re
from pathlib import Path

import pytest

from symcrete.cli import main
from symcrete.explore.findings import FoundInput, Report, Spot, Status, Tally, TargetReport
from symcrete.report.page.charts import spent, timeline
from symcrete.report.page.function_view import function_view, result_of
from symcrete.report.page.page import Page, bar
from symcrete.report.page.path_tree import conjuncts, grown, path_tree
from symcrete.report.page.source_view import coloured, dead_lines, source_view
from symcrete.run.use import Ending

PROGRAM = '''def f(x: int) -> int:
    """Some words."""
    if x > 3:
        if x < 2:
            return 100
        return 6 // (x - 9)
    return 0
'''
LOW = FoundInput({"x": "0"}, Ending.RETURNED, "0", None, (Spot(3, 7, False, "x <= 3"),), "x <= 3")
HIGH = FoundInput(
    {"x": "4"}, Ending.RETURNED, "-2", None, (Spot(3, 7, True, "x > 3"),), "x > 3 and x != 9"
)
NINE = FoundInput({"x": "9"}, Ending.RAISED, None, "ZeroDivisionError()", (), "x > 3 and x == 9")


@pytest.fixture
def target(tmp_path: Path) -> TargetReport:
    file = tmp_path / "m.py"
    file.write_text(PROGRAM)
    lines = [{3, 7}, {3, 4, 6}, {3, 4, 6}]
    inputs = [
        FoundInput(
            each.args,
            each.outcome,
            each.returned,
            each.raised,
            each.covers,
            each.path_condition,
            lines=frozenset(seen),
        )
        for each, seen in zip((LOW, HIGH, NINE), lines, strict=True)
    ]
    return TargetReport(
        "m.py::f",
        Status.COMPLETE,
        branches=Tally(4, 3, 1),
        conditions=Tally(4, 3, 1),
        infeasible=(Spot(4, 11, True, "x < 2", proof="tree exhausted", assumes=("<b>",)),),
        open=(Spot(4, 11, False, "x >= 2", reason="no time"),),
        inputs=tuple(inputs),
        seconds=2.0,
        seconds_running=0.5,
        seconds_solving=1.0,
        scope="f",
        file=str(file),
        timeline=((0.5, 1), (1.0, 2)),
    )


def classes(page: str, line: int) -> str:
    """The states of a line of the source on the page."""
    found = re.search(rf"<div class='line (\w*)' [^>]*><span class='at'>{line}<", page)
    assert found is not None
    return found[1]


def test_lines_are_reached_dead_or_missed(target: TargetReport) -> None:
    page = source_view(target, target.inputs[:1])

    assert [classes(page, line) for line in (1, 2, 3, 4, 5, 6, 7)] == [
        "",
        "",
        "hit",
        "missed",
        "dead",
        "missed",
        "hit",
    ]


def test_a_line_names_the_inputs_that_execute_it(target: TargetReport) -> None:
    page = source_view(target, target.inputs)

    assert "data-inputs='1 2'><span class='at'>6<" in page
    assert "data-inputs='0 1 2'><span class='at'>3<" in page


def test_proofs_and_reasons_stand_below_their_line(target: TargetReport) -> None:
    page = source_view(target, target.inputs)

    assert "never <code>x &lt; 2</code>: tree exhausted; assumes that &lt;b&gt;" in page
    assert "no input for <code>x &gt;= 2</code>: no time" in page


def test_without_replayed_lines_no_line_is_called_missed(target: TargetReport) -> None:
    page = source_view(target, (LOW,))

    assert "line missed" not in page


def test_only_what_a_proof_shuts_off_is_dead() -> None:
    tree = ast.parse(PROGRAM)

    assert dead_lines(tree, (Spot(4, 11, True),)) == {5}
    assert dead_lines(tree, (Spot(4, 11, False),)) == set()


@pytest.mark.parametrize(
    ("test", "never", "dead"),
    [
        ("a and b", True, {2}),
        ("a and b", False, set()),
        ("a or b", True, set()),
        ("a or b", False, {4}),
        ("a and b or c", True, set()),
        ("a and b or c", False, set()),
    ],
)
def test_what_another_operand_may_lead_to_is_not_dead(
    test: str, never: bool, dead: set[int]
) -> None:
    tree = ast.parse(f"if {test}:\n    f()\nelse:\n    g()\n")

    assert dead_lines(tree, (Spot(1, 3, never),)) == dead


def test_tokens_over_several_lines_are_coloured_on_each() -> None:
    assert coloured('x = """a\n<b"""\n') == [
        "x = <span class='string'>&quot;&quot;&quot;a</span>",
        "<span class='string'>&lt;b&quot;&quot;&quot;</span>",
    ]


def test_paths_part_where_their_conditions_do() -> None:
    root = grown([(0, LOW), (1, HIGH), (2, NINE)])

    assert list(root.below) == ["x <= 3", "x > 3"]
    assert [node.ends for node in root.below["x > 3"].below.values()] == [[1], [2]]


def test_a_condition_is_split_only_where_all_parts_must_hold() -> None:
    assert conjuncts("(a or b) and c == 'x and y'") == ["a or b", "c == 'x and y'"]
    assert conjuncts("a or b") == ["a or b"]
    assert conjuncts("no python (") == ["no python ("]


def test_inputs_of_the_tree_lead_to_their_rows(target: TargetReport) -> None:
    picture, section = path_tree("f7", target), function_view(7, target)

    names = re.findall(r'href="#(f7-i\d)"', picture)
    assert names == ["f7-i0", "f7-i1", "f7-i2"]
    assert all(f"id='{name}'" in section for name in names)


def test_time_and_coverage_are_drawn_to_scale(target: TargetReport) -> None:
    assert "H170.0 V97.5 H300.0 V40.5" in timeline(target)
    assert "width:25.00%" in spent(target) and "<b>0.50 s</b> starting" in spent(target)


def test_nothing_is_drawn_without_data() -> None:
    empty = TargetReport("m.py::f", Status.BUDGET)

    assert (timeline(empty), spent(empty), path_tree("f0", empty)) == ("", "", "")


def test_a_bar_has_its_shares() -> None:
    assert re.findall(r"'(\w+)' style='width:([\d.]+)%", bar(Tally(4, 2, 1))) == [
        ("covered", "50.00"),
        ("infeasible", "25.00"),
        ("open", "25.00"),
    ]


def test_results_are_told_in_words() -> None:
    assert result_of(LOW) == "0"
    assert result_of(NINE) == "raises ZeroDivisionError()"


def test_the_page_names_nothing_on_a_network(target: TargetReport) -> None:
    out = io.StringIO()
    Page().emit(Report((target,)), out)

    addresses = set(re.findall(r"https?://[^\"' )]+", out.getvalue()))
    assert addresses == {"http://www.w3.org/2000/svg"}


def test_the_page_of_the_last_run_is_made_without_running_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(PROGRAM)
    main(["cover", "m.py", "-q"])

    codes = [main(["report"]), main(["report", "--emit", "json", "-o", "all.json"])]

    assert codes == [0, 0]
    assert "m.py" in (tmp_path / ".symcrete" / "report.html").read_text()
    assert (tmp_path / "all.json").exists()
    assert "wrote .symcrete/report.html" in capsys.readouterr().err


def test_without_a_run_there_is_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["report"]) == 5
    assert "no run is kept" in capsys.readouterr().err


def test_a_source_in_another_encoding_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_bytes(
        "# -*- coding: latin-1 -*-\ndef f() -> str:\n    return 'ä'\n".encode("latin-1")
    )

    shown = source_view(TargetReport("f", Status.BUDGET, scope="f", file=str(file)), ())

    assert "ä" in shown
