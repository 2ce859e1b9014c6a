"""Whether `diff` and `check` decide what is known, how fast, and whether they are right.

    python -m benchmarks.oracles [--budget 10s] [--peer] [--again] [--only GROUP] [NAME ...]

The groups: `library` are functions of the standard library beside their documented equivalents,
`releases` functions of packages beside older releases of them, `deep` faults seeded deep inside,
`small` other pairs, `promises` what functions promise, kept and broken. Each says of its members
what is true (`benchmarks/programs`). With `--peer` CrossHair's `diffbehavior` and `check` are given the same
functions and the same time. What is measured is kept in `benchmarks/results/oracles.json`; `--again`
measures anew. A wrong verdict is shown as such, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import symcrete
from benchmarks.programs import deep_pairs, library_pairs, pairs, promises

ROOT = Path(__file__).parents[1]
PROGRAMS = Path(__file__).parent / "programs"
KEPT = ROOT / "benchmarks" / "results" / "oracles.json"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "symcrete-releases"
# name, package, newer and older release, module in each, function, what is true
RELEASES = (
    ("ordinal", "inflection", "0.5.1", "0.2.0", "inflection.py", "ordinal", "same"),
    ("to_roman", "roman", "4.2", "2.0.0", "roman.py", "toRoman", "differs"),
    ("from_roman", "roman", "4.2", "2.0.0", "roman.py", "fromRoman", "differs"),
    ("ean", "python-stdnum", "1.20", "1.5", "stdnum/ean.py", "validate", "differs"),
    ("filesize", "humanize", "4.9.0", "0.5.1", "humanize/filesize.py", "naturalsize", "differs"),
    ("clamp", "boltons", "24.0.0", "17.0.0", "boltons/mathutils.py", "clamp", "differs"),
    ("singular", "boltons", "24.0.0", "17.0.0", "boltons/strutils.py", "singularize", "differs"),
)
GROUPS = ("library", "releases", "deep", "small", "promises")


@dataclass(frozen=True, slots=True)
class Case:
    """A pair or a promise of which the answer is known; one promise has no `other`."""

    group: str
    name: str
    expected: str
    one: str  # for us: FILE::NAME
    other: str
    peer: tuple[str, ...]  # for CrossHair: dotted names
    place: Path  # where those are imported from


@dataclass(slots=True)
class Result:
    """What became of a case."""

    expected: str
    verdict: str
    seconds: float  # by the clock
    processor: float  # seconds, ours and our workers'
    shown: str
    peer: str = ""
    peer_seconds: float = 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--budget", default="10s")
    parser.add_argument("--only", choices=GROUPS)
    parser.add_argument("--peer", action="store_true", help="CrossHair beside")
    parser.add_argument("--again", action="store_true", help="what was measured before, too")
    given = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    wrong = 0
    for group in GROUPS:
        if given.only not in (None, group):
            continue
        results = []
        for case in cases(group):
            if given.names and case.name not in given.names:
                continue
            key = f"{group}/{case.name}"
            if given.again or key not in kept:
                known = kept.get(key, {})
                kept[key] = asdict(measured(case, given.budget, peer=given.peer))
                if not given.peer and known:
                    kept[key] |= {each: known[each] for each in ("peer", "peer_seconds")}
                KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
            results.append(Result(**kept[key]))
            _show(case.name, results[-1])
        wrong += _sum_up(group, results)
    return 1 if wrong else 0


def cases(group: str) -> Iterator[Case]:
    """The members of a group."""
    if group == "releases":
        yield from map(_release, RELEASES)
    elif group == "promises":
        for name in (*promises.HOLDS, *promises.FAILS):
            expected = "holds" if name in promises.HOLDS else "fails"
            peer = (f"benchmarks.programs.promises.{name}",)
            yield Case(group, name, expected, f"{PROGRAMS / 'promises.py'}::{name}", "", peer, ROOT)
    else:
        module = {"library": library_pairs, "deep": deep_pairs, "small": pairs}[group]
        same: tuple[str, ...] = getattr(module, "SAME", ())
        for name in (*same, *module.DIFFERENT):
            file, dotted = module.__file__, module.__name__
            yield Case(
                group,
                name,
                "same" if name in same else "differs",
                f"{file}::{name}_a",
                f"{file}::{name}_b",
                (f"{dotted}.{name}_a", f"{dotted}.{name}_b"),
                ROOT,
            )


def _release(row: tuple[str, ...]) -> Case:
    """A function in two releases, each unpacked into a folder of its own."""
    name, package, newer, older, inside, function, expected = row
    stem = package.replace("-", "_")
    folders = [f"{stem}_{release.replace('.', '_')}" for release in (newer, older)]
    for release, folder in zip((newer, older), folders, strict=True):
        if not (CACHE / folder).exists():
            pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target"]
            subprocess.run([*pip, CACHE / folder, f"{package}=={release}"], check=True)
    files = [_file(CACHE / folder, inside) for folder in folders]
    dotted = [".".join(each.relative_to(CACHE).with_suffix("").parts) for each in files]
    peers = [f"{each.removesuffix('.__init__')}.{function}" for each in dotted]
    one, other = (f"{file}::{function}" for file in files)
    return Case("releases", name, expected, one, other, tuple(peers), CACHE)


def _file(folder: Path, inside: str) -> Path:
    """The module, which may have become a package since."""
    package = folder / inside.removesuffix(".py") / "__init__.py"
    return package if package.exists() else folder / inside


def measured(case: Case, budget: str, *, peer: bool) -> Result:
    """Our verdict on a case, and the peer's."""
    began, spent = time.perf_counter(), _processor()
    if case.other:
        compared = symcrete.diff(case.one, case.other, budget=budget)
        verdict: str = compared.verdict
        inputs = [_call(each.a.args) for each in compared.differences]
        shown = compared.reason or compared.proof or next(iter(inputs), "")
    else:
        checked = symcrete.check(case.one, budget=budget)
        verdict = checked.verdict
        calls = [each.call for each in checked.failures]
        shown = checked.reason or checked.proof or "; ".join(calls)
    seconds, processor = time.perf_counter() - began, _processor() - spent
    found = Result(case.expected, verdict, round(seconds, 1), round(processor, 1), shown[:200])
    if peer:
        began = time.perf_counter()
        found.peer = _of_crosshair(case, float(budget.rstrip("s")))
        found.peer_seconds = round(time.perf_counter() - began, 1)
    return found


