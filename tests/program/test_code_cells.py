"""The functions of a notebook are targets like those of a module."""

import ast
import json
from pathlib import Path

import pytest

from symcrete.errors import ImportFailed
from symcrete.program.source.code_cells import is_script, module_of_notebook, module_of_script
from symcrete.program.source.module import files_below
from symcrete.program.source.target import targets_of

CELLS = [
    ["%matplotlib inline\n", "import math\n", "RATE = 3\n", "!pip list\n", "math.sqrt?\n"],
    'def area(r: int) -> float:\n    """Of a\n    circle."""\n    return math.pi * r * RATE',
    "print(area(2))\nfor n in range(3):\n    print(\n        n)",
    "%%bash\nls | wc",
    "this is no Python",
]


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    cells = [{"cell_type": "code", "source": source} for source in CELLS]
    cells.append({"cell_type": "markdown", "source": "# Title"})
    (tmp_path / "deep").mkdir()
    file = tmp_path / "deep" / "my notes.ipynb"
    file.write_text(json.dumps({"cells": cells, "nbformat": 4}))
    return Path("deep") / "my notes.ipynb"


def test_what_defines_something_stays_and_the_rest_is_commented_out(notebook: Path) -> None:
    file = module_of_notebook(notebook)

    assert file == Path.cwd() / ".symcrete" / "notebooks" / "deep" / "my_notes.py"
    kept = [type(node).__name__ for node in ast.parse(file.read_text()).body]
    assert kept == ["Import", "Assign", "FunctionDef"]
    assert "# this is no Python" in file.read_text()


def test_its_functions_are_targets_that_import_from_beside_it(notebook: Path) -> None:
    (target,) = targets_of(f"{notebook}::area")

    assert target.label == f"{notebook}::area"
    assert target.source.module == "my_notes"
    assert target.source.path[1] == str(notebook.resolve().parent)
    assert [each.name for each in files_below(Path(), notebooks=True)] == ["my notes.ipynb"]


def test_the_file_is_written_again_only_when_the_cells_change(notebook: Path) -> None:
    before = module_of_notebook(notebook).stat()
    assert module_of_notebook(notebook).stat().st_ino == before.st_ino

    notebook.write_text(json.dumps({"cells": [{"cell_type": "code", "source": "x = 1"}]}))

    assert module_of_notebook(notebook).read_text().endswith("x = 1\n")


@pytest.mark.parametrize("text", ["", "[]", '{"cells": [1]}', "no json"])
def test_what_is_no_notebook_is_told_so(text: str, notebook: Path) -> None:
    notebook.write_text(text)

    with pytest.raises(ImportFailed, match="no notebook"):
        module_of_notebook(notebook)


def test_a_script_that_python_runs_is_a_target_whatever_its_name_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "#!/usr/bin/env python3\n\ndef half(n: int) -> int:\n    return n // 2\n"
    Path("my-tool").write_text(text)
    Path("other").write_text("#!/bin/sh\necho pythonic\n")

    targets = [*targets_of("./my-tool"), *targets_of("my-tool::half")]

    assert [each.label for each in targets] == ["./my-tool::half", "my-tool::half"]
    assert {each.source.file for each in targets} == {module_of_script(Path("my-tool"))}
    assert targets[0].source.file.read_text() == text
    assert targets[0].source.module == "my_tool"
    assert not is_script(Path("other"))
