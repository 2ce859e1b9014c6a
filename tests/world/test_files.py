"""Files are inputs; those of this machine are not seen, and what a run writes only it sees."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.world.files.as_lines import shown
from symcrete.world.files.file_tree import FOLDER, Tree
from symcrete.world.files.files import Files
from symcrete.world.files.looking import looking
from symcrete.world.files.opened import Opened
from symcrete.world.files.patterns import matching
from symcrete.world.files.really import really
from symcrete.world.files.row import FILES
from symcrete.world.files.status import Status
from symcrete.world.source import Answer, Everywhere, Instead


def functions(asked: Answers) -> dict[str, Callable[..., Any]]:
    found = [each for each in FILES.stand_ins(asked) if isinstance(each, Instead | Everywhere)]
    return {each.name: each.by for each in found if each.module != "tarfile"}  # another `open`


@contextmanager
def ended(asked: Answers) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a run that is over afterwards."""
    try:
        yield functions(asked)
    finally:
        for call in asked.ended:
            call()


def lines(answers: list[Answer]) -> list[str]:
    return [each.line for each in shown(answers, lambda module, name: [f"{module}.{name}"])]


def test_a_file_of_this_folder_is_not_seen_in_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "real.txt").write_text("secret")
    monkeypatch.chdir(tmp_path)
    there = functions(Answers())

    assert not there["exists"]("real.txt")
    assert there["listdir"](".") == []
    with pytest.raises(FileNotFoundError):
        there["open"]("real.txt")
    assert functions(Answers(running=False))["exists"]("real.txt")


def test_the_input_says_what_a_file_holds() -> None:
    asked = Answers({"file 'a.txt'": "x\ny", "file 'b'": True})
    there = functions(asked)

    assert there["isfile"]("a.txt") and there["isdir"]("b") and not there["isdir"]("a.txt")
    assert there["getsize"]("a.txt") == 3
    with there["open"]("a.txt") as file:
        assert list(file) == ["x\n", "y"]
    with pytest.raises(ValueError):
        file.read()
    with pytest.raises(IsADirectoryError):
        there["open"]("b")
    assert asked.lost


def test_a_name_that_means_no_encoding_is_pythons_error() -> None:
    asked = Answers({"file 'a.txt'": "x"})

    with ended(asked) as found:
        with pytest.raises(LookupError, match="unknown encoding: nowhere"):
            found["open"]("a.txt", encoding="nowhere")
        assert found["open"]("a.txt", "r", -1, "ascii").read() == "x"
        with pytest.raises(FileNotFoundError):
            found["open"]("b.txt", encoding="nowhere")


@pytest.mark.parametrize("path", ["/dev/null", "../../../../up", "a\x00"])
def test_the_path_of_an_input_stays_among_those_that_are_inputs(path: str) -> None:
    with pytest.raises(AssumptionFailed):
        functions(Answers(from_input=(path,)))["exists"](path)


def test_folders_of_the_interpreter_and_the_program_are_the_machines() -> None:
    asked = Answers()

    assert functions(asked)["isfile"](os.__file__)
    assert asked.lost == ["files of this machine"]


def test_an_absolute_path_is_an_input_too() -> None:
    asked = Answers({"file '/etc/shop.conf'": "debug"})

    with functions(asked)["open"]("/etc//shop.conf") as file:
        assert file.read() == "debug"
    assert not functions(asked)["exists"]("/etc/passwd")


def test_what_a_run_writes_only_that_run_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = Answers({"file 'logs'": True})

    with ended(asked) as there:
        with there["open"]("logs/new", "w") as file:
            file.write("x")
        there["mkdir"]("made")
        with there["open"]("logs/new") as file:
            assert file.read() == "x"
        assert there["listdir"]("logs") == ["new"] and there["isdir"]("made")
        there["rename"]("logs/new", "made/moved")
        assert not there["exists"]("logs/new") and there["isfile"]("made/moved")
        there["unlink"]("made/moved")
        assert there["listdir"]("made") == []
        with pytest.raises(FileNotFoundError) as raised:
            there["open"]("nowhere/new", "w")
        place = asked.memory["files"].place("made")

    assert raised.value.filename == "nowhere/new"
    assert not os.path.exists(place)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_in_a_folder_and_nowhere_else() -> None:
    there = functions(Answers({"file 'a/b'": "x", "file 'c/d'": "y"}))

    assert there["exists"]("a/b") and there["isdir"]("a")
    assert not there["isdir"]("c") and not there["exists"]("c/d")


