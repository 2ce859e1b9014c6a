"""The parts of the backward search, each by its own contract."""

import math
import time
from contextlib import nullcontext
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any

import pytest
from tests.backward.searching import program_of, searched

from symcrete.backward.choices import Frame, State, Symbols
from symcrete.backward.entry_inputs import MOST_VARIANTS, sort_of, variants
from symcrete.backward.loop_method import loop_method
from symcrete.backward.slicing import Stretches, writes
from symcrete.backward.sorts import Sorts, bound_arguments
from symcrete.backward.steps import Steps
from symcrete.backward.trace_program import Candidate, Closed, Draw, TraceProgram
from symcrete.backward.trace_statements import (
    Apply,
    Fit,
    Hidden,
    Input,
    Let,
    Sees,
    Wrote,
    entries,
)
from symcrete.backward.view.program_view import Program
from symcrete.constraint.path import PathConstraint
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.shapes.arguments import Arguments, arguments_of
from symcrete.program.lowering.three_address import (
    FLOW_ENTRY,
    Assign,
    Branch,
    Call,
    Constant,
    Flow,
    Return,
)
from symcrete.solve.choose import make_solver
from symcrete.solve.solver import Answer
from symcrete.solve.walk.walk import Walk
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Sort
from symcrete.terms.visit import names


def program(source: str, folder: Path) -> Program:
    file = folder / "parts_program.py"
    file.write_text(dedent(source).lstrip(), encoding="utf-8")
    return program_of(file)


def number_of(flow: Flow, kind: type, line: int) -> int:
    return next(
        n for n, each in enumerate(flow.statements) if isinstance(each, kind) and each.line == line
    )


def test_a_name_that_is_asked_for_gets_a_symbol_and_an_assignment_takes_it(tmp_path: Path) -> None:
    flow = program("def f(a):\n    return a\n", tmp_path).flows()["f"]
    symbols, state = Symbols(), State(0, (Frame(flow, {}),), None)

    state, (first,) = symbols.look_up(state, "a")
    state, (again, constant) = symbols.look_up(state, "a", Constant(1))
    left, taken = symbols.take(state, "a")

    assert first == again == taken
    assert isinstance(constant, Constant)
    assert symbols.take(left, "a")[1] is None
    assert symbols.owner[str(first)] == (flow, "a")


def declared(viewed: Program, **sorts: Sort) -> Sorts:
    found = Sorts(viewed)
    found.declare(viewed.flows()["f"], sorts)
    found.settle()
    return found


def test_sorts_follow_everything_that_is_assigned(tmp_path: Path) -> None:
    viewed = program(
        """
        def g(n):
            return n * 2

        def f(a: int, u: float):
            b = a + 1
            c = a / 2
            d = b > 3
            e = g(a)
            h: int = u
            k = 1
            k = None
            return b, c, d, e, h, k
        """,
        tmp_path,
    )

    sorts = declared(viewed, a=Sort.INT, u=Sort.FLOAT)
    found = {name: sorts.of(viewed.flows()["f"], name) for name in "bcdehk"}

    assert found == {
        "b": Sort.INT,
        "c": Sort.FLOAT,
        "d": Sort.BOOL,
        "e": Sort.INT,
        "h": Sort.FLOAT,
        "k": Sort.OBJECT,
    }


def test_a_call_with_other_sorts_than_declared_is_noticed(tmp_path: Path) -> None:
    same = program("def f(a: int):\n    return f(a - 1)\n", tmp_path)
    as_declared = declared(same, a=Sort.INT)
    other = program("def f(a: int):\n    return f(None)\n", tmp_path)

    assert not as_declared.is_called_with_others(same.flows()["f"])
    assert declared(other, a=Sort.INT).is_called_with_others(other.flows()["f"])


def test_arguments_are_bound_as_a_call_binds_them(tmp_path: Path) -> None:
    flow = program("def f(a, b=2, *, c=[]):\n    return a\n", tmp_path).flows()["f"]

    bound = bound_arguments(flow, Call(1, "%1", "f", (Constant(1),)))

    assert bound is not None
    assert [str(bound[name]) for name in "abc"] == ["1", "2", "None"]
    assert bound_arguments(flow, Call(1, "%1", "f", ())) is None


