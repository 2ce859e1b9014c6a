"""Only tests that hold are written: wherever, whenever and in whatever order they are run."""

from __future__ import annotations

import ast
import importlib.util
import io
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.limits import allowed

from symcrete.errors import BadOption
from symcrete.explore.findings import FoundInput, Report, Status, TargetReport
from symcrete.program.source.module import source_of_file
from symcrete.report.tests.cases import TargetTests, WrittenTest
from symcrete.report.tests.kept import (
    Outcome,
    Wanted,
    check_output,
    check_pytest,
    held,
    keep_tests,
)
from symcrete.report.tests.pytest_file import PytestFile
from symcrete.report.trial import trial
from symcrete.report.trial.trial import Conditions
from symcrete.run.untouched.played import Situated

PROGRAM = """
import datetime
import os
import sys
import time

CALLS = []

def plain(x): return x + 1
def wrong(x): return x + 1
def day(x): return datetime.date(2026, 11, 16) if x else datetime.date.today()
def clock(x): return time.time() < 1e9
def user(x): return os.environ.get("USER")
def folder(x): return os.path.basename(os.getcwd())
def hashed(x): return hash("word") % 1000
def ends(x): os._exit(0)
def hangs(x):
    while True: time.sleep(0.1)
def counts(x):
    CALLS.append(x)
    return len(CALLS)
def broken(x): return x
def unknown(x): return x
def asks(x):
    try: return input()
    except EOFError: return "nobody"
def generates(x): return (i for i in range(x))
def endless(x):
    while True: yield x
async def later(x): return x
async def several(x):
    for i in range(x): yield i
def shop(x): return os.environ.get("SHOP", "closed")
def same(a, b): return a is b
def date(x): return datetime.date(2020, 1, x)
def test_it(x): return x
def reads(x): return open(__file__).readline() if x else ""
def closes(x): sys.stdout.close()
def place(x): return os.path.join(os.path.dirname(__file__), "data")
"""


def found(returned: str, **more: object) -> FoundInput:
    given: dict[str, object] = {"args": {"x": "1"}, "outcome": "returned", "raised": None}
    given |= {"returned": returned, "covers": (), "path_condition": "", "result_type": "object"}
    return FoundInput(**(given | more))  # type: ignore[arg-type]


INPUTS = {
    "plain": found("2"),
    "wrong": found("3"),
    "day": found("date(2026, 11, 16)", imports=(("datetime", "date"),)),
    "clock": found("False"),
    "user": found('"me"'),
    "folder": found('"here"'),
    "hashed": found(str(hash("word") % 1000)),
    "ends": found("None"),
    "hangs": found("None"),
    "closes": found("None"),
    "counts": found("1"),
    "broken": found("((("),
    "unknown": found("Nowhere(1)", imports=(("kept_program", "Nowhere"),)),
    "asks": found('"nobody"'),
    "generates": found("[0]", drained="generator"),
    "endless": found(repr([1] * 100), drained="generator"),
    "later": found("1", drained="coroutine"),
    "several": found("[0]", drained="asyncgen"),
    "shop": found(
        '"open"',
        situation=(Situated("os.environ['SHOP']", "'open'", 'monkeypatch.setenv("SHOP", "open")'),),
    ),
    "same": found("True", args={"a": "rows", "b": "rows"}, setup=("rows = [1]",)),
    "date": found("date(2020, 1, 1)", imports=(("datetime", "date"),)),
    "test_it": found("1"),
    "reads": found('""', args={"x": "0"}),
}
HOLD = [
    *("plain", "day", "clock", "counts", "asks", "generates", "endless", "later", "several"),
    *("shop", "same", "date", "test_it", "reads"),
]


def reported(program: Path, *names: str) -> Report:
    def target(name: str) -> TargetReport:
        return TargetReport(
            f"{program.name}::{name}",
            Status.COMPLETE,
            inputs=(INPUTS[name],),
            module=program.stem,
            root=str(program.parent),
            scope=name,
            file=str(program),
        )

    return Report(tuple(map(target, names)))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("project") / "kept_program.py"
    file.write_text(PROGRAM)
    return file


