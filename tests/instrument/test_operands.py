"""The hooks for operands that are decided on and needed once more."""

import operator
import threading

from symcrete.instrument.operands import operand_hooks


def hooks():
    decided: list[tuple[int, bool]] = []

    def branch(site: int, value: object) -> bool:
        decided.append((site, bool(value)))
        return bool(value)

    return decided, *operand_hooks(branch, {"lt": operator.lt})


def test_an_operand_is_decided_on_and_kept() -> None:
    decided, test, _, _, kept = hooks()

    assert not test(4, "")
    assert kept() == ""
    assert decided == [(4, False)]


def test_a_link_keeps_what_the_next_one_compares_or_its_own_result() -> None:
    decided, _, link, last_link, kept = hooks()

    assert link(0, "lt", 1, 2)
    assert kept() == 2
    assert not link(2, "lt", 2, 1)
    assert kept() is False
    assert last_link(4, "lt", 1, 2)
    assert decided == [(0, True), (2, False), (4, True)]


def test_threads_keep_operands_of_their_own() -> None:
    _, test, _, _, kept = hooks()
    test(0, "here")
    other = threading.Thread(target=test, args=(0, "there"))
    other.start()
    other.join()

    assert kept() == "here"
