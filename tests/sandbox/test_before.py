"""What is known of a target travels between processes and machines as it is."""

from symcrete.codec import decoded, encoded
from symcrete.explore.findings import FoundInput
from symcrete.run.use import Ending
from symcrete.sandbox.messages.before import NOTHING_BEFORE, Before


def test_what_is_known_is_the_same_after_a_journey() -> None:
    found = FoundInput({"x": "1"}, Ending.RETURNED, "2", None, (), "True")
    known = Before(kept=(('{"x": 1}', found),), learned=("f(3)",))

    assert decoded(Before, encoded(known)) == known
    assert decoded(Before, encoded(NOTHING_BEFORE)) == Before()
