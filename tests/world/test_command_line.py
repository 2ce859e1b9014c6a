"""The command line is empty unless the input of a run says otherwise."""

import argparse

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.world.command_line import COMMAND_LINE, PROGRAM
from symcrete.world.source import Answer, InsteadOfMethod, ReadAs


def test_the_first_word_is_the_program() -> None:
    (read,) = [each.by for each in COMMAND_LINE.stand_ins(Answers()) if isinstance(each, ReadAs)]

    assert read(["secret"]) == [PROGRAM]


def test_argparse_reads_the_command_line_of_the_run() -> None:
    asked = Answers({"sys.argv: --level": "4"})
    parse = [each for each in COMMAND_LINE.stand_ins(asked) if isinstance(each, InsteadOfMethod)]
    parser = argparse.ArgumentParser()
    parser.add_argument("--level", type=int)

    assert parse[0].by(parser).level == 4
    assert parse[0].by(parser, ["--level", "5"]).level == 5


def test_commands_have_options_of_their_own() -> None:
    given = {"sys.argv: command": "add", "sys.argv: --force": True, "sys.argv: name": "x"}
    asked = Answers(given)
    parse = [each for each in COMMAND_LINE.stand_ins(asked) if isinstance(each, InsteadOfMethod)]
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command")
    add = commands.add_parser("add")
    add.add_argument("--force", action="store_true")
    add.add_argument("name")

    options = parse[0].by(parser)

    assert (options.command, options.force, options.name) == ("add", True, "x")


def test_options_may_have_several_values_or_come_several_times() -> None:
    given = {
        "sys.argv: --size": ("1", "2"),
        "sys.argv: --verbose": ("--verbose", "--verbose"),
        "sys.argv, each: --tag": ("x", "y"),
        "sys.argv: names": ("a", "b"),
    }
    asked = Answers(given)
    parse = [each for each in COMMAND_LINE.stand_ins(asked) if isinstance(each, InsteadOfMethod)]
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="+")
    parser.add_argument("--size", type=int, nargs=2)
    parser.add_argument("--verbose", action="count")
    parser.add_argument("--tag", action="append")

    found = parse[0].by(parser)
    answers = [Answer(root, value, repr(value)) for root, value in given.items()]
    (told,) = COMMAND_LINE.shown(answers, lambda module, name: [f"{module}.{name}"])

    assert (found.names, found.size, found.verbose, found.tag) == (
        ["a", "b"],
        [1, 2],
        2,
        ["x", "y"],
    )
    words = ["--size", "1", "2", "--verbose", "--verbose", "--tag", "x", "--tag", "y", "a", "b"]
    assert told.value == str([PROGRAM, *words]).replace("'", '"')


def test_a_number_is_plainly_zero_and_as_many_as_are_needed_are_there() -> None:
    asked = Answers()
    parse = [each for each in COMMAND_LINE.stand_ins(asked) if isinstance(each, InsteadOfMethod)]
    parser = argparse.ArgumentParser()
    parser.add_argument("values", type=int, nargs="+")
    parser.add_argument("rest", nargs="*")

    assert parse[0].by(parser).values == [0]


def test_no_argument_holds_a_nul() -> None:
    asked = Answers({"sys.argv[1:]": ["a\x00"]})
    (read,) = [each.by for each in COMMAND_LINE.stand_ins(asked) if isinstance(each, ReadAs)]

    with pytest.raises(AssumptionFailed):
        read([])


def test_flags_and_numbers_are_told_as_they_are_typed() -> None:
    given = {"sys.argv: --force": True, "sys.argv: --quiet": False, "sys.argv: --level": -3}
    asked = Answers(given)
    parse = [each for each in COMMAND_LINE.stand_ins(asked) if isinstance(each, InsteadOfMethod)]
    parser = argparse.ArgumentParser()
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--level", type=int)

    found = parse[0].by(parser)
    answers = [Answer(root, value, repr(value)) for root, value in given.items()]
    (told,) = COMMAND_LINE.shown(answers, lambda module, name: [f"{module}.{name}"])

    assert (found.force, found.quiet, found.level) == (True, False, -3)
    assert told.value == '["prog", "--force", "--level", "-3"]'