def test_a_folder_has_the_names_that_the_input_says_and_those_known_to_be_there() -> None:
    asked = Answers({"file 'd/a'": "", "names in 'd'": ["z", "b"], "entry 1 of 'd'": True})
    there = functions(asked)

    assert there["exists"]("d/a")
    assert there["listdir"]("d") == ["z", "b", "a"]
    assert there["isdir"]("d/b") and there["isfile"]("d/z") and not there["exists"]("d/c")
    assert [(top, folders, names) for top, folders, names in there["walk"]("d")] == [
        ("d", ["b"], ["z", "a"]),
        ("d/b", [], []),
    ]
    with there["scandir"]("d") as entries:
        assert [(each.name, each.path, each.is_dir()) for each in entries] == [
            ("z", "d/z", False),
            ("b", "d/b", True),
            ("a", "d/a", False),
        ]


@pytest.mark.parametrize("names", [["a", "a"], ["a/b"], [".."], ["é"]])
def test_a_folder_has_different_plain_names(names: list[str]) -> None:
    with pytest.raises(AssumptionFailed):
        functions(Answers({"names in '.'": names}))["listdir"](".")


def test_what_was_not_there_is_not_listed_afterwards() -> None:
    there = functions(Answers({"names in '.'": ["a"]}))
    there["exists"]("a")

    with pytest.raises(AssumptionFailed):
        there["listdir"](".")


def test_patterns_find_what_the_library_finds() -> None:
    given = {
        "names in '.'": ["a.log", ".b.log", "c"],
        "entry 2 of '.'": True,
        "names in 'c'": ["d.log", "e"],
    }
    asked = Answers(given)
    files = Files(asked)

    assert matching(asked, files, ".", "*.log", hidden=False) == ["a.log"]
    assert matching(asked, files, ".", "*.log", hidden=True) == ["a.log", ".b.log"]
    assert matching(asked, files, ".", "**/*.log", hidden=False) == ["a.log", "c/d.log"]
    assert matching(asked, files, ".", "c/?", hidden=False) == ["c/e"]
    assert matching(asked, files, ".", "nothing", hidden=False) == []


def test_libraries_find_the_files_of_the_run_on_disk() -> None:
    asked = Answers({"file 'a'": "text", "file 'b'": None}, by_program=False)

    with ended(asked) as there:
        assert stat.S_ISREG(there["stat"]("a").st_mode)
        with there["open"]("a") as file:
            assert file.read() == "text"
        with pytest.raises(FileNotFoundError):
            there["stat"]("b")


def test_whether_a_file_may_be_used_is_an_input_of_its_own() -> None:
    asked = Answers({"file 'a'": "", f"os.access{('a', os.W_OK)!r}": False})
    there = functions(asked)

    assert there["access"]("a", os.R_OK) is True
    there = functions(Answers({"file 'a'": None}))
    assert there["access"]("a", os.R_OK) is False


def test_a_status_asks_only_for_what_is_read_of_it() -> None:
    asked = Answers({"file 'a'": "xyz", "time of 'a'": 7, "mode of 'a'": 0o755})
    tree = Tree(asked)
    tree.at("a")
    status = Status(tree, "a")

    assert [each.root for each in asked.asked] == ["file 'a'"]
    assert (status.st_size, status.st_mtime, status[8]) == (3, 7.0, 7.0)
    assert stat.S_IMODE(status.st_mode) == 0o755 and tree.at("a") is not FOLDER


@pytest.mark.parametrize("text", ["é", "a\r\n"])
def test_only_plain_text_is_built(text: str) -> None:
    with pytest.raises(AssumptionFailed):
        functions(Answers({"file 'a'": text}))["open"]("a")


def test_a_file_is_read_as_python_reads_it(tmp_path: Path) -> None:
    text = "one\ntwo\n\nlast"
    (tmp_path / "real").write_text(text)

    with (tmp_path / "real").open() as real:
        ours = Opened("real", text)
        assert [ours.readline(), ours.read(2), ours.readline()] == [
            real.readline(),
            real.read(2),
            real.readline(),
        ]
        assert ours.seek(0) == real.seek(0) and ours.readlines() == real.readlines()
        assert (ours.readline(), ours.read()) == (real.readline(), real.read())
        assert ours.seek(0) == real.seek(0) and ours.readline(2) == real.readline(2)
        assert (ours.readline(9), ours.readlines(1)) == (real.readline(9), real.readlines(1))
        assert (ours.readline(0), ours.readlines(2)) == (real.readline(0), real.readlines(2))
    assert Opened("real", b"a\nb").readlines() == [b"a\n", b"b"]


