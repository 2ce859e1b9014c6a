"""Pages about the papers show what the committed results say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from experiments.bars import draw_bars
from experiments.committed import RESULTS, Result, Table, as_markdown, keep, read
from experiments.context_report import least_chance
from experiments.papers import DOCS, FIGURES, PAGES, PART, everything, rendered

TECHNIQUES = DOCS / "techniques"


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_a_page_is_what_its_results_say(page: Path):
    text = page.read_text(encoding="utf-8")

    assert rendered(text) == text


def test_a_figure_is_what_its_results_say():
    differing = [file.name for file, made in everything().items() if file.read_text() != made]

    assert differing == []
    assert "ptokens" in (PAGES / "ippc-figure4.svg").read_text()


@pytest.mark.parametrize("page", sorted(TECHNIQUES.glob("*.md")), ids=lambda page: page.stem)
def test_the_page_of_a_technique_shows_a_measured_picture(page: Path):
    shown = re.findall(r"!\[[^\]]+\]\(([\w.-]+)\)", page.read_text(encoding="utf-8"))

    assert shown
    assert {f"techniques/{picture}" for picture in shown} <= FIGURES.keys()


def test_a_bar_is_as_long_as_its_number_says():
    picture = draw_bars(
        {"gcd": {"old": 50.0, "new": 25.0}},
        across="seconds",
        longest=100,
        notes={("gcd", "old"): "cut"},
    )

    wide = [
        float(each) for each in re.findall(r'y="\S+" width="([\d.]+)" height="11" fill', picture)
    ]
    assert wide[-2] == pytest.approx(2 * wide[-1])
    assert ">50, cut<" in picture
    assert ">seconds<" in picture


def test_bars_by_orders_of_magnitude_show_a_one():
    picture = draw_bars({"a": {"x": 1.0, "y": 1000.0}}, across="runs", logarithmic=True)

    wide = [
        float(each) for each in re.findall(r'y="\S+" width="([\d.]+)" height="11" fill', picture)
    ]
    assert 0 < wide[-2] < wide[-1] / 10


def test_every_committed_result_is_on_a_page():
    shown = {name for page in PAGES.glob("*.md") for name in PART.findall(page.read_text())}

    assert shown == {file.stem for file in RESULTS.glob("*.json")}


def test_a_result_names_how_it_was_made(tmp_path: Path):
    file = tmp_path / "some.json"
    table = Table("Calls", ["subject", "calls"], [["gcd", "7"]])

    keep([table], file)
    result = read(file)

    assert result.tables == [table]
    assert result.command.startswith("python -m experiments.")
    assert result.machine
    assert "| gcd | 7 |" in as_markdown(result)
    assert as_markdown(Result("c", "abc", "m", 1.0, "d", [])) == "`c` at abc, d; m, load 1.0."


def test_four_seeds_are_the_fewest_that_can_decide():
    assert least_chance(3) == pytest.approx(0.1)
    assert least_chance(4) == pytest.approx(2 / 70)


def test_every_test_that_the_page_on_fidelity_names_exists():
    text = (PAGES / "fidelity.md").read_text(encoding="utf-8")
    files = Path(__file__).parents[1].rglob("test_*.py")
    defined = {name for file in files for name in re.findall(r"def (test_\w+)", file.read_text())}

    named = set(re.findall(r"`(test_\w+)`", text))

    assert named
    assert named <= defined


def test_the_page_on_fidelity_answers_every_row():
    text = (PAGES / "fidelity.md").read_text(encoding="utf-8")
    parts = re.findall(r"^## [^\n]*: (\d+)$(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)

    answered = [len(re.findall(r"^\| (?!row )", part, re.MULTILINE)) for _, part in parts]

    assert answered == [int(count) for count, _ in parts]
    assert sum(answered) == 92
