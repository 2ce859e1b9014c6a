"""The walk as published with one parameter changed, for Table 5.3: rows for the table of solvers."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import partial

from experiments.committed import FACTS
from symcrete.solve.solvers import SOLVERS
from symcrete.solve.walk.paper import PaperWalk

THE_TEXT = partial(PaperWalk, step="normal", tabu="min", overshoot=False)
NO_TABU = partial(PaperWalk, tabu=0)
# The text has min(5, n), the authors' code max(n, 5); no constraint here has more than 12.
TABU_EXTENDED = partial(PaperWalk, tabu=5)
NO_BISECTION = partial(PaperWalk, bisection=False)
STEPS_10 = partial(PaperWalk, steps=10)
STEPS_30 = partial(PaperWalk, steps=30)
STEPS_75 = partial(PaperWalk, steps=75)
STEPS_300 = partial(PaperWalk, steps=300)
NEIGHBOURS_3 = partial(PaperWalk, neighbours=3)
NEIGHBOURS_25 = partial(PaperWalk, neighbours=25)
NEIGHBOURS_50 = partial(PaperWalk, neighbours=50)
NEIGHBOURS_100 = partial(PaperWalk, neighbours=100)


@dataclass(frozen=True)
class Variant:
    """A row of Table 5.3: the object here, and its name among the dissertation's facts."""

    made_by: str
    fact: str
    question: str  # the research question that it answers


VARIANTS = {
    "tabu off (T=0)": Variant("NO_TABU", "tabu T=0", "RQ4"),
    "tabu extended (T=5)": Variant("TABU_EXTENDED", "tabu T>=5", "RQ4"),
    "bisection off": Variant("NO_BISECTION", "bisection off", "RQ5"),
    "10 steps (I=10)": Variant("STEPS_10", "I=10", "RQ6"),
    "30 steps (I=30)": Variant("STEPS_30", "I=30", "RQ6"),
    "75 steps (I=75)": Variant("STEPS_75", "I=75", "RQ6"),
    "300 steps (I=300)": Variant("STEPS_300", "I=300", "RQ6"),
    "3 neighbours (R=3)": Variant("NEIGHBOURS_3", "R=3", "RQ6"),
    "25 neighbours (R=25)": Variant("NEIGHBOURS_25", "R=25", "RQ6"),
    "50 neighbours (R=50)": Variant("NEIGHBOURS_50", "R=50", "RQ6"),
    "100 neighbours (R=100)": Variant("NEIGHBOURS_100", "R=100", "RQ6"),
}


def published() -> dict[str, dict[str, float | None]]:
    """The dissertation's fractions by column ("weighted_avg" or a program) and by fact; None where
    the text at hand cannot be read.
    """
    tables = json.loads((FACTS / "symcretic_tables.json").read_text(encoding="utf-8"))
    found: dict[str, dict[str, float | None]] = tables["table5_3_fraction_of_baseline"]
    return found


def solver_name(title: str) -> str:
    return f"walk-paper, {title}"


def register() -> None:
    """Make the variants and the comparators known by name, as any solver is."""
    rows = {"the text": "THE_TEXT", **{title: each.made_by for title, each in VARIANTS.items()}}
    for title, name in rows.items():
        path, what = f"{__name__}:{name}", f"walk-paper: {title}"
        SOLVERS[solver_name(title)] = replace(SOLVERS["walk-paper"], path=path, what=what)
    SOLVERS["mixed"] = replace(
        SOLVERS["walk-paper"],
        path="experiments.walk_mixed:Mixed",
        what="SPF-Mixed: what is not linear by its value at a solution of the rest",
        parameters=(),
    )
