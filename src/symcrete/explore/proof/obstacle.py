"""One thing that a proof cannot see past or takes for granted, and where the program does it."""

from __future__ import annotations

from pathlib import Path

from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A sentence about one place of the program."""

    why: str
    file: str = ""
    line: int = 0
    scope: str | None = None  # the function, where that is known

    @property
    def shown(self) -> str:
        """The sentence with its place, for the reader."""
        place = f" ({Path(self.file).name}:{self.line})" if self.file else ""
        return self.why + place
