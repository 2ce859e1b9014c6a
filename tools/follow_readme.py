"""README and tutorial followed literally, in a new environment of the interpreter that runs this.

Every command of a console block is run in the order of the page, in a copy of the repository as git
has it. What a block shows must be what is printed; seconds, and counts of runs and queries, may
differ. A command that shows nothing must succeed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/tutorial.md")
NUMBERS = re.compile(r"\b\d+\.\d+ s\b|\b\d+ runs?\b|\b\d+ solver calls?\b")
FILE = re.compile(r"# (\w+\.py)\n")


def main() -> int:
    """Follow both pages and print how many steps did not give what is shown; 1 if any did not."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        copy, environment = Path(folder, "copy"), Path(folder, "venv")
        tracked = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        for name in filter(None, tracked.stdout.split("\0")):
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy / name)
        venv.create(environment, with_pip=True)
        for page in PAGES:
            wrong += followed(page, copy, environment)
    told = "as shown" if not wrong else f"{wrong} steps not as shown"
    print(f"CPython {sys.version.split()[0]}: {told}", flush=True)
    return 1 if wrong else 0


def followed(page: str, copy: Path, environment: Path) -> int:
    """Do what one page says in the copy; how many steps did not give what is shown."""
    text = (copy / page).read_text(encoding="utf-8")
    shutil.copy(copy / "examples" / "shop.py", copy)
    program: list[str] = []
    wrong = 0
    steps = re.findall(r"^```(console|python)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    # A page may show what the program is good for before it says how to install it.
    installing = [command for command, _ in commands(steps) if command.startswith("pip install")]
    for command in installing or ["pip install ."]:
        wrong += not_as_shown(command, "", copy, environment)
    run("pip install --quiet pytest", copy, environment)
    for language, block in steps:
        if language == "python" and (named := FILE.match(block)):
            (copy / named[1]).write_text(block, encoding="utf-8")
        elif language == "python":
            program.append(block)
        for command, shown in commands([(language, block)]):
            if not command.startswith("pip install"):
                wrong += not_as_shown(command, shown, copy, environment)
    (copy / "program.py").write_text("\n\n".join(program), encoding="utf-8")
    return wrong + not_as_shown("python program.py", "", copy, environment)


def commands(steps: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The commands of console blocks without their comments, each with what it prints."""
    found: list[tuple[str, str]] = []
    for language, block in steps:
        if language == "console":
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                found.append((command.partition("  #")[0].strip(), shown))
    return found


def not_as_shown(command: str, shown: str, copy: Path, environment: Path) -> bool:
    """Run a command; whether it failed or did not print a line that the page shows. If so, print
    what it said instead.
    """
    done = run(command, copy, environment)
    wanted = [NUMBERS.sub("#", line).rstrip() for line in shown.splitlines() if line.strip()]
    told = [NUMBERS.sub("#", line).rstrip() for line in done.stdout.splitlines()]
    missing = [line for line in wanted if line not in told]
    failed = not wanted and done.returncode != 0
    if missing or failed:
        print(f"$ {command}\n{done.stdout}{done.stderr}", flush=True)
        print("".join([f"not printed: {line}\n" for line in missing]), flush=True)
    return bool(missing) or failed


def run(command: str, copy: Path, environment: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line in the copy, with the environment's programs first."""
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH")}
    # Room for a busy machine: by itself a property has two seconds by the clock.
    env |= {"PYTEST_ADDOPTS": "--symcrete-budget=60s"}
    env |= {"PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return subprocess.run(
        command,
        shell=True,
        cwd=copy,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    raise SystemExit(main())
