"""The line that shows how far many functions are."""

import io

from symcrete.explore.findings import Tally, TargetReport
from symcrete.report.formats.live import Live


def test_the_line_tells_how_far_how_fast_and_how_long_still() -> None:
    now = [0.0]
    live = Live(io.StringIO(), 3, shown=False, clock=lambda: now[0])

    live.begin("a.py::f")
    live.begin("a.py::g")
    now[0] = 40.0
    live.end(TargetReport("a.py::f", "complete", Tally(4, 3, 1), runs=80))

    assert live.text() == (
        "1 of 3 functions, 3 of 4 branches, 2 runs/s, about 1 min 20 s left: a.py::g ..."
    )


def test_where_nobody_watches_nothing_is_written() -> None:
    out = io.StringIO()
    live = Live(out, 1, shown=False)

    live.begin("f")
    live.clear()

    assert out.getvalue() == ""


def test_the_line_is_cleared_before_anything_else_is_written() -> None:
    out = io.StringIO()
    live = Live(out, 1, shown=True)

    live.begin("f")
    live.clear()

    assert out.getvalue() == "\r\033[K0 of 1 functions: f ...\r\033[K"
