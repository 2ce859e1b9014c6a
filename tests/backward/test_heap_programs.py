"""On random programs with objects, closures, exceptions and state no backward proof is wrong."""

import ast
from pathlib import Path
from random import Random

import pytest
from tests.backward.heap_programs import HeapWriter, executed
from tests.backward.searching import program_of, searched

PROGRAMS = 16  # a program takes half a second to two seconds, most of it for running its inputs
GROUPS = 4
SECONDS = 0.15  # of search for a line: what is not closed by then is not proved
WITH_PROOFS, PATIENT = (14, 24), 2.0  # seeds of programs with lines to prove, seconds for a line
OFTEN = 20  # inputs of 64 by which a line is easy: those are left to other tests


def lines_of(text: str) -> list[int]:
    """Where the statements of `f` begin."""
    function = ast.parse(text).body[-1]
    silent = (ast.Nonlocal, ast.FunctionDef)
    found = {each.lineno for each in ast.walk(function) if isinstance(each, ast.stmt)}
    return sorted(found - {each.lineno for each in ast.walk(function) if isinstance(each, silent)})


@pytest.mark.parametrize("group", range(GROUPS))
def test_a_line_that_a_small_input_executes_is_never_proved_unreachable(
    group: int, tmp_path: Path
) -> None:
    asked = 0
    for seed in range(group, PROGRAMS, GROUPS):
        text = HeapWriter(Random(seed)).program()
        file = tmp_path / f"heap_{seed}.py"
        file.write_text(text, encoding="utf-8")
        ran = executed(text)
        program = program_of(file)
        for line in [each for each in lines_of(text) if 0 < len(ran.get(each, ())) <= OFTEN]:
            asked += 1
            search = searched(file, line, seconds=SECONDS, program=program)
            assert not search.proved, (seed, line, ran[line][:3], search.proof())
    assert asked > 0


def test_the_programs_have_lines_to_be_proved_unreachable(tmp_path: Path) -> None:
    proved = 0
    for seed in WITH_PROOFS:
        text = HeapWriter(Random(seed)).program()
        file = tmp_path / f"heap_{seed}.py"
        file.write_text(text, encoding="utf-8")
        ran = executed(text)
        program = program_of(file)
        for line in [each for each in lines_of(text) if each not in ran]:
            proved += searched(file, line, seconds=PATIENT, program=program).proved

    assert proved >= 10
