"""The programs on which search strategies are compared, as data: one row a subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
    slow: bool = False  # text that the solvers find hard, or much of it: not in the quick form
    solver: str = "auto"


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
        types={"str": "str", "flags": "int"},
    ),
    Subject("shlex", f"{PARSERS}::shell", "shlex", instrument=("shlex",)),
    Subject(
        "configparser", f"{PARSERS}::settings", "configparser", "", ("configparser",), slow=True
    ),
    Subject(
        "json",
        f"{PARSERS}::json_value",
        "json.decoder",
        "expat",
        ("json.decoder", "json.scanner"),
        slow=True,
    ),
    Subject(
        "urllib.parse", f"{PARSERS}::address", "urllib.parse", "", ("urllib.parse",), slow=True
    ),
    Subject(
        "html.parser",
        f"{PARSERS}::markup",
        "html.parser",
        "",
        ("html.parser", "_markupbase"),
        slow=True,
    ),
]

SIZES = (300, 600, 1000, 2500, 5000, 10_000)  # lines, as the paper's tp300 to tp10k
PROGRAM_SEED = 11  # none of those on which the generator's weights were chosen


def generated(folder: Path) -> Iterator[Subject]:
    """Programs written from a seed, in the place of the paper's six Java subjects."""
    folder.mkdir(parents=True, exist_ok=True)
    for lines in SIZES:
        file = folder / f"generated_{lines}.py"
        file.write_text(generate(lines, PROGRAM_SEED), encoding="utf-8")
        # Divisions upon divisions: Yices overruns its time on these, and may not survive its end.
        yield Subject(
            f"generated {lines}",
            f"{file}::main",
            file.stem,
            f"tp{lines}",
            slow=lines > 1000,
            solver="z3",
        )
