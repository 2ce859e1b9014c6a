"""The walk as published with one parameter changed, for Table 5.3: rows for the table of solvers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from symcrete.solve.solvers import SOLVERS
from symcrete.solve.walk.paper import PaperWalk

THE_TEXT = partial(PaperWalk, step="normal", tabu="min", overshoot=False)
NO_TABU = partial(PaperWalk, tabu=0)
NO_BISECTION = partial(PaperWalk, bisection=False)
STEPS_10 = partial(PaperWalk, steps=10)
STEPS_30 = partial(PaperWalk, steps=30)
STEPS_300 = partial(PaperWalk, steps=300)
NEIGHBOURS_3 = partial(PaperWalk, neighbours=3)
NEIGHBOURS_25 = partial(PaperWalk, neighbours=25)

# What is changed; the object here; the dissertation's fractions of its baseline, 1 if not named.
VARIANTS: dict[str, tuple[str, dict[str, float]]] = {
    "tabu off (T=0)": (
        "NO_TABU",
        {
            "average": 0.79,
            "coral": 0.57,
            "hash": 0.25,
            "power": 0.64,
            "ray": 0.79,
            "sine": 0.93,
            "tsafe": 0.92,
        },
    ),
    "bisection off": (
        "NO_BISECTION",
        {"average": 0.92, "coral": 0.86, "hash": 0.5, "opti": 0.33, "sine": 0.89},
    ),
    "10 steps (I=10)": (
        "STEPS_10",
        {"average": 0.95, "coral": 0.82, "dart": 0.75, "ray": 1.04, "sine": 0.89},
    ),
    "30 steps (I=30)": ("STEPS_30", {"average": 0.98, "coral": 0.94, "dart": 0.92, "sine": 0.96}),
    "300 steps (I=300)": ("STEPS_300", {"average": 1.0, "coral": 1.04, "sine": 0.96}),
    "3 neighbours (R=3)": ("NEIGHBOURS_3", {"average": 1.0, "coral": 1.02}),
    "25 neighbours (R=25)": ("NEIGHBOURS_25", {"average": 1.01, "sine": 1.04}),
}


def solver_name(title: str) -> str:
    return f"walk-paper, {title}"


def register() -> None:
    """Make the variants known by name, as any solver is."""
    rows = {"the text": "THE_TEXT", **{title: name for title, (name, _) in VARIANTS.items()}}
    for title, name in rows.items():
        path, what = f"{__name__}:{name}", f"walk-paper: {title}"
        SOLVERS[solver_name(title)] = replace(SOLVERS["walk-paper"], path=path, what=what)
