"""Types are ranked by what speaks for them."""

from symcrete.inputs.infer.body import inferred_types
from symcrete.inputs.infer.evidence import Evidence
from symcrete.inputs.infer.something import Something
from symcrete.inputs.shapes.arguments import arguments_of
from symcrete.inputs.shapes.inferred import FEW_KINDS
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape


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


class Shape:
    def __init__(self, area):
        self.area = area + 1


class Leaf(Shape):
    def __init__(self):
        super().__init__(2)


class Twig(Leaf):
    pass


class Wrapper:
    def __init__(self, text):
        self.first = text.strip()


def sized(x):
    return 0 if x is None else x.area


def wrapped(text):
    text = Wrapper(text)
    return text.first


def matching(x):
    return x.match("a") or x.colour


def test_subclasses_of_one_type_come_after_the_other_types() -> None:
    (parameter,) = arguments_of(sized, {}, "sized").parameters

    assert isinstance(parameter.shape, ChoiceShape)
    kinds = [getattr(each, "kind", None) for each in parameter.shape.choices]
    assert kinds[0] is Shape
    assert parameter.shape.choices.index(ConstantShape(None)) < kinds.index(Leaf)
    assert len(kinds) == len({kind for kind in kinds if kind}) + kinds.count(None)


def test_what_is_done_after_a_variable_is_made_anew_says_nothing_of_what_is_given() -> None:
    assert inferred_types(wrapped, "text") == [str, Wrapper]


def test_a_class_of_the_library_that_lacks_one_of_the_attributes_is_not_tried() -> None:
    assert inferred_types(matching, "x") == [Something]


def test_alternatives_of_one_type_do_not_make_many_types() -> None:
    def flagged(x=0):
        return x is None

    (parameter,) = arguments_of(flagged, {}, "flagged").parameters
    (other,) = arguments_of(sized, {}, "sized").parameters

    assert isinstance(parameter.shape, ChoiceShape)
    assert isinstance(other.shape, ChoiceShape)
    assert len(other.shape.choices) > FEW_KINDS
    assert parameter.shape.likely == other.shape.likely == 0.0
