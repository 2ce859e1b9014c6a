"""Archives: the members of a file that the program opens as one are inputs."""

import io
import os
import sys
import tarfile
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.inputs.late import Late
from symcrete.world.files.archives import archives
from symcrete.world.files.as_lines import shown
from symcrete.world.files.file_tree import ARCHIVES
from symcrete.world.files.files import Files
from symcrete.world.files.made_archives import as_statements
from symcrete.world.files.opened_archives import Zip, written
from symcrete.world.files.really import really
from symcrete.world.source import Answer

MEMBERS = [("a.txt", "one\n"), ("b/c", "")]


def functions(asked: Answers) -> dict[str, Callable[..., Any]]:
    return {each.name: each.by for each in archives(asked, Files(asked))}  # type: ignore[union-attr]


def test_parameters_have_the_names_that_the_library_gives_them() -> None:
    by = functions(
        Answers({"file 'x'": "", "zip 'x'": MEMBERS, "file 'y'": "", "tar 'y'": MEMBERS})
    )

    assert by["is_zipfile"](filename="x")
    assert by["ZipFile"](file="x", mode="r").namelist() == ["a.txt", "b/c"]
    assert not by["is_tarfile"](name="x")
    assert by["open"](name="y", mode="r").getnames() == ["a.txt", "b/c"]


def test_a_zip_file_has_the_members_of_the_input() -> None:
    by = functions(Answers({"file 'x.zip'": "", "zip 'x.zip'": MEMBERS}))

    with by["ZipFile"]("x.zip") as archive:
        infos = [(each.filename, each.file_size) for each in archive.infolist()]
        lines = list(archive.open("a.txt"))
        content = archive.read("a.txt")
        with pytest.raises(KeyError, match="There is no item named 'd'"):
            archive.read("d")

    assert by["is_zipfile"](Path("x.zip"))
    assert isinstance(archive, zipfile.ZipFile) and archive.filename == "x.zip"
    assert (archive.namelist(), infos) == (["a.txt", "b/c"], [("a.txt", 4), ("b/c", 0)])
    assert (content, lines) == (b"one\n", [b"one\n"])
    with pytest.raises(ValueError, match="already closed"):
        archive.read("a.txt")


@pytest.mark.parametrize(("mode", "form"), [("r", "tar"), ("r:gz", "gz")])
def test_a_tar_file_has_the_members_of_the_input(mode: str, form: str) -> None:
    by = functions(Answers({"file 'x'": "", f"{form} 'x'": MEMBERS}))

    with by["open"]("x", mode) as archive:
        member = archive.getmember("a.txt")
        contents = [archive.extractfile(each).read() for each in (member, "b/c")]
        names = archive.getnames()
        with pytest.raises(KeyError, match="filename 'd' not found"):
            archive.getmember("d")

    assert isinstance(archive, tarfile.TarFile)
    assert (names, contents) == (["a.txt", "b/c"], [b"one\n", b""])
    with pytest.raises(OSError, match="closed"):
        archive.extractfile(member)


def test_a_tar_file_that_was_looked_at_first_is_read_in_gzip_or_not() -> None:
    by = functions(Answers({"file 'x'": "", "gz 'x'": MEMBERS}))

    assert by["is_tarfile"]("x")
    assert by["open"]("x").getnames() == by["open"]("x", "r:gz").getnames() == ["a.txt", "b/c"]


class NotThese(Answers):
    """Files that are no archives of the forms in `words`."""

    def value(self, late: Late) -> Any:
        return None if late.root.startswith(self.words) else super().value(late)


def test_a_file_that_is_no_archive_of_one_form_may_be_one_of_another() -> None:
    no_zip = functions(NotThese({"file 'x'": "", "gz 'x'": MEMBERS}, words=("zip",)))
    no_tar = functions(NotThese({"file 'x'": "", "zip 'x'": MEMBERS}, words=("gz", "tar")))
    no_gz = functions(NotThese({"file 'x'": "", "tar 'x'": MEMBERS}, words=("gz",)))

    assert not no_zip["is_zipfile"]("x") and no_zip["is_tarfile"]("x")
    assert not no_zip["is_zipfile"]("x")
    assert not no_tar["is_tarfile"]("x") and no_tar["is_zipfile"]("x")
    with pytest.raises(tarfile.ReadError):
        no_gz["open"]("x", "r:gz")
    assert no_gz["open"]("x", "r:").getnames() == ["a.txt", "b/c"]


class NoArchives(Answers):
    def value(self, late: Late) -> Any:
        return None if late.root.startswith(ARCHIVES) else super().value(late)


def test_a_file_that_is_missing_or_no_archive_raises_what_the_library_does() -> None:
    by = functions(NoArchives({"file 'x'": "text", "file 'd'": True}))

    assert not by["is_zipfile"]("none")
    with pytest.raises(FileNotFoundError):
        by["open"]("none")
    with pytest.raises(IsADirectoryError):
        by["ZipFile"]("d")
    with pytest.raises(zipfile.BadZipFile):
        by["ZipFile"]("x")
    with pytest.raises(tarfile.ReadError):
        by["open"]("x")


