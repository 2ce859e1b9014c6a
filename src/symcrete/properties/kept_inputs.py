"""What was found of a property, in `.symcrete/properties`: tried first when it runs again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symcrete.inputs.literal import NoLiteral
from symcrete.run.untouched.played import Call
from symcrete.sandbox.journal.runs import keep_out_of_git
from symcrete.slotted import dataclass

if TYPE_CHECKING:
    from symcrete.properties.failure_search import Failing, Search

FOLDER = "properties"  # below the folder of results
MOST_KEPT_INPUTS = 50  # kept of one property, besides the failing one: each costs a run next time


@dataclass(frozen=True, slots=True)
class KeptInput:
    """An input as text, and the names that the text needs."""

    text: str
    imports: tuple[tuple[str, str], ...] = ()


class KeptInputs:
    """The inputs of one property on disk; without a folder, none."""

    def __init__(self, folder: str | None, name: str) -> None:
        self._name = name
        self._file: Path | None = None
        found: Any = {}
        if folder is not None:
            digest = hashlib.sha256(name.encode()).hexdigest()[:16]  # 64 bits
            self._file = Path(folder) / FOLDER / f"{digest}.json"
            with contextlib.suppress(OSError, ValueError):
                found = json.loads(self._file.read_text(encoding="utf-8"))
        known = found if isinstance(found, dict) else {}
        self.failing = _read(known.get("failing"))
        self.covering = _read(known.get("covering"))

    def write(self, found: Failing | None, search: Search) -> None:
        """Keep what this run found; a disk that fails is no failure of the test."""
        if self._file is None:
            return
        failing = [] if found is None else [found.plainest, found.given]
        covering = _written(search.covering()[:MOST_KEPT_INPUTS], search)
        kept = {
            "property": self._name,
            "failing": _written(failing, search),
            "covering": covering or [_entry(each) for each in self.covering],
        }
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            keep_out_of_git(str(self._file.parent.parent))
            beside = self._file.with_suffix(f".{os.getpid()}")
            beside.write_text(json.dumps(kept, indent=1), encoding="utf-8")
            os.replace(beside, self._file)


def _written(inputs: list[Any], search: Search) -> list[dict[str, Any]]:
    texts: list[dict[str, Any]] = []
    for given in inputs:
        with contextlib.suppress(NoLiteral):
            call = search.call_of(given)
            entry = _entry(KeptInput(as_text(call), call.imports))
            if entry not in texts:
                texts.append(entry)
    return texts


def _entry(kept: KeptInput) -> dict[str, Any]:
    return {"text": kept.text, "imports": [list(each) for each in kept.imports]}


def as_text(call: Call) -> str:
    """A call as `inputs.reading` reads it: statements, then the arguments."""
    arguments = ", ".join([f"{name}={text}" for name, text in call.args.items()])
    return "; ".join([*call.setup, arguments])


def _read(entries: Any) -> list[KeptInput]:
    """What a file of this or of an earlier version says; nothing where it says something else."""
    found: list[KeptInput] = []
    for each in entries if isinstance(entries, list) else []:
        with contextlib.suppress(KeyError, TypeError, ValueError):
            imports = tuple([(str(module), str(name)) for module, name in each["imports"]])
            found.append(KeptInput(str(each["text"]), imports))
    return found
