"""Results of functions that have not changed: found by what they depend on, in `.symcrete/cache`.

One file for each result, named by its key and put in its place whole, so that two runs may share a
folder. A file that cannot be read is no result; a disk that is full keeps none.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import symcrete
from symcrete import VERSION
from symcrete.codec import Garbled, decoded, encoded
from symcrete.errors import NothingToAnalyse
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options
from symcrete.explore.project.depends import depends_on
from symcrete.program.source.target import Target
from symcrete.sandbox.journal.runs import FOLDER

PLACE = f"{FOLDER}/cache"
MOST_RESULTS = 20_000  # results kept in a folder: some 100 MB
_SOLVERS = ("z3", "yices_api", "bitwuzla")


class Cache:
    """The results in one folder."""

    def __init__(self, place: str | Path = PLACE) -> None:
        self._place = Path(place)
        self._options: tuple[Options, str] | None = None  # those asked for last, and their text
        self._asked: dict[str, Path] = {}  # by label: where a result that was not found would be

    def find(
        self, target: Target, options: Options, learned: tuple[str, ...] = ()
    ) -> TargetReport | None:
        """The report of an earlier run of the same target on the same text, with the same options
        and calls to learn from; None if there is none.
        """
        file = self._file(target, options, learned)
        if file is None:
            return None
        self._asked[target.label] = file
        try:
            text = file.read_text(encoding="utf-8")
            report = decoded(TargetReport, json.loads(text))
        except (OSError, ValueError, Garbled):
            return None
        if report.target != target.label:
            return None
        self._asked.pop(target.label, None)
        return report

    def keep(
        self,
        target: Target,
        options: Options,
        report: TargetReport,
        learned: tuple[str, ...] = (),
    ) -> None:
        """Keep a report for `find`. It is not kept if the run failed or was cut short by chance,
        nor if the program has changed since `find` was asked: then nothing tells which text it is
        about.
        """
        file = self._file(target, options, learned)
        if self._asked.pop(target.label, file) != file:
            return
        # A function without code has none tomorrow either; a module that cannot be imported today
        # may be importable then.
        failed = report.error or report.exit_code
        empty = report.exit_code == NothingToAnalyse.exit_code
        if (failed and not empty) or report.cut_short or file is None:
            return
        with contextlib.suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            fresh = file.with_suffix(f".{os.getpid()}-{os.urandom(3).hex()}")  # 3 bytes
            try:
                fresh.write_text(json.dumps(encoded(report)), encoding="utf-8")
                os.replace(fresh, file)
            finally:
                fresh.unlink(missing_ok=True)

    def size(self) -> tuple[int, int]:
        """How many results there are, and how many bytes they take."""
        sizes = []
        for file in self._files():
            with contextlib.suppress(OSError):
                sizes.append(file.stat().st_size)
        return len(sizes), sum(sizes)

    def clear(self) -> int:
        """Forget all results; returns how many there were."""
        files = self._files()
        for file in files:
            with contextlib.suppress(OSError):
                file.unlink()
        return len(files)

    def trim(self) -> None:
        """Forget the oldest results where there are more than MOST_RESULTS."""
        files = self._files()
        if len(files) > MOST_RESULTS:
            for file in sorted(files, key=_age)[: len(files) - MOST_RESULTS]:
                with contextlib.suppress(OSError):
                    file.unlink()

    def _files(self) -> list[Path]:
        return list(self._place.glob("*/*.json"))

    def _file(self, target: Target, options: Options, learned: tuple[str, ...]) -> Path | None:
        """Where the result is kept; None if nothing tells whether it still holds."""
        text = depends_on(target)
        if text is None:
            return None
        left_out = sorted(target.uncounted)
        told = [_engine(), target.label, text, left_out, learned, self._shown(options)]
        key = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
        return self._place / key[:2] / f"{key[2:]}.json"

    def _shown(self, options: Options) -> str:
        """The options as text, made once: all functions of a run have the same ones."""
        if self._options is None or self._options[0] is not options:
            self._options = options, json.dumps(encoded(options), sort_keys=True)
        return self._options[1]


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _modules_below(folder: str) -> Iterator[tuple[str, int]]:
    """The Python files below a folder, and when each was changed last."""
    with os.scandir(folder) as entries:
        for each in entries:
            if each.is_dir(follow_symlinks=False):
                yield from _modules_below(each.path)
            elif each.name.endswith(".py"):
                yield each.path, each.stat().st_mtime_ns


@functools.cache
def _engine() -> str:
    """A hash of what a result depends on besides the project: us, Python, solvers and installed
    packages.
    """
    ours = sorted(_modules_below(os.path.dirname(symcrete.__file__)))
    solvers = [name for name in _SOLVERS if importlib.util.find_spec(name) is not None]
    installed: list[str] = []
    with contextlib.suppress(OSError):
        installed = sorted(os.listdir(sysconfig.get_path("purelib")))
    told = json.dumps([VERSION, sys.version, ours, solvers, installed])
    return hashlib.sha256(told.encode()).hexdigest()
