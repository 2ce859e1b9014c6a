"""Types are ranked by what speaks for them."""

from symcrete.inputs.infer.evidence import Evidence


def test_the_type_with_the_most_weight_comes_first_and_the_first_of_equal_ones() -> None:
    found = Evidence()
    found.add([str, int], 1.0)
    found.add([int], 0.5)
    found.add([list], 1.0)

    assert found.ranked() == [str, int, list]


def test_types_that_are_asked_for_weigh_more_and_are_remembered() -> None:
    found = Evidence()
    found.add([str])
    found.ask([bytes])

    assert found.ranked() == [bytes, str]
    assert list(found.asked) == [bytes]


def test_evidence_beside_another_shares_what_is_known_of_elements() -> None:
    found = Evidence()

    assert found.beside().elements is found.elements
    assert found.beside().weights == {}
