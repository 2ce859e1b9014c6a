"""What a proof of `reach` stands on, what is no proof, and what becomes of a proof that is wrong."""

import importlib
from pathlib import Path

import pytest
from tests.explore.test_reach import line_of, reach_here, written

from symcrete.backward.view.module_texts import program_text
from symcrete.backward.view.steady_globals import Constants
from symcrete.errors import WrongProof
from symcrete.explore.options import options_from
from symcrete.explore.reach.forward_phase import ForwardPhase
from symcrete.explore.reach.goals import goals_of_error
from symcrete.explore.reach.quest import Quest
from symcrete.explore.reach.reached import Reached, Undecided, Unreachable, Verdict
from symcrete.explore.reach.symcretic import reach
from symcrete.report.formats.reach_text import told

CONTRADICTION = """
    LIMIT = 3

    def f(x: int, u: float) -> int:
        if x < LIMIT and u > 0:
            if x > 10:
                return 1  # here
        return 0
"""


def raising(source: str, error: str, folder: Path) -> Verdict:
    file = written(source, folder)
    (goal,) = goals_of_error(f"{file}:{line_of(file)}", error)
    return reach(goal, options_from({"budget": 5.0, "replay": False}))


def test_a_proof_names_the_constants_and_the_kinds_it_stands_on(tmp_path: Path) -> None:
    verdict = reach_here(CONTRADICTION, tmp_path)

    assert isinstance(verdict, Unreachable)
    expected = ["LIMIT is 3, as its module sets it", "u is a float, not an int given for one"]
    assert verdict.as_json()["assumes"] == expected
    assert [f"assuming that {each}" for each in expected] == told(verdict)[-2:]


def test_a_proof_that_a_run_refutes_is_an_input_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = """
        def f(x: int) -> int:
            if x > 3:
                return 1  # here
            return 0
    """
    monkeypatch.setattr(Quest, "_backward", lambda quest: ("a proof that is wrong",))

    with pytest.warns(WrongProof, match="a proof that is wrong"):
        verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Reached)
    assert "a proof of ours was wrong" in verdict.note
    assert any("please report it" in line for line in told(verdict))


def test_every_proof_is_attacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attacks: list[float] = []

    def note(phase: ForwardPhase, seconds: float) -> bool:
        attacks.append(seconds)
        return False

    monkeypatch.setattr(ForwardPhase, "attack", note)

    verdict = reach_here(CONTRADICTION, tmp_path)

    assert isinstance(verdict, Unreachable)
    assert attacks
    assert attacks[0] >= 0.3


def test_an_error_that_is_caught_in_the_function_is_told_as_such(tmp_path: Path) -> None:
    source = """
        def f(x: int) -> int:
            try:
                if x > 3:
                    raise ValueError(x)  # here
            except ValueError:
                return 1
            return 0
    """

    verdict = raising(source, "ValueError", tmp_path)

    assert isinstance(verdict, Reached)
    assert verdict.note == "ValueError is raised in line 4 and caught by the program"
    assert verdict.as_json()["note"] == verdict.note


def test_an_error_that_gets_out_is_preferred_to_one_that_is_caught(tmp_path: Path) -> None:
    source = """
        def f(x: int) -> int:
            try:
                if x > 3:
                    raise ValueError(x)  # here
            except ValueError:
                if x == 77:
                    raise
            return 0
    """

    verdict = raising(source, "ValueError", tmp_path)

    assert isinstance(verdict, Reached)
    assert verdict.note == ""
    assert verdict.args == {"x": "77"}


@pytest.mark.parametrize(
    ("expression", "error"),
    [("str(x)", "ValueError"), ("chr(x)", "OverflowError"), ("1 << x", "OverflowError")],
)
def test_operations_fail_at_extreme_numbers(expression: str, error: str, tmp_path: Path) -> None:
    source = f"def f(x: int) -> object:\n    return {expression}  # here\n"

    assert isinstance(raising(source, error, tmp_path), Reached)


@pytest.mark.parametrize("expression", ["str(x)", "repr(x * x)", "str([x])", "chr(x + 5)"])
def test_handlers_of_what_extreme_numbers_raise_are_reached(
    expression: str, tmp_path: Path
) -> None:
    source = f"""
        def f(x: int) -> object:
            try:
                return {expression}
            except (ValueError, OverflowError):
                return 0  # here
    """

    assert isinstance(reach_here(source, tmp_path), Reached)


NO_PROOF = {
    "a generator": """
        def f(x: int):
            got = yield x
            if got == 7 and got == 8:
                yield 1  # here
    """,
    "a function that is returned": """
        def f(n: int):
            def add(x: int) -> int:
                if x < n < x:
                    return 1  # here
                return 0

            return add
    """,
    "a lambda": """
        def f(x: int):
            return lambda y: (
                y
                if not y < x < y
                else -y  # here
            )
    """,
    "tasks": """
        import asyncio

        async def f(x: int) -> int:
            done: list[int] = []

            async def one() -> None:
                done.append(x)

            async def two() -> int:
                await asyncio.sleep(0)
                return len(done)

            _, seen = await asyncio.gather(one(), two())
            if seen == 0:
                return 1  # here
            return 0
    """,
    "a definition that ran while the module was imported": """
        def f(x: int) -> int:
            if x > 3:
                return 1  # here
            return 0

        KEPT = f(5)
        del f
    """,
}


