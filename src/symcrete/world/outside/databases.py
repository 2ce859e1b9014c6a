"""Databases of `sqlite3`: an empty one in memory, whatever file is named."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ConstantShape
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_MEMORY = ":memory:"
_LATE = Late("sqlite3.connect()", ConstantShape(_MEMORY), "databases")


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    yield Instead("sqlite3", "connect", _connect(ask))


def _connect(ask: Asking) -> Callable[..., sqlite3.Connection]:
    def connect(database: Any = _MEMORY, *rest: Any, **named: Any) -> sqlite3.Connection:
        if not ask.running:
            return original("sqlite3", "connect")(database, *rest, **named)  # type: ignore[no-any-return]
        where = ask.value(_LATE)
        ask.lose("what a database holds, which is no input")
        return sqlite3.connect(where)

    return connect


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for each in answers:
        for target in targets("sqlite3", "connect"):
            by = f"lambda *_, connect=sqlite3.connect, **__: connect({each.text})"
            line = f"import sqlite3\n\nmonkeypatch.setattr({literal(target)}, {by})"
            yield Setting(each.root, each.text, line)


DATABASES = Source(name="databases", what="`sqlite3.connect`", stand_ins=_stand_ins, shown=_shown)
