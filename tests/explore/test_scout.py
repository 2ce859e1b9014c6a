"""Inputs without terms come near a line, and to it, at little cost."""

import textwrap
from pathlib import Path
from random import Random

import pytest

from symcrete.clock import Moment
from symcrete.explore.compose import prepare
from symcrete.explore.loop.nearby_constants import nearby_pool
from symcrete.explore.loop.scout import Scout
from symcrete.explore.options import options_from
from symcrete.explore.reach.forward_phase import ForwardPhase
from symcrete.explore.reach.goals import goal_at, goal_of_branch
from symcrete.explore.reach.reached import Reached
from symcrete.explore.reach.symcretic import reach
from symcrete.explore.wanted import EveryBranch
from symcrete.inputs.draw.sampling import mine
from symcrete.program.source.module import source_of_file
from symcrete.program.source.target import targets_of
from symcrete.terms.evaluate import Assignment

INDENTED = """
    import re

    START = re.compile("^[ \\t]+", re.MULTILINE)


    def mixed(text: str) -> bool:
        first = None
        for found in START.findall(text):
            if first is None:
                first = found
            elif found[0] != first[0]:
                return True  # here
        return False
"""
STEPS = """
    def far(words: list[str]) -> int:
        if len(words) > 1:
            if words[0] == "begin":
                if words[1] == "end":
                    return 1
        return 0
"""


def written(source: str, folder: Path, name: str) -> Path:
    file = folder / f"{name}.py"
    file.write_text(textwrap.dedent(source).lstrip("\n"), encoding="utf-8")
    return file


def scout_of(file: Path, **options: object) -> Scout:
    """Nothing is near to anything."""
    target = targets_of(str(file))[0]
    parts = prepare(target, EveryBranch(), options_from(options))[0].parts
    pool = parts.pool
    return Scout(
        parts.runner,
        parts.arguments,
        pool,
        Random(0),
        nearby=lambda: pool,
        distances=lambda: lambda outcome: 0,
    )


def test_the_plainest_input_comes_first_and_small_numbers_after_it(tmp_path: Path) -> None:
    file = written("def f(a: int, b: int) -> int:\n    return a + b\n", tmp_path, "small")
    scout = scout_of(file)
    seen: list[dict[str, object]] = []

    def note(given: Assignment, covered: object) -> bool:
        seen.append(given)
        return False

    scout.search(note, Moment(), 20)

    assert seen[0] == {}
    assert all(abs(value) <= 1000 for given in seen for value in given.values())  # type: ignore[arg-type]


def test_what_covers_something_new_is_handed_on_once(tmp_path: Path) -> None:
    scout = scout_of(written(STEPS, tmp_path, "steps"))

    scout.search(lambda given, covered: False, Moment(), 200)

    assert scout.news(10)
    assert scout.news(10) == []


def test_a_run_without_terms_that_goes_on_and_on_is_cut(tmp_path: Path) -> None:
    endless = "def f(a: int) -> int:\n    while True:\n        a += 1\n"
    scout = scout_of(written(endless, tmp_path, "endless"))
    arrived: list[object] = []

    def note(given: Assignment, covered: object) -> bool:
        arrived.append(given)
        return False

    scout.search(note, Moment(), 3)

    assert (scout.runs, arrived) == (3, [])


def test_constants_on_the_way_are_half_of_what_is_drawn_from(tmp_path: Path) -> None:
    source = """
        WORDS = ["alpha", "beta"]
        NUMBER = 7 * 1_000_003

        def f(s: str) -> bool:
            return s in WORDS or g(s) == NUMBER

        def g(s: str) -> int:
            return 1 if s == "gamma" else 0

        def other(s: str) -> bool:
            return s in ("delta", "epsilon", "zeta", "eta", "theta", "iota")
        """
    file = written(source, tmp_path, "constants")
    names: dict[str, object] = {}
    exec(file.read_text(encoding="utf-8"), names)
    found = source_of_file(file)

    pool = nearby_pool(found, "f", names, mine([found.tree()]))

    near = [text for text in pool.texts if text in ("alpha", "beta", "gamma")]
    assert len(near) >= len(pool.texts) / 2
    assert 7_000_021 in pool.integers


def test_a_text_is_put_together_from_constants_and_other_inputs(tmp_path: Path) -> None:
    file = written(INDENTED, tmp_path, "indented")

    found = reach(goal_at(f"{file}:12"), options_from({"budget": 60.0, "replay": False}))

    assert isinstance(found, Reached)
    assert found.phase == "forward"


def test_a_side_of_a_branch_is_what_counts_not_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(STEPS, tmp_path, "sides")
    followed: list[object] = []
    attempt = ForwardPhase._came_there

    def noted(self: ForwardPhase, assignment: object, covered: int) -> bool:
        came = attempt(self, assignment, covered)  # type: ignore[arg-type]
        followed.extend([assignment] * came)
        return came

    monkeypatch.setattr(ForwardPhase, "_came_there", noted)
    goal = goal_of_branch(str(file), "2:true")

    found = reach(goal, options_from({"budget": 60.0, "replay": False}))

    assert isinstance(found, Reached)
    assert len(eval(found.args["words"])) == 2
    assert len(followed) == 1


def test_without_a_clock_the_same_inputs_are_tried_again(tmp_path: Path) -> None:
    file = written(STEPS, tmp_path, "again")
    tried: list[list[object]] = [[], []]

    for inputs in tried:
        scout = scout_of(file)
        scout.search(lambda given, covered, into=inputs: bool(into.append(given)), Moment(), 300)  # type: ignore[misc]

    assert tried[0] == tried[1]
