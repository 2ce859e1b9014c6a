"""A stage imports only the stages before it in the data flow, and a room only the rooms before it.

The order of rooms inside a stage is the order of its data flow too; a name in the list is a room or
a single module that stands beside the rooms.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "symcrete"
STAGES = [
    "dataclass_methods",
    "terms",
    "program",
    "inputs",
    "world",
    "values",
    "instrument",
    "run",
    "tree",
    "constraint",
    "search",
    "solve",
    "backward",
    "explore",
    "sandbox",
    "oracle",
    "properties",
    "report",
    "shell",
    "editor",
]
ROOMS = {
    "program": ["source", "state", "graph", "lowering"],
    "inputs": [
        "library_class",
        "literal",
        "setup",
        "draw",
        "infer",
        "subtypes",
        "shapes",
        "strategies",
        "told_apart",
        "late",
        "reading",
    ],
    "world": [
        "setting_roots",
        "source",
        "importing",
        "settings",
        "platforms",
        "machine",
        "environment",
        "command_line",
        "clocks",
        "calendar_time",
        "random_draws",
        "random_objects",
        "files",
        "standard_input",
        "outside",
        "module_state",
        "sources",
        "reading_calls",
    ],
    "values": [
        "rows",
        "tracking",
        "text",
        "regex",
        "containers",
        "models",
        "numbers",
        "library",
        "build",
        "vocabulary",
    ],
    "values/text": ["content", "meaning", "methods"],
    "values/vocabulary": ["builders", "families", "tracked_kinds", "models", "vocabulary"],
    "run": [
        "drain",
        "use",
        "result_used",
        "trace",
        "state",
        "surroundings",
        "module_reads",
        "situation",
        "history",
        "watch_line",
        "collecting",
        "result_kinds",
        "starved",
        "silence",
        "runner",
        "callees",
        "untouched",
    ],
    "search": ["strategy", "chains", "branches", "strategies", "pricing", "table"],
    "solve": [
        "solver",
        "solvers",
        "count",
        "log",
        "per_thread",
        "lowering",
        "wrappers",
        "direct",
        "walk",
        "backends",
        "portfolio",
        "choose",
    ],
    "solve/walk": ["terrain", "moves", "problem", "attempt", "walk", "paper"],
    "backward": [
        "python_operators",
        "versions",
        "transfer",
        "trace_statements",
        "choices",
        "meaning",
        "abstraction",
        "view",
        "sorts",
        "invariants",
        "loop_method",
        "heap",
        "steps",
        "slicing",
        "entry_inputs",
        "backtrack",
        "trace_program",
    ],
    "solve/backends": ["watchdog", "stacked", "z3", "yices", "bitwuzla", "linear"],
    "explore": [
        "options",
        "findings",
        "told_path",
        "stubs",
        "rewritten",
        "wanted",
        "earlier",
        "first_inputs",
        "leaves_nothing",
        "loop",
        "proof",
        "confirm",
        "attack",
        "minimise",
        "lazy",
        "cover",
        "second_look",
        "beyond",
        "compose",
        "explain",
        "reach",
        "project",
    ],
    "sandbox": ["messages", "walls", "worker", "driver", "cluster", "learning", "journal"],
    "oracle": [
        "traces",
        "outcomes",
        "verdicts",
        "contracts",
        "faults",
        "subjects",
        "documented",
        "joint",
        "judged",
        "explored",
        "other_version",
        "differing",
        "docstring_run",
        "docstring_examples",
        "failing",
        "mutants",
    ],
    "report": [
        "emitter",
        "job_process",
        "trial",
        "tests",
        "given",
        "measure",
        "formats",
        "page",
        "judged",
    ],
}


def imported(file: Path) -> Iterator[str]:
    """The modules of the package that a file imports, as paths: `solve/walk/terrain/goal`."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("symcrete."):
            path = str(node.module).removeprefix("symcrete.").replace(".", "/")
            if (SOURCE / path).is_dir():
                yield from (f"{path}/{name.name}" for name in node.names)
            else:
                yield path


def place(path: str, room: str, order: list[str]) -> int | None:
    """Where a module stands in the order of a room; None if it is not below that room."""
    inside = path.removeprefix(room + "/") if room else path
    if room and inside == path:
        return None
    first = inside.split("/")[0]
    return order.index(first) if first in order else None


@pytest.mark.parametrize(("room", "order"), [("", STAGES), *ROOMS.items()], ids=["stages", *ROOMS])
def test_a_room_imports_only_earlier_rooms(room: str, order: list[str]) -> None:
    late = []
    for file in (SOURCE / room).rglob("*.py"):
        mine = str(file.relative_to(SOURCE).with_suffix(""))
        here = place(mine, room, order)
        if here is None:
            continue
        for theirs in imported(file):
            there = place(theirs, room, order)
            if there is not None and there > here:
                late.append(f"{mine} imports {theirs}")

    assert late == []


@pytest.mark.parametrize(("room", "order"), [("", STAGES), *ROOMS.items()], ids=["stages", *ROOMS])
def test_every_folder_has_its_place_in_the_order(room: str, order: list[str]) -> None:
    folders = {path.name for path in (SOURCE / room).iterdir() if path.is_dir()} - {"__pycache__"}

    assert folders <= set(order)
    assert room == "" or {name for name in order if (SOURCE / room / name).is_dir()} == folders


def test_every_folder_with_rooms_has_an_order() -> None:
    above = {str(init.parent.parent.relative_to(SOURCE)) for init in SOURCE.rglob("*/__init__.py")}

    assert above - {"."} <= ROOMS.keys()


def test_every_module_of_a_stage_with_rooms_has_its_place() -> None:
    homeless = [
        str(file.relative_to(SOURCE))
        for room, order in ROOMS.items()
        for file in (SOURCE / room).glob("*.py")
        if file.stem != "__init__" and file.stem not in order
    ]

    assert homeless == []
