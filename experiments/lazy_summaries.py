"""The summary-based comparator of LATEST's Figure 7 (section 4.3): SMART, for `top` and `locate`.

The callee is explored first, all of its paths; the summary is the disjunction of what each demands
of the input and returns. The caller is then explored with an unknown in the place of the call, of
which the summary is told as one condition. With n cells that takes 2 n + 3 runs: 2 n for `locate`
and 3 for `top`. A run that the summary rejects lies outside of what can happen and is not counted,
as a run outside of what `locate_within` assumes is not.
"""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from experiments.subjects.lazy.top import locate_within
from symcrete.explore.compose import cover
from symcrete.explore.findings import FoundInput
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of

TOP = Path(__file__).parent / "subjects" / "lazy" / "top.py"
LETTER = 97  # the a that `top` looks for

# What `top_within` does after its call. Nothing branches in the summary: `&` and `|` make one term.
CALLER = """
from experiments.subjects.lazy.top import COLON, RejectedError


def top_summarised(s: {cells}, z: int) -> int:
    if not ({summary}):
        raise RejectedError
    if z == -1:
        return -1
    if s[z + 1] != COLON:
        return 1
    return 0
"""


@dataclass(frozen=True, slots=True)
class Summarised:
    """The runs that a search with summaries takes."""

    callee: int
    caller: int
    results: frozenset[int]  # that the caller returned

    @property
    def runs(self) -> int:
        return self.callee + self.caller


def summarised(n: int) -> Summarised:
    """Explore `locate_within` whole for n free cells, then `top` over its summary."""
    cells = f"tuple[{', '.join(['int'] * n + ['Literal[0]'])}]"
    start = f"s=({'120, ' * (n - 1)}0, 0)"  # as in the report: other characters, a 0 at the end
    types = {"s": cells, "c": f"Literal[{LETTER}]"}
    paths = _returning(TOP, "locate_within", types=types, start=f"{start}, c={LETTER}")
    cases = [
        " & ".join(
            f"({each})" for each in (*_conditions(path), f"z == {_result(locate_within, path)}")
        )
        for path in paths
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "summarised.py"
        text = CALLER.format(cells=repr(cells), summary=" | ".join(f"({each})" for each in cases))
        file.write_text(f"from typing import Literal\n{text}", encoding="utf-8")
        found = _returning(file, "top_summarised", start=f"{start}, z=-1")
    names: dict[str, Any] = {"Literal": Literal}
    exec(text, names)
    results = frozenset(_result(names["top_summarised"], each) for each in found)
    return Summarised(len(paths), len(found), results)


def _result(function: Callable[..., int], found: FoundInput) -> int:
    return function(**{name: ast.literal_eval(text) for name, text in found.args.items()})


def _conditions(path: FoundInput) -> list[str]:
    """What a path demands, one condition each; all of them are comparisons."""
    return path.path_condition.split(" and ")


def _returning(file: Path, function: str, **options: Any) -> list[FoundInput]:
    """An input for every path of a function that returns."""
    given = {"budget": 600.0, "replay": False, "paths": True, "strategy": "dfs"} | options
    report = cover(targets_of(f"{file}::{function}")[0], options_from(given))
    assert not report.error, report.error
    assert report.status in ("complete", "covered"), report.status
    return [found for found in report.inputs if found.outcome == "returned"]
