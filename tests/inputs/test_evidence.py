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


def test_a_single_value_that_is_asked_for_says_little_of_the_others() -> None:
    found = Evidence()
    found.add([str], 0.5)
    found.single_out([bytes])

    assert found.ranked() == [str, bytes]
    assert list(found.asked) == [bytes]


def test_a_type_for_which_there_is_code_is_remembered_without_weight() -> None:
    found = Evidence()
    found.note_asked([bytes])

    assert found.ranked() == []
    assert list(found.asked) == [bytes]


def test_what_any_dict_can_do_speaks_for_the_dict_of_which_more_is_known() -> None:
    found = Evidence()
    found.add([dict[int, int]], 3.0)
    found.add([str], 2.5)
    found.add([dict[str, bool]], 1.0)

    assert found.ranked() == [dict[str, bool], dict[int, int], str]
