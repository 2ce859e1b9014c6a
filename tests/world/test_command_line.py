"""The command line is empty unless the input of a run says otherwise."""

import argparse

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.world.command_line import COMMAND_LINE, PROGRAM
from symcrete.world.source import InsteadOfMethod, ReadAs


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
    given = {"sys.argv: command": "add", "sys.argv: --force": "--force", "sys.argv: name": "x"}
    asked = Answers(given)
    parse = [each for each in COMMAND_LINE.stand_ins(asked) if isinstance(each, InsteadOfMethod)]
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(dest="command")
    add = commands.add_parser("add")
    add.add_argument("--force", action="store_true")
    add.add_argument("name")

    options = parse[0].by(parser)

    assert (options.command, options.force, options.name) == ("add", True, "x")


def test_no_argument_holds_a_nul() -> None:
    asked = Answers({"sys.argv[1:]": ["a\x00"]})
    (read,) = [each.by for each in COMMAND_LINE.stand_ins(asked) if isinstance(each, ReadAs)]

    with pytest.raises(AssumptionFailed):
        read([])
