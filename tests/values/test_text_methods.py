"""The methods of texts by their table: each agrees with CPython on the path that it reports."""

from __future__ import annotations

import array
from typing import Any

import pytest
from tests.values.running import agrees, run, tracked

from symcrete.terms.texts import BYTES, STR
from symcrete.values.text.content import contents, marks, positions, strings, text_input
from symcrete.values.text.meaning import (
    case,
    comparison,
    lines_and_tabs,
    numerals,
)
from symcrete.values.text.methods import bytearrays, calling, making, questions
from symcrete.values.text.methods.method_table import OF_BYTES, OF_STR
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import untracked

CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("title", ()),
    ("capitalize", ()),
    ("swapcase", ()),
    ("upper", ()),
    ("isalpha", ()),
    ("isupper", ()),
    ("isdigit", ()),
    ("find", ("b",)),
    ("rfind", ("b",)),
    ("count", ("a",)),
    ("startswith", ("a",)),
    ("endswith", (("c", "b"),)),
    ("removeprefix", ("a",)),
    ("removesuffix", ("c",)),
    ("strip", ()),
    ("lstrip", ("a",)),
    ("replace", ("b", "xy")),
    ("zfill", (6,)),
    ("center", (7, "*")),
    ("ljust", (5,)),
    ("expandtabs", (4,)),
]
WORDS = ("abc", "Bb1", " a ", "c\tb", "", "1_0")


@pytest.mark.parametrize(("name", "args"), CALLS, ids=[name for name, _ in CALLS])
def test_a_method_of_a_tracked_text_agrees_with_cpython(name: str, args: tuple[Any, ...]) -> None:
    def call(text: Any) -> Any:
        return getattr(text, name)(*args)

    for word in WORDS:
        for other in WORDS:
            assert agrees(call, str, word, other), (word, other)


def test_every_public_method_of_texts_has_a_row_or_is_known_to_have_none() -> None:
    of_str = {name for name in vars(str) if not name.startswith("_")}
    of_bytes = {name for name in vars(bytes) if not name.startswith("_")}

    assert of_str - OF_STR.keys() == {"maketrans"}
    assert of_bytes - OF_BYTES.keys() == {"fromhex", "maketrans"}


def test_an_index_into_a_text_is_a_branch_only_where_it_may_be_outside() -> None:
    with run() as record:
        word, _ = tracked(str, "abc")
        first = positions.item(word, 0)

    assert untracked(first) == "a"
    assert len(record.events) == 1


def test_a_constant_content_is_a_plain_text() -> None:
    fixed = contents.constant(STR, "ab")

    assert fixed.is_const
    assert fixed.count == 2
    assert type(strings.text("ab", fixed)) is str


def test_a_mark_of_a_text_moves_by_so_many_characters() -> None:
    moved = marks.shifted(marks.At(2), 3)

    assert moved.value == 5


def test_a_text_input_notes_every_character_it_has() -> None:
    given: dict[str, Any] = {"s": "hi"}

    with run():
        made = text_input.tracked_text(STR, "s", given)

    assert untracked(made) == "hi"
    assert "s" not in given
    assert ord("h") in given.values() and ord("i") in given.values()


def test_bytes_are_looked_for_by_their_number_too() -> None:
    with run():
        found = calling.needle(BYTES, 65)

    assert found is not None
    assert found.count == 1
    assert calling.needle(STR, 65) is None


def test_int_of_a_tracked_text_agrees_with_cpython_and_says_when_it_is_no_number() -> None:
    with run() as record:
        word, _ = tracked(str, "42")
        number = numerals.to_int(word.content, "42", 10)

    assert untracked(number) == 42
    assert record.events
    assert not record.losses


def test_a_text_is_in_a_case_character_by_character() -> None:
    with run():
        word, _ = tracked(str, "aBc")
        content = case.in_case(word.content, "upper", "aBc", "ABC")

    assert content.count == 3


def test_two_texts_of_constants_are_equal_or_not_without_a_condition() -> None:
    one, two = contents.constant(STR, "ab"), contents.constant(STR, "ac")

    assert comparison.equal_texts(one, one).is_const
    assert comparison.equal_texts(one, two).is_const


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_a_text_is_encoded_as_cpython_does(encoding: str) -> None:
    for other in ("xyz", "abc", "zz"):
        assert agrees(lambda text: making.encode(text, encoding), str, "abc", other)


def test_the_lines_of_a_text_are_those_of_cpython() -> None:
    with run():
        word, _ = tracked(str, "a\nb")
        pieces = lines_and_tabs.lines(word.content, "a\nb", keep=False)

    assert [piece.count for piece in pieces] == [1, 1]


def test_a_text_is_parted_where_the_separator_is_found_first() -> None:
    with run():
        word, _ = tracked(str, "a,b,c")
        found = questions.METHODS["find"](word, ",")

    assert untracked(found) == 1


class _Shout(str):
    """Its methods call those of `str`, which must not call them."""

    def upper(self) -> str:
        return str.upper(self) + "!"

    def startswith(self, *given: Any) -> bool:
        return str.startswith(self, given[0])

    def join(self, items: Any) -> str:
        return str.join(self, items) + "!"

    def format(self, *given: Any) -> str:  # type: ignore[override]
        return str.format(self, *given) + "!"


@pytest.mark.parametrize(
    "call",
    [
        lambda text: callee(str.upper)(_Shout("a")) + text,
        lambda text: callee(str.startswith)(_Shout("abc"), text),
        lambda text: callee(str.join)(_Shout("-"), [text, text]),
        lambda text: callee(str.format)(_Shout("{}"), text),
    ],
)
def test_the_method_of_a_derived_class_is_not_called_in_place_of_the_one_of_str(call: Any) -> None:
    assert agrees(call, str, "a", "b")


def test_a_field_of_any_name_is_put_into_a_tracked_text() -> None:
    with run():
        made = making.format_(tracked(str, "{template}")[0], template=1)

    assert untracked(made) == "1"


def test_only_names_are_looked_up_by_format_map() -> None:
    with run():
        made = making.format_map(tracked(str, "{a}")[0], {1: 2, "a": 3})
        with pytest.raises(ValueError, match="positional"):
            making.format_map(tracked(str, "{}")[0], {})

    assert untracked(made) == "3"


def test_a_bytearray_takes_numbers_out_and_the_bytes_of_arrays_in() -> None:
    with run():
        made, _ = tracked(bytearray, bytearray(b"xy"))
        same = made
        with pytest.raises(TypeError):
            made.remove(b"x")
        made += array.array("H", [1])

    assert same is made
    assert bytearrays.plain_bytes_of(made) == b"xy" + array.array("H", [1]).tobytes()
