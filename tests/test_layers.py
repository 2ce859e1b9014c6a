"""A stage imports only the stages above it in the data flow."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "symcrete"
STAGES = [
    "terms",
    "program",
    "inputs",
    "values",
    "instrument",
    "run",
    "tree",
    "constraint",
    "search",
    "solve",
    "backward",
]
STAGES += ["explore", "sandbox", "report"]


def test_a_stage_imports_only_earlier_stages() -> None:
    for file in SOURCE.glob("*/**/*.py"):
        stage = file.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("symcrete."):
                used = str(node.module).split(".")[1]
                if used in STAGES:
                    late = STAGES.index(used) > STAGES.index(stage)
                    assert not late, f"{file}: {stage} imports {used}"


def test_every_folder_is_a_stage() -> None:
    folders = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name[0] != "_"}

    assert folders == set(STAGES)
