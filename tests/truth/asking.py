"""What the engine says of a small program, in this process: a new one for each would take 0.4 s."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options, options_from
from symcrete.explore.reach.left_over import LeftOver
from symcrete.explore.reach.reached import Goal, Reached, Undecided, Unreachable
from symcrete.explore.reach.symcretic import reach
from symcrete.program.source.module import source_of_file
from symcrete.program.source.place import place_of
from symcrete.program.source.target import Target, targets_of
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.untouched.replay import ReplayOnce, Replays
from symcrete.sandbox.driver.births import Zygotes
from symcrete.sandbox.driver.driver import cover_all
from symcrete.sandbox.driver.replaying import SERVING_ENTRY

_numbers = itertools.count()
PREFIX = "program_"  # of the names of the modules that programs are written to

Verdict = Reached | Undecided | Unreachable


@dataclass(frozen=True, slots=True)
class Engine:
    """Asks about programs written to files of one folder."""

    folder: Path
    seconds: float = 2.0  # for one question; a question about these programs takes 0.05
    # What workers are forked from, for all questions; None: an interpreter is started for each.
    zygotes: Zygotes | None = None

    def written(self, text: str) -> Path:
        """A file with this text, of a name that no other file of this process has."""
        file = self.folder / f"{PREFIX}{next(_numbers)}.py"
        file.write_text(text, encoding="utf-8")
        return file

    def covered(self, file: Path, entry: str, **options: Any) -> TargetReport:
        """What `cover` says of a function."""
        chosen = options_from({"budget": self.seconds, "replay": False, **options})
        return cover(targets_of(f"{file}::{entry}")[0], chosen, beyond=LeftOver(chosen))

    def covered_and_replayed(self, file: Path, entry: str) -> TargetReport:
        """What `symcrete cover` says, from workers of its own and with every input replayed."""
        targets = targets_of(f"{file}::{entry}")
        (report,) = cover_all(targets, self._options({}), zygotes=self.zygotes)
        return report

    def reached(self, file: Path, line: int, **options: Any) -> Verdict:
        """What `reach` says of a line, before any input is replayed: the judge runs it itself."""
        return reach(self._goal(file, line), self._options({"replay": False, **options}))

    def reached_and_replayed(
        self, file: Path, line: int, replay: ReplayOnce | None = None
    ) -> Verdict:
        """What `reach` says of a line, with inputs replayed in interpreters of their own, or by
        what is given for it.
        """
        return reach(self._goal(file, line), self._options({"replay": True}), replay=replay)

    def _goal(self, file: Path, line: int) -> Goal:
        return Goal(place_of(source_of_file(file), line, file.name), f"{file.name}:{line}")

    def _options(self, options: dict[str, Any]) -> Options:
        return options_from({"budget": self.seconds, **options})


@contextlib.contextmanager
def kept_zygotes() -> Iterator[Zygotes]:
    """What the workers of many questions are forked from: it takes 0.4 s to be ready."""
    with contextlib.closing(Zygotes(SERVING_ENTRY)) as zygotes:
        yield zygotes


@contextlib.contextmanager
def replays_when_needed() -> Iterator[ReplayOnce]:
    """Replays of calls of one module in two interpreters for all questions about it, which are
    started when something is to be replayed: of most lines there is nothing.
    """
    with contextlib.ExitStack() as ending:
        begun: list[Replays] = []

        def replay(target: Target, call: Call, seconds: float) -> Replayed:
            if not begun:
                begun.append(ending.enter_context(Replays(target)))
            return begun[0](target, call, seconds)

        yield replay