def _call(args: dict[str, str]) -> str:
    return ", ".join([f"{name}={text}" for name, text in args.items()])


def _processor() -> float:
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(each)[:2]) for each in whose)


def _of_crosshair(case: Case, seconds: float) -> str:
    """CrossHair's verdict in our words; "not asked" where it sees nothing to check."""
    command = [sys.executable, "-m", "crosshair", "diffbehavior" if case.other else "check"]
    command += [*case.peer, f"--per_condition_timeout={seconds:g}"]
    if case.other:  # by default it gives up after few paths
        command += ["--max_uninteresting_iterations=1000000"]
    else:
        command += ["--analysis_kind=asserts,PEP316,icontract,deal", "--report_all"]
    try:
        done = subprocess.run(
            command, cwd=case.place, capture_output=True, text=True, timeout=seconds * 2 + 5
        )
    except subprocess.TimeoutExpired:
        return "no answer"
    said = done.stdout + done.stderr
    if case.other:
        if "All paths exhausted" in said:
            return "same"
        return "undecided" if "No differences found" in said else _or_error(done, "differs")
    if ": error:" in said:
        return "fails"
    if "no checkable functions" in said or not said.strip():
        return "not asked"
    return "holds" if "Confirmed" in said and "Not confirmed" not in said else "undecided"


def _or_error(done: subprocess.CompletedProcess[str], verdict: str) -> str:
    return verdict if done.returncode == 1 and "Given" in done.stdout else "error"


def _mark(verdict: str, expected: str) -> str:
    if verdict == expected:
        return ""
    return " WRONG" if verdict in ("same", "differs", "holds", "fails") else " open"


def _show(name: str, result: Result) -> None:
    mark = _mark(result.verdict, result.expected)
    beside = ""
    if result.peer:
        mistaken = _mark(result.peer, result.expected) == " WRONG"
        beside = f"  CrossHair: {result.peer}{' WRONG' * mistaken} {result.peer_seconds:.0f} s"
    print(
        f"{name:<18} {result.verdict:<9}{mark:6} {result.seconds:5.1f} s"
        f" ({result.processor:4.1f} s){beside}  {result.shown[:70]!r}",
        flush=True,
    )


def _sum_up(group: str, results: list[Result]) -> int:
    """Print the sums of a group; gives how many verdicts are wrong."""
    if not results:
        return 0
    marks = [_mark(each.verdict, each.expected) for each in results]
    wrong = marks.count(" WRONG")
    late = max(each.processor for each in results)
    print(
        f"{group}: {marks.count('')} of {len(results)} decided, {wrong} wrongly; "
        f"the longest took {late:.1f} s of the processor"
    )
    theirs = [_mark(each.peer, each.expected) for each in results if each.peer]
    if theirs:
        print(f"  CrossHair: {theirs.count('')} of {len(theirs)}, {theirs.count(' WRONG')} wrongly")
    return wrong


if __name__ == "__main__":
    raise SystemExit(main())