STEPPED = """
    def f(a: int, xs: list):
        b = a + 1
        xs.append(b)
        if len(xs) > b:
            return 1
        return 0
"""


def test_a_step_over_an_assignment_replaces_a_name_by_its_value(tmp_path: Path) -> None:
    viewed = program(STEPPED, tmp_path)
    flow, symbols = viewed.flows()["f"], Symbols()
    steps = Steps(viewed, declared(viewed, a=Sort.INT), symbols)
    state, (held,) = symbols.look_up(State(0, (Frame(flow, {}),), None), "b")

    (before,) = steps.over(state, number_of(flow, Assign, 2) + 1, None)
    (above,) = steps.over(before, number_of(flow, Assign, 2), None)

    assert "b" not in before.frames[-1].names
    kinds = [type(each) for each in entries(above.trace)]
    assert kinds == [Let, Let]
    assert held in {each.symbol for each in entries(above.trace) if isinstance(each, Let)}


def test_a_write_matters_only_to_a_path_that_looks_at_objects(tmp_path: Path) -> None:
    viewed = program(STEPPED, tmp_path)
    flow, symbols = viewed.flows()["f"], Symbols()
    steps = Steps(viewed, declared(viewed, a=Sort.INT), symbols)
    append = number_of(flow, Call, 3)
    blind = State(0, (Frame(flow, {}),), None)
    looking = State(0, (Frame(flow, {}),), None, looks=True)

    (unchanged,) = steps.over(blind, append, None)
    (written,) = steps.over(looking, append, None)

    assert unchanged.trace is None
    assert [type(each) for each in entries(written.trace)] == [Wrote]
    assert steps.touches(looking, flow.statements[append])
    assert not steps.touches(blind, flow.statements[append])


def test_a_branch_leaves_its_condition_and_its_side(tmp_path: Path) -> None:
    viewed = program(STEPPED, tmp_path)
    flow = viewed.flows()["f"]
    steps = Steps(viewed, declared(viewed, a=Sort.INT), Symbols())

    (state,) = steps.over(State(0, (Frame(flow, {}),), None), number_of(flow, Branch, 4), False)

    (fit,) = entries(state.trace)
    assert isinstance(fit, Fit)
    assert (fit.side, fit.line) == (False, 4)


def test_what_is_left_at_the_entry_are_inputs(tmp_path: Path) -> None:
    viewed = program("def f(a: int, *rest):\n    b = a\n    return b\n", tmp_path)
    flow, symbols = viewed.flows()["f"], Symbols()
    steps = Steps(viewed, declared(viewed, a=Sort.INT), symbols)
    state, _ = symbols.look_up(State(0, (Frame(flow, {}),), None), "a", "rest")
    unbound, _ = symbols.look_up(state, "b")

    done = steps.at_entry(state)

    assert done is not None
    assert {type(each) for each in entries(done.trace)} == {Input, Hidden}
    assert steps.at_entry(unbound) is None


def test_a_stretch_that_touches_nothing_needed_is_skipped(tmp_path: Path) -> None:
    flow = program(
        """
        def f(a, b):
            if a:
                b = 1
            else:
                b = 2
            return a
        """,
        tmp_path,
    ).flows()["f"]
    end = number_of(flow, Return, 6)
    stretches = Stretches(flow)

    assert stretches.skip(end, {"a": "a_1"}, lambda statement: False) == FLOW_ENTRY
    assert stretches.skip(end, {"b": "b_1"}, lambda statement: False) is None
    assert stretches.skip(end, {"a": "a_1"}, lambda statement: True) is None
    assert writes(flow.statements[number_of(flow, Assign, 3)], {"b": "b_1"})


def test_a_loop_as_a_method_computes_what_it_writes(tmp_path: Path) -> None:
    viewed = program(
        """
        def f(n: int):
            total = 0
            while n > 0:
                total += n
                n -= 1
            return total
        """,
        tmp_path,
    )
    flow = viewed.flows()["f"]

    method = loop_method(flow, flow.loops[0], "any", viewed.namespace(flow))

    assert method is not None
    assert (method.reads, method.writes) == (("n", "total"), ("n", "total"))
    assert method.function("total")(4, 0) == 10
    assert method.function("n")(4, 0) == 0
    assert repr(method.function("total")(0, 1)) == "1"
    assert repr(method.function("total")(0, 1.0)) == "1.0"


