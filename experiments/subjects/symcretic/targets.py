"""TARGETS: every marked line of chapter 4's subjects, its entry point, and whether it is reachable.

A target line carries the comment `# target: NAME`. The subjects sine, tcas and tsafe are those of
the concolic walk. `slicing` and `unreach` are unreachable by design; which lines of tcas, sine and
tsafe the dissertation marked is not known, so those are our choice (`tcas_both` comes on top of its
three). `external` is one of the dissertation's figures without a row in its tables.
"""

import importlib.util
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Marked:
    """A marked line: where it is, where to start, whether an input reaches it."""

    module: str
    entry: str
    target: str
    reachable: bool


FIGURES = "experiments.subjects.symcretic.figures"
EASY_LOOP = "experiments.subjects.symcretic.easy_loop"
TRITYP = "experiments.subjects.symcretic.trityp"
SINE = "experiments.subjects.walk.sine"
TCAS = "experiments.subjects.walk.tcas"
TSAFE = "experiments.subjects.walk.tsafe"

TARGETS = (
    Marked(FIGURES, "dart", "dart", reachable=True),
    Marked(EASY_LOOP, "easy_loop", "easy_loop", reachable=True),
    Marked(FIGURES, "hard_loop", "hard_loop", reachable=True),
    Marked(FIGURES, "narrow", "narrow", reachable=True),
    Marked(SINE, "sine", "sine_second", reachable=True),
    Marked(SINE, "sine", "sine_fourth", reachable=True),
    Marked(TCAS, "tcas", "tcas_upward", reachable=True),
    Marked(TCAS, "tcas", "tcas_downward", reachable=True),
    Marked(TCAS, "tcas", "tcas_unresolved", reachable=True),
    Marked(TCAS, "tcas", "tcas_both", reachable=False),
    Marked(TRITYP, "trityp", "trityp_scalene", reachable=True),
    Marked(TRITYP, "trityp", "trityp_isosceles", reachable=True),
    Marked(TRITYP, "trityp", "trityp_equilateral", reachable=True),
    Marked(TSAFE, "conflict", "tsafe_near", reachable=True),
    Marked(TSAFE, "conflict", "tsafe_conflict", reachable=True),
    Marked(TSAFE, "turn_logic", "tsafe_turn", reachable=True),
    Marked(TSAFE, "turn_logic", "tsafe_heading1", reachable=False),
    Marked(TSAFE, "turn_logic", "tsafe_heading2", reachable=False),
    Marked(FIGURES, "slicing", "slicing", reachable=False),
    Marked(FIGURES, "unreach", "unreach", reachable=False),
    Marked(FIGURES, "external", "external", reachable=True),
)


def source(marked: Marked) -> Path:
    """The file that holds the target."""
    found = importlib.util.find_spec(marked.module)
    assert found is not None and found.origin is not None, marked.module
    return Path(found.origin)


def line(marked: Marked) -> int:
    """The number of the target's line."""
    mark = f"# target: {marked.target}"
    numbers = [
        number
        for number, text in enumerate(source(marked).read_text().splitlines(), start=1)
        if text.rstrip().endswith(mark)
    ]
    assert len(numbers) == 1, f"{marked.target}: marked {len(numbers)} times"
    return numbers[0]
