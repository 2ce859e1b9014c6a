from __future__ import annotations

from pathlib import Path

from symcrete.constraint.path import PathConstraint
from symcrete.solve.choose import make_solver
from symcrete.solve.log import QueryLog, read_log
from symcrete.solve.solver import Sat
from symcrete.terms.integers import lt
from symcrete.terms.term import Sort, int_const, var


def constraints() -> list[PathConstraint]:
    """Of terms made now: an exploration in the same process forgets those made before."""
    x, y = var("x", Sort.INT), var("y", Sort.INT)
    return [
        PathConstraint((lt(x, y),), lt(int_const(7), x)),
        PathConstraint((lt(x, y),), lt(y, x)),
    ]


def test_calls_of_the_backend_can_be_read_again(tmp_path: Path):
    file = tmp_path / "queries.jsonl"
    with file.open("w") as out:
        log = QueryLog(out)
        solver = make_solver("z3", ippc="off", cache=False, log=log)
        for constraint in constraints():
            solver.solve(constraint, {"x": 0, "y": 1})

    again = list(read_log(file))

    assert log.lines == 2
    assert [each.constraint for each in again] == constraints()
    assert [each.answer for each in again] == ["sat", "unsat"]
    assert all(each.near == {"x": 0, "y": 1} and 0 < each.seconds < 5 for each in again)


def test_a_line_cut_short_does_not_lose_the_others(tmp_path: Path):
    file = tmp_path / "queries.jsonl"
    with file.open("w") as out:
        solver = make_solver("z3", ippc="off", log=QueryLog(out))
        assert isinstance(solver.solve(constraints()[0], {"x": 0, "y": 1}), Sat)
    file.write_text(file.read_text() + file.read_text()[:40])

    assert len(list(read_log(file))) == 1
