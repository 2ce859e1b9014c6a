"""The comparison of strategies on numeric functions measures what it says."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from experiments.figures import draw_curves
from experiments.optimal_programs import Progress, average, explore, main, mean_percent
from experiments.subjects.optimal.catalogue import SUBJECTS

ELLJAC = next(each for each in SUBJECTS if each.function == "elljac")


def test_coverage_at_a_moment_is_what_had_been_covered_by_then():
    run = Progress(10, [(0.5, 3), (2.0, 8)], [(0.4, 1, 0), (1.0, 5, 2)])

    assert [run.percent_at(at) for at in (0.1, 0.5, 1.9, 2.0)] == [0, 30, 30, 80]
    assert run.work_at(0.2) == (0, 0)
    assert run.work_at(3.0) == (5, 2)


def test_averages_are_over_repetitions_and_then_over_subjects():
    half, whole = Progress(2, [(0.0, 1)]), Progress(2, [(0.0, 2)])
    found = {(each.function, "dfs"): [half, whole] for each in SUBJECTS[:1]}
    found |= {(each.function, "dfs"): [whole, whole] for each in SUBJECTS[1:2]}

    assert mean_percent([half, whole], 1.0) == 75
    assert average(SUBJECTS[:2], "dfs", 1.0, found) == 87.5


def test_an_exploration_is_watched_from_outside():
    run = explore(ELLJAC, "greedy", 1.0, seed=0)

    assert run.blocks >= 18
    counts = [count for _, count in run.news]
    assert counts and counts == sorted(counts)
    assert counts[-1] <= run.blocks
    assert all(when < 1.5 for when, _ in run.news[:1])


def test_what_was_measured_is_not_measured_again(tmp_path: Path):
    asked = [
        "--subjects",
        "1",
        "--only-paper",
        "--seconds",
        "0.2",
        "--strategies",
        "dfs",
        "--out",
        str(tmp_path),
    ]
    main(asked)
    first = (tmp_path / "measured.jsonl").read_text(encoding="utf-8")

    main(asked)

    assert first.count("\n") == 1
    assert (tmp_path / "measured.jsonl").read_text(encoding="utf-8") == first


def test_the_tables_and_the_figure_are_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    figure = tmp_path / "figure.svg"

    asked = [
        "--subjects",
        "1",
        "--only-paper",
        "--seconds",
        "0.2,0.4",
        "--strategies",
        "greedy,random-input",
    ]
    asked += ["--out", str(tmp_path), "--figure", str(figure)]
    main([*asked, "--data", str(tmp_path / "none.json")])

    told = capsys.readouterr().out
    assert "Table 3" in told and "Table 4" in told and "not beside ours" in told
    assert ElementTree.parse(figure).getroot().tag.endswith("svg")


def test_a_curve_goes_up_where_its_points_do():
    drawing = ElementTree.fromstring(draw_curves({"a<b": [(0, 0), (1, 100)]}, across="s", up="%"))

    lines = [each for each in drawing if each.get("fill") == "none"]
    assert [line.get("d") for line in lines] == ["M60.0 370.0H570.0V20.0"]
    assert "a<b" in [each.text for each in drawing]
