"""The contract of a solver, run against every backend and wrapper over one corpus.

Every Sat evaluates true and names what the run named; every core is part of its constraint; no Unsat
contradicts a Sat of any other solver.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from time import monotonic

import pytest
from tests.contracts.corpus import THEORIES, Recorded, corpus, recorded
from tests.limits import allowed

from symcrete.constraint.path import PathConstraint
from symcrete.constraint.theory import BITS, FLOAT, ONLY_LINEAR, PRODUCT, ROUNDING
from symcrete.errors import BadOption
from symcrete.explore.options import options_from
from symcrete.solve import solvers as table
from symcrete.solve.backends.z3.backend import Arithmetic
from symcrete.solve.choose import check_solver, make_solver
from symcrete.solve.count import CountCalls, Counts
from symcrete.solve.direct.one_change import Nearby
from symcrete.solve.log import Log, QueryLog
from symcrete.solve.solver import Sat, Solver, Unknown, Unsat
from symcrete.solve.wrappers.cache import Cache
from symcrete.solve.wrappers.cores import Cores
from symcrete.solve.wrappers.partial import Paper, Partial
from symcrete.solve.wrappers.slice import Slice
from symcrete.solve.wrappers.validate import Validate
from symcrete.terms import floats, integers
from symcrete.terms.evaluate import all_hold
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, const, int_const, var

LIMIT = 0.1  # seconds for one call
NO_LIMIT = {"unlimited": None}
EACH = 250  # of every theory: 2,000 in all


def checked(backend: Solver) -> Solver:
    return Validate(backend, Counts())


def made(name: str) -> Solver:
    settings = {"seconds": LIMIT, "seed": 0, "incremental": True}
    return checked(table.SOLVERS[name].make(settings))


# How many constraints of the corpus a backend is asked: one of so many, fewer of slow ones.
STRIDES = {
    **dict.fromkeys(("yices", "yices-rounded", "z3-arithmetic", "linear"), 1),
    **dict.fromkeys(("z3-rounded",), 2),
    **dict.fromkeys(("z3",), 8),
    **dict.fromkeys(("yices-bits",), 16),
    **dict.fromkeys(("z3-bits", "bitwuzla"), 32),
    **dict.fromkeys(("walk", "walk-paper"), 64),
}
BACKENDS = [name for name, row in table.SOLVERS.items() if row.installed and name != "auto"]

# name: (how to make it, every how many-th constraint of the corpus it is asked)
SOLVERS: dict[str, tuple[Callable[[], Solver], int]] = {
    "auto": (lambda: make_solver("auto", seconds=LIMIT), 1),
    "auto, plain": (
        lambda: make_solver("auto", ippc="off", seconds=LIMIT, cache=False, slicing=False),
        4,
    ),
    "auto, paper": (lambda: make_solver("auto", ippc="paper", seconds=LIMIT), 2),
    "auto, not incremental": (lambda: make_solver("auto", seconds=LIMIT, incremental=False), 2),
    "nearby": (lambda: Nearby(checked(Arithmetic(seconds=LIMIT)), Counts()), 1),
    "slice": (lambda: Slice(checked(Arithmetic(seconds=LIMIT))), 2),
    "cache": (lambda: Cache(checked(Arithmetic(seconds=LIMIT)), Counts()), 2),
    "counting": (lambda: CountCalls(checked(Arithmetic(seconds=LIMIT)), Counts()), 16),
    "log": (lambda: Log(checked(Arithmetic(seconds=LIMIT)), QueryLog(StringIO())), 16),
    "paper": (lambda: Paper(*[checked(Arithmetic(seconds=LIMIT)) for _ in range(2)]), 2),
    "partial": (
        lambda: Partial(*[checked(Arithmetic(seconds=LIMIT)) for _ in range(2)], fast=True),
        2,
    ),
    **{name: (partial(made, name), STRIDES.get(name, 16)) for name in BACKENDS},
}
_sat: dict[int, str] = {}
_unsat: dict[int, str] = {}


@pytest.fixture(scope="module")
def constraints() -> Iterator[list[Recorded]]:
    made = corpus(each=EACH)
    assert len(made) >= 2000
    yield made
    _sat.clear()
    _unsat.clear()


@pytest.mark.parametrize("name", SOLVERS)
def test_answers_are_true_and_proofs_are_not_contradicted(name: str, constraints: list[Recorded]):
    make, stride = SOLVERS[name]
    solver = make()

    for place in range(0, len(constraints), stride):
        asked = constraints[place]
        answer = solver.solve(asked.constraint, asked.near)

        if isinstance(answer, Sat):
            assert all_hold(asked.constraint.conditions, answer.assignment), asked
            assert answer.assignment.keys() >= asked.near.keys()
            assert place not in _unsat, (asked, answer, _unsat[place])
            _sat.setdefault(place, name)
        elif isinstance(answer, Unsat):
            assert set(answer.core) <= set(asked.constraint.conditions)
            assert place not in _sat, (asked, answer, _sat[place])
            _unsat.setdefault(place, name)
        else:
            assert isinstance(answer, Unknown)
            assert answer.reason


X, Y, F = var("x", Sort.INT), var("y", Sort.INT), var("f", Sort.FLOAT)
ONE_OF_EACH = {
    ONLY_LINEAR: integers.lt(int_const(5), X),
    PRODUCT: integers.eq(integers.mul(X, Y), int_const(77)),
    BITS: integers.eq(integers.bitand(X, int_const(12)), int_const(8)),
    FLOAT: floats.lt(const(2.5), F),
    ROUNDING: floats.lt(const(2.5), floats.to_float(X)),
}


CLAIMED = [
    (name, theory)
    for name in BACKENDS
    for theory in ONE_OF_EACH
    if theory & ~table.SOLVERS[name].theories == 0
]


@pytest.mark.parametrize(("name", "theory"), CLAIMED)
def test_a_backend_decides_a_constraint_of_each_theory_that_its_row_claims(name: str, theory: int):
    solver = table.SOLVERS[name].make({"seconds": 5.0, "seed": 0, "incremental": True})
    constraint = PathConstraint((), ONE_OF_EACH[theory])

    answer = solver.solve(constraint, {"x": 7, "y": 0, "f": 0.0})

    assert isinstance(answer, Sat), answer


@pytest.mark.parametrize("theory", THEORIES)
def test_auto_decides_nearly_all_constraints_of_every_theory_but_the_opaque(theory: str):
    solver = make_solver("auto", seconds=1.0)

    undecided = [
        asked
        for asked in recorded(theory, 100, seed=5)
        if isinstance(solver.solve(asked.constraint, asked.near), Unknown)
    ]

    assert len(undecided) <= (25 if theory == "opaque" else 3), undecided


@pytest.mark.parametrize("name", ["auto", "z3"])
def test_time_limits_hold(name: str):
    solver = make_solver(name, seconds=0.2, cache=False)
    hard = [asked for theory in ("products", "floats") for asked in recorded(theory, 40, seed=9)]

    for asked in hard:
        started = monotonic()
        solver.solve(asked.constraint, asked.near)

        assert monotonic() - started < allowed(2.5), asked


@pytest.mark.skipif(not table.SOLVERS["bitwuzla"].installed, reason="bitwuzla is an extra")
def test_a_solver_that_nobody_can_interrupt_keeps_its_own_time_limit():
    # A large prime as a product: it would be busy for hours, holding Python's lock.
    solver = table.SOLVERS["bitwuzla"].make({"seconds": 0.4, "seed": 0, "incremental": True})
    x, y, z = (var(each, Sort.INT) for each in "xyz")
    product = integers.mul(integers.mul(x, y), integers.mul(y, z))
    goal = integers.eq(integers.floordiv(product, x), int_const(2**61 - 1))
    large = tuple(integers.lt(int_const(10**6), each) for each in (x, y, z))
    started = monotonic()

    answer = solver.solve(PathConstraint(large, goal), {"x": 1, "y": 1, "z": 1})

    assert isinstance(answer, Unknown), answer
    assert monotonic() - started < allowed(2.0)


ABLATIONS = ("slicing=no", "incremental=no", "cache=no", "cores=no", "cache=no,slicing=no,cores=no")


@pytest.mark.parametrize("ippc", ["on", "paper", "off"])
@pytest.mark.parametrize("given", ABLATIONS)
def test_what_is_left_out_changes_no_verdict(ippc: str, given: str):
    whole = make_solver("auto", seconds=1.0)
    without = make_solver(f"auto:{given}", ippc=ippc, seconds=1.0)

    for asked in recorded("linear", 60, seed=7):
        expected = whole.solve(asked.constraint, asked.near)
        answer = without.solve(asked.constraint, asked.near)

        assert type(answer) is type(expected), asked


def test_one_that_keeps_no_cores_still_refuses_a_goal_beside_its_opposite():
    low, high = integers.lt(X, int_const(3)), integers.lt(int_const(9), X)
    keeping, forgetting = Cores(Counts()), Cores(Counts(), keeps=False)

    for cores in (keeping, forgetting):
        cores.remember(high, (low, high))

    assert keeping.refuting(high, {low, Y}.__contains__) == (low, high)
    assert forgetting.refuting(high, {low, Y}.__contains__) is None
    assert forgetting.refuting(high, {negate(high)}.__contains__) == (negate(high), high)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("z4", "no solver 'z4'; one of auto, z3"),
        ("yics", "no solver 'yics'; did you mean yices?"),
        ("z3:slices=no", "solver z3 has no parameter 'slices'; did you mean slicing?"),
        ("walk-paper:tabu=most", "solver walk-paper: tabu is max or min or a whole number"),
        ("z3:seconds=0", "solver z3: seconds is at least 0.001"),
    ],
)
def test_a_solver_that_cannot_be_meant_is_refused_with_the_way_out(written: str, told: str):
    with pytest.raises(BadOption, match=re.escape(told)):
        make_solver(written)
    with pytest.raises(BadOption, match=re.escape(told)):
        options_from({"solver": written})


def test_the_parameters_of_the_paper_reach_the_walk():
    _, given = check_solver("walk-paper:steps=9,tabu=max,step=normal,bisection=no")
    walk = table.SOLVERS["walk-paper"].make(given)

    assert (walk.steps, walk.tabu, walk.step, walk.bisection) == (9, "max", "normal", False)


@pytest.mark.parametrize("name", [name for name, row in table.SOLVERS.items() if row.parameters])
def test_the_defaults_that_are_listed_are_those_in_force(name: str):
    row = table.SOLVERS[name]
    in_force = inspect.signature(row.kind()).parameters

    # A search without a limit has None for it, which nobody types.
    listed = {each.name: NO_LIMIT.get(str(each.default), each.default) for each in row.parameters}

    assert listed == {each: in_force[each].default for each in listed}


def test_a_parameter_whose_default_is_a_word_takes_numbers():
    assert check_solver("walk-paper:tabu=4")[1] == {"tabu": 4}
    assert check_solver("walk:points=1000")[1] == {"points": 1000}