@pytest.fixture(scope="module")
def outcome(program: Path) -> Outcome:
    folder = program.parent / "tests"
    folder.mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(trial, "TEST_SECONDS", allowed(1.0))  # one of them never ends
        return keep_tests(reported(program, *INPUTS), Wanted(folder))


def reason(outcome: Outcome, name: str) -> str:
    (only,) = [each for each in outcome.report.targets if each.scope == name]
    return only.inputs[0].untested


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_written(name: str, outcome: Outcome) -> None:
    (file,) = outcome.written

    assert reason(outcome, name) == ""
    assert f"def test_{name}" in file.read_text()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("wrong", "assert 2 == 3"),
        ("user", "assert"),
        ("folder", "assert"),
        ("hashed", "assert"),
        ("ends", "ends the process"),
        ("hangs", "does not end here"),
        ("closes", "it closes sys.stdout"),
        ("broken", "would not parse"),
        ("unknown", "Nowhere"),
    ],
)
def test_what_does_not_hold_is_left_out_with_the_reason(
    name: str, why: str, outcome: Outcome
) -> None:
    (file,) = outcome.written

    assert why in reason(outcome, name)
    assert f"def test_{name}" not in file.read_text()


def test_nothing_but_the_file_is_left_behind(outcome: Outcome) -> None:
    (file,) = outcome.written

    assert [each.name for each in file.parent.iterdir()] == ["test_kept_program.py"]


def test_the_file_passes_where_it_stands(outcome: Outcome) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, outcome.written[0]], capture_output=True, text=True, cwd="/")

    assert done.returncode == 0, done.stdout


def test_linters_and_formatters_find_nothing(outcome: Outcome) -> None:
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["format", "--diff"], ["check", "--select", "E,F,I,W"]):
        call = [*ruff, *command, "--isolated", "--line-length=88", str(outcome.written[0])]
        done = subprocess.run(call, capture_output=True, text=True)

        assert done.returncode == 0, done.stdout + done.stderr


def test_the_path_is_left_alone_where_the_project_sees_to_it(tmp_path: Path) -> None:
    program = tmp_path / "kept_elsewhere.py"
    program.write_text(PROGRAM)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    (tmp_path / "tests").mkdir()

    outcome = keep_tests(reported(program, "plain"), Wanted(tmp_path / "tests"))

    assert "sys.path" not in outcome.written[0].read_text()


def test_the_path_helps_where_the_configuration_only_seems_to(tmp_path: Path) -> None:
    program = tmp_path / "kept_hidden.py"
    program.write_text(PROGRAM)
    folder = tmp_path / "tests"
    folder.mkdir()
    (tmp_path / "conftest.py").write_text("import sys\nsys.path[:] = sys.path[1:]\n")

    outcome = keep_tests(reported(program, "plain"), Wanted(folder))

    assert "sys.path.insert" in outcome.written[0].read_text()


@pytest.mark.parametrize("name", ["kept-program", "2nd", "class"])
def test_a_file_that_no_import_statement_takes_gets_no_tests(tmp_path: Path, name: str) -> None:
    program = tmp_path / f"{name}.py"
    program.write_text("def plain(x): return x + 1\n")

    outcome = keep_tests(reported(program, "plain"), Wanted(tmp_path / "tests"))

    assert not outcome.written
    assert reason(outcome, "plain") == f"no import statement takes the name of its module, {name}"


def test_tests_of_another_function_and_edits_stay(tmp_path: Path) -> None:
    program = tmp_path / "kept_twice.py"
    program.write_text(PROGRAM)
    wanted = Wanted(tmp_path / "tests")
    wanted.folder.mkdir()
    (file,) = keep_tests(reported(program, "plain", "date"), wanted).written
    file.write_text(
        file.read_text().replace("assert plain(1) == 2", "assert plain(1) == 2  # mine")
    )

    keep_tests(reported(program, "plain", "later"), wanted)

    text = file.read_text()
    ast.parse(text)
    assert all(f"def test_{name}()" in text for name in ("plain", "date", "later"))
    assert "# mine" in text