def test_looking_and_changing_are_stood_in_for_by_one_set_of_files() -> None:
    asked = Answers()
    files = Files(asked)
    names = [each.name for each in (*looking(asked, files), *really(asked, files))]

    assert {"exists", "read_text", "glob", "open", "mkdir", "scandir"} <= set(names)


def test_a_mode_or_times_that_the_run_has_set_are_not_asked_for() -> None:
    with ended(Answers({"file 'a'": "x", "file 'b'": "y"})) as there:
        there["utime"]("a", (5, 5))
        there["chmod"]("b", 0o600)
        there["rename"]("b", "c")
        touched, secret = there["stat"]("a"), there["stat"]("c")

        with there["open"]("a") as file:
            assert file.read() == "x"
        assert (touched.st_size, touched[stat.ST_SIZE]) == (1, 1)
        assert stat.S_ISREG(touched.st_mode) and secret.st_mtime > 0
        for time in ("st_mtime", "st_atime_ns"):
            with pytest.raises(AssumptionFailed, match="times that the program has set itself"):
                getattr(touched, time)
        with pytest.raises(AssumptionFailed, match="a mode that the program has set itself"):
            secret[stat.ST_MODE]


def test_a_test_in_which_nothing_is_marked_still_says_where_nothing_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in lines([Answer("nothing done by os.utime", None, "")]):
        exec(line, {"monkeypatch": monkeypatch})

    (tmp_path / "made").touch()
    (tmp_path / "made").touch()

    assert (tmp_path / "made").exists()
    with pytest.raises(FileNotFoundError):
        os.utime(tmp_path / "nowhere")


def test_times_in_a_test_are_those_of_entries_and_of_open_files_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        Answer("current folder", None, ""),
        Answer("file 'd'", True, "True"),
        Answer("names in 'd'", ["a"], '["a"]'),
        Answer("time of 'd/a'", 9, "9"),
    ]
    for line in lines(answers):
        exec(line, {"monkeypatch": monkeypatch, "tmp_path": tmp_path})

    (entry,) = os.scandir("d")

    assert os.stat(entry).st_mtime == 9.0
    assert os.stat(0).st_mtime != 9.0


def test_a_test_makes_the_folders_above_a_file_first() -> None:
    told = lines([Answer("current folder", None, "None"), Answer("file 'a/b.txt'", "x", '"x"')])

    assert told == [
        "monkeypatch.chdir(tmp_path)",
        '(tmp_path / "a").mkdir()',
        '(tmp_path / "a/b.txt").write_text("x")',
    ]


def test_a_test_fixes_the_order_of_names_where_there_are_several() -> None:
    names = ["b", "a"]
    told = lines(
        [Answer("names in 'd'", names, repr(names)), Answer("order of os.listdir", None, "None")]
    )

    assert told[-1] == 'monkeypatch.setattr("os.listdir", lambda path=".": ["b", "a"])'


def test_a_test_leads_absolute_paths_below_its_folder() -> None:
    told = lines(
        [
            Answer("absolute paths of builtins.open", None, "None"),
            Answer("file '/etc/x'", "1", '"1"'),
        ]
    )

    assert told[:2] == ['(tmp_path / "etc").mkdir()', '(tmp_path / "etc/x").write_text("1")']
    assert 'startswith("/etc/x")' in told[2]
    assert told[2].endswith('monkeypatch.setattr("builtins.open", moved(open))')


def test_the_empty_path_is_nowhere_also_where_the_system_is_asked() -> None:
    with ended(Answers()) as there, pytest.raises(FileNotFoundError):
        there["mkdir"]("")


def test_a_path_that_ends_like_a_folder_is_there_only_where_a_folder_is() -> None:
    there = functions(Answers({"file 'a'": "x", "file 'b'": True}))

    assert [there["exists"](path) for path in ("a", "a/", "a/.")] == [True, False, False]
    assert [there["exists"](path) for path in ("b", "b/", "b/.")] == [True, True, True]


def test_the_order_of_a_folder_says_nothing_of_other_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        Answer("current folder", None, ""),
        Answer("file 'd'", True, "True"),
        Answer("names in 'd'", ["b", "a"], '["b", "a"]'),
        Answer("order of os.scandir", None, ""),
    ]
    for line in lines(answers):
        exec(line, {"monkeypatch": monkeypatch, "tmp_path": tmp_path})

    assert [each.name for each in os.scandir(tmp_path)] == ["d"]
