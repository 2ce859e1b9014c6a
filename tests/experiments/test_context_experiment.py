"""The comparison of search strategies: its statistics, and that it goes on where it stopped."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from experiments.context import main
from experiments.mann_whitney import mann_whitney
from experiments.shapiro_wilk import shapiro_wilk


def test_samples_that_do_not_overlap_are_as_unlikely_as_counting_says():
    assert mann_whitney([1, 2, 3], [4, 5, 6]) == pytest.approx(2 / 20)
    assert mann_whitney([1, 2], [7, 8, 9]) == pytest.approx(2 / 10)


def test_samples_alike_are_likely():
    assert mann_whitney([5, 5, 5], [5, 5, 5]) == 1
    assert mann_whitney(range(0, 60, 2), range(1, 61, 2)) > 0.8
    assert mann_whitney(range(30), range(20, 50)) < 1e-6


@pytest.mark.parametrize(
    ("values", "w", "chance"),
    [  # as SciPy 1.17 has them
        ([2, 1, 7], 0.8709677, 0.2982759),
        ([1, 2, 3, 4, 9], 0.8669607, 0.2543338),
        ([148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236], 0.7888147, 0.0067038),
        ([82, 85, 83, 90, 91, 70, 88, 84, 86, 83, 99, 60, 81], 0.8944349, 0.1121768),
    ],
)
def test_shapiro_wilk_gives_known_values(values: list[float], w: float, chance: float):
    assert shapiro_wilk(values) == pytest.approx((w, chance), abs=1e-6)


def test_of_equal_values_shapiro_wilk_says_nothing():
    assert shapiro_wilk([5.0] * 8) == (1.0, 1.0)
    with pytest.raises(ValueError, match="three values"):
        shapiro_wilk([1.0, 2.0])


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

    assert first.count("\n") == 13 and again == first
    assert "### keyboard: 150 branches, 1 seeds" in told
    assert "| cgs-nodom |" in told and "p against cgs" in told
    plot = ElementTree.parse(tmp_path / "keyboard.svg").getroot()
    assert plot.tag.endswith("svg")
