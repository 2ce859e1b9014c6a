"""The data file of `--emit coverage` is what coverage.py measures of the same inputs."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

import symcrete
from symcrete.explore.findings import FoundInput, Report, Status, TargetReport
from symcrete.report.formats.coverage_data import Coverage
from symcrete.report.measure.measured import Measured, measured, name_of_input
from symcrete.report.measure.measuring_process import Measuring
from symcrete.run.untouched.played import Situated
from symcrete.run.use import Ending
from symcrete.world.importing.concealed import CONCEALED

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs"
SHOP = """
import os

def price(total: int) -> int:
    if total > 100:
        return total - 10
    if os.environ.get("SHOP") == "1":
        return 0
    return total

def once(seen=[]):
    if seen:
        return 2
    seen.append(1)
    return 1
"""


def found(args: dict[str, str], outcome: str = "returned", *situation: Situated) -> FoundInput:
    return FoundInput(args, Ending(outcome), "0", None, (), "", situation=situation)


def report_on(folder: Path, scope: str, *inputs: FoundInput) -> Report:
    file = folder / "shop.py"
    file.write_text(SHOP)
    target = TargetReport(
        f"shop.py::{scope}",
        Status.COVERED,
        inputs=inputs,
        module="shop",
        root=str(folder),
        scope=scope,
        file=str(file),
    )
    return Report((target,))


def data_in(folder: Path, report: Report) -> CoverageData:
    (folder / ".coverage").write_bytes(Coverage().data(report))
    data = CoverageData(str(folder / ".coverage"))
    data.read()
    return data


def script_for(report: Report) -> str:
    """A program that makes the same calls, with pytest's own monkeypatch."""
    lines = ["import io, sys, importlib, pathlib, tempfile", "from pytest import MonkeyPatch"]
    for target in report.targets:
        lines.append(f"sys.path.insert(0, {target.root!r})")
        lines.append(f"module = importlib.import_module({target.module!r})")
        for each in target.inputs:
            lines.append("monkeypatch, tmp_path = MonkeyPatch(), pathlib.Path(tempfile.mkdtemp())")
            lines += [situated.set for situated in each.situation]
            lines += [f"from {module} import {name}" for module, name in each.imports]
            lines += each.setup
            given = ", ".join(each.args.values())
            lines.append(f"try: module.{target.scope}({given})\nexcept BaseException: pass")
            lines.append("monkeypatch.undo()")
    return "\n".join(lines)


def measured_by_coverage(report: Report, folder: Path) -> CoverageData:
    """What coverage.py measures of a program that makes the calls of a report."""
    (folder / "calls.py").write_text(script_for(report))
    included = ",".join(sorted({each.file for each in report.targets}))
    subprocess.run(
        [
            *(sys.executable, "-m", "coverage", "run", "--branch", f"--include={included}"),
            *("--data-file=theirs", "calls.py"),
        ],
        cwd=folder,
        check=True,
    )
    theirs = CoverageData(str(folder / "theirs"))
    theirs.read()
    return theirs


def _that_ended(target: TargetReport) -> TargetReport:
    """A target with the inputs that have tests: those that returned or raised."""
    ended = [each for each in target.inputs if each.outcome in ("returned", "raised")]
    return dataclasses.replace(target, inputs=tuple(ended))


def test_the_arcs_of_fifty_functions_are_those_that_coverage_measures(tmp_path: Path) -> None:
    names = ("cards", "collatz", "concrete", "fields", "ini", "library", "json_text")
    files = [PROGRAMS / f"{name}.py" for name in names]
    reports = [symcrete.cover(str(file), max_runs=4) for file in files]
    found = [each for report in reports for each in report.targets if not each.error]
    report = Report(tuple([_that_ended(each) for each in found if not each.is_method]), 0)

    ours, theirs = data_in(tmp_path, report), measured_by_coverage(report, tmp_path)

    assert len(report.targets) >= 50
    assert ours.measured_files() == theirs.measured_files()
    for file in theirs.measured_files():
        assert sorted(ours.arcs(file) or ()) == sorted(theirs.arcs(file) or ()), file


def test_combined_with_a_projects_own_data_it_has_what_either_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.py").write_text(
        "def f(x: int) -> int:\n    if x > 3:\n        return 1\n    return 0\n"
    )
    (tmp_path / "own.py").write_text("import m\nm.f(0)\n")
    monkeypatch.chdir(tmp_path)
    run = [sys.executable, "-m", "coverage", "run", "--branch", "--include=m.py"]
    subprocess.run([*run, "--data-file=.coverage.own", "own.py"], check=True)
    report = symcrete.cover("m.py", max_runs=10)
    only_high = [each for each in report.targets[0].inputs if each.returned == "1"]
    high = Report((dataclasses.replace(report.targets[0], inputs=tuple(only_high)),), 0)
    (tmp_path / ".coverage.symcrete").write_bytes(Coverage().data(high))

    alone = CoverageData(".coverage.own")
    alone.read()
    own = set(alone.arcs(str(tmp_path / "m.py")) or ())
    subprocess.run([sys.executable, "-m", "coverage", "combine", "-q"], check=True)

    combined = CoverageData(".coverage")
    combined.read()
    (file,) = combined.measured_files()
    assert (2, 4) in own and (2, 3) not in own
    assert {(2, 3), (2, 4)} <= set(combined.arcs(file) or ())


