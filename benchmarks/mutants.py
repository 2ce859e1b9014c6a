"""How many seeded faults the written tests find: those of a standard tool, in twenty modules.

Run as `python -m benchmarks.mutants [--modules N] [--only TEXT] [--most N] [--budget 4s]
[--peers N] [--again]`. What is measured is kept in `benchmarks/results/mutants.json` module by module, so
that a run that was ended goes on where it was; `--again` measures anew. The faults are those of
cosmic-ray, in the functions of each module; of more than `--most` a seeded sample is taken. Tests
are written with `--goals branches,boundaries,outcomes,mutants` and run by plain pytest on every
faulty version; one that fails or does not end finds the fault. What no test finds is compared with the
function by `symcrete diff`: proved equal, different (a test is missing), or not decided. What is
proved equal is also called on thousands of small arguments (`equal_faults.py`). With `--peers N`
Pynguin's tests of the first N modules are run on the same faults; it has as long as we had.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

import pytest

from benchmarks.equal_faults import differing_call
from symcrete.errors import SymcreteError
from symcrete.explore.options import Options
from symcrete.oracle.differing import diff_version
from symcrete.oracle.other_version import copied
from symcrete.program.source.sites import functions
from symcrete.program.source.target import targets_of

ROOT = Path(__file__).parents[1]
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "symcrete-mutants"
TOOL = "cosmic-ray==8.7.0"
PEER = "pynguin==0.48.0"
GOALS = "branches,boundaries,outcomes,mutants"
MOST_SECONDS = 60.0  # for all tests of a module on what is not faulty
# times that, and at least so many seconds, on a faulty version: what takes longer does not end
LONGER, LEAST_SECONDS = 4.0, 2.0
POLL = 0.02  # seconds between two looks at a fork
SEED = 0
KEPT = ROOT / "benchmarks" / "results" / "mutants.json"
# In this repository, or module of a package and its version.
MODULES = (
    "examples/triangle.py",
    "examples/gcd.py",
    "examples/dates.py",
    "examples/discount.py",
    "examples/rental.py",
    "inflection==0.5.1 inflection/__init__.py",
    "python-stdnum==1.20 stdnum/luhn.py",
    "python-stdnum==1.20 stdnum/verhoeff.py",
    "python-stdnum==1.20 stdnum/isbn.py",
    "python-stdnum==1.20 stdnum/ean.py",
    "examples/bubble_sort.py",
    "benchmarks/programs/cards.py",
    "benchmarks/programs/fields.py",
    "benchmarks/programs/where.py",
    "benchmarks/programs/collatz.py",
    "humanize==4.9.0 humanize/filesize.py",
    "humanize==4.9.0 humanize/number.py",
    "semver==3.0.2 semver/_deprecated.py",
    "validators==0.28.1 validators/length.py",
    "validators==0.28.1 validators/between.py",
)


@dataclass(slots=True)
class Counted:
    """The faults of one module."""

    module: str
    faults: int = 0
    killed: int = 0
    equal: list[str] = field(default_factory=list)
    differ: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    refuted: list[str] = field(default_factory=list)  # proved equal, and yet different
    calls: int = 0  # made to refute what is proved equal
    peer: int | None = None  # killed by Pynguin's tests
    seconds: float = 0.0
    taken: str = ""  # with which budget, of which commit, under which load

    @property
    def share(self) -> float:
        """Killed, of those that are not proved equal."""
        return 100 * self.killed / max(1, self.faults - len(self.equal))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--modules", type=int, default=len(MODULES))
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int, default=60, help="faults of one module")
    parser.add_argument("--budget", default="4s", help="of one function")
    parser.add_argument("--goals", default=GOALS)
    parser.add_argument("--peers", type=int, default=0, help="modules for Pynguin, too")
    parser.add_argument("--again", action="store_true", help="what was measured before, too")
    arguments = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; goals {arguments.goals}")
    print(f"{'module':44} faults killed equal left   share  seconds")
    counted = []
    for number, name in enumerate(MODULES[: arguments.modules]):
        if arguments.only not in name:
            continue
        if arguments.again or name not in kept:
            peer = number < arguments.peers
            found = measured(name, arguments.most, arguments.budget, arguments.goals, peer=peer)
            found.taken = (
                f"{arguments.goals}, {arguments.budget} a function, at most {arguments.most} faults, "
                f"commit {_commit()}, load {os.getloadavg()[0]:.0f}"
            )
            kept[name] = asdict(found)
            KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        found = Counted(**kept[name])
        counted.append(found)
        _show(found)
    whole = Counted("all")
    for each in counted:
        whole.faults += each.faults
        whole.killed += each.killed
        whole.equal += each.equal
        whole.differ += each.differ
        whole.undecided += each.undecided
        whole.refuted += each.refuted
        whole.calls += each.calls
        whole.seconds += each.seconds
    _show(whole, details=False)
    print(
        f"{len(whole.equal)} proved equal: {whole.calls} calls by brute force, "
        f"{len(whole.refuted)} refuted"
    )


def _commit() -> str:
    shown = ["git", "rev-parse", "--short", "HEAD"]
    done = subprocess.run(shown, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _show(found: Counted, *, details: bool = True) -> None:
    left = len(found.differ) + len(found.undecided)
    print(
        f"{found.module:44} {found.faults:6} {found.killed:6} {len(found.equal):5} {left:4}"
        f"  {found.share:5.1f} %  {found.seconds:6.0f}",
        flush=True,
    )
    if found.peer is not None:
        print(f"    Pynguin's tests kill {found.peer} of {found.faults}")
    for kind in ("equal", "differ", "undecided", "refuted") if details else ():
        for each in getattr(found, kind):
            print(f"    {kind}: {each}")


def measured(name: str, most: int, budget: str, goals: str, *, peer: bool = False) -> Counted:
    """The faults of one module and what became of them."""
    began = time.monotonic()
    found = Counted(name)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve()
        file = _laid_out(name, folder)
        faults = _faults(file, most)
        found.faults = len(faults)
        tests = folder / "tests"
        command = ["cover", str(file), "-q", "-o", str(tests), "--goals", goals]
        subprocess.run(
            [sys.executable, "-m", "symcrete", *command, "--budget", budget, "--no-journal"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        spent = time.monotonic() - began
        theirs = _peer_tests(file, folder, spent) if peer else None
        tried = time.monotonic()
        if not _passes(folder, tests, MOST_SECONDS):
            found.undecided = [f"its tests do not pass: {tests}"]
            return found
        limit = max(LEAST_SECONDS, LONGER * (time.monotonic() - tried))
        whole = file.read_text(encoding="utf-8")
        for operator, line, text in faults:
            file.write_text(text, encoding="utf-8")
            survives = _passes(folder, tests, limit)
            if theirs is not None:
                found.peer = (found.peer or 0) + (not _passes(folder, theirs, limit))
            file.write_text(whole, encoding="utf-8")
            if survives:
                _judge(found, file, operator, line, text)
            else:
                found.killed += 1
    found.seconds = time.monotonic() - began
    return found


def _passes(folder: Path, tests: Path, seconds: float) -> bool:
    """Whether plain pytest runs the tests to their end and none fails; in a fork, since most of the
    time of a fresh interpreter would go into importing pytest.
    """
    child = os.fork()
    if child == 0:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        sys.dont_write_bytecode = True
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
        code = 1
        try:
            code = int(pytest.main(["-q", "-x", "-p", "no:cacheprovider", str(tests)]))
        finally:
            os._exit(code)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(POLL)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _peer_tests(file: Path, folder: Path, seconds: float) -> Path | None:
    """The tests that Pynguin writes in as many seconds, those that pass; None if it writes none."""
    module = ".".join(file.relative_to(folder).with_suffix("").parts)
    out = folder / "peer_tests"
    command = [_peer(), "-m", "pynguin", "--project-path", folder, "--output-path", out]
    command += ["--module-name", module, "--maximum-search-time", str(int(seconds))]
    environment = {**os.environ, "PYNGUIN_DANGER_AWARE": "1"}
    subprocess.run(
        [*command, "--seed", str(SEED)],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=seconds * 4 + 120,
        check=False,
    )
    wrote = list(out.glob("test_*.py"))
    return out if wrote and _passes(folder, out, MOST_SECONDS) else None


def _peer() -> Path:
    """The interpreter that has Pynguin, which wants 3.12."""
    place = CACHE / "peer"
    python = place / "bin" / "python"
    if not python.exists():
        found = sorted(Path.home().glob(".pyenv/versions/3.12*/bin/python"))
        subprocess.run([found[-1] if found else "python3.12", "-m", "venv", place], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", PEER], check=True)
    return python


def _judge(found: Counted, file: Path, operator: str, line: int, text: str) -> None:
    """Compare the function that a fault is in with what it was."""
    scope = _scope_at(text, line)
    told = f"{operator.partition('/')[2]} in {scope}, line {line}: {_line(text, line)}"
    try:
        target = next(each for each in targets_of(str(file)) if each.scope == scope)
        source = target.source
        own = source.file.relative_to(source.root.resolve()).as_posix()

        def read(path: str) -> str | None:
            place = source.root / path
            there = place.read_text(encoding="utf-8") if place.is_file() else None
            return text if path == own else there

        with tempfile.TemporaryDirectory() as made:
            folder = Path(made).resolve()
            version = copied(target, read, folder, "with a fault")
            verdict = diff_version(target, version, folder, Options(budget=4.0))
    except (SymcreteError, StopIteration) as error:
        found.undecided.append(f"{told} ({error})")
        return
    if verdict.verdict == "same":
        found.equal.append(told)
        calls, differs = differing_call(file, source.module, scope, text)
        found.calls += calls
        found.refuted += [f"{told}: {differs}"] if differs else []
    elif verdict.verdict == "differs":
        found.differ.append(f"{told}: {verdict.differences[0].a.args}")
    else:
        found.undecided.append(f"{told} ({verdict.reason})")


def _scope_at(text: str, line: int) -> str:
    """The innermost function of a module that a line is in."""
    found = ""
    for scope, node in functions(ast.parse(text)):
        if node.lineno <= line <= (node.end_lineno or 0) and "<locals>" not in scope:
            found = scope
    return found


def _line(text: str, line: int) -> str:
    return text.splitlines()[line - 1].strip()[:60]


def _faults(file: Path, most: int) -> list[tuple[str, int, str]]:
    """The tool's faults in the bodies of functions, or a sample of them."""
    python = _tool()
    script = Path(__file__).with_name("seed_faults.py")
    done = subprocess.run([python, script, file], capture_output=True, text=True, check=True)
    found = [tuple(each) for each in json.loads(done.stdout)]
    inside = [each for each in found if each[1] in set(_lines_of_bodies(file))]
    if len(inside) > most:
        inside = sorted(Random(SEED).sample(inside, most), key=lambda each: each[1])
    return inside


def _lines_of_bodies(file: Path) -> Iterator[int]:
    for _, node in functions(ast.parse(file.read_text(encoding="utf-8"))):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            yield from range(body[0].lineno, (node.end_lineno or 0) + 1)


def _laid_out(name: str, folder: Path) -> Path:
    """The module in a folder of its own, with its package if it has one."""
    package, _, inside = name.rpartition(" ")
    if not package:
        copy = folder / Path(name).name
        shutil.copy(ROOT / name, copy)
        return copy
    unpacked = CACHE / package.replace("==", "-")
    if not unpacked.exists():
        pip = [sys.executable, "-m", "pip", "install", "-q", "--target", unpacked]
        subprocess.run([*pip, package], check=True)
    # With what it needs, and with its metadata: some packages ask for their own version.
    shutil.copytree(unpacked, folder, dirs_exist_ok=True)
    return folder / inside


def _tool() -> Path:
    """The interpreter that has the tool."""
    place = CACHE / "tool"
    python = place / "bin" / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", TOOL], check=True)
    return python


if __name__ == "__main__":
    main()
