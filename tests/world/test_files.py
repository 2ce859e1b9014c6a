"""Files below the current folder are inputs; others are the system's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.world.files import FILES, Text
from symcrete.world.source import Answer, Instead


def functions(asked: Answers) -> dict[str, Callable[..., Any]]:
    found = [each for each in FILES.stand_ins(asked) if isinstance(each, Instead)]
    return {each.name: each.by for each in found}


def test_a_file_of_this_folder_is_not_seen_in_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real.txt").write_text("secret")
    monkeypatch.chdir(tmp_path)
    there = functions(Answers())

    assert not there["exists"]("real.txt")
    with pytest.raises(FileNotFoundError):
        there["open"]("real.txt")
    assert functions(Answers(running=False))["exists"]("real.txt")


def test_the_input_says_what_a_file_holds() -> None:
    asked = Answers({"file 'a.txt'": "x\ny", "file 'b'": True})
    there = functions(asked)

    assert there["isfile"]("a.txt") and there["isdir"]("b") and not there["isdir"]("a.txt")
    with there["open"]("a.txt") as file:
        assert list(file) == ["x\n", "y"]
    with pytest.raises(ValueError):
        file.read()
    with pytest.raises(IsADirectoryError):
        there["open"]("b")
    assert asked.lost


@pytest.mark.parametrize("path", ["/etc/hostname", "../up", "a/../../up", "a\x00"])
def test_the_path_of_an_input_stays_below_the_folder(path: str) -> None:
    with pytest.raises(AssumptionFailed):
        functions(Answers(from_input=(path,)))["exists"](path)


def test_a_path_of_the_programs_own_may_lead_elsewhere() -> None:
    assert functions(Answers())["isdir"]("/")


def test_files_that_are_written_are_written(tmp_path: Path) -> None:
    with functions(Answers())["open"](str(tmp_path / "new"), "w") as file:
        file.write("x")

    assert (tmp_path / "new").read_text() == "x"


def test_a_file_is_in_a_folder_and_nowhere_else() -> None:
    there = functions(Answers({"file 'a/b'": "x", "file 'c/d'": "y"}))

    assert there["exists"]("a/b") and there["isdir"]("a")
    assert not there["isdir"]("c") and not there["exists"]("c/d")


@pytest.mark.parametrize("text", ["é", "a\r\n"])
def test_only_plain_text_is_built(text: str) -> None:
    with pytest.raises(AssumptionFailed):
        functions(Answers({"file 'a'": text}))["open"]("a")


def test_what_is_read_is_gone() -> None:
    file = Text("a", "one\ntwo\n")

    assert (file.readline(), file.readline(), file.readline()) == ("one\n", "two\n", "")
    assert Text("a", "abc").read(2) == "ab"


def test_folders_above_a_file_are_made_first() -> None:
    told = FILES.shown([Answer("file 'a/b.txt'", "x", '"x"')], lambda module, name: [])

    assert [each.line for each in told] == [
        "monkeypatch.chdir(tmp_path)",
        '(tmp_path / "a").mkdir(exist_ok=True)',
        '(tmp_path / "a/b.txt").write_text("x")',
    ]


def test_whether_a_file_of_the_machine_is_there_is_part_of_no_proof(tmp_path: Path) -> None:
    asked = Answers()

    there = functions(asked)["exists"](str(tmp_path))

    assert there
    assert asked.lost == ["files outside the current folder, which are those of this machine"]
