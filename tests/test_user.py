"""What the user asked for: flags win over the configuration, which is found above the folder."""

import argparse
import shlex
from pathlib import Path

import pytest

from symcrete import user
from symcrete.cli import main, parser
from symcrete.errors import BadOption
from symcrete.explore.options import options_from
from symcrete.sandbox.walls.confine import Protection
from symcrete.shell.help_texts import EXAMPLES as EXAMPLES_OF_HELP


def test_the_configuration_of_a_folder_above_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "src"
    inner.mkdir()
    (tmp_path / "pyproject.toml").write_text(
        "[tool.symcrete]\nbudget = '3s'\nseed = 5\ntotal-budget = '1m'\n"
    )
    monkeypatch.chdir(inner)
    arguments = parser().parse_args(["cover", "shop.py", "--seed", "9"])

    options = user.options_of(arguments)

    assert (options.budget, options.seed) == (3.0, 9)
    assert user.configuration(inner)["total-budget"] == "1m"


@pytest.mark.parametrize(
    ("table", "words", "both"),
    [
        ("", "--max-runs 9", False),
        ("", "--max-runs 9 --budget 3s", True),
        ("budget = '3s'", "--max-runs 9", True),
        ("max-runs = 9", "--budget 3s", True),
        ("max-runs = 9", "", False),
    ],
)
def test_seconds_end_a_budget_of_runs_where_the_user_gave_them(
    table: str, words: str, both: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.symcrete]\n{table}\n")
    monkeypatch.chdir(tmp_path)
    arguments = parser().parse_args(["graph", "shop.py", *words.split()])

    options = user.options_of(arguments, budget=3.0)

    assert (options.budget, options.max_runs, options.both_limits) == (3.0, 9, both)


@pytest.mark.parametrize(
    ("table", "words", "both"),
    [
        ("", "", True),
        ("", "--budget 5s", True),
        ("", "--max-runs 9", False),
        ("max-runs = 9", "", False),
        ("max-runs = 9", "--budget 5s", True),
    ],
)
def test_runs_of_a_command_end_with_its_seconds_unless_the_user_gave_runs(
    table: str, words: str, both: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.symcrete]\n{table}\n")
    monkeypatch.chdir(tmp_path)
    arguments = parser().parse_args(["graph", "shop.py", "--chain", *words.split()])

    options = user.options_of(arguments, budget=3.0, max_runs=1000)

    assert options.both_limits == both


def test_a_wrong_key_shows_the_nearest_one() -> None:
    with pytest.raises(BadOption, match="did you mean strategy"):
        options_from({"stratgy": "dfs"})


def test_a_wrong_flag_shows_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["cover", "shop.py", "--bugdet=3s"])

    assert code == 4
    assert "unrecognized arguments: --bugdet=3s; did you mean --budget?" in capsys.readouterr().err


def test_a_configuration_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.symcrete\n")

    with pytest.raises(BadOption, match="cannot read"):
        user.configuration(tmp_path)


def test_a_wrong_key_of_the_configuration_shows_the_file_and_the_nearest_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.symcrete]\nexlude = ['x.py']\n")

    with pytest.raises(BadOption, match=r"pyproject.toml: no key 'exlude' .* mean exclude\?"):
        user.configuration(tmp_path)


def test_a_wrong_command_shows_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kover"]) == main(["xyz"]) == 4

    told = capsys.readouterr().err.splitlines()
    assert told[0].endswith("invalid choice: 'kover'; did you mean cover?")
    assert "one of cover, " in told[2]


EXAMPLES = [
    line.partition("  ")[0].partition(" | ")[0]
    for name, text in EXAMPLES_OF_HELP.items()
    for line in text.replace("\n  ", "\n").splitlines()
    if line.startswith("symcrete ") and name != "symcrete completion"
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_help_is_understood(example: str) -> None:
    _, *words = shlex.split(example)

    assert parser().parse_args(words).command == words[0]


@pytest.mark.parametrize("command", ["cover", "reach", "check", "diff"])
def test_the_help_of_a_command_has_examples(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([command, "--help"])

    assert f"examples:\n  symcrete {command} " in capsys.readouterr().out


def test_a_wall_that_does_not_stand_is_told_to_everybody(
    capsys: pytest.CaptureFixture[str],
) -> None:
    quiet = argparse.Namespace(verbose=False, no_sandbox=False)
    whole = Protection("/work", frozenset({"files"})).lines()
    lacking = Protection("/work", gaps=("files of others",)).lines()

    user.protection_teller(quiet)(whole)
    before = capsys.readouterr().err
    user.protection_teller(quiet)(lacking)

    assert before == ""
    assert "not protected: files of others" in capsys.readouterr().err
