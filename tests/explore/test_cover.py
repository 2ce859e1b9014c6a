"""The engine covers what can be covered, proves what cannot, and says why in between."""

from pathlib import Path

import pytest
from tests.explore.exploring import assert_covers_all, explore

PROGRAMS = {
    "linear": "def f(x: int, y: int):\n    if 3 * x + 7 * y == 1234 and x > y > 50: return 1\n    return 0",
    "product": "def f(x: int):\n    if x * x == 49: return 'a'\n    return 'b'",
    "cubic": "def f(x: int):\n    if x * x * x - 6 * x * x + 11 * x == 6 and x > 2: return 1\n    return 0",
    "floor division": "def f(x: int, y: int):\n    if y < -2 and x // y == -4 and x % y == -1: return 1\n    return 0",
    "bit operations": "def f(a: int, b: int):\n    if a ^ b == 0x55AA and a > b > 0: return 1\n    return 0",
    "mask": "def f(a: int):\n    if a & 0x30 == 0x20 and a > 1000: return 1\n    return 0",
    "shift": "def f(a: int, n: int):\n    if 0 < n < 8 and (a << n) == 160 and n == 5: return 1\n    return 0",
    "huge": "def f(x: int):\n    if x == 10**30 + 7: return 1\n    return 0",
    "bool": "def f(a: bool, b: bool):\n    if a and not b: return 1\n    return a is True",
    "bool as value": "def f(x: int):\n    c = x > 5\n    d = not c\n    if d == False and c: return 1\n    return 2",
    "float": "def f(x: float):\n    if x * 1.5 > 100.25 and x < 67.0: return 1\n    return 0",
    "float equality": "def f(x: float):\n    if x + 0.1 == 0.30000000000000004: return 1\n    return 0",
    "absorbed": "def f(x: float):\n    if x + 1.0 == x and x < 1e300 and x > 0.0: return 1\n    return 0",
    "nan": "def f(x: float):\n    if x != x: return 1\n    return 0",
    "infinite": "def f(x: float):\n    if x > 1e308 and x - x != 0.0: return 1\n    return 0",
    "mixed": "def f(n: int, x: float):\n    if n * 0.5 == x and x > 10.0: return 1\n    return 0",
    "optional": "def f(x: int | None):\n    if x is None: return 0\n    if x > 100: return 1\n    return 2",
    "tuple": "def f(p: tuple[int, bool, float]):\n    a, b, c = p\n    if a == 7 and b and c < 0.0: return 1\n    return 0",
    "union": "def f(x: int | float | None):\n    if isinstance(x, float): return 1\n    if type(x) is int: return 2\n    return 3",
    "literal": "from typing import Literal\ndef f(x: Literal['a', 'b', 3]):\n    if x == 3: return 1\n    if x == 'b': return 2\n    return 3",
    "loop count": "def f(n: int):\n    total = 0\n    for i in range(n):\n        total += i\n    if total == 45: return 1\n    return 0",
    "while": "def f(n: int):\n    steps = 0\n    while n > 1:\n        n = n // 2 if n % 2 == 0 else 3 * n + 1\n        steps += 1\n        if steps == 6: return n\n    return -1",
    "index": "def f(i: int):\n    table = [3, 1, 4, 1, 5, 9, 2, 6]\n    if table[i] == 9: return 1\n    return 0",
    "dictionary": "def f(i: int):\n    names = {1: 'a', 5: 'b', 9: 'c'}\n    if names[i] == 'c': return 1\n    return 0",
    "membership": "def f(i: int):\n    if i in (17, 99) and i not in {99, 100}: return 1\n    return 0",
    "match": "def f(x: int):\n    match x:\n        case 4711: return 'a'\n        case n if n > 10000: return 'b'\n        case -5 | -6: return 'c'\n        case _: return 'd'",
    "minimum": "def f(a: int, b: int, c: int):\n    if min(a, b, c) == 7 and max(a, b, c) == 12 and a > b > c: return 1\n    return 0",
    "calls": "def g(x: int):\n    return x * 2 + 1\ndef f(x: int):\n    if g(g(x)) == 47: return 1\n    return 0",
    "recursion": "def f(n: int):\n    if n <= 0: return 0\n    if n > 20: return -1\n    return 1 + f(n - 1)",
    "rounding": "import math\ndef f(x: float):\n    if math.floor(x) == 17 and x > 17.5: return 1\n    if round(x) == 4: return 2\n    if int(x) == -3: return 3\n    return 0",
    "square root": "import math\ndef f(x: float):\n    if x > 1.0 and math.sqrt(x) == 12.0: return 1\n    return 0",
    "ternary": "def f(x: int):\n    y = x if x > 0 else -x\n    return 'big' if y > 1000 else 'small'",
    "comprehension": "def f(x: int):\n    found = [i for i in range(5) if i * x == 12]\n    return 1 if found else 0",
    "generator": "def f(n: int):\n    for i in range(n):\n        if i == 3: return\n        yield i",
    "async": "import asyncio\nasync def f(n: int):\n    await asyncio.sleep(0)\n    if n == 99: return 1\n    return 0",
    "class": "class A:\n    def __init__(self, n): self.n = n\n    def __bool__(self): return self.n > 10\ndef f(x: int):\n    if A(x): return 1\n    return 0",
    "unannotated": "def f(a, b=1.5):\n    if a == 12 and b < -1.0: return 1\n    return 0",
    "keyword only": "def f(a: int, *, b: int):\n    if a - b == 1000: return 1\n    return 0",
    "error in try": "def f(a: int, b: int):\n    try:\n        q = a // b\n    except ZeroDivisionError:\n        return 'zero'\n    return 'fine' if q != 3 else 'three'",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_branch_is_covered(name: str, tmp_path: Path) -> None:
    report = explore(PROGRAMS[name], tmp_path)

    assert_covers_all(report)
    assert report.divergences == 0


def test_a_finite_tree_is_explored_completely(tmp_path: Path) -> None:
    report = explore(
        """
        def f(x: int):
            if x > 10:
                if x < 5:
                    return "never"
                return "large"
            return "small"
        """,
        tmp_path,
    )

    assert report.status == "complete"
    assert [(s.line, s.side, s.proof) for s in report.infeasible] == [(4, True, "tree exhausted")]


def test_nothing_is_called_infeasible_where_a_term_was_lost(tmp_path: Path) -> None:
    report = explore(
        """
        import marshal
        def f(x: int):
            data = marshal.dumps(x)
            if data == marshal.dumps(123456789123):
                return 1
            return 0
        """,
        tmp_path,
        budget=1.0,
    )

    assert not report.infeasible
    assert "tracked world" in report.open[0].reason


@pytest.mark.parametrize(
    "formatted",
    ["'%d' % x", "b'%d' % x", "f'{x}'", "'{}'.format(x)", "str(x)", "repr(x)", "'%s' % (x,)"],
)
def test_formatting_a_number_never_gives_a_false_proof(formatted: str, tmp_path: Path) -> None:
    source = f"def f(x: int):\n    if len({formatted}) == 9: return 1\n    return 0"

    report = explore(source, tmp_path, budget=1.0)

    assert not report.infeasible


def test_hidden_errors_are_found(tmp_path: Path) -> None:
    report = explore(
        """
        def f(a: int, i: int):
            table = [1, 2, 3]
            return table[i] // (a - 17)
        """,
        tmp_path,
    )

    found = {(each.kind, each.covered) for each in report.implicit}
    assert found == {("ZeroDivisionError", True), ("IndexError", True)}


def test_depth_first_search_can_leave_operations_that_fail_alone(tmp_path: Path) -> None:
    report = explore(
        """
        def f(a: int, b: int):
            if 100 // (a - 17) > 3:
                return b
            return a
        """,
        tmp_path,
        strategy="dfs:errors=no",
        goals="branches",
    )

    assert (report.branches.covered, report.branches.total) == (2, 2)
    assert [each.covered for each in report.implicit if each.kind == "ZeroDivisionError"] == [False]


def test_failing_assertions_are_outcomes(tmp_path: Path) -> None:
    report = explore(
        "def f(x: int):\n    assert x * 3 != 51, 'bad'\n    return x", tmp_path, replay=True
    )

    raised = [each for each in report.inputs if each.outcome == "raised"]
    assert [(each.args, each.raised) for each in raised] == [({"x": "17"}, 'AssertionError("bad")')]


def test_a_run_that_does_not_end_is_kept_as_an_outcome(tmp_path: Path) -> None:
    report = explore(
        """
        def f(x: int):
            if x == 5:
                while True:
                    pass
            return x
        """,
        tmp_path,
    )

    assert_covers_all(report)
    assert report.status != "complete"
    assert "did not end" in report.notes[0]


def test_inputs_are_plain(tmp_path: Path) -> None:
    report = explore(
        "def f(x: int, y: int):\n    if x > 3:\n        return y\n    return 0",
        tmp_path,
        goals=("branches",),
    )

    small, large = [each.args for each in report.inputs]
    assert small == {"x": "0", "y": "0"}
    assert 3 < int(large["x"]) <= 10 and large["y"] == "0"


def test_the_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    source = PROGRAMS["while"]

    first, second = [explore(source, tmp_path, max_runs=200) for _ in range(2)]

    assert [each.args for each in first.inputs] == [each.args for each in second.inputs]
    assert first.runs == second.runs


def test_every_path_is_reported_where_asked_for(tmp_path: Path) -> None:
    report = explore(
        "def f(a: int, b: int, c: int):\n    n = 0\n    for x in (a, b, c):\n        if x > 0: n += 1\n    return n",
        tmp_path,
        paths=True,
    )

    assert report.status == "complete"
    assert report.paths == 8
    assert len({each.path_condition for each in report.inputs}) == 8


@pytest.mark.parametrize("strategy", ["dfs", "bfs", "random-branch", "uniform", "generational"])
def test_each_strategy_covers_a_small_program(strategy: str, tmp_path: Path) -> None:
    report = explore(PROGRAMS["match"], tmp_path, strategy=strategy)

    assert_covers_all(report)


def test_the_first_input_can_be_given(tmp_path: Path) -> None:
    report = explore(PROGRAMS["product"], tmp_path, start="x=7", max_runs=1)

    assert report.conditions.covered == 1
    assert report.inputs[0].args == {"x": "7"}


def test_module_state_of_the_program_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "shared_part.py").write_text("LIMIT = 40\ndef above(x):\n    return x > LIMIT\n")

    report = explore(
        "import shared_part\ndef f(x: int):\n    if shared_part.above(x + 1): return 1\n    return 0",
        tmp_path,
    )

    assert_covers_all(report)
    assert report.status == "complete"
