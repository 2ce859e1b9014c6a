"""The switch of seeded faults: one at a time, and loops that do not end are ended."""

from __future__ import annotations

import pytest

from symcrete.oracle.mutants import switch


def test_only_the_chosen_fault_is_there() -> None:
    switch.choose(2)

    assert [switch.is_there(number) for number in (1, 2, 3)] == [False, True, False]
    switch.choose(0)
    assert not switch.is_there(2)


def test_rounds_are_counted_from_the_choice() -> None:
    switch.choose(0)
    for _ in range(switch.MOST_ROUNDS):
        switch.step()

    assert not switch.needs_few()
    with pytest.raises(switch.TooLong):
        switch.step()
    switch.choose(0)
    assert switch.needs_few()