def test_tests_of_a_module_whose_import_ends_the_process_stay(tmp_path: Path) -> None:
    program = tmp_path / "kept_ending.py"
    program.write_text(PROGRAM)
    wanted = Wanted(tmp_path / "tests")
    wanted.folder.mkdir()
    (file,) = keep_tests(reported(program, "plain", "date"), wanted).written
    text = file.read_text()
    failed = reported(program, "plain")
    why = "importing kept_ending ended the process (1)"
    broken = replace(
        failed.targets[0], status=Status.FAILED, error=why, inputs=(), unimportable=True
    )

    outcome = keep_tests(replace(failed, targets=(broken,)), wanted)

    assert not outcome.written
    assert file.read_text() == text


def test_tests_of_a_function_that_is_gone_go_on_request(tmp_path: Path) -> None:
    program = tmp_path / "kept_shrinking.py"
    program.write_text(PROGRAM)
    wanted = Wanted(tmp_path / "tests")
    wanted.folder.mkdir()
    (file,) = keep_tests(reported(program, "plain", "date"), wanted).written
    program.write_text(PROGRAM.replace("def date(x)", "def other(x)"))
    source = source_of_file(program)

    with pytest.raises(BadOption, match=r"tests of date.*--prune"):
        check_output(wanted, [source])
    check_output(replace(wanted, prune=True), [source])
    keep_tests(reported(program, "plain"), replace(wanted, prune=True))

    assert "test_date" not in file.read_text() and "def test_plain" in file.read_text()


def test_without_pytest_nothing_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    with pytest.raises(BadOption, match="pip install pytest") as told:
        check_pytest()

    assert told.value.exit_code == 4


def test_what_is_only_printed_was_tried_as_well(program: Path) -> None:
    out = io.StringIO()

    report = held(reported(program, "plain", "wrong"), Conditions())
    PytestFile().emit(report, out)

    assert report.targets[0].inputs[0].untested == ""
    assert "assert 2 == 3" in report.targets[1].inputs[0].untested
    assert "test_plain" in out.getvalue()
    assert "wrong" not in out.getvalue()


def test_a_result_that_tells_where_the_program_is_gets_no_test(program: Path) -> None:
    (target,) = reported(program, "plain").targets
    expected = f'"{program.parent}/data"'
    told = replace(target, scope="place", inputs=(found(expected),))

    report = held(Report((told,)), Conditions())

    assert "in which folder the program is" in report.targets[0].inputs[0].untested


def test_a_path_that_the_test_itself_gives_may_be_expected(program: Path) -> None:
    (target,) = reported(program, "broken").targets
    path = f'"{program.parent}"'
    told = replace(target, inputs=(found(path, args={"x": path}),))

    report = held(Report((told,)), Conditions())

    assert report.targets[0].inputs[0].untested == ""


