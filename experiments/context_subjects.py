"""The programs on which search strategies are compared, as data: one row a subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from experiments.subjects.context.generator import generate

HERE = Path(__file__).parent / "subjects"
PARSERS = f"{HERE}/context/parsers.py"


@dataclass(frozen=True, slots=True)
class Subject:
    """A program, the module whose branches count, and what stands for what in the paper."""

    name: str
    target: str
    within: str
    instead_of: str = ""
    instrument: tuple[str, ...] = ()  # library modules to rewrite
    types: Mapping[str, str] = field(default_factory=dict)
    runs: int = 4000
    seconds: float = 10.0  # of the processor for one exploration, whatever the number of runs
    slow: bool = False  # much text, or text that the solvers find hard: the paper's strategies only
    quick: bool = True  # also in the quick form
    solver: str = "auto"
    solver_seconds: float = 0.2


def _parser(name: str, entry: str, *modules: str, runs: int = 200, instead_of: str = "") -> Subject:
    """A parser whose conditions are slow to solve: one solver, with little time for each query."""
    return Subject(
        name,
        f"{PARSERS}::{entry}",
        modules[0],
        instead_of,
        modules,
        runs=runs,
        slow=True,
        quick=False,
        solver="yices",
        solver_seconds=0.05,
    )


SUBJECTS = [
    Subject(
        "keyboard",
        f"{HERE}/context/keyboard.py::keyboard",
        "experiments.subjects.context.keyboard",
        "kbfiltr",
    ),
    Subject(
        "floppy",
        f"{HERE}/context/floppy.py::floppy",
        "experiments.subjects.context.floppy",
        "floppy",
    ),
    Subject(
        "diskperf",
        f"{HERE}/context/diskperf.py::diskperf",
        "experiments.subjects.context.diskperf",
        "cdaudio",
    ),
    Subject(
        "replace",
        f"{HERE}/ippc/replace.py::replace",
        "experiments.subjects.ippc.replace",
        "replace",
    ),
    Subject("matcher", f"{HERE}/ippc/grep.py::grep", "experiments.subjects.ippc.grep"),
    Subject("tokens", f"{HERE}/ippc/ptokens.py::ptokens", "experiments.subjects.ippc.ptokens"),
    Subject(
        "re._parser",
        "re._parser:parse",
        "re._parser",
        "grep",
        types={"str": "str", "flags": "int", "state": "None"},
        runs=1000,
    ),
    Subject("shlex", f"{PARSERS}::shell", "shlex", instrument=("shlex",), runs=500, slow=True),
    _parser("configparser", "settings", "configparser", runs=60),
    _parser("json", "json_value", "json.decoder", "json.scanner", instead_of="expat"),
    _parser("urllib.parse", "address", "urllib.parse"),
    _parser("html.parser", "markup", "html.parser", "_markupbase", runs=120),
    _parser("argparse", "command_line", "argparse", runs=120),
]

# Lines, as the paper's tp300 to tp10k, and runs: a large program takes long to make ready.
SIZES = {300: 800, 600: 800, 1000: 1200, 2500: 1000, 5000: 400, 10_000: 200}
# none of those on which the generator's weights were chosen (0 to 4), nor `cgs-uncovered` (11, 12)
PROGRAM_SEEDS = (21, 22, 23)


def generated(folder: Path) -> Iterator[Subject]:
    """Programs written from a seed, in the place of the paper's six Java subjects."""
    folder.mkdir(parents=True, exist_ok=True)
    for (lines, runs), seed in product(SIZES.items(), PROGRAM_SEEDS):
        file = folder / f"generated_{lines}_{seed}.py"
        if not file.exists():
            file.write_text(generate(lines, seed), encoding="utf-8")
        # Divisions upon divisions: Yices overruns its time on these, and may not survive its end.
        yield Subject(
            f"generated {lines} {seed}",
            f"{file}::main",
            file.stem,
            f"tp{lines}",
            runs=runs,
            seconds=60.0,
            quick=lines <= 1000 and seed == PROGRAM_SEEDS[0],
            solver="z3",
            solver_seconds=0.05,
        )
