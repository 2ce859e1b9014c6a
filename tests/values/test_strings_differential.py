"""A sample of `tests/differential/texts.py`: models of texts agree with CPython."""

import pytest
from tests.differential.texts import Entry, check, entries

ENTRIES = list(entries())
INPUTS = 6


@pytest.mark.parametrize("group", sorted({entry.group for entry in ENTRIES}))
def test_operations_give_what_cpython_gives_also_for_other_inputs_on_the_same_path(
    group: str,
) -> None:
    sample = [entry for entry in ENTRIES if entry.group == group and _is_drawn(entry)]

    followed = sum(check(entry, INPUTS, seed=1)[0] for entry in sample)

    assert followed > len(sample)


def _is_drawn(entry: Entry) -> bool:
    """Of the patterns only some: each takes long to unroll."""
    return entry.share == 1 or len(entry.text) % 4 == 0