@pytest.mark.parametrize("source", NO_PROOF.values(), ids=list(NO_PROOF))
def test_what_runs_in_another_state_or_another_way_is_not_decided(
    source: str, tmp_path: Path
) -> None:
    verdict = reach_here(source, tmp_path, budget=2.0)

    assert isinstance(verdict, Undecided)
    assert verdict.reason


def test_a_call_that_its_annotation_does_not_allow_is_followed(tmp_path: Path) -> None:
    source = """
        def f(x: int) -> int:
            if x is None:
                return 1  # here
            if x > 10:
                return f(None)
            return 0
    """

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Reached)
    assert int(verdict.args["x"]) > 10


@pytest.mark.parametrize(
    "body",
    [
        "rows = [[j * a for j in range(2)] for j in range(2)]\n    if rows[1][1] == 9:",
        "g = (v + j for v in [a])\n    j = 50\n    if sum(g) == 77:",
        "g = lambda: j + 1\n    j = a\n    if g() == 5:",
        "if any(j == 5 for j in [a]):",
        "d = {1: j if a > 5 else 0}\n    if d[1] == 0 and a == 3:",
        "m = max([a, 3], key=lambda j: j)\n    if m == 9:",
    ],
)
def test_a_name_that_an_expression_binds_itself_or_may_never_read_is_no_unbound_local(
    body: str, tmp_path: Path
) -> None:
    source = (
        f"def f(a: int) -> int:\n    {body}\n        return 1  # here\n    j = 3\n    return j\n"
    )

    verdict = reach_here(source, tmp_path)  # a proof that is refuted is an error here

    assert isinstance(verdict, Reached)


@pytest.mark.parametrize(
    ("raising", "error"),
    [
        ("x", "UnboundLocalError"),
        ("raise ValueError(x)", "UnboundLocalError"),
        ("match x:\n            case _:\n                pass", "UnboundLocalError"),
        ("try:\n            1 // 0\n        except x:\n            pass", "UnboundLocalError"),
        ("try:\n            1 // 0\n        except (a, OSError):\n            pass", "TypeError"),
        ("raise ValueError(1) from abs(a)", "TypeError"),
    ],
)
def test_what_is_read_without_a_use_and_what_is_asked_of_exceptions_may_raise(
    raising: str, error: str, tmp_path: Path
) -> None:
    source = (
        f"def f(a: int) -> int:\n    if a > 3:\n        x = ValueError\n    try:\n        {raising}\n"
        f"    except {error}:\n        return 1  # here\n    except Exception:\n        return 2\n"
        "    return 3\n"
    )

    verdict = reach_here(source, tmp_path)  # a proof that is refuted is an error here

    assert isinstance(verdict, Reached)


CHOOSER = """
import os
from PKG import left
if "SHOP" in os.environ:
    def price(): return 7
    from PKG import right as side
else:
    def price(): return 5
    from PKG import left as side
def always(): return 5
"""
USER = """
import os
import os.path
from . import chooser, left
from PKG import left as other
from PKG.left import LIMIT
if "SHOP" in os.environ:
    import PKG.right as chosen
else:
    import PKG.left as chosen
class Base: pass
class Other: pass
Kind = Base if "SHOP" in os.environ else Other
class Own(Base): pass
class Mixed(Kind): pass
"""


@pytest.mark.parametrize(
    ("name", "fixed"),
    [
        *(("left.LIMIT", True), ("other.LIMIT", True), ("LIMIT", True), ("os.path.join", True)),
        *(("chooser.always", True), ("chooser.left.LIMIT", True), ("Own", True)),
        *(("chosen", False), ("chosen.LIMIT", False), ("chooser.price", False)),
        *(("chooser.side.LIMIT", False), ("Mixed", False)),
    ],
)
def test_what_the_environment_chooses_is_no_constant_of_a_proof(
    name: str, fixed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / f"chosen_{abs(hash(name))}"
    package.mkdir()
    texts = {"__init__": "", "left": "LIMIT = 3\n", "right": "LIMIT = 4\n"}
    for module, text in (texts | {"chooser": CHOOSER, "user": USER}).items():
        (package / f"{module}.py").write_text(text.replace("PKG", package.name))
    monkeypatch.syspath_prepend(str(tmp_path))
    user = importlib.import_module(f"{package.name}.user")
    constants = Constants(program_text([str(each) for each in package.glob("*.py")]))

    known, _ = constants.resolve(str(user.__file__), vars(user), name)

    assert known == fixed
