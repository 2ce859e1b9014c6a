"""`symcrete init`: `[tool.symcrete]` in pyproject.toml, and a recipe for continuous integration."""

from __future__ import annotations

import tomllib
from pathlib import Path

from symcrete.errors import BadOption, NothingToAnalyse
from symcrete.program.source.module import files_below
from symcrete.sandbox.journal.writing import check_writable, is_edited, write_data, write_file

CONFIGURATION = "pyproject.toml"
RECIPE = ".github/workflows/symcrete.yml"
_CODE_FOLDERS = ("src", "lib")  # a project that has one of these keeps its program there

_TABLE = """\
# Defaults of the command `symcrete`: the keys are its long flags, and flags that are given win.
[tool.symcrete]
budget = "10s"  # wall clock for each function, at most
property-budget = "2s"  # for each test under @symcrete.forall
exclude = []  # globs of files and functions to leave out
"""

_RECIPE = """\
# Covers the functions that a pull request touches, and shows in its diff what was found.
name: symcrete

on:
  pull_request:

permissions:
  contents: read

jobs:
  symcrete:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0  # with the branch that it is compared with
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - name: Install
        run: pip install symcrete pytest {installed}
      # Exit code 5 says that no function has changed. To demand coverage, add --fail-under 90.
      - name: Cover what has changed
        run: >-
          symcrete cover {code} --changed "$BASE" --quick --total-budget 10m --emit github
          || test $? -eq 5
        env:
          BASE: origin/${{{{ github.base_ref }}}}
"""


def set_up(folder: Path, *, recipe: bool, force: bool) -> list[str]:
    """Write what is missing in a project; returns what was done, a line for each file, and a
    command to try.

    A table `[tool.symcrete]` that is there stays, and so does a recipe that somebody edited.
    """
    code = code_folder(folder)
    configuration = folder / CONFIGURATION
    text = _read(configuration)
    place = folder / RECIPE
    kept = recipe and not force and is_edited(str(place))
    if recipe and not kept:  # nothing is written if not all can be
        place.parent.mkdir(parents=True, exist_ok=True)
        check_writable(str(place), force=True)
    done = [_configured(configuration, text)]
    if kept:
        done.append(f"{RECIPE} was edited and stays; --force overwrites it")
    elif recipe:
        write_file(str(place), recipe_for(code, text), force=True)
        done.append(f"wrote {RECIPE}")
    return [*done, f"try it: symcrete cover {code}"]


def code_folder(folder: Path) -> str:
    """The folder that holds the program, as one types it there: `src`, a package, or `.`."""
    for name in _CODE_FOLDERS:
        if (folder / name).is_dir() and files_below(folder / name):
            return name
    files = files_below(folder)
    if not files:
        raise NothingToAnalyse(f"no Python files below {folder}; run it in the folder of a project")
    tops = {file.relative_to(folder).parts[0] for file in files if file.name != "setup.py"}
    packages = {top for top in tops if (folder / top / "__init__.py").is_file()}
    return packages.pop() if len(packages) == 1 and packages == tops else "."


def recipe_for(code: str, configuration: str) -> str:
    """The recipe of a project with its code in this folder."""
    installed = "." if "project" in tomllib.loads(configuration) else ""
    return _RECIPE.format(code=code, installed=installed).replace("pytest \n", "pytest\n")


def _read(configuration: Path) -> str:
    try:
        text = configuration.read_text(encoding="utf-8")
        tomllib.loads(text)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise BadOption(f"cannot read {configuration}: {error}") from None
    return text


def _configured(configuration: Path, text: str) -> str:
    """Add the table to the text that is there, unless it has one; says what was done."""
    if "symcrete" in tomllib.loads(text).get("tool", {}):
        return f"{CONFIGURATION} has [tool.symcrete] already"
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    write_data(str(configuration), f"{text}{gap}{_TABLE}".encode())
    return f"added [tool.symcrete] to {CONFIGURATION}" if text else f"wrote {CONFIGURATION}"