def many(t: tuple[int | None, int | None, int | None, int | None], u: int | None) -> None:
    """More ways to choose than variants are made for."""


def few(x: int, y: float | None) -> None:
    """Two variants."""


def arguments(function: object) -> Arguments:
    return arguments_of(function, {}, "f")  # type: ignore[arg-type]


def test_variants_are_all_ways_to_choose_or_leave_the_choice_without_terms() -> None:
    found = variants(arguments(few))
    large = variants(arguments(many))

    assert sorted(str(each.values["y"]) for each in found) == ["None", "y"]
    assert sort_of(arguments(few).parameters[0].shape) is Sort.INT
    assert len(large) <= MOST_VARIANTS
    assert all("t" in each.objects for each in large)


@pytest.mark.parametrize(("limit", "expected"), [(5, Candidate), (None, Closed)])
def test_a_trace_is_solved_or_closed(limit: int | None, expected: type) -> None:
    goal = Constant(limit) if limit is not None else "x_1"
    trace = (
        Input("x_1", "x"),
        (Let("%1", "gt", ("x_1", goal), 1), (Fit("%1", True, 1, "x > 5"), None)),
    )
    (variant, *_) = variants(arguments(few))
    traced = TraceProgram(trace, variant)
    draw = Draw(Pool(), Random(0), nullcontext, time.perf_counter() + 1)

    found = traced.solve(
        make_solver("auto", ippc="off", seconds=1.0, seed=0),
        lambda share: Walk(seconds=0.1 * share),
        draw,
    )

    assert isinstance(found, expected)
    assert "fit(" in traced.text()


def test_a_search_that_is_closed_tells_its_tree(tmp_path: Path) -> None:
    file = tmp_path / "closed.py"
    file.write_text("def f(x: int):\n    if x > 3:\n        if x < 2:\n            return 1\n")

    search = searched(file, 4)

    assert search.proved
    assert search.proof() == ["f, line 4 back to 1: contradiction"]


def sine_of(u: float) -> float:
    return math.sin(u)


def tied(x: int, u: float) -> None:
    """Two variables: x stands behind linear conditions alone."""


class Recorded:
    """A walk that notes what it was asked and where it began."""

    def __init__(self, asked: list[set[str]], share: float) -> None:
        self.asked = asked
        self.walk = Walk(seconds=share)

    def solve(self, constraint: PathConstraint, near: Assignment) -> Answer:
        self.asked.append({name for term in constraint.conditions for name in names(term)})
        return self.walk.solve(constraint, near)


def test_the_walk_first_moves_only_the_inputs_behind_a_change() -> None:
    # x > 8 and sine_of(u) > 0.5 and x > u: Figure 4.2's B is {x, u}, its R is {u}.
    trace: Any = None
    for entry in (
        Fit("%4", True, 3, "x > u"),
        Let("%4", "gt", ("x_1", "u_1"), 3),
        Fit("%3", True, 2, "sine_of(u) > 0.5"),
        Let("%3", "gt", ("%2", Constant(0.5)), 2),
        Apply("%2", sine_of, "sine_of", ("u_1",), 2, Sort.FLOAT, Sees.NOTHING),
        Fit("%1", True, 1, "x > 8"),
        Let("%1", "gt", ("x_1", Constant(8)), 1),
        Input("u_1", "u"),
        Input("x_1", "x"),
    ):
        trace = (entry, trace)
    (variant,) = variants(arguments(tied))
    traced = TraceProgram(trace, variant)
    draw = Draw(Pool(), Random(0), nullcontext, time.perf_counter() + 1)
    asked: list[set[str]] = []

    found = traced.solve(
        make_solver("auto", ippc="off", seconds=1.0, seed=0),
        lambda share: Recorded(asked, share),
        draw,
    )

    assert traced.changeable() == ({"x", "u"}, {"u"})
    assert isinstance(found, Candidate)
    assert found.assignment["x"] > 8
    assert sine_of(found.assignment["u"]) > 0.5
    assert asked[0] == {"u"}
