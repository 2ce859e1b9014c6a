"""An exploration is made of parts, learns, and is handed one phase after another."""

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from symcrete import clock as clocks
from symcrete.clock import Moment, after_work
from symcrete.explore.compose import prepare
from symcrete.explore.loop.drawing import drawn
from symcrete.explore.loop.loop import Exploration
from symcrete.explore.loop.parts import Listener, Parts
from symcrete.explore.loop.phase import Budget, Phase
from symcrete.explore.loop.progress import Kept, Progress, largest
from symcrete.explore.options import options_from
from symcrete.explore.rewritten import ImportedProgram
from symcrete.explore.wanted import EveryBranch, OneLine
from symcrete.program.source.target import targets_of
from symcrete.run.runner import Beside
from symcrete.search.strategies.combine import Noting
from symcrete.search.strategies.orders import BreadthFirst
from symcrete.search.strategy import Guide
from symcrete.solve.count import CountQueries
from symcrete.terms.evaluate import Assignment
from symcrete.tree.tree import Node

PROGRAM = """
def f(a: int, b: int) -> int:
    if a > 100:
        if b == a + 7:
            return 2
        return 1
    return 0
"""


class Hands:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def prepared(
    folder: Path,
    listener: Listener | None = None,
    wanted: EveryBranch | OneLine | None = None,
    **options: object,
) -> tuple[Exploration, Phase]:
    file = folder / "program.py"
    file.write_text(PROGRAM)
    given = options_from({"replay": False, "max_runs": 60, "strategy": "bfs"} | options)
    target = targets_of(f"{file}::f")[0]
    exploration, phase = prepare(target, wanted or EveryBranch(), given, listener=listener)
    assert isinstance(exploration, Exploration)
    return exploration, phase


def test_a_budget_of_time_is_spent_when_its_own_clock_says_so() -> None:
    clock = Hands()
    budget = Budget(deadline=5.0, max_runs=None, clock=clock)

    before = budget.spent(1_000_000)
    clock.now = 5.0

    assert (before, budget.spent(0), budget.counts_work) == (False, True, False)


def test_a_budget_of_runs_knows_no_clock() -> None:
    budget = Budget(deadline=-1.0, max_runs=10)

    assert (budget.spent(9), budget.spent(10), budget.counts_work) == (False, True, True)


def test_a_budget_of_runs_beside_one_of_time_is_spent_when_the_first_of_them_is() -> None:
    clock = Hands()
    budget = Budget(deadline=5.0, max_runs=10, clock=clock, both=True)

    before = budget.spent(9), budget.spent(10), budget.after(4).spent(6)
    clock.now = 5.0

    assert before == (False, True, True)
    assert budget.spent(0) and budget.after(4).spent(0)


@pytest.mark.parametrize(
    ("given", "both"),
    [
        ({"budget": "2s", "max_runs": 60}, True),
        ({"max_runs": 60}, False),
        ({"budget": 2, "max_runs": None}, False),
    ],
)
def test_seconds_hold_beside_runs_where_they_are_asked_for(
    given: dict[str, object], both: bool, tmp_path: Path
) -> None:
    _, phase = prepared(tmp_path, None, None, **given)

    assert phase.budget.both == both


def test_a_moment_comes_by_its_clock_and_one_without_a_time_never_does() -> None:
    clock = Hands()
    moment = Moment(3.0, clock)
    clock.now = 3.5

    assert (moment.has_come, Moment().has_come, Moment().never_comes) == (True, False, True)


def test_parts_and_phases_are_finished_when_they_are_made(tmp_path: Path) -> None:
    exploration, phase = prepared(tmp_path)

    with pytest.raises(FrozenInstanceError):
        phase.whole_tree = True  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        exploration.parts.solver = exploration.parts.solver  # type: ignore[misc]


def test_the_first_inputs_of_a_phase_are_run_before_anything_is_chosen(tmp_path: Path) -> None:
    announced: list[Assignment] = []

    def note(given: Assignment) -> bool:
        announced.append(dict(given))
        return True

    exploration, phase = prepared(tmp_path, Listener(Beside(announce=note)))
    first = ({"a": 1, "b": 2}, {"a": 101, "b": 108})

    exploration.explore(replace(phase, first=first))

    assert announced[:2] == list(first)


def test_what_one_phase_learned_the_next_one_knows(tmp_path: Path) -> None:
    exploration, phase = prepared(tmp_path)
    short = replace(phase, budget=Budget(0.0, 1))

    first = exploration.explore(short)
    after_one = exploration.progress.runs
    second = exploration.explore(phase)

    assert (first, after_one, second) == ("budget", 1, "complete")
    assert exploration.parts.coverage.complete


