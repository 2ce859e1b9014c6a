"""A search ends when little more is to be expected, and not before a last look."""

from pathlib import Path
from typing import Any

import pytest
from tests.explore.exploring import explore

from symcrete.explore.compose import prepare
from symcrete.explore.loop import enough
from symcrete.explore.loop.enough import Lately, explored_enough
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.phase import Phase
from symcrete.explore.options import QUICK_PATIENCE, Options
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.search.strategy import Flip, Sample
from symcrete.tree.tree import Side

OPAQUE = (
    "import hashlib\n"
    "def f(s: str) -> int:\n"
    "    if hashlib.sha1(s.encode()).hexdigest().startswith('00000000'):\n"
    "        return 1\n"
    "    return 0\n"
)


def ready(source: str, folder: Path, budget: float = 20.0) -> tuple[Exploration, Phase]:
    file = folder / "program.py"
    file.write_text(source)
    target = targets_of(str(file))[0]
    exploration, phase = prepare(target, EveryBranch(""), Options(budget=budget))
    assert isinstance(exploration, Exploration)
    return exploration, phase


def test_a_search_that_finds_nothing_more_ends_before_its_budget(tmp_path: Path) -> None:
    report = explore(OPAQUE, tmp_path, budget=60.0, patience=QUICK_PATIENCE)

    assert (report.status, report.branches.covered) == ("budget", 1)
    assert report.seconds < 30
    assert report.undiscovered is not None
    assert 0 < report.undiscovered < 0.01


@pytest.mark.parametrize("how", [{}, {"patience": QUICK_PATIENCE, "strategy": "random-input"}])
def test_a_search_that_is_not_to_be_quick_has_the_whole_budget(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    report = explore(OPAQUE, tmp_path, budget=2.5, **how)

    assert report.seconds > 2.3


def test_quiet_is_long_in_steps_and_in_seconds(tmp_path: Path) -> None:
    exploration, _ = ready(OPAQUE, tmp_path)
    now = 0.0
    lately = Lately(exploration, lambda: now, 1.0)

    few = lately.is_quiet()
    now = 1.1
    still_few = lately.is_quiet()
    many = [lately.is_quiet() for _ in range(enough.QUIET_STEPS)]

    assert (few, still_few, many[0], many[-1]) == (False, False, False, True)


def test_slow_steps_need_not_be_many(tmp_path: Path) -> None:
    exploration, _ = ready(OPAQUE, tmp_path)
    now = 0.0
    lately = Lately(exploration, lambda: now, 1.0)

    first = lately.is_quiet()
    now = enough.SLOW_TIMES + 0.1

    assert (first, lately.is_quiet()) == (False, True)


def test_a_last_look_finds_what_the_search_did_not(tmp_path: Path) -> None:
    source = (
        "import hashlib\n"
        "def f(n: int) -> int:\n"
        "    if hashlib.md5(str(n).encode()).digest()[0] < 8:\n"
        "        return 1\n"
        "    return 0\n"
    )
    exploration, phase = ready(source, tmp_path)
    with exploration.parts.runner:
        trace, _ = exploration.run({})
    lately = Lately(exploration)

    found = lately.last_look(phase)

    assert (trace.ending, found) == ("returned", True)
    assert exploration.parts.coverage.complete


def test_a_query_that_lacked_time_gets_more_of_it(tmp_path: Path) -> None:
    exploration, phase = ready("def f(n: int) -> int:\n    return 1 if n == 7 else 0\n", tmp_path)
    with exploration.parts.runner:
        trace, _ = exploration.run({})
        exploration.learn(Sample(), trace, phase)
    lately = Lately(exploration)
    lately.is_quiet()
    node = exploration.progress.tree.root
    assert node is not None
    exploration.progress.tree.settle(node, True, Side.UNKNOWN, "solver gave up: timeout")
    exploration.progress.out_of_time.append(Flip(node, True))

    found = lately.tried(phase)

    assert (found, lately.tried(phase)) == (True, False)
    assert exploration.parts.coverage.complete


def test_what_a_look_finds_gives_the_search_another_stretch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exploration, phase = ready(OPAQUE, tmp_path)
    looks = iter([True, True, False])
    monkeypatch.setattr(Lately, "last_look", lambda self, phase: next(looks))
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.1
        return now

    status = explored_enough(exploration, phase, patience=QUICK_PATIENCE, clock=clock)

    assert status == "budget"
    assert list(looks) == []
