"""Tracked values of classes that never change: a copy is the value, a pickle and a hash are plain."""

from __future__ import annotations

import copy
import datetime
import pickle
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from tests.values.running import plainest, run

from symcrete.values.tracking.numeric import tracked, untracked
from symcrete.values.tracking.unchanging_values import Unchanging

KINDS = [
    datetime.timedelta,
    datetime.date,
    datetime.time,
    datetime.datetime,
    Fraction,
    UUID,
    PurePosixPath,
]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=[kind.__name__ for kind in KINDS])


@each_kind
def test_a_copy_is_the_value_itself(kind: Any) -> None:
    with run() as record:
        value = plainest(kind)

        assert isinstance(value, Unchanging) or issubclass(type(value), Unchanging)
        assert copy.copy(value) is value
        assert copy.deepcopy([value])[0] is value
        assert not record.losses


@each_kind
def test_a_pickle_holds_the_plain_value_and_says_that_the_term_is_lost(kind: Any) -> None:
    with run() as record:
        value = plainest(kind)

        found = pickle.loads(pickle.dumps(value))

    assert found == untracked(value)
    assert not tracked(found)
    assert "pickling" in str(record.losses)


@each_kind
def test_a_hash_is_that_of_the_plain_value_and_says_that_the_term_is_lost(kind: Any) -> None:
    with run() as record:
        value = plainest(kind)

        assert hash(value) == hash(untracked(value))

    assert "hash()" in str(record.losses)
