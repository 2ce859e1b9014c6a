"""Which rows a statement asks for, against what the database says."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest

from symcrete.world.outside.where import conditions, look_at

ROWS = [(1, "eve"), (2, "bob"), (7, "anna"), (9, "eva")]


@pytest.mark.parametrize(
    ("clause", "given"),
    [
        ("id = ?", (7,)),
        ("id != 7", ()),
        ("id >= 2 and name < 'eve'", ()),
        ("name = :name or id == 1", {"name": "bob"}),
        ("name like 'ev%'", ()),
        ("name LIKE ?", ("%a",)),
        ("u.name like '%n%'", ()),
        ("id in (1, ?, 9)", (2,)),
        ("id between ? and 8 order by name limit 3", (2,)),
        ("name = '?' or id = ?", (1,)),
    ],
)
def test_a_row_fits_where_the_database_finds_it(clause: str, given: Any) -> None:
    database = sqlite3.connect(":memory:")
    database.execute("create table user (id, name)")
    database.executemany("insert into user values (?, ?)", ROWS)
    statement = f"select * from user as u where {clause}"

    found = sorted(database.execute(statement, given).fetchall())
    database.close()
    alternatives = conditions(statement, given)
    fits = [
        (number, name)
        for number, name in ROWS
        if any(
            all(each.holds({"id": number, "name": name}[each.column]) for each in part)
            for part in alternatives
        )
    ]

    assert fits == found


def test_what_is_not_understood_asks_for_nothing() -> None:
    assert conditions("select 1", ()) == []
    assert conditions("select * from t where length(a) = ?", ()) == [[]]


def test_values_of_different_kinds_are_not_compared() -> None:
    ((only,),) = conditions("select a from t where a > 3", ())

    assert not only.holds("text")
    assert not only.holds(None)


def test_every_row_is_looked_at_until_a_comparison_fails() -> None:
    asked: list[str] = []

    class Cell(int):
        def __eq__(self, other: object) -> bool:
            asked.append(f"{int(self)} == {other}")
            return int(self) == other

        __hash__ = int.__hash__

    alternatives = conditions("delete from t where a = 1 and b = 2", ())

    look_at([{"a": Cell(1), "b": Cell(3)}, {"a": Cell(4), "b": Cell(2)}], alternatives)

    assert asked == ["1 == 1", "3 == 2", "4 == 1"]
