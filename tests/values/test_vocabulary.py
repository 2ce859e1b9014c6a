"""The listed vocabulary: its rows name what exists, and nothing has two."""

from __future__ import annotations

import datetime
import importlib
import pathlib
import pkgutil
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest
from tests.values.running import plainest, run, tracked

from symcrete.inputs import shapes
from symcrete.values.rows import tables
from symcrete.values.rows.model_rows import Called, Method, Model, Pure, TransparentMethods
from symcrete.values.tracking.numeric import untracked
from symcrete.values.vocabulary.builders import BUILDERS
from symcrete.values.vocabulary.families import FAMILIES, MEETINGS
from symcrete.values.vocabulary.models import MODELS
from symcrete.values.vocabulary.tracked_kinds import KINDS

OURS = "symcrete.oracle."
KNOWN: list[tuple[Any, Any]] = [
    (int, 3),
    (float, 2.5),
    (bool, True),
    (str, "ab"),
    (bytes, b"ab"),
    (bytearray, b"ab"),
]
OTHERS = [complex, Decimal, Fraction, UUID, pathlib.PurePosixPath]
OTHERS += [datetime.date, datetime.time, datetime.datetime, datetime.timedelta]


def test_a_class_has_one_row() -> None:
    assert max(Counter(row.kind for row in KINDS).values()) == 1


def test_a_function_has_one_model() -> None:
    models = Counter(id(row.original) for row in MODELS if isinstance(row, Model))

    assert max(models.values()) == 1


def test_a_model_of_a_method_names_a_method_that_its_class_has() -> None:
    missing = [
        (row.kind, row.name)
        for row in MODELS
        if isinstance(row, Method) and not hasattr(row.kind, row.name)
    ]
    missing += [
        (row.kind, name)
        for row in MODELS
        if isinstance(row, TransparentMethods)
        for name in row.names.split()
        if not hasattr(row.kind, name)
    ]

    assert missing == []


def test_a_pure_function_is_where_its_row_says_or_newer_than_this_python() -> None:
    newer = {"sumprod"} if sys.version_info < (3, 12) else set()
    rows = [row for row in MODELS if isinstance(row, Pure)]

    missing = {
        name
        for row in rows
        for name in row.names.split()
        # Programs that compare two functions have copies of modules of ours.
        if not hasattr(importlib.import_module(row.module.replace("joint_", OURS)), name)
    }

    assert missing <= newer


def test_what_is_called_by_its_class_is_a_class() -> None:
    assert all(isinstance(row.kind, type) for row in MODELS if isinstance(row, Called))


def test_every_shape_of_an_input_can_be_built() -> None:
    names = [each.name for each in pkgutil.iter_modules(shapes.__path__)]
    modules = [importlib.import_module(f"{shapes.__name__}.{name}") for name in names]
    found = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and value.__name__.endswith("Shape")
        and {"plain", "sample"} <= set(dir(value))
        and not getattr(value, "_is_protocol", False)
    }

    assert {kind.__name__ for kind in found - BUILDERS.keys()} == set()


def test_families_that_meet_are_families() -> None:
    names = {family.name for family in FAMILIES}

    assert {name for row in MEETINGS for name in (row.left, row.right)} <= names
    assert {row.family for row in KINDS} - {None} <= names


@pytest.mark.parametrize(("kind", "value"), KNOWN, ids=[kind.__name__ for kind, _ in KNOWN])
def test_a_tracked_value_stands_for_its_class_and_becomes_the_plain_value(
    kind: Any, value: Any
) -> None:
    with run():
        made, _ = tracked(kind, value)

    assert tables.STANDS_FOR[type(made)] is kind
    assert type(untracked(made)) is kind
    assert untracked(made) == value


@pytest.mark.parametrize("kind", OTHERS, ids=[kind.__name__ for kind in OTHERS])
def test_a_tracked_library_value_stands_for_its_class(kind: type) -> None:
    with run():
        made = plainest(kind)

    assert isinstance(made, kind)
    assert type(untracked(made)) is tables.STANDS_FOR.get(type(made), type(made))
