"""What annotations are worth: functions with theirs taken away, beside the same with them.

Run as `python -m benchmarks.unannotated [--runs N] [--only TEXT]`. The examples, the programs of the
benchmarks and annotated modules of published packages (`benchmarks.modules` unpacks them) are
explored twice with the same number of runs: as they are, and without the annotations of parameters
and results. Those of fields stay, since a dataclass is made of them. Shown are the branches covered
of each, and the share that is covered without annotations of what is covered with them.
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.modules import PACKAGES, ROOT, place_of, prepared

OWN = (
    *sorted((ROOT / "examples").glob("*.py")),
    *sorted((ROOT / "benchmarks/programs").glob("*.py")),
)
LEFT_OUT = ("library.py",)  # each of its functions only calls one of the library
# Modules of packages that declare the types of all their parameters, 60 functions and more.
MODULES = {
    "humanize": ("humanize/filesize.py", "humanize/number.py", "humanize/time.py"),
    "semver": ("semver/version.py", "semver/_deprecated.py", "semver/cli.py"),
}
MOST_SECONDS = 900  # for one file


class Stripped(ast.NodeTransformer):
    """Takes away what functions declare of their parameters and results."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.copy_location(ast.arg(node.arg), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def without_annotations(text: str) -> str:
    """A program without the annotations of its functions."""
    return ast.unparse(ast.fix_missing_locations(Stripped().visit(ast.parse(text))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300, help="of each function")
    parser.add_argument("--only", default="", help="files whose name has this")
    arguments = parser.parse_args()
    subjects = [(ROOT, file.relative_to(ROOT)) for file in OWN if file.name not in LEFT_OUT]
    python = Path(sys.executable)
    packages = [
        (package, Path(file)) for package in PACKAGES for file in MODULES.get(package.name, ())
    ]
    if any(arguments.only in str(file) for _, file in packages):
        python = prepared()
    subjects += [(place_of(package), file) for package, file in packages]
    with_types = without = 0
    print("with without of  function")
    for place, file in subjects:
        if arguments.only not in str(file):
            continue
        declared = covered(python, place, file, arguments.runs)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "copy"
            top = file.parts[0]
            if (place / top).is_dir():
                shutil.copytree(place / top, copy / top)
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            text = (place / file).read_text(encoding="utf-8")
            (copy / file).write_text(without_annotations(text), encoding="utf-8")
            bare = covered(python, copy, file, arguments.runs)
        for name, (count, total) in declared.items():
            found = bare.get(name, (0, 0))[0]
            with_types, without = with_types + count, without + min(found, count)
            if total:
                print(f"{count:4} {found:7} {total:3} {name}", flush=True)
    share = 100 * without / with_types if with_types else 0.0
    print(f"{without} of {with_types} branches are covered without annotations too: {share:.1f} %")


def covered(python: Path, place: Path, file: Path, runs: int) -> Mapping[str, tuple[int, int]]:
    """By function: the branches covered, and those there are."""
    command = [str(python), "-m", "symcrete", "cover", str(file), "--max-runs", str(runs)]
    command += ["--json", "--no-journal", "-q"]
    try:
        done = subprocess.run(
            command, cwd=place, capture_output=True, text=True, timeout=MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        return {}
    targets = json.loads(done.stdout)["targets"] if done.stdout.startswith("{") else []
    return {
        target["target"]: (target["branches"]["covered"], target["branches"]["total"])
        for target in targets
    }


if __name__ == "__main__":
    main()