def test_the_arcs_are_those_that_coverage_measures_of_all_examples(tmp_path: Path) -> None:
    report = symcrete.cover(str(EXAMPLES), max_runs=10)

    ours, theirs = data_in(tmp_path, report), measured_by_coverage(report, tmp_path)

    assert len(theirs.measured_files()) == len({each.file for each in report.targets}) > 5
    assert ours.measured_files() == theirs.measured_files()
    for file in theirs.measured_files():
        assert sorted(ours.arcs(file) or ()) == sorted(theirs.arcs(file) or ()), file


def test_each_input_is_a_context_of_its_own(tmp_path: Path) -> None:
    report = report_on(tmp_path, "price", found({"total": "200"}), found({"total": "1"}))

    data = data_in(tmp_path, report)

    contexts = data.contexts_by_lineno(str(tmp_path / "shop.py"))
    assert contexts[6] == ["shop.py::price(total=200)"]
    assert contexts[9] == ["shop.py::price(total=1)"]
    assert "" in contexts[4]


def test_what_was_set_besides_arguments_is_set_again(tmp_path: Path) -> None:
    shop = Situated("os.environ['SHOP']", "'1'", "monkeypatch.setenv('SHOP', '1')")
    report = report_on(tmp_path, "price", found({"total": "1"}, "returned", shop))

    data = data_in(tmp_path, report)

    assert 8 in (data.lines(str(tmp_path / "shop.py")) or ())


def test_an_input_is_measured_as_if_it_were_the_first(tmp_path: Path) -> None:
    report = report_on(tmp_path, "once", found({}), found({"seen": "[]"}))

    data = data_in(tmp_path, report)

    assert 13 not in (data.lines(str(tmp_path / "shop.py")) or ())


def test_inputs_that_crashed_or_hung_are_not_run_again(tmp_path: Path) -> None:
    report = report_on(tmp_path, "price", found({"total": "200"}, "crashed"))

    seen = measured(report)

    assert list(seen.contexts) == [""]
    assert seen.notes == []


def test_a_module_that_cannot_be_imported_is_a_note(tmp_path: Path) -> None:
    report = report_on(tmp_path, "price", found({"total": "1"}))
    (tmp_path / "shop.py").write_text("raise SystemExit(3)")

    seen = measured(report)

    assert seen.notes == ["shop was not measured: SystemExit: 3"]


def test_lines_are_kept_beside_data_that_has_only_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = CoverageData(".coverage")
    own.add_lines({str(tmp_path / "shop.py"): [4]})
    own.close()
    report = report_on(tmp_path, "price", found({"total": "200"}))
    (tmp_path / ".coverage.symcrete").write_bytes(Coverage().data(report))

    done = subprocess.run(
        [sys.executable, "-m", "coverage", "combine", "--append", "-q"], check=False
    )

    assert done.returncode == 0
    both = CoverageData(".coverage")
    both.read()
    assert not both.has_arcs()
    assert 6 in (both.lines(str(tmp_path / "shop.py")) or ())


def test_the_context_tells_the_situation(tmp_path: Path) -> None:
    shop = Situated("os.environ['SHOP']", "'1'", "monkeypatch.setenv('SHOP', '1')")
    (target,) = report_on(tmp_path, "price").targets

    name = name_of_input(target, found({"total": "1"}, "returned", shop))

    assert name == "shop.py::price(total=1) after os.environ['SHOP'] = '1'"


class Unmeasured:
    """A coverage.py that counts nothing."""

    def start(self) -> None: ...

    def switch_context(self, name: str) -> None: ...


def test_the_process_tells_that_the_import_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What a process of its own conceals from itself is here the environment of all other tests.
    monkeypatch.setattr(CONCEALED, "conceal", lambda: None)
    heard, channel = os.pipe()
    file = str(tmp_path / "not_there.py")
    place = {"root": str(tmp_path), "module": "not_there", "file": file}
    job = {**place, "calls": [], "channel": channel}

    Measuring(job, Unmeasured()).work()

    os.close(channel)
    with os.fdopen(heard) as lines:
        assert [json.loads(line) for line in lines] == [
            {"failed": "ModuleNotFoundError: No module named 'not_there'"}
        ]
    sys.path.remove(str(tmp_path))


def test_what_two_measurements_of_a_context_have_of_a_file_is_joined() -> None:
    both = Measured(branch=False)

    both.add("f()", {"shop.py": [1, 2]})
    both.add("f()", {"shop.py": [2, 5], "cart.py": [1]})

    assert both.contexts == {"f()": {"shop.py": [1, 2, 5], "cart.py": [1]}}
