"""The catalogue of modelled operations: `operations/*.txt`, one block for each.

A block is `[kind: what it does] parameters` followed by the body of the function; blank lines part
the blocks.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("operations")


class Entry(NamedTuple):
    kind: str
    what: str
    parameters: str
    body: str

    @property
    def name(self) -> str:
        return f"{self.kind}: {self.what}"


def entries() -> list[Entry]:
    found: list[Entry] = []
    for file in sorted(FOLDER.glob("*.txt")):
        for block in file.read_text(encoding="utf-8").strip().split("\n\n"):
            head, _, body = block.partition("\n")
            title, _, parameters = head.removeprefix("[").partition("] ")
            kind, _, what = title.partition(": ")
            found.append(Entry(kind, what, parameters, body))
    return found