def test_an_error_of_ours_in_writing_the_tests_of_one_function_costs_only_these(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = TargetTests.tests

    def failing(self: TargetTests) -> Iterator[WrittenTest]:
        return whole(self) if self.target.scope != "day" else iter([][1])

    monkeypatch.setattr(TargetTests, "tests", failing)
    outcome = keep_tests(reported(program, "day", "plain"), Wanted(tmp_path))

    told = "internal error, please report it: IndexError: list index out of range"
    assert reason(outcome, "day") == told
    assert "def test_plain" in outcome.written[0].read_text()


def test_a_case_that_does_not_hold_is_left_out_whatever_signs_its_name_has(tmp_path: Path) -> None:
    program = tmp_path / "lines.py"
    program.write_text("def plain(x): return x + 1\n")
    (target,) = reported(program, "plain").targets
    wrong = found("9", shows=("x == '\\n'",))
    report = Report((replace(target, inputs=(found("2", shows=("x == 1",)), wrong)),))

    outcome = keep_tests(report, Wanted(tmp_path))

    right, left = outcome.report.targets[0].inputs
    assert not right.untested and left.untested.startswith("AssertionError: assert 2 == 9")
    assert outcome.written[0].read_text().count("plain(1) == 2") == 1


def test_force_writes_a_file_anew_that_no_longer_parses(tmp_path: Path) -> None:
    program = tmp_path / "lines.py"
    program.write_text("def plain(x): return x + 1\n")
    keep_tests(reported(program, "plain"), Wanted(tmp_path))
    file = tmp_path / "test_lines.py"
    file.write_text(file.read_text() + "\ndef (\n")
    wanted, source = Wanted(tmp_path, force=True), source_of_file(program)

    check_output(wanted, [source])
    outcome = keep_tests(reported(program, "plain"), wanted)

    assert outcome.written == [file]
    ast.parse(file.read_text())


def test_a_test_that_somebody_broke_costs_no_more_than_the_file(tmp_path: Path) -> None:
    program = tmp_path / "lines.py"
    program.write_text("def plain(x): return x + 1\n")
    keep_tests(reported(program, "plain"), Wanted(tmp_path))
    file = tmp_path / "test_lines.py"
    edited = file.read_text().replace("def test_plain", "@slow\ndef test_plain")
    file.write_text(edited)

    outcome = keep_tests(reported(program, "plain"), Wanted(tmp_path))

    assert file.read_text() == edited
    assert [why for why, _ in outcome.unwritten] == [
        f"{file} is not written: NameError: name 'slow' is not defined"
    ]


@pytest.mark.parametrize("name", ["a b", 'a"b', "a\\nb", 'a"""b\''])
def test_folders_may_have_any_name(tmp_path: Path, name: str) -> None:
    program = tmp_path / name / "lines.py"
    program.parent.mkdir()
    program.write_text("def plain(x): return x + 1\n")
    folder = tmp_path / f"tests of {name}"
    folder.mkdir()
    (tmp_path / "pyproject.toml").touch()

    (file,) = keep_tests(reported(program, "plain"), Wanted(folder)).written

    doc = ast.get_docstring(ast.parse(file.read_text())) or ""
    typed = shlex.split(doc.partition("Make them again: ")[2])
    assert typed[1:] == ["cover", f"{name}/lines.py", "-o", f"tests of {name}"]


def property_and_setter(program: Path, setting: str) -> list[TargetReport]:
    """The reports of a property and of what sets it, which does what `setting` says."""
    program.write_text(
        "class T:\n    @property\n    def f(self): return 1\n"
        f"    @f.setter\n    def f(self, v): {setting}\n"
    )
    (plain,) = reported(program, "plain").targets
    imports = ((program.stem, "T"),)
    got = found("1", args={"self": "T()"}, imports=imports)
    put = found("None", args={"self": "T()", "v": "2"}, imports=imports)
    either = replace(plain, scope="T.f", is_method=True)
    return [
        replace(either, target="T.f", kind="property", inputs=(got,)),
        replace(either, target="T.f.fset", kind="setter", inputs=(put,)),
    ]


def test_a_setter_whose_test_does_not_hold_costs_its_property_nothing(tmp_path: Path) -> None:
    both = property_and_setter(tmp_path / "lines.py", "raise KeyError(v)")

    outcome = keep_tests(Report(tuple(both)), Wanted(tmp_path))

    got, put = [each.inputs[0].untested for each in outcome.report.targets]
    assert not got and put.startswith("KeyError")
    assert "assert T().f == 1" in outcome.written[0].read_text()


def test_the_tests_of_a_setter_stay_where_only_its_property_is_explored(tmp_path: Path) -> None:
    program = tmp_path / "lines.py"
    both, wanted = property_and_setter(program, "pass"), Wanted(tmp_path)
    (file,) = keep_tests(Report(tuple(both)), wanted).written
    before = file.read_text()

    keep_tests(Report((both[0],)), wanted)

    assert file.read_text() == before and "# T.f.fset: test_t_f_2 " in before
    check_output(wanted, [source_of_file(program)])
