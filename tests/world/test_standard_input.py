"""Standard input is empty unless the input of a run says otherwise."""

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.world.source import Instead
from symcrete.world.standard_input import STANDARD_INPUT, Lines


def test_without_a_line_it_is_at_its_end() -> None:
    stream = Lines(Answers())
    found = [each for each in STANDARD_INPUT.stand_ins(Answers()) if isinstance(each, Instead)]
    (read,) = [each.by for each in found if each.name == "input"]

    assert (stream.readline(), stream.read(), list(stream), stream.readlines()) == ("", "", [], [])
    with pytest.raises(EOFError):
        read("?")


def test_lines_come_with_their_ends() -> None:
    given = {"sys.stdin.readline()": "a", "sys.stdin.readline()@2": "b"}

    assert list(Lines(Answers(given))) == ["a\n", "b\n"]
    with Lines(Answers(given)) as stream:
        assert next(stream) == "a\n"
    assert stream.closed


def test_a_line_end_inside_a_line_is_no_input() -> None:
    with pytest.raises(AssumptionFailed):
        Lines(Answers({"sys.stdin.readline()": "a\nb"})).readline()


def test_a_part_of_a_line_is_no_input() -> None:
    asked = Answers()
    stream = Lines(asked)

    stream.readline(3)
    stream.read(3)

    assert len(asked.lost) == 2


def test_standard_input_is_read_as_text_or_as_bytes() -> None:
    stream = Lines(Answers({"sys.stdin.buffer.read()": b"ab"}))
    text = Lines(Answers({"sys.stdin.readline()": "a"}))

    assert [stream.buffer.read(1), stream.buffer.read(), stream.read()] == [b"a", b"b", ""]
    assert text.readline() == "a\n"
    with pytest.raises(AssumptionFailed):
        text.buffer.read()
