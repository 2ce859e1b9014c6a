"""What the user asked for: flags win over the configuration, which is found above the folder."""

from pathlib import Path

import pytest

from symcrete import user
from symcrete.cli import main, parser
from symcrete.errors import BadOption
from symcrete.explore.options import options_from


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
