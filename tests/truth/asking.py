"""What the engine says of a small program, in this process: a new one for each would take 0.4 s."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import symcrete
from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options, options_from
from symcrete.explore.reach.left_over import LeftOver
from symcrete.explore.reach.reached import Goal, Reached, Undecided, Unreachable
from symcrete.explore.reach.symcretic import reach
from symcrete.program.source.module import source_of_file
from symcrete.program.source.place import place_of
from symcrete.program.source.target import targets_of

_numbers = itertools.count()
PREFIX = "program_"  # of the names of the modules that programs are written to

Verdict = Reached | Undecided | Unreachable


@dataclass(frozen=True, slots=True)
class Engine:
    """Asks about programs written to files of one folder."""

    folder: Path
    seconds: float = 2.0  # for one question; a question about these programs takes 0.05

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
        (report,) = symcrete.cover(f"{file}::{entry}", budget=self.seconds).targets
        return report

    def reached(self, file: Path, line: int, **options: Any) -> Verdict:
        """What `reach` says of a line, before any input is replayed: the judge runs it itself."""
        return reach(self._goal(file, line), self._options({"replay": False, **options}))

    def reached_and_replayed(self, file: Path, line: int) -> Verdict:
        """What `reach` says of a line, with inputs replayed in interpreters of their own."""
        return reach(self._goal(file, line), self._options({"replay": True}))

    def _goal(self, file: Path, line: int) -> Goal:
        return Goal(place_of(source_of_file(file), line, file.name), f"{file.name}:{line}")

    def _options(self, options: dict[str, Any]) -> Options:
        return options_from({"budget": self.seconds, **options})
