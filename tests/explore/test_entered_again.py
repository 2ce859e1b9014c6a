"""A function that the program enters again, with values that its annotations do not allow."""

import textwrap
from pathlib import Path

import pytest
from tests.explore.test_reach import reach_here, written

from symcrete.backward.view.program_view import Program
from symcrete.explore.reach.entered_again import entered_again
from symcrete.explore.reach.reached import Unreachable

# 48151623 is the number asked for, and no search comes by it.
SECRET = "zlib.crc32(str(n).encode()) == 0x631FB9A4"
HALVES = """
    import zlib

    def f(x: int, n: int) -> int:
        if {secret}:
            return {again}
        if x * 2 == 7:
            return 1  # here
        return 0

    TABLE = {{"f": f}}
"""
AGAIN = [
    "f(*(3.5, 0))",
    "f(**{'x': 3.5, 'n': 0})",
    "(lambda function: function(3.5, 0))(f)",
    "list(map(f, [3.5], [0]))[0]",
    "TABLE['f'](3.5, 0)",
    "globals()['f'](3.5, 0)",
]
LENGTHS = """
    import zlib

    def f(x: str, n: int, other: list[int]) -> int:
        before = len(x)
        if {secret}:
            return g()
        other.append(1)
        if len(x) != before:
            return 1  # here
        return 0

    def g() -> int:
        held: list[int] = []
        return f(held, 0, held)
"""
METHOD = """
    import zlib

    class C:
        def f(self, x: int, n: int) -> int:
            if {secret}:
                return self.g()
            if x * 2 == 7:
                return 1  # here
            return 0

        def g(self) -> int:
            return self.f(3.5, 0)
"""
PROGRAMS = {again: (HALVES.format(secret=SECRET, again=again), "f(0, 48151623)") for again in AGAIN}
PROGRAMS["through g"] = (LENGTHS.format(secret=SECRET), "f('', 48151623, [])")
PROGRAMS["through a method"] = (METHOD.format(secret=SECRET), "C().f(0, 48151623)")


@pytest.mark.parametrize(("source", "call"), PROGRAMS.values(), ids=list(PROGRAMS))
def test_a_line_that_a_call_from_inside_comes_to_is_not_called_unreachable(
    source: str, call: str, tmp_path: Path
) -> None:
    entry = "C.f" if call.startswith("C") else "f"
    names: dict[str, object] = {}
    exec(textwrap.dedent(source), names)

    verdict = reach_here(source, tmp_path, entry=entry, budget=1.0)

    assert eval(call, names) == 1
    assert not isinstance(verdict, Unreachable)


def test_a_function_that_calls_itself_with_values_of_its_types_still_has_proofs(
    tmp_path: Path,
) -> None:
    source = """
        def f(x: int, n: int) -> int:
            if n > 0:
                return f(x + 1, n - 1)
            if x * 2 == 7:
                return 1  # here
            return 0

        def main() -> int:
            return f(1, 2)
    """

    verdict = reach_here(source, tmp_path, entry="f")

    assert isinstance(verdict, Unreachable)


@pytest.mark.parametrize(
    ("body", "reasons"),
    [
        ("return x", 0),
        ("return max(x, 1)", 0),
        ("return max([x], key=f)", 1),
    ],
)
def test_only_a_function_that_may_be_entered_again_has_a_reason(
    body: str, reasons: int, tmp_path: Path
) -> None:
    file = str(written(f"def f(x: int) -> int:\n    {body}\n", tmp_path))
    program = Program({}, file, [file])

    found = entered_again(program, program.flows()["f"])

    assert len(found) == reasons
