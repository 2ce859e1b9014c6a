"""Tracebacks tell who chose the words of an exception, whoever's frames are in them."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator

from symcrete.oracle.traces import (
    at_home,
    chose_its_words,
    frames,
    kinds_in,
    of_stdout,
    parts_of,
    print_to,
)


def chosen(function: object) -> bool:
    try:
        function()  # type: ignore[operator]
    except Exception:
        return chose_its_words()
    return False


def raises() -> None:
    raise ValueError("own words")


def test_a_raise_statement_chooses_its_words_and_an_operation_does_not() -> None:
    assert chosen(raises)
    assert not chosen(lambda: 1 // 0)
    assert not chosen(lambda: int("x"))
    assert not chose_its_words()


def test_what_is_thrown_into_a_generator_has_the_words_of_the_program() -> None:
    def waits() -> Iterator[int]:
        yield 1

    def throws(started: bool) -> None:
        generator = waits()
        if started:
            next(generator)
        generator.throw(ValueError("own words"))  # type: ignore[attr-defined]

    assert chosen(lambda: throws(True))
    assert chosen(lambda: throws(False))


def test_a_class_that_a_call_makes_is_not_at_home_in_its_module() -> None:
    class Local:
        pass

    assert at_home(io.StringIO)
    assert not at_home(Local)
    assert not at_home(type("StringIO", (), {"__module__": "io"}))


def test_frames_of_the_engine_are_looked_past() -> None:
    names = {"__name__": "symcrete.values.any"}
    exec("def divide(a):\n    raise ZeroDivisionError", names)

    try:
        names["divide"](1)  # type: ignore[operator]
    except ZeroDivisionError as error:
        last = error.__traceback__
        told = chose_its_words()

    assert len(frames(last)) == 1
    assert not told


def test_standard_output_is_exchanged_and_given_back() -> None:
    out = io.StringIO()

    former = print_to(out)
    print("a")
    print_to(former)

    assert out.getvalue() == "a\n"
    assert sys.stdout is former
    assert of_stdout("encoding") == sys.__stdout__.encoding  # type: ignore[union-attr]


def test_classes_are_told_whatever_the_order_and_inside_of_tuples() -> None:
    assert kinds_in({"a", 1}) == kinds_in([2, "b"]) == ["int", "str"]
    assert kinds_in([(1, True)]) == ["bool", "int", "tuple"]


def test_sequences_are_compared_as_they_are_where_nothing_is_explored() -> None:
    assert parts_of([1], (2,)) == ([1], (2,))
