"""Databases of `sqlite3`: in memory, whatever file is named, with the rows that the input says.

Which tables and columns there are is told by the statements of the program: where one is missing,
the database has it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.infer.flow import by_name
from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, IntShape, TupleShape
from symcrete.world.outside.where import WORD, conditions, look_at
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

_NAME = "databases"
_MEMORY = ":memory:"
_LATE = Late("sqlite3.connect()", ConstantShape(_MEMORY), _NAME)
_TABLE = "rows of "  # how the root of what a table holds begins; its name and columns follow
_TEXT, _NUMBER = StrShape(odd=False), IntShape(-(2**63), 2**63 - 1)
_MOST_IN_TABLE = 3  # rows; chosen, not measured
_MOST_MISSING = 30  # tables and columns that one statement may lack; chosen, not measured
_NO_COLUMNS = "a"  # the column of a table of which no statement names any
_NO_TABLE = re.compile(f"no such table: (?:main\\.)?({WORD})$")
_NO_COLUMN = re.compile(f"no such column: (?:({WORD})\\.)?({WORD})$")
_OTHER_COLUMN = re.compile(f"table ({WORD}) has no column named ({WORD})$")
_TOO_FEW = re.compile(f"table ({WORD}) has (\\d+) columns? but \\d+ values were supplied$")
_MENTIONED = re.compile(f"(?:from|into|update|join)\\s+({WORD})", re.IGNORECASE)
_ALIASED = re.compile(f"(?:from|join)\\s+({WORD})\\s+(?:as\\s+)?({WORD})", re.IGNORECASE)


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    yield Instead("sqlite3", "connect", _connect(ask))


def _connect(ask: Asking) -> Callable[..., sqlite3.Connection]:
    def connect(database: Any = _MEMORY, *rest: Any, **named: Any) -> sqlite3.Connection:
        if not ask.running:
            return original("sqlite3", "connect")(database, *rest, **named)  # type: ignore[no-any-return]
        ask.value(_LATE)
        ask.lose("what a database holds, of which only small tables are inputs")
        made: Filled = original("sqlite3", "connect")(_MEMORY, factory=Filled)
        made.tables = Tables(ask, made, fillable=ask.plain(database) != _MEMORY)
        return made

    return connect


class Filled(sqlite3.Connection):
    """A database in memory, some of whose tables are inputs."""

    tables: Tables

    def cursor(self, factory: Any = None) -> Any:
        return super().cursor(factory or Reading)

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        return self.cursor().execute(sql, parameters)

    def executemany(self, sql: str, rows: Any, /) -> Any:
        return self.cursor().executemany(sql, rows)


class Reading(sqlite3.Cursor):
    """A cursor whose rows have the terms of the input."""

    def execute(self, sql: str, parameters: Any = (), /) -> Any:
        tables = self.connection.tables  # type: ignore[attr-defined]
        plain = tables.plain(parameters)
        tables.prepare(str(sql), plain)
        tables.look_at(str(sql), parameters)
        return super().execute(str(sql), plain)

    def executemany(self, sql: str, rows: Any, /) -> Any:
        tables = self.connection.tables  # type: ignore[attr-defined]
        plain = [tables.plain(each) for each in rows]
        tables.prepare(str(sql), plain[0] if plain else ())
        return super().executemany(str(sql), plain)

    def fetchone(self) -> Any:
        return self._tracked(super().fetchone())

    def fetchall(self) -> Any:
        return [self._tracked(row) for row in super().fetchall()]

    def fetchmany(self, size: int | None = 1) -> Any:
        return [self._tracked(row) for row in super().fetchmany(size)]

    def __next__(self) -> Any:
        return self._tracked(super().__next__())

    def _tracked(self, row: Any) -> Any:
        if type(row) is not tuple or self.description is None:
            return row
        cell = self.connection.tables.cell  # type: ignore[attr-defined]
        return tuple(
            [cell(name[0], value) for name, value in zip(self.description, row, strict=True)]
        )


class Tables:
    """The tables of one database that are inputs, made when a statement first needs them."""

    def __init__(self, ask: Asking, database: Filled, *, fillable: bool) -> None:
        self._ask, self._database, self._fillable = ask, database, fillable
        self._columns: dict[str, list[str]] = {}
        self._filled: set[str] = set()
        self._cells: dict[tuple[str, Any], Any] = {}  # by column and plain value, with terms
        # Of this run, for every connection that it makes: columns and rows.
        self._known: dict[str, tuple[list[str], Any]] = ask.remembered(_TABLE, dict)
        for table, (columns, rows) in self._known.items() if fillable else ():
            self._make(table, columns, rows)

    def plain(self, parameters: Any) -> Any:
        """What a statement is given, without terms."""
        if isinstance(parameters, dict):
            return {name: self._ask.plain(each) for name, each in parameters.items()}
        return [self._ask.plain(each) for each in parameters]

    def cell(self, column: str, value: Any) -> Any:
        """A value of a row with its term: that of the last cell of the input which has this value
        in a column of this name.
        """
        return self._cells.get((column, value), value)

    def prepare(self, statement: str, given: Any) -> None:
        """Make the tables and columns that a statement lacks, as far as errors of the database tell
        which; what it lacks then is an error that the program gets.
        """
        for _ in range(_MOST_MISSING if self._fillable else 0):
            try:
                self._really(f"EXPLAIN {statement}", given)
            except sqlite3.Error as error:
                if not self._add(str(error), statement):
                    break
            else:
                break
        for table in [each for each in self._columns if each not in self._filled]:
            self._fill(table, _compared_with_texts(statement, given))

    def look_at(self, statement: str, given: Any) -> None:
        """Make known, as branches, which rows of the input a statement asks for."""
        alternatives = conditions(statement, given) if self._known else []
        named = {name.lower() for name in _MENTIONED.findall(statement)}
        for table, (columns, rows) in self._known.items() if alternatives else ():
            if table.lower() in named and rows is not None:
                told = [dict(zip(columns, row, strict=True)) for row in rows]
                look_at(told, alternatives)

    def _really(self, statement: str, given: Any = ()) -> Any:
        """Have the database execute a statement, without looking at what it needs."""
        return sqlite3.Cursor(self._database).execute(statement, given)

    def _add(self, error: str, statement: str) -> bool:
        """Make what an error says is missing; whether it said so."""
        if found := _NO_TABLE.match(error):
            if found[1] in self._columns:
                return False  # the input says that it is missing
            self._columns[found[1]] = []
            self._really(f"CREATE TABLE {found[1]} ({_NO_COLUMNS})")
            return True
        if found := _TOO_FEW.match(error):
            return self._add_column(found[1], f"column{int(found[2]) + 1}")
        if found := _OTHER_COLUMN.match(error):
            return self._add_column(found[1], found[2])
        if found := _NO_COLUMN.match(error):
            aliases = {alias: table for table, alias in _ALIASED.findall(statement)}
            said: str = found[1] or ""
            tables = [aliases.get(said, said)] if said else _MENTIONED.findall(statement)
            return any(self._add_column(each, found[2]) for each in tables)
        return False

    def _add_column(self, table: str, column: str) -> bool:
        known = self._columns.get(table)
        if known is None or column in known or table in self._filled:
            return False
        known.append(column)
        self._really(f"DROP TABLE {table}")
        self._really(f"CREATE TABLE {table} ({', '.join(known)})")
        return True

    def _fill(self, table: str, texts: set[str]) -> None:
        """Make a table whose columns are known, with rows that are an input; columns in `texts`
        mostly hold texts.
        """
        columns = self._columns[table] = self._columns[table] or [_NO_COLUMNS]
        row = TupleShape(tuple([_cell(each, texts) for each in columns]))
        shape = ChoiceShape((SequenceShape(row, most=_MOST_IN_TABLE), ConstantShape(None)))
        rows = self._ask.value(Late(f"{_TABLE}{table} ({', '.join(columns)})", shape, _NAME))
        self._really(f"DROP TABLE {table}")
        self._known[table] = columns, rows
        self._make(table, columns, rows)

    def _make(self, table: str, columns: list[str], rows: Any) -> None:
        """Make a table with the rows of the input; None: there is none."""
        self._filled.add(table)
        self._columns[table] = columns
        if rows is None:
            return
        self._really(f"CREATE TABLE {table} ({', '.join(columns)})")
        for each in rows:
            plain = [self._ask.plain(cell) for cell in each]
            places = ", ".join(["?"] * len(columns))
            self._really(f"INSERT INTO {table} VALUES ({places})", plain)
            self._cells |= {
                (name, value): cell for name, value, cell in zip(columns, plain, each, strict=True)
            }
        self._database.commit()


def _compared_with_texts(statement: str, given: Any) -> set[str]:
    """The columns that a statement compares with a text."""
    found = [each for part in conditions(statement, given) for each in part]
    return {each.column for each in found if isinstance(next(iter(each.values), None), str)}


def _cell(column: str, texts: set[str]) -> ChoiceShape:
    """What a column may hold: a text, a number or nothing; first what its name speaks for, or what
    it is compared with.
    """
    is_text = column in texts or by_name(column) == [str]
    usual = (_TEXT, _NUMBER) if is_text else (_NUMBER, _TEXT)
    return ChoiceShape((*usual, ConstantShape(None)))


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    tables = [each for each in answers if each.root.startswith(_TABLE) and each.value is not None]
    by = 'lambda *_, connect=sqlite3.connect, **__: connect(":memory:")'
    head = "import sqlite3\n\n"
    if tables:
        head, by = f"{head}{_function(tables)}", "connect"
    told = [f"{literal(each.root.removeprefix(_TABLE))}: {each.text}" for each in tables]
    for target in targets("sqlite3", "connect"):
        line = f"{head}monkeypatch.setattr({literal(target)}, {by})"
        text = f"{{{', '.join(told)}}}" if told else literal(_MEMORY)
        yield Setting(_LATE.root, text, line)


def _function(tables: Sequence[Answer]) -> str:
    """A function that connects to a database with these tables, as text."""
    lines = [
        "def connect(*_, connect=sqlite3.connect, **__):",
        '    database = connect(":memory:")',
    ]
    for each in tables:
        made = each.root.removeprefix(_TABLE)
        places = ", ".join(["?"] * (made.count(",") + 1))
        lines.append(f"    database.execute({literal(f'CREATE TABLE {made}')})")
        if each.value:
            into = literal(f"INSERT INTO {made.partition(' ')[0]} VALUES ({places})")
            lines.append(f"    database.executemany({into}, {each.text})")
    return "\n".join([*lines, "    database.commit()", "    return database", "", ""])


DATABASES = Source(
    name=_NAME,
    what="`sqlite3.connect`, and what the tables hold",
    stand_ins=_stand_ins,
    shown=_shown,
)
