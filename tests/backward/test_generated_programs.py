"""On random programs no proof is wrong and every input that is found reaches the line."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.backward.generated import Writer, executes, marked_line, small_inputs

from symcrete.explore.compose import prepare
from symcrete.explore.loop.phase import Budget
from symcrete.explore.options import options_from
from symcrete.explore.reach.reached import Goal, Reached, Unreachable
from symcrete.explore.reach.symcretic import reach
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.module import source_of_file
from symcrete.program.source.place import place_of
from symcrete.program.source.target import targets_of
from symcrete.run.watch_line import LineWatch

PROGRAMS = 120
GROUPS = 6


def explored_everything_without(file: Path, line: int) -> bool:
    """Every path was explored forward, and none executed the line."""
    options = options_from({"budget": 5.0, "strategy": "bfs", "paths": True})
    exploration, phase = prepare(targets_of(f"{file}::f")[0], EveryBranch(paths=True), options)
    watch = LineWatch(str(file), line)
    with watch:
        exploration.explore(replace(phase, budget=Budget(float("inf"), 400)))
    return exploration.proved_whole and not watch.seen


@pytest.mark.parametrize("group", range(GROUPS))
def test_no_proof_is_wrong_and_every_input_found_reaches_the_line(
    group: int, tmp_path: Path
) -> None:
    proofs = inputs = whole = 0
    for seed in range(group, PROGRAMS, GROUPS):
        text = Writer(Random(seed)).program()
        file = tmp_path / f"generated_{seed}.py"
        file.write_text(text)
        line = marked_line(text)
        namespace: dict[str, Any] = {}
        exec(compile(text, str(file), "exec"), namespace)

        goal = Goal(place_of(source_of_file(file), line, file.name), f"{file.name}:{line}")
        verdict = reach(goal, options_from({"budget": 3.0, "replay": False}))

        if isinstance(verdict, Unreachable):
            proofs += 1
            assert verdict.proof, seed
            assert not small_inputs(namespace["f"], line), (seed, verdict.proof)
            whole += explored_everything_without(file, line)
        elif isinstance(verdict, Reached):
            inputs += 1
            values = [int(verdict.args[name]) for name in ("a", "b")]
            assert executes(namespace["f"], line, *values), (seed, values)
        else:
            # Undecided is never wrong, but then nothing small may reach the line with ease.
            assert len(small_inputs(namespace["f"], line)) < 40, (seed, verdict.reason)
    assert proofs >= 3
    assert inputs >= 8
    assert whole >= proofs // 2  # the exhaustive forward search ended, too
