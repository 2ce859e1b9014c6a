"""The control-flow graph as a picture."""

from __future__ import annotations

import io
import random
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.findings import FoundInput, Report, Spot, Status, Tally, TargetReport
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of
from symcrete.report.formats.graph import Dot, Drawing, dot, draw
from symcrete.report.formats.layered import place
from symcrete.report.formats.svg import svg
from symcrete.run.use import Ending

TEXT = """
def f(a: int, b: int) -> str:
    c = a + 1
    d = c * 2
    if a > 3 and b < a:
        return "x<y & z"
    while b > 0:
        try:
            b = b - d // a
        except ZeroDivisionError:
            b = 0
    if a * a == -1:
        return "never"
    return "done"
"""


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    file = tmp_path / "shop.py"
    file.write_text(TEXT)
    (target,) = targets_of(str(file))
    still_open = Spot(5, 17, True, "b < a")
    impossible = Spot(12, 7, True, "a * a == -1", proof="tree exhausted")
    report = TargetReport(
        "f", Status.BUDGET, conditions=Tally(8, 6, 1), open=(still_open,), infeasible=(impossible,)
    )
    return draw(target, report)


def box(drawing: Drawing, start: str) -> int:
    (found,) = [n for n, each in enumerate(drawing.boxes) if each.lines[0].startswith(start)]
    return found


def test_straight_code_is_one_block_and_each_condition_a_node(drawing: Drawing):
    block = drawing.boxes[box(drawing, "3")]
    assert block.lines == ["3  c = a + 1", "4  d = c * 2"]
    conditions = [each.lines[0] for each in drawing.boxes if each.shape == "condition"]
    assert conditions == ["5  if a > 3", "5  if b < a", "7  while b > 0", "12  if a * a == -1"]


def test_branches_and_blocks_carry_their_state(drawing: Drawing):
    sides = {(a.source, a.side): a.state for a in drawing.arrows if a.side is not None}
    assert sides[box(drawing, "5  if b"), True] == "open"
    assert sides[box(drawing, "5  if b"), False] == "covered"
    assert sides[box(drawing, "12"), True] == "infeasible"
    assert drawing.boxes[box(drawing, "6")].state == "open"
    assert drawing.boxes[box(drawing, "13")].state == "infeasible"
    assert drawing.boxes[box(drawing, "14")].state == "covered"
    assert (drawing.count("open"), drawing.count("infeasible")) == (1, 1)


def test_an_exception_leads_to_its_handler_and_errors_nobody_catches_are_not_drawn(
    drawing: Drawing,
):
    implicit = [(a.source, a.target) for a in drawing.arrows if a.implicit]
    assert implicit == [(box(drawing, "8"), box(drawing, "10"))]
    assert not any(each.lines == ["raise"] for each in drawing.boxes)


def test_the_svg_is_well_formed_and_shows_every_line(drawing: Drawing):
    root = ElementTree.fromstring(svg(drawing))

    shown = {"".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert all(line in shown for each in drawing.boxes for line in each.lines)
    assert {"1 open", "1 infeasible", "6 covered", "true", "false"} <= shown


def test_the_same_drawing_gives_the_same_text(drawing: Drawing):
    assert svg(drawing) == svg(drawing)
    assert dot(drawing) == dot(drawing)


def test_dot_names_every_box_and_arrow(drawing: Drawing):
    text = dot(drawing)

    assert text.count(" -> ") == len(drawing.arrows)
    assert 'label="5  if b < a", shape=hexagon' in text
    assert r"return \"x<y & z\"" in text


def test_without_a_report_nothing_is_claimed(tmp_path: Path):
    file = tmp_path / "shop.py"
    file.write_text(TEXT)

    drawing = draw(targets_of(str(file))[0])

    assert {each.state for each in drawing.arrows} == {"unknown"}


def test_a_real_exploration_is_drawn_as_it_ended(tmp_path: Path):
    file = tmp_path / "shop.py"
    file.write_text(TEXT)
    (target,) = targets_of(str(file))
    report = cover(target, options_from({"max_runs": 40, "replay": False}))

    drawing = draw(target, report)

    assert drawing.count("covered") == report.conditions.covered
    assert drawing.count("open") == len(report.open)
    assert drawing.count("infeasible") == len(report.infeasible)


def test_of_an_exploration_that_was_cut_off_only_what_inputs_cover_is_covered(tmp_path: Path):
    file = tmp_path / "shop.py"
    file.write_text(TEXT)
    (target,) = targets_of(str(file))
    seen = Spot(5, 7, True, "a > 3")
    found = FoundInput({"a": "5"}, Ending.RETURNED, None, None, (seen,), "")

    drawing = draw(target, TargetReport("f", Status.BUDGET, inputs=(found,)))

    assert (drawing.count("covered"), drawing.count("open")) == (1, 7)


def test_several_graphs_stand_below_each_other_in_one_picture(drawing: Drawing):
    one, two = ElementTree.fromstring(svg(drawing)), ElementTree.fromstring(svg(drawing, drawing))

    assert float(two.attrib["height"]) == pytest.approx(2 * float(one.attrib["height"]), abs=1)
    assert two.attrib["width"] == one.attrib["width"]


@pytest.mark.parametrize("seed", range(20))
def test_boxes_never_overlap_and_routes_join_their_ends(seed: int):
    source = random.Random(seed)
    count = source.randint(1, 30)
    sizes = [(source.uniform(30, 300), source.uniform(20, 90)) for _ in range(count)]
    edges = [(n - 1 - source.randrange(min(n, 4)), n) for n in range(1, count)]
    edges += [(source.randrange(count), source.randrange(count)) for _ in range(count // 2)]
    edges = [(a, b) for a, b in edges if a != b]

    placed = place(sizes, edges)

    for a, b in combinations(range(count), 2):
        apart = abs(placed.x[a] - placed.x[b]) >= (sizes[a][0] + sizes[b][0]) / 2 - 1e-6
        below = abs(placed.y[a] - placed.y[b]) >= (sizes[a][1] + sizes[b][1]) / 2 - 1e-6
        assert apart or below
    for (a, b), route in zip(edges, placed.routes, strict=True):
        assert route[0] == (placed.x[a], placed.y[a])
        assert route[-1] == (placed.x[b], placed.y[b])


def test_a_source_in_another_encoding_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_bytes(
        "# -*- coding: latin-1 -*-\ndef f() -> str:\n    return 'ä'\n".encode("latin-1")
    )
    out = io.StringIO()

    Dot().emit(Report((TargetReport("f", Status.BUDGET, scope="f", file=str(file)),)), out)

    assert "return 'ä'" in out.getvalue()
