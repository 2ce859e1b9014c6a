"""A replay that differs is looked into before the program is blamed."""

from symcrete.run.untouched.agreement import Agreed, LookInto, first_look, second_look
from symcrete.run.untouched.played import Replayed
from symcrete.run.use import Ending

ONE, TWO = Replayed(Ending.RETURNED, "1"), Replayed(Ending.RETURNED, "2")
SLOW = Replayed(Ending.TIMEOUT, reason="does not end within 1 s")


def test_the_same_twice_is_a_fact() -> None:
    assert first_look(ONE, ONE, Ending.RETURNED) == Agreed(ONE)


def test_what_differs_is_looked_into() -> None:
    assert first_look(ONE, TWO, Ending.RETURNED) == LookInto()


def test_a_time_limit_that_nobody_expected_is_looked_into() -> None:
    assert first_look(SLOW, SLOW, Ending.RETURNED) == LookInto()
    assert first_look(SLOW, SLOW, Ending.TIMEOUT) == Agreed(SLOW)


def test_a_busy_machine_has_no_say() -> None:
    assert second_look(SLOW, ONE, ONE, ONE) == ONE
    assert second_look(ONE, SLOW, ONE, ONE) == ONE
    assert second_look(SLOW, SLOW, ONE, ONE) == ONE


def test_what_does_not_end_with_more_time_either_is_an_outcome() -> None:
    assert second_look(SLOW, SLOW, SLOW, SLOW).outcome == "timeout"


def test_only_the_history_differs() -> None:
    later = Replayed(Ending.RETURNED, "2", changed=("COUNT",))

    did = second_look(ONE, later, ONE, ONE)

    assert did.outcome == "flaky"
    assert did.reason == "it depends on earlier calls, which change COUNT"


def test_the_class_of_a_result_that_differs_is_known_if_every_play_gave_it() -> None:
    one = Replayed(Ending.RETURNED, "1", result_type="int")
    two = Replayed(Ending.RETURNED, "2", result_type="int")
    text = Replayed(Ending.RETURNED, '"2"', result_type="str")

    assert second_look(one, two, one, one).result_type == "int"
    assert second_look(one, text, one, one).result_type == ""


def test_what_differs_from_itself_is_flaky() -> None:
    assert second_look(ONE, ONE, TWO, TWO).reason == "the result differs between two calls"
    assert second_look(ONE, TWO, ONE, TWO).reason == "the result differs between two runs"


def test_sides_that_are_taken_only_after_earlier_calls_are_told_apart() -> None:
    fresh = Replayed(Ending.RETURNED, "1", lines=frozenset({1, 2}), sides=frozenset({"0+"}))
    later = Replayed(Ending.RETURNED, "1", lines=frozenset({1}), sides=frozenset({"0-"}))

    assert first_look(fresh, later) == LookInto()
    did = second_look(fresh, later, fresh, fresh)

    assert (did.sides, did.sides_later) == (frozenset({"0+"}), frozenset({"0-"}))


def test_what_one_of_two_replays_needed_is_not_idle() -> None:
    both, one = (
        Replayed(Ending.RETURNED, "1", idle=("a", "b")),
        Replayed(Ending.RETURNED, "1", idle=("b",)),
    )

    assert first_look(both, one, Ending.RETURNED) == Agreed(one)
    assert second_look(both, both, both, one).idle == ("b",)
