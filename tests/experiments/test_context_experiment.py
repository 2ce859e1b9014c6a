"""The comparison of search strategies: its statistics, and that it goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from experiments.context import main
from experiments.mann_whitney import mann_whitney


def test_samples_that_do_not_overlap_are_as_unlikely_as_counting_says():
    assert mann_whitney([1, 2, 3], [4, 5, 6]) == pytest.approx(2 / 20)
    assert mann_whitney([1, 2], [7, 8, 9]) == pytest.approx(2 / 10)


def test_samples_alike_are_likely():
    assert mann_whitney([5, 5, 5], [5, 5, 5]) == 1
    assert mann_whitney(range(0, 60, 2), range(1, 61, 2)) > 0.8
    assert mann_whitney(range(30), range(20, 50)) < 1e-6


def test_a_study_that_was_interrupted_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    asked = ["--only", "keyboard", "--runs", "20", "--out", str(tmp_path), "--seeds"]
    main([*asked, "1"])
    first = (tmp_path / "measured.jsonl").read_text(encoding="utf-8")
    capsys.readouterr()

    main([*asked, "1"])
    again = (tmp_path / "measured.jsonl").read_text(encoding="utf-8")
    told = capsys.readouterr().out

    assert first.count("\n") == 12 and again == first
    assert "### keyboard: 150 branches, 1 seeds" in told
    assert "| cgs-nodom |" in told and "p against cgs" in told
    plot = ElementTree.parse(tmp_path / "keyboard.svg").getroot()
    assert plot.tag.endswith("svg")
