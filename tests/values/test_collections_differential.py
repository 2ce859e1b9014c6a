"""Every operation of the catalogue against CPython, on a sample; `long_differential.py` is the long
form.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from tests.values.catalogue import Entry, entries
from tests.values.differential import World, operation

INPUTS = 5  # per operation

ENTRIES = entries()


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    yield World()


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])
def test_agrees_with_cpython_in_value_type_exception_and_mutation(
    entry: Entry, world: World
) -> None:
    tried, random = operation(entry, world), Random(entry.name)

    for _ in range(INPUTS):
        tried.check(random)

    assert tried.agreed or tried.refused


def test_the_catalogue_has_no_entry_twice() -> None:
    names = [entry.name for entry in ENTRIES]

    assert len(names) == len(set(names)) > 500


@pytest.mark.parametrize("what", ["len", "index i", "in", "equal", "sort", "count"])
def test_an_operation_that_keeps_its_terms_loses_none(what: str, world: World) -> None:
    entry = next(each for each in ENTRIES if each.name == f"list: {what}")
    tried = operation(entry, world)

    for seed in range(20):
        tried.check(Random(seed))

    assert tried.lost == 0
    assert tried.elsewhere > 0


def test_the_check_notices_a_model_that_is_wrong(world: World) -> None:
    entry = Entry("list", "a wrong one", "xs: list[int]", "return len(xs)")
    tried = operation(entry, world)
    tried.plain = lambda xs: len(xs) + (len(xs) == 3)

    with pytest.raises(AssertionError, match="differ"):
        for seed in range(200):
            tried.check(Random(seed))
