"""What a project says about its tests: lines and quotes, and what pytest can import by itself."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from symcrete.inputs.literal import double_quoted
from symcrete.program.source.module import is_library
from symcrete.report.tests.layout import LINE_LENGTH


def line_length(folder: Path) -> int:
    """The line length in the nearest configuration of ruff or black, or the default of both."""
    for tools in _formatters(folder):
        for tool in ("ruff", "black"):
            length = tools.get(tool, {}).get("line-length")
            if isinstance(length, int):
                return length
    return LINE_LENGTH


def wants_single_quotes(folder: Path) -> bool:
    """Whether the nearest configuration of ruff that speaks of quotes asks for single ones."""
    for tools in _formatters(folder):
        ruff = tools.get("ruff", {})
        quotes = ruff.get("lint", ruff).get("flake8-quotes", {}).get("inline-quotes")
        style = ruff.get("format", {}).get("quote-style", quotes)
        if style is not None:
            return bool(style == "single")
    return False


def _formatters(folder: Path) -> Iterator[dict[str, Any]]:
    """The tables of tools in the files that configure formatters, nearest first."""
    for place in _upward(folder):
        for name in ("ruff.toml", ".ruff.toml", "pyproject.toml"):
            table = _toml(place / name)
            yield table.get("tool", {}) if name == "pyproject.toml" else {"ruff": table}


def importable_without_help(module: str, root: Path, folder: Path) -> bool:
    """Whether pytest is likely to find the module from a test in the folder.

    It is only likely: whoever writes the test has to try it.
    """
    return (
        is_library(root / "x")
        or _is_installed(module, root)
        or root in _folders_of_pytest(folder)
        or any(root == place for place in _configured(folder))
    )


def is_first_party(root: Path, folder: Path) -> bool:
    """Whether sorters of imports take what is in the root for the project's own."""
    for place in _upward(folder):
        if any((place / name).exists() for name in ("pyproject.toml", "ruff.toml", ".ruff.toml")):
            return root in (place, place / "src")
    return False


def place_of(root: Path, folder: Path) -> str:
    """A Python expression that gives the root in a file of the folder: `Path(__file__)` and the way
    from there.
    """
    up = os.path.relpath(root, folder.resolve())
    levels = up.split(os.sep).count("..")
    rest = [part for part in up.split(os.sep) if part not in ("..", ".")]
    place = f"Path(__file__).resolve().parents[{levels}]"
    return f"{place} / {double_quoted(ascii('/'.join(rest)))}" if rest else place


def typed_from(root: Path, folder: Path) -> Path:
    """The folder to type commands in: the root, or the project that it and the tests lie in.

    Code of a project often lies in its `src`, and tests beside that.
    """
    if not folder.is_relative_to(root):
        for place in root.parents:
            if folder.is_relative_to(place) and any(
                (place / name).exists() for name in _ROOT_FILES
            ):
                return place
    return root


def _upward(folder: Path) -> Iterator[Path]:
    here = folder.resolve()
    yield from (here, *here.parents)


def _toml(file: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        text = file.read_text(encoding="utf-8")
        import tomllib  # many folders have no such file

        return tomllib.loads(text)
    return {}


def _is_installed(module: str, root: Path) -> bool:
    """Whether this interpreter finds the module in the root from any folder, as after an editable
    install.
    """
    top = module.split(".")[0]
    here = {"", ".", os.getcwd()}
    before = sys.path[:]
    sys.path[:] = [each for each in before if each not in here]
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError, AttributeError):
        return False
    finally:
        sys.path[:] = before
    if spec is None:
        return False
    places = [*(spec.submodule_search_locations or ()), spec.origin or ""]
    return any(Path(each).resolve().parent == root for each in places if each)


def _folders_of_pytest(folder: Path) -> set[Path]:
    """What pytest puts on the path by itself: the folders of tests and of conftest files."""
    found = {_first_without_init(folder.resolve())}
    for place in _upward(folder):
        if (place / "conftest.py").exists():
            found.add(_first_without_init(place))
        if any((place / name).exists() for name in _ROOT_FILES):
            break
    return found


_ROOT_FILES = ("pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "setup.py")


def _first_without_init(folder: Path) -> Path:
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def _configured(folder: Path) -> list[Path]:
    """The `pythonpath` of the nearest configuration of pytest."""
    for place in _upward(folder):
        told = _pythonpath(place)
        if told is not None:
            return [(place / each).resolve() for each in told]
    return []


def _pythonpath(place: Path) -> list[str] | None:
    """The `pythonpath` that is configured in this folder; None if pytest is not configured here."""
    options = _toml(place / "pyproject.toml").get("tool", {}).get("pytest", {}).get("ini_options")
    if options is not None:
        value = options.get("pythonpath", [])
        return value.split() if isinstance(value, str) else [str(each) for each in value]
    import configparser  # few need it

    for name, section in (
        ("pytest.ini", "pytest"),
        ("tox.ini", "pytest"),
        ("setup.cfg", "tool:pytest"),
    ):
        parser = configparser.ConfigParser(interpolation=None)
        with contextlib.suppress(OSError, configparser.Error, UnicodeDecodeError):
            parser.read(place / name, encoding="utf-8")
            if parser.has_section(section):
                return parser.get(section, "pythonpath", fallback="").split()
    return None
