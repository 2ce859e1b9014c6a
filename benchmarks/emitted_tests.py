"""Every test emitted for the examples, benchmarks and experiments: formatted, and passing three
times.

Run as `python -m benchmarks.emitted_tests [--budget 1s] [TARGET ...]`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
TARGETS = ("examples", "benchmarks/programs", "experiments/subjects")
SEEDS = ("0", "1", "random")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--budget", default="1s")
    arguments = parser.parse_args()
    failures = 0
    for target in arguments.targets or TARGETS:
        with tempfile.TemporaryDirectory() as place:
            failures += not _holds(target, arguments.budget, Path(place))
    sys.exit(1 if failures else 0)


def _holds(target: str, budget: str, folder: Path) -> bool:
    command = [sys.executable, "-m", "symcrete.cli", "cover", target, "--no-journal", "-q"]
    subprocess.run([*command, "--budget", budget, "-o", str(folder)], cwd=ROOT, check=False)
    formatted = _run([sys.executable, "-m", "ruff", "format", "--isolated", "--check"], folder, "0")
    print(f"{target}: {len(list(folder.glob('*.py')))} files; ruff format: {formatted}", flush=True)
    holds = "would be" not in formatted
    for seed in SEEDS:
        said = _run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], folder, seed)
        holds = holds and "failed" not in said and "error" not in said and "passed" in said
        print(f"{target}: PYTHONHASHSEED={seed}: {said}", flush=True)
    return holds


def _run(command: list[str], folder: Path, seed: str) -> str:
    """The last line of what is said, and the failures before it."""
    done = subprocess.run(
        [*command, str(folder)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    lines = (done.stdout + done.stderr).strip().splitlines() or [""]
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR", "   --> "))]
    return "\n  ".join([lines[-1], *failed[:20]])


if __name__ == "__main__":
    main()
