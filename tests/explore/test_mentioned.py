"""Which functions may run when one is called."""

import ast

from symcrete.explore.proof.mentioned import is_special, mentions, reached


def test_functions_are_reached_through_what_they_mention() -> None:
    mentioned = {
        ("m.py", "f"): {"g", "Box"},
        ("m.py", "g"): {"f"},
        ("m.py", "Box.__init__"): {"n"},
        ("m.py", "alone"): {"f"},
    }

    found = reached([("m.py", "f")], mentioned)

    assert found == {("m.py", "f"), ("m.py", "g"), ("m.py", "Box.__init__")}


def test_names_attributes_and_texts_are_mentioned() -> None:
    tree = ast.parse("def f(x):\n    return g(x.size, getattr(x, 'name'))\n")

    (words,) = mentions({"m.py": tree}).values()

    assert {"g", "x", "size", "name"} <= words


def test_special_methods_are_called_without_being_named() -> None:
    assert is_special(("m.py", "Box.__eq__"))
    assert not is_special(("m.py", "Box.size"))


def test_what_stands_in_a_tree_is_looked_for_once() -> None:
    tree = ast.parse("def f(x):\n    return g(x)\n")

    (first,), (second,) = mentions({"m.py": tree}).values(), mentions({"m.py": tree}).values()

    assert first is second