def test_a_phase_ends_as_soon_as_nothing_more_is_wanted(tmp_path: Path) -> None:
    exploration, phase = prepared(tmp_path)

    exploration.explore(replace(phase, arrived=lambda: exploration.progress.runs >= 2))

    assert exploration.progress.runs == 2


def test_a_strategy_that_is_given_the_lessons_of_the_last_phase_goes_on_from_there(
    tmp_path: Path,
) -> None:
    exploration, phase = prepared(tmp_path, strategy="random-input")
    noting = Noting(phase.strategy)
    exploration.explore(replace(phase, strategy=noting, budget=Budget(0.0, 3)))
    after = BreadthFirst(Guide(exploration.parts.random, exploration.parts.coverage))
    for lesson in noting.lessons:
        after.learn(lesson)

    exploration.explore(replace(phase, strategy=after))

    assert exploration.parts.coverage.complete


def test_a_line_that_is_wanted_is_watched_and_the_first_run_there_is_kept(tmp_path: Path) -> None:
    wanted = OneLine(str(tmp_path / "program.py"), 5)
    exploration, phase = prepared(tmp_path, wanted=wanted)
    watch = exploration.parts.watch
    assert watch is not None

    exploration.explore(replace(phase, whole_tree=True))
    trace, again = watch.take(), watch.take()

    assert trace is not None and again is None
    assert trace.assignment["b"] == trace.assignment["a"] + 7


def test_those_who_listen_hear_of_every_kept_run_and_may_refuse_a_query(tmp_path: Path) -> None:
    kept: list[int] = []
    asked: list[bool] = []

    def refuse(node: Node, side: bool, patient: bool) -> bool:
        asked.append(patient)
        return False

    def keep(parts: Parts, run: Kept) -> None:
        kept.append(run.new)

    listener = Listener(may_solve=refuse, on_kept=keep)
    exploration, phase = prepared(tmp_path, listener)

    status = exploration.explore(replace(phase, first=({},)))

    assert status == "budget" and asked and not any(asked)
    assert len(kept) == len(exploration.progress.kept) >= 1
    assert exploration.progress.tree.unsettled


def test_an_input_that_is_refused_is_not_run_and_proves_nothing(tmp_path: Path) -> None:
    listener = Listener(Beside(announce=lambda given: given.get("a", 0) <= 100))
    exploration, phase = prepared(tmp_path, listener)

    exploration.explore(phase)

    assert exploration.progress.refused and not exploration.proved_whole
    assert not exploration.parts.coverage.complete


def progress() -> Progress:
    return Progress(CountQueries.__new__(CountQueries))


@pytest.mark.parametrize("flaw", ["cut_runs", "confused", "refused", "divergences"])
def test_whatever_was_out_of_sight_keeps_progress_from_being_sound(flaw: str) -> None:
    clean, flawed = progress(), progress()
    setattr(flawed, flaw, 1)

    assert clean.sound and not flawed.sound


def test_the_largest_number_of_an_input_counts_whatever_its_sign() -> None:
    assert largest({"a": -7, "b": 3, "c": "text", "d": True}) == 7
    assert largest({}) == 0


def test_draws_avoid_numbers_as_large_as_those_of_endless_runs(tmp_path: Path) -> None:
    exploration, _ = prepared(tmp_path)
    exploration.progress.endless = 2000

    sizes = [largest(drawn(exploration.parts, exploration.progress)) for _ in range(200)]

    assert sum(size >= 2000 for size in sizes) < 10


def test_a_program_is_loaded_once_for_as_many_explorations_as_wanted(tmp_path: Path) -> None:
    first, _ = prepared(tmp_path)
    imported: ImportedProgram = first.parts.imported
    options = options_from({"replay": False, "max_runs": 20, "strategy": "bfs"})

    second, phase = prepare(first.parts.target, EveryBranch(), options, imported=imported)

    assert second.parts.imported is imported
    assert second.explore(phase) in ("complete", "covered")


def test_work_is_not_done_because_time_passes_on_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passed, worked = [0.0], [0.0]
    monkeypatch.setattr(clocks, "wall", lambda: passed[0])
    monkeypatch.setattr(clocks, "processor", lambda: worked[0])
    moment, other = after_work(0.3, clocks.wall), after_work(0.3, lambda: passed[0])

    passed[0], worked[0] = 1.0, 0.05
    busy = moment.has_come
    worked[0] = 0.25

    assert (busy, moment.has_come, other.has_come) == (False, True, True)


def test_work_that_only_waits_ends_too(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = [0.0]
    monkeypatch.setattr(clocks, "wall", lambda: passed[0])
    monkeypatch.setattr(clocks, "processor", lambda: 0.0)
    moment = after_work(0.3, clocks.wall)

    passed[0] = 3.1

    assert moment.has_come
