"""Completion in shells: what is offered is what the parser accepts."""

import shutil
import subprocess

import pytest

from symcrete.cli import parser
from symcrete.shell.completion import SHELLS, commands_of, script, values_of

ANSWERS_IN_BASH = """
source /dev/stdin
COMP_WORDS=({words}); COMP_CWORD={last}; _symcrete; echo "${{COMPREPLY[@]}}"
"""


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
