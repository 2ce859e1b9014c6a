"""Reaching a line: an input that executes it, a proof that none does, or a plain "not decided"."""

import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest

from symcrete.cli import main
from symcrete.errors import BadOption, TargetNotFound
from symcrete.explore.options import options_from
from symcrete.explore.reach.goals import changed_lines, goal_at, goal_of_branch, goals_of_error
from symcrete.explore.reach.reached import Reached, Undecided, Unreachable, Verdict
from symcrete.explore.reach.symcretic import reach
from symcrete.program.source.module import source_of_module
from symcrete.report.formats.reach_text import told

_count = [0]


def written(source: str, folder: Path) -> Path:
    _count[0] += 1
    file = folder / f"reached_{_count[0]}.py"
    file.write_text(textwrap.dedent(source).lstrip("\n"), encoding="utf-8")
    return file


def line_of(file: Path) -> int:
    """The line marked `# here`."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.endswith("# here"))


def reach_here(source: str, folder: Path, entry: str | None = None, **options: Any) -> Verdict:
    """The verdict on the line marked `# here`; without replay unless asked for."""
    file = written(source, folder)
    chosen = options_from({"budget": 15.0, "replay": False} | options)
    return reach(goal_at(f"{file}:{line_of(file)}"), chosen, entry=entry)


def assert_reached(verdict: Verdict, phase: str = "symbolic") -> dict[str, Any]:
    assert isinstance(verdict, Reached), verdict
    assert verdict.phase == phase
    return {name: eval(text) for name, text in verdict.args.items()}


def test_an_input_is_confirmed_by_a_fresh_interpreter(tmp_path: Path) -> None:
    source = """
        def f(a: int, b: int) -> int:
            if a * 3 == b and a > 100:
                return a  # here
            return b
    """

    found = assert_reached(reach_here(source, tmp_path, replay=True))

    assert found["a"] > 100
    assert found["b"] == 3 * found["a"]


def test_a_contradiction_is_a_proof_that_names_its_conditions(tmp_path: Path) -> None:
    source = """
        def f(a: int) -> int:
            if a > 3:
                b = a + 1
                if b < 4:
                    return b  # here
            return 0
    """

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Unreachable)
    assert verdict.phase == "symbolic"
    assert any("contradiction" in line for line in verdict.proof)


def test_without_a_declared_type_nothing_is_proved(tmp_path: Path) -> None:
    source = """
        def f(a):
            if a > 3:
                if a < 3:
                    return 1  # here
            return 0
    """

    verdict = reach_here(source, tmp_path, budget=1.0)

    assert isinstance(verdict, Undecided)
    assert "no declared type" in verdict.reason


def test_a_global_that_functions_assign_is_no_constant(tmp_path: Path) -> None:
    source = """
        MODE = 1


        def switch() -> None:
            global MODE
            MODE = 2


        def f(a: int) -> int:
            if a > 0:
                switch()
            if MODE == 2:
                return 1  # here
            return 0
    """

    verdict = reach_here(source, tmp_path, budget=2.0)

    assert not isinstance(verdict, Unreachable)


def test_a_global_constant_is_known(tmp_path: Path) -> None:
    source = """
        LIMITS = (3, 5, 12345)


        def f(a: int) -> int:
            if a == LIMITS[2]:
                return 1  # here
            return 0
    """

    assert assert_reached(reach_here(source, tmp_path)) == {"a": 12345}


def test_a_line_in_an_except_is_reached_by_the_division_that_fails(tmp_path: Path) -> None:
    source = """
        def f(a: int, b: int) -> int:
            try:
                c = a // (b - 77)
            except ZeroDivisionError:
                return a  # here
            return c
    """

    assert assert_reached(reach_here(source, tmp_path))["b"] == 77


def test_a_line_in_an_except_is_reached_by_a_raise_in_a_callee(tmp_path: Path) -> None:
    source = """
        def check(a: int) -> int:
            if a == 4711:
                raise ValueError("no")
            return a


        def f(a: int) -> int:
            try:
                return check(a + 1)
            except ValueError:
                return 0  # here
    """

    assert assert_reached(reach_here(source, tmp_path)) == {"a": 4710}


def test_a_handler_of_another_class_is_never_entered(tmp_path: Path) -> None:
    source = """
        def f(a: int) -> int:
            b = 0
            try:
                b = a // 2
                if a == 5:
                    raise ValueError("no")
            except KeyError:
                b = 3  # here
            except ValueError:
                pass
            return b
    """

    assert isinstance(reach_here(source, tmp_path), Unreachable)


def test_a_line_in_a_finally_is_reached_with_its_own_conditions(tmp_path: Path) -> None:
    source = """
        def f(a: int) -> int:
            kept = 0
            try:
                if a > 10:
                    return a
                kept = a
            finally:
                if a == 31 and kept == 0:
                    kept = 1  # here
            return kept
    """

    assert assert_reached(reach_here(source, tmp_path)) == {"a": 31}


def test_boolean_operators_are_control_flow(tmp_path: Path) -> None:
    source = """
        def f(a: int, b: int, c: bool) -> int:
            d = a > 5 and b
            if (d or c) and not (a < 100 or c):
                return 1  # here
            return 0
    """

    found = assert_reached(reach_here(source, tmp_path))

    assert found["a"] >= 100
    assert found["b"] != 0
    assert not found["c"]


def test_chained_comparisons_and_ternaries(tmp_path: Path) -> None:
    source = """
        def f(a: int, b: int) -> int:
            c = a if 3 < a < 7 else b
            if c == 5 and b == 1:
                return 1  # here
            return 0
    """

    assert assert_reached(reach_here(source, tmp_path)) == {"a": 5, "b": 1}


def test_default_arguments_of_a_callee_are_known(tmp_path: Path) -> None:
    source = """
        def scaled(a: int, factor: int = 7, *, offset: int = 1) -> int:
            return a * factor + offset


        def f(a: int) -> int:
            if scaled(a) == 71 and scaled(a, 2) == 21 and scaled(a, offset=2) == 72:
                return 1  # here
            return 0
    """

    assert assert_reached(reach_here(source, tmp_path)) == {"a": 10}


def test_none_is_an_input_of_an_optional_parameter(tmp_path: Path) -> None:
    source = """
        def f(a: int | None, b: int) -> int:
            if a is None:
                if b == 3:
                    return 1  # here
            return 0
    """

    assert assert_reached(reach_here(source, tmp_path)) == {"a": None, "b": 3}


def test_a_helper_is_reached_from_the_function_it_is_asked_for(tmp_path: Path) -> None:
    source = """
        def helper(p: int) -> int:
            if p == 12:
                return 1  # here
            return 0


        def f(a: int) -> int:
            if a > 0:
                return helper(a * 3)
            return 0
    """

    assert assert_reached(reach_here(source, tmp_path, entry="f")) == {"a": 4}


def test_a_callers_guard_makes_a_line_of_a_helper_unreachable(tmp_path: Path) -> None:
    source = """
        def helper(p: int) -> int:
            if p < 0:
                return 1  # here
            return 0


        def f(a: int) -> int:
            if a > 0:
                return helper(a * 3)
            return 0
    """

    assert isinstance(reach_here(source, tmp_path, entry="f"), Unreachable)


def test_a_loop_beyond_the_bound_runs_as_a_method(tmp_path: Path) -> None:
    source = """
        def f(n: int) -> int:
            total = 0
            for i in range(n):
                total = total + 3
            if total == 900:
                return 1  # here
            return 0
    """

    assert assert_reached(reach_here(source, tmp_path), "concrete") == {"n": 300}


def test_a_loop_beyond_the_bound_proves_nothing(tmp_path: Path) -> None:
    source = """
        def f(n: int) -> int:
            total = other = 0
            while n > 0:
                n = n - 1
                total = total + 1
                other = other + 1
            if total == other + 7:
                return 1  # here
            return 0
    """

    assert isinstance(reach_here(source, tmp_path, budget=1.0), Undecided)


def test_real_code_without_symbolic_form_is_walked_through(tmp_path: Path) -> None:
    source = """
        import math


        def f(u: float, n: int) -> int:
            if math.cos(u) < -0.5 and n * n == 144:
                return 1  # here
            return 0
    """

    found = assert_reached(reach_here(source, tmp_path), "concrete")

    assert abs(found["n"]) == 12


def test_text_is_drawn_from_the_programs_constants(tmp_path: Path) -> None:
    source = """
        def f(code: str, total: int) -> int:
            if code == "SAVE" and total == 99:
                return 1  # here
            return 0
    """

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Reached)
    assert verdict.args == {"code": '"SAVE"', "total": "99"}


def test_statements_the_target_does_not_depend_on_are_sliced_away(tmp_path: Path) -> None:
    arms = "".join(
        f"    if a > {i}:\n        z = z + {i}\n    else:\n        z = z - 1\n" for i in range(12)
    )
    source = "def f(a: int) -> int:\n    y = 0\n    z = 0\n" + arms
    source += "    if y == 1:\n        return 1  # here\n    return z\n"

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Unreachable)
    assert verdict.segments < 50


@pytest.mark.parametrize(
    "inside",
    [
        "def inner() -> int:\n        LIMIT = 3\n        return LIMIT",
        "other = [LIMIT for LIMIT in range(3)]",
        "class Inner:\n        LIMIT = 3",
    ],
)
def test_a_name_bound_in_an_inner_scope_stays_the_global_outside(
    inside: str, tmp_path: Path
) -> None:
    source = f"LIMIT = 5\n\n\ndef f(a: int) -> int:\n    {inside}\n"
    source += "    if a > LIMIT:\n        return 1  # here\n    return 0\n"

    assert assert_reached(reach_here(source, tmp_path))["a"] > 5


def test_a_local_that_an_inner_function_rebinds_is_not_what_was_assigned(tmp_path: Path) -> None:
    source = """
        def f(a: int) -> int:
            count = 0

            def more() -> None:
                nonlocal count
                count = count + a

            more()
            if count == 8:
                return 1  # here
            return 0
    """

    assert assert_reached(reach_here(source, tmp_path), "forward") == {"a": 8}


def test_dead_code_is_unreachable(tmp_path: Path) -> None:
    source = """
        def f(a: int) -> int:
            return a
            a = 3  # here
    """

    assert isinstance(reach_here(source, tmp_path), Unreachable)


def test_a_line_inside_a_nested_function_is_left_to_the_forward_search(tmp_path: Path) -> None:
    source = """
        def f(a: int) -> int:
            def inner(b: int) -> int:
                if b == a + 5:
                    return 1  # here
                return 0

            return inner(12)
    """

    assert assert_reached(reach_here(source, tmp_path), "forward") == {"a": 7}


def test_one_side_of_a_branch_and_an_exception_are_goals_too(tmp_path: Path) -> None:
    source = """
        def f(a: int) -> int:
            if a > 5 and a % 10 == 3:
                raise KeyError(a)
            if a == 2:
                raise ValueError(a)
            return a
    """
    file = written(source, tmp_path)
    options = options_from({"budget": 20.0, "replay": False})

    branch = reach(goal_of_branch(str(file), "2:true"), options)
    (goal,) = goals_of_error(str(file), "ValueError")
    error = reach(goal, options)

    assert assert_reached(branch)["a"] % 10 == 3
    assert assert_reached(error) == {"a": 2}


@pytest.mark.parametrize(
    ("line", "said"),
    [(1, "outside any function"), (3, "a comment"), (4, "blank"), (7, "no code that runs")],
)
def test_a_line_that_cannot_run_is_explained(line: int, said: str, tmp_path: Path) -> None:
    source = """
        LIMIT = 3
        def f(a: int) -> int:
            # why

            if a > LIMIT:
                return 1
            else:
                return 0
    """
    file = written(source, tmp_path)

    with pytest.raises(TargetNotFound, match=said):
        goal_at(f"{file}:{line}")


def test_a_place_without_a_line_is_a_mistake() -> None:
    with pytest.raises(BadOption, match=r"file\.py:42"):
        goal_at("shop.py")


def test_the_command_tells_the_input_and_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = """
        def f(a: int) -> int:
            if a == 31:
                return 1
            if a != a:
                return 2
            return 0
    """
    file = written(source, tmp_path)

    reached = main(["reach", f"{file}:3"])
    told = capsys.readouterr().out
    unreachable = main(["reach", f"{file}:5", "--json"])
    said = capsys.readouterr().out
    mistaken = main(["reach", f"{file}:99"])

    assert (reached, unreachable, mistaken) == (0, 1, 4)
    assert "f(a=31)" in told
    assert "path condition: a == 31" in told
    assert "def test_f" in told
    assert '"verdict": "unreachable"' in said


def test_changed_lines_are_read_from_git(tmp_path: Path) -> None:
    def git(*args: str) -> None:
        command = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *args]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    (tmp_path / "shop.py").write_text("def f(a: int) -> int:\n    return a\n")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    (tmp_path / "shop.py").write_text(
        "def f(a: int) -> int:\n    if a:\n        return 1\n    return a\n"
    )

    assert changed_lines("HEAD", tmp_path) == {"shop.py": [2, 3]}


def test_an_operation_that_raises_is_a_goal_too(tmp_path: Path) -> None:
    source = """
        def f(a: int, b: int) -> int:
            return a // (b - 7)
        def g(xs: list[int]) -> int:
            return xs[3] + 1
    """
    file = written(source, tmp_path)
    options = options_from({"budget": 20.0, "replay": False})

    (division,) = goals_of_error(f"{file}::f", "ZeroDivisionError")
    (index,) = goals_of_error(f"{file}::g", "IndexError")

    assert assert_reached(reach(division, options))["b"] == 7
    assert len(assert_reached(reach(index, options), "forward")["xs"]) < 4


def test_an_exception_is_also_raised_where_one_derived_from_it_is(tmp_path: Path) -> None:
    source = """
        class Refused(Exception): ...
        class Late(Refused): ...
        def f(day: int) -> None:
            if day > 30:
                raise Late(day)
        def g(xs: list[int]) -> int:
            return xs[3] + 1
    """
    file = written(source, tmp_path)
    options = options_from({"budget": 20.0, "replay": False})

    (late,) = goals_of_error(f"{file}::f", "Refused")
    (index,) = goals_of_error(f"{file}::g", "LookupError")

    assert assert_reached(reach(late, options))["day"] > 30
    assert len(assert_reached(reach(index, options), "forward")["xs"]) < 4


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("a <<= b", "ValueError"),
        ("c, d = [0] * b", "ValueError"),
        ("a = b ** -a", "ZeroDivisionError"),
        ("a = c", "UnboundLocalError"),
        ("a = missing", "NameError"),
    ],
)
def test_an_operation_without_a_call_may_raise(line: str, error: str, tmp_path: Path) -> None:
    file = written(
        f"""
        def f(a: int, b: int) -> None:
            if a > 77:
                {line}
            c = 1
    """,
        tmp_path,
    )

    (goal,) = goals_of_error(f"{file}:3", error)
    verdict = reach(goal, options_from({"budget": 20.0, "replay": False}))

    assert isinstance(verdict, Reached)


def test_what_cannot_divide_by_zero_is_no_goal(tmp_path: Path) -> None:
    source = """
        def f(a: int, b: int) -> str:
            half = a // 2 + len("x")
            return "%d" % (half % b)
    """
    file = written(source, tmp_path)

    (goal,) = goals_of_error(str(file), "ZeroDivisionError")

    assert goal.place.line == 3


def test_an_operation_that_cannot_raise_is_proved_not_to(tmp_path: Path) -> None:
    source = """
        def f(a: int, b: int) -> int:
            if b != 7:
                return a // (b - 7)
            return 0
    """
    file = written(source, tmp_path)

    (goal,) = goals_of_error(str(file), "ZeroDivisionError")
    verdict = reach(goal, options_from({"budget": 20.0, "replay": False}))

    assert isinstance(verdict, Unreachable)


def test_a_caller_is_the_entry_where_its_argument_is_easier_to_make(tmp_path: Path) -> None:
    source = """
        class Scanner:
            def __init__(self, feed):
                self.feed = feed
            def step(self):
                letter = self.feed.next_letter()
                if letter == "q":
                    return 1
                return 0
        class Feed:
            def __init__(self, text: str) -> None:
                self.letters = iter(text)
            def next_letter(self) -> str:
                return next(self.letters, "")
        def scan(text: str) -> int:
            return Scanner(Feed(text)).step()
    """
    file = written(source, tmp_path)

    verdict = reach(goal_at(f"{file}:7"), options_from({"budget": 20.0, "replay": False}))

    assert isinstance(verdict, Reached)


def test_the_test_of_a_method_calls_it_on_its_object(tmp_path: Path) -> None:
    source = """
        class Basket:
            def __init__(self, items: list[int]) -> None:
                self.items = items
            def total(self) -> int:
                if len(self.items) == 2:
                    return 1
                return 0
    """
    file = written(source, tmp_path)

    verdict = reach(goal_at(f"{file}:6"), options_from({"budget": 20.0}))
    assert isinstance(verdict, Reached)
    text = "\n".join(told(verdict, verbose=False))

    assert ".total() == 1" in text


def test_a_line_of_a_module_that_comes_with_the_interpreter_is_confirmed() -> None:
    source = source_of_module("posixpath")
    lines = source.file.read_text().splitlines()
    number = 1 + next(n for n, text in enumerate(lines) if "Can't mix absolute" in text)

    verdict = reach(goal_at(f"posixpath:{number}"), options_from({"budget": 20.0}))

    assert isinstance(verdict, Reached)


def test_the_range_of_a_function_closes_a_path(tmp_path: Path) -> None:
    source = """
        import math
        def f(y: float, x: float) -> float:
            heading = math.radians(90) - math.atan2(y, x)
            if heading < 0:
                heading = heading + math.radians(360)
            if heading > 2 * math.pi:
                return heading  # here
            return 0.0
    """

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Unreachable)
    assert any("math.atan2" in line for line in verdict.proof)


PRIVATE = """
    class Box:
        def __init__(self, n: int) -> None:
            self.__n = n
        def __tripled(self) -> int:
            return self.__n * 3
        def get(self, k: int) -> int:
            if self.__n == k and self.__tripled() > 30:
                return 1
            return 0
"""


@pytest.mark.parametrize("line", [5, 8])
def test_private_names_are_what_the_class_stores(line: int, tmp_path: Path) -> None:
    file = written(PRIVATE, tmp_path)

    verdict = reach(goal_at(f"{file}:{line}"), options_from({"budget": 20.0}))

    assert isinstance(verdict, Reached)
    if line == 5:
        assert "._Box__tripled()" in "\n".join(told(verdict, verbose=False))


def test_a_definition_that_the_import_replaced_is_unreachable(tmp_path: Path) -> None:
    source = """
        def f(a):
            return a + 1  # here
        def f(a):
            return a + 2
        keep = [lambda: f(1)]
    """

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Unreachable)
    assert "no function is left" in verdict.proof[0]


def test_a_definition_that_lives_on_under_another_name_is_not(tmp_path: Path) -> None:
    source = """
        def f(a):
            return a + 1  # here
        kept = [f]
        def f(a):
            return kept[0](a)
    """

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Reached)
