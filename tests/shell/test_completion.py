"""Completion in shells: what is offered is what the parser accepts."""

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from symcrete.cli import parser
from symcrete.shell.completion import SHELLS, commands_of, script, values_of

ANSWERS_IN_BASH = """
source /dev/stdin
COMP_WORDS=({words}); COMP_CWORD={last}; _symcrete; echo "${{COMPREPLY[@]}}"
"""


SECONDS = 60  # for a shell to start, to complete and to run what was completed, beside other tests

# A terminal's reader of lines, a script, and a command of that name that says what it was given.
STARTS = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
READY = {
    "bash": 'source ./script; symcrete() {{ echo given-$((1+1)): "$@"; }}; {said}\n',
    "zsh": "autoload -Uz compinit; compinit -u -D; source ./script; "
    'symcrete() {{ echo given-$((1+1)): "$@"; }}; {said}\n',
    "fish": "source ./script; function symcrete; echo given-(math 1+1): $argv; end; {said}\n",
}
SAYS = {"bash": "echo up-$((1+1))", "zsh": "echo up-$((1+1))", "fish": "echo up-(math 1+1)"}

SHOP = """
class Cart:
    def total(self):
        def inner(): ...

    async def deliver(self): ...

def price(amount): ...
"""

TYPED = [
    ("sol", "solvers"),
    ("cover --bud", "cover --budget"),
    ("cover --strategy cgs-n", "cover --strategy cgs-nodom"),
    ("cover --strategy=cgs-n", "cover --strategy=cgs-nodom"),
    ("check sho", "check shop.py"),
    ("cover shop.py::pr", "cover shop.py::price"),
    ("explain shop.py::Cart.t", "explain shop.py::Cart.total"),
    ("cover shop.py::Cart.d", "cover shop.py::Cart.deliver"),
    ("cover shop.py::i", "cover shop.py::i"),  # defined in a method, so no target
    ("reach shop.py::price --from x -o out", "reach shop.py::price --from x -o output"),
]


class Terminal:
    """A shell that reads keys, as it does for a person."""

    def __init__(self, shell: str, folder: Path) -> None:
        self.seen = ""
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(shell, STARTS[shell], {**os.environ, "TERM": "dumb", "HOME": str(folder)})

    def types(self, keys: str, until: str) -> str:
        """Press keys; what was shown from there to the line with that text."""
        began = len(self.seen)
        os.write(self.end, keys.encode())
        until_then = time.monotonic() + SECONDS
        while until not in self.seen[began:] or "\n" not in self.seen[began:].split(until)[-1]:
            if not select.select([self.end], [], [], max(0, until_then - time.monotonic()))[0]:
                pytest.fail(f"{until!r} was not shown: {self.seen[began:]!r}")
            self.seen += os.read(self.end, 4096).decode(errors="replace")
        return self.seen[began:].split(until)[-1].split("\n")[0].strip()

    def close(self) -> None:
        """End the shell."""
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.end)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_what_is_typed_at_a_terminal(shell: str, tmp_path: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(script(shell, parser()))
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "shopping.txt").write_text("")
    (tmp_path / "output").write_text("")
    terminal = Terminal(shell, tmp_path)

    try:
        terminal.types(READY[shell].format(said=SAYS[shell]), until="up-2")
        completed = {
            typed: terminal.types(f"symcrete {typed}\t\n", until="given-2:") for typed, _ in TYPED
        }
    finally:
        terminal.close()

    assert completed == dict(TYPED)


def completed(*words: str) -> list[str]:
    """What bash offers for the last of these words."""
    asking = ANSWERS_IN_BASH.format(words=" ".join(words) or '""', last=len(words) - 1)
    command = ["bash", "--norc", "-c", asking]
    done = subprocess.run(
        command, input=script("bash", parser()), capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_bash_completes_commands_flags_and_values() -> None:
    assert completed("symcrete", "rep") == ["replay", "report"]
    assert completed("symcrete", "cover", "--bud") == ["--budget"]
    assert completed("symcrete", "cover", "--strategy", "cgs") == [
        name for name in values_of(parser())["--strategy"] if name.startswith("cgs")
    ]
    assert completed("symcrete", "completion", "f") == ["fish"]
    assert completed("symcrete", "cover", "shop") == []  # files are the shell's own


def test_every_command_is_offered_with_what_it_does() -> None:
    found = {command.name: command for command in commands_of(parser())}

    assert {"cover", "reach", "check", "diff", "init", "lsp", "completion"} <= set(found)
    assert all(command.about for command in found.values())
    assert any("--rev" in flag.names for flag in found["diff"].flags)


@pytest.mark.parametrize("shell", [each for each in SHELLS if shutil.which(each)])
def test_a_script_is_one_that_its_shell_reads(shell: str) -> None:
    text = script(shell, parser())

    done = subprocess.run([shell, "-n"], input=text, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "changed" in text
