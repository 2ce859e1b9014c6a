"""The tests of this folder run with the listed vocabulary."""

from __future__ import annotations

import pytest

from symcrete.values.vocabulary.vocabulary import LISTED, use


@pytest.fixture(autouse=True)
def _listed_vocabulary() -> None:
    use(LISTED)
