"""The machine is the same in every run that does not say otherwise, and it is not this one."""

import os
import sys
from typing import Any

from tests.world.asking import Answers

from symcrete.world.machine import MACHINE
from symcrete.world.source import Answer, Instead, ReadAs


def told(*answers: Answer) -> list[str]:
    return [each.line for each in MACHINE.shown(answers, lambda m, n: [f"{m}.{n}"])]


def test_the_plain_machine_is_nobodys() -> None:
    found: dict[str, Any] = {each.name: each.by for each in MACHINE.stand_ins(Answers())}  # type: ignore[union-attr]

    assert found["uname"]().node == "host"
    assert found["executable"](sys.executable) == "/usr/bin/python3"
    assert found["get_path"]("purelib") == "/usr/lib/python3"
    assert found["disk_usage"]("/").free == 0


def test_between_runs_functions_tell_of_this_machine() -> None:
    asked = Answers(running=False)
    functions = {
        each.name: each.by
        for each in MACHINE.stand_ins(asked)
        if isinstance(each, Instead) and each.module == "os"
    }

    assert functions["getgid"]() == os.getgid()
    assert functions["sysconf"]("SC_PAGE_SIZE") == os.sysconf("SC_PAGE_SIZE")
    assert not asked.asked


def test_what_is_read_as_an_attribute_is_an_input() -> None:
    asked = Answers({"time.timezone": 3600})
    (reader,) = [
        each.by
        for each in MACHINE.stand_ins(asked)
        if isinstance(each, ReadAs) and each.name == "timezone"
    ]

    assert reader(0) == 3600


def test_the_number_of_a_process_is_its_own() -> None:
    names = {each.name for each in MACHINE.stand_ins(Answers())}

    assert not names & {"getpid", "getppid", "getpgid"}  # who has one may send it a signal


def test_a_test_makes_a_record_of_the_class_that_the_call_gives() -> None:
    (line,) = told(Answer("os.get_terminal_size()", (40, 10), "(40, 10)"))

    assert line == (
        "import os\n\n"
        'monkeypatch.setattr("os.get_terminal_size", lambda *_, **__: os.terminal_size((40, 10)))'
    )


def test_a_test_says_that_there_is_no_terminal() -> None:
    (line,) = told(Answer("os.get_terminal_size()", None, "None"))

    assert line.endswith('Mock(side_effect=OSError(25, "Inappropriate ioctl for device")))')


def test_one_function_tells_all_that_it_was_asked_by_name() -> None:
    lines = told(
        Answer("sysconfig.get_path('lib')", "/a", '"/a"'),
        Answer("sysconfig.get_path('bin')", "/b", '"/b"'),
    )

    by = 'lambda key, *_, **__: {"lib": "/a", "bin": "/b"}[key]'
    assert set(lines) == {f'monkeypatch.setattr("sysconfig.get_path", {by})'}
