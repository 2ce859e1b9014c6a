"""Where a program asks for what differs from run to run: chance, clocks, hashes, addresses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from symcrete.slotted import dataclass

Kind = Literal["chance", "clock", "hash", "address"]

_MODULES: dict[str, Kind] = {"random": "chance", "secrets": "chance", "uuid": "chance"}
_FUNCTIONS: dict[str, Kind] = {
    "os.urandom": "chance",
    "os.getpid": "address",
    "id": "address",
    "repr": "address",
    "object": "address",
    "hash": "hash",
    "set": "hash",
    "frozenset": "hash",
    **{
        f"time.{name}": "clock"
        for name in [
            "time",
            "time_ns",
            "monotonic",
            "monotonic_ns",
            "perf_counter",
            "perf_counter_ns",
            "process_time",
            "localtime",
            "gmtime",
            "ctime",
            "strftime",
            "asctime",
        ]
    },
    **{
        f"datetime.{name}": "clock"
        for name in (
            *[f"datetime.{each}" for each in ("now", "utcnow", "today")],
            "date.today",
        )
    },
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One expression that may differ from run to run."""

    kind: Kind
    text: str  # random.randrange, as the program writes it


def chance_in(tree: ast.Module) -> dict[int, Asked]:
    """The expressions that may differ from run to run, by line; of several in a line the first."""
    origins = dict(_imports(tree))
    found: dict[int, Asked] = {}
    for node in ast.walk(tree):
        asked = _asked(node, origins)
        if asked is not None:
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):  # type: ignore[attr-defined]
                found.setdefault(line, asked)
    return found


def _asked(node: ast.AST, origins: dict[str, str]) -> Asked | None:
    if isinstance(node, ast.Set | ast.SetComp):
        return Asked("hash", "a set")
    if not isinstance(node, ast.Call):
        return None
    written = _dotted(node.func)
    if written is None:
        return None
    first, dot, rest = written.partition(".")
    name = f"{origins.get(first, first)}{dot}{rest}"
    kind = _FUNCTIONS.get(name) or _MODULES.get(name.partition(".")[0])
    return Asked(kind, f"{written}()") if kind else None


def _dotted(node: ast.expr) -> str | None:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            before = _dotted(value)
            return f"{before}.{attribute}" if before else None
    return None


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each imported name with the dotted name that it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
