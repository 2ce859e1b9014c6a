"""The path that one input took, as data."""

from __future__ import annotations

from typing import Any

from symcrete.run.untouched.played import Replayed
from symcrete.run.use import Ending
from symcrete.slotted import dataclass

MOST_ALIGNED = 50  # characters: longer texts of a branch push the rest to the right; chosen


@dataclass(frozen=True, slots=True)
class Explanation:
    """The path of an input, branch by branch, and what the untouched function did with it."""

    target: str
    args: dict[str, str]
    branches: tuple[
        tuple[int, str, str], ...
    ]  # line, what was true there, the condition on the input
    path_condition: str
    result: Replayed

    def as_json(self) -> dict[str, Any]:
        return {
            "schema": 1,
            "target": self.target,
            "args": self.args,
            "branches": [
                {"line": line, "text": text, "condition": condition}
                for line, text, condition in self.branches
            ],
            "path_condition": self.path_condition,
            "outcome": self.result.outcome,
            "returned": self.result.returned,
            "raised": self.result.raised,
        }

    def lines(self) -> list[str]:
        """The explanation as lines of text."""
        shown = ", ".join(f"{name}={text}" for name, text in self.args.items())
        out = [f"{self.target}({shown})"]
        width = max([len(text) for _, text, _ in self.branches], default=0)
        for line, text, condition in self.branches:
            out.append(f"  line {line:>4}  {text:<{min(width, MOST_ALIGNED)}}  because {condition}")
        if not self.branches:
            out.append("  no branch on the way depends on the input")
        result = self.result
        if result.outcome == Ending.RETURNED:
            out.append(f"  returns {result.returned}")
        else:
            out.append(f"  {result.outcome}: {result.raised or result.reason}")
        return [*out, f"path condition: {self.path_condition}"]