@pytest.mark.parametrize("names", [["a", "a"], ["a/"], ["ü"], [""]])
def test_members_have_different_plain_names_of_files(names: Sequence[str]) -> None:
    by = functions(Answers({"file 'x'": "", "zip 'x'": [(name, "") for name in names]}))

    with pytest.raises(AssumptionFailed):
        by["ZipFile"]("x")


@pytest.mark.parametrize("form", ["zip", "tar", "gz"])
@pytest.mark.parametrize("members", [MEMBERS, []])
def test_a_test_makes_the_archive_that_the_run_opened(
    form: str, members: Sequence[tuple[str, str]], tmp_path: Path
) -> None:
    exec(as_statements(form, "place", members), {"place": tmp_path / "x.gz"})

    made = (tmp_path / "x.gz").read_bytes()

    assert made == written(form, members, "folder/x.gz")
    assert contents(form, made) == list(members)


def test_a_member_is_read_by_its_information_under_whatever_name() -> None:
    archive = Zip(written("zip", MEMBERS, "x"), MEMBERS, "x")
    first, second = archive.infolist()

    first.filename, second.filename = "c", "a.txt"

    assert (archive.read(first), archive.read(second)) == (b"one\n", b"")
    assert archive.open(first).name == "c"


def test_the_information_of_a_member_is_found_by_its_name() -> None:
    archive = Zip(written("zip", MEMBERS, "x"), MEMBERS, "x")
    with pytest.raises(KeyError) as expected:
        zipfile.ZipFile(io.BytesIO(written("zip", MEMBERS, "x"))).getinfo("d")

    with pytest.raises(KeyError) as raised:
        archive.getinfo("d")

    assert "getinfo" in vars(Zip)  # its comparisons are branches
    assert archive.getinfo("a.txt").file_size == 4
    assert raised.value.args == expected.value.args


@pytest.mark.parametrize("name", [each for each in ("chown", "lchown") if hasattr(os, each)])
def test_the_owner_of_a_file_is_set_by_nobody(name: str) -> None:
    asked = Answers({"file 'x'": ""})
    by: dict[str, Any] = {each.name: each.by for each in really(asked, Files(asked))}  # type: ignore[union-attr]
    with pytest.raises(FileNotFoundError):
        by[name]("none", 0, 0)

    by[name]("x", 0, 0)

    assert f"nothing done by os.{name}" in [each.root for each in asked.asked]
    assert by["stat"]("x").st_size == 0
    with pytest.raises(AssumptionFailed, match="owner"):
        assert by["stat"]("x").st_uid is None


@pytest.mark.parametrize("mode", ["r", "r:", "r:gz", "r|gz"])
def test_a_test_refuses_an_archive_to_the_function_that_the_library_opens_it_by(
    mode: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Answers({"file 'x'": ""}, words=("PermissionError",))
    functions(asked)["open"]("x", mode)
    (root,) = [each.root for each in asked.asked if each.root.startswith("denied ")]
    (told,) = shown([Answer(root, True, "True")], lambda module, name: [f"{module}.{name}"])
    (tmp_path / "x").touch()
    monkeypatch.chdir(tmp_path)

    exec(told.line, {"monkeypatch": monkeypatch})

    with pytest.raises(PermissionError), tarfile.open("x", mode):
        pass


@pytest.mark.parametrize("module", ["tarfile", "zipfile"])
def test_a_library_that_only_a_function_of_the_program_imports_is_stood_in_for(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, module)
    named, other = Answers(words=(module,)), Answers()

    assert module in {each.module for each in archives(named, Files(named))}
    assert module in {each.module for each in really(named, Files(named))} or module == "zipfile"
    assert module not in {each.module for each in archives(other, Files(other))}


def test_a_statement_that_makes_an_archive_is_no_wider_than_a_line() -> None:
    told = as_statements("gz", 'tmp_path / "a_folder/with_an_archive"', MEMBERS)

    assert max(map(len, told.splitlines())) <= 84
    compile(told, "", "exec")


def contents(form: str, archive: bytes) -> list[tuple[str, str]]:
    if form == "zip":
        read = zipfile.ZipFile(io.BytesIO(archive))
        return [(name, read.read(name).decode()) for name in read.namelist()]
    mode: Any = "r:gz" if form == "gz" else "r:"
    with tarfile.open(None, mode, io.BytesIO(archive)) as found:
        return [(each.name, found.extractfile(each).read().decode()) for each in found]  # type: ignore[union-attr]


def test_what_is_extracted_is_what_the_members_hold(tmp_path: Path) -> None:
    Zip(written("zip", MEMBERS, "x"), MEMBERS, "x.zip").extractall(tmp_path)

    assert (tmp_path / "a.txt").read_text() == "one\n"
