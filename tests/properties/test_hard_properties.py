"""The properties of `benchmarks.properties` are all refuted by `forall`."""

from collections.abc import Callable

import pytest
from benchmarks.properties import PROPERTIES, by_forall, outcome


@pytest.mark.parametrize("test", PROPERTIES, ids=lambda test: test.__name__)
def test_forall_finds_what_breaks_a_hard_property(test: Callable[..., None]) -> None:
    assert outcome(by_forall(test)) == "found"
