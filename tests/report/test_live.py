"""The lines that show how far many functions are."""

import io

from symcrete.explore.findings import Status, Tally, TargetReport
from symcrete.report.formats.live import Live


def test_there_is_a_line_for_each_worker_and_one_for_how_far_how_fast_and_how_long_still() -> None:
    now = [0.0]
    live = Live(io.StringIO(), 3, shown=False, clock=lambda: now[0])

    live.begin("a.py::f")
    live.begin("a.py::g")
    live.found("a.py::g")
    now[0] = 40.0
    live.end(TargetReport("a.py::f", Status.COMPLETE, Tally(4, 3, 1), runs=80))
    live.begin("a.py::h")

    assert live.lines() == [
        "  a.py::g: 40 s, 1 input",
        "  a.py::h: 0 s, 0 inputs",
        "1 of 3 functions, 3 of 4 branches, 2 runs/s, about 1 min 20 s left",
    ]


def test_where_nobody_watches_nothing_is_written() -> None:
    out = io.StringIO()

    with Live(out, 1, shown=False) as live:
        live.begin("f")

    assert out.getvalue() == ""


def test_the_lines_are_cleared_before_anything_else_is_written() -> None:
    out = io.StringIO()

    with Live(out, 1, shown=True) as live:
        live.begin("f")

    drawn, _, after = out.getvalue().rpartition("functions")
    assert drawn.endswith("  f: 0 s, 0 inputs\n0 of 1 ")
    assert after == "\033[A\r\033[J"


def test_nothing_is_drawn_after_the_end() -> None:
    out = io.StringIO()
    with Live(out, 1, shown=True) as live:
        live.begin("f")
    before = out.getvalue()

    live.draw()

    assert out.getvalue() == before
