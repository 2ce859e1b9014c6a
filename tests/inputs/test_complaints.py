"""What errors say of the types that were expected."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from symcrete.inputs.infer.complaints import complaint_of, expected, learned_from
from symcrete.inputs.infer.something import Something


def message(action: Callable[[], Any]) -> str:
    with pytest.raises((TypeError, AttributeError)) as caught:
        action()
    return str(caught.value)


zero: Any = 0
text: Any = "a"


@pytest.mark.parametrize(
    ("action", "culprit", "kind"),
    [
        (lambda: zero.keys(), "int", dict[str, int]),
        (lambda: zero.upper(), "int", str),
        (lambda: zero.colour, "int", Something),
        (lambda: list(zero), "int", list[int]),
        (lambda: 1 in zero, "int", str),
        (lambda: zero[0], "int", dict[str, int]),
        (lambda: zero(), "int", Callable[..., int]),
        (lambda: len(zero), "int", str),
        (lambda: zero + text, "int", str),
        (lambda: zero + text, "str", int),
        (lambda: text + zero, "int", str),
        (lambda: text < zero, "int", str),
        (lambda: "".join([zero]), "int", str),
        (lambda: range(text), "str", int),
        (lambda: [1][text], "str", int),
        (lambda: os.fspath(zero), "int", str),
        (lambda: "a".startswith(zero), "int", str),
        (lambda: bytes.fromhex(zero), "int", str),
        (lambda: b"".join([text]), "str", bytes),
    ],
)
def test_a_message_of_python_names_what_would_do(
    action: Callable[[], Any], culprit: str, kind: Any
) -> None:
    found = dict(expected(message(action), {}))

    assert kind in found[culprit]


def test_a_message_of_the_program_tells_nothing() -> None:
    assert expected("no such customer", {}) == []


def test_the_parameter_is_meant_that_had_the_type() -> None:
    complaint = complaint_of("'int' object is not iterable", {"a": "x", "b": 3})

    assert learned_from([complaint], {}) == {"b": [list[int], list[str]]}


def test_elements_of_the_type_are_meant_where_no_argument_has_it() -> None:
    complaint = complaint_of("'int' object has no attribute 'upper'", {"words": [1, 2]})

    assert learned_from([complaint], {})["words"][0] == list[str]
