"""What a pragma or earlier tests leave out of a target, and what they leave to be covered."""

from pathlib import Path

import coverage
import pytest

from symcrete.errors import BadOption
from symcrete.explore.cover.plan import plan_of
from symcrete.explore.project.choosing import chosen
from symcrete.explore.project.uncounted import CoverageData
from symcrete.program.source.target import Target

TEXT = """\
def price(total: int, code: str) -> int:
    if (total > 50
            and code == "SAVE"):
        total -= 10
    for c in code:
        if c == "x":
            total += 1
    return total


def plain(x: int) -> int:
    return x


def done(x: int) -> int:
    if x > 3:
        return 1
    return 0


price(1, "x")
done(1)
done(9)
"""


def left_in(target: Target) -> list[tuple[int, bool]]:
    return [(spot.line, spot.side) for spot in plan_of(target).conditions]


def data_of(file: Path, *, branches: bool) -> str:
    """The file is run once under coverage.py."""
    name = str(file.with_name(".coverage"))
    measuring = coverage.Coverage(data_file=name, branch=branches, include=[str(file)])
    measuring.start()
    exec(compile(file.read_text(), str(file), "exec"), {})
    measuring.stop()
    measuring.save()
    return name


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.py"
    file.write_text(TEXT)
    return file


@pytest.mark.parametrize("branches", [True, False])
def test_what_tests_cover_is_not_wanted_again(shop: Path, branches: bool) -> None:
    data = CoverageData(data_of(shop, branches=branches))

    lacking = data.lacking(chosen([str(shop)]).targets)

    assert [target.scope for target in lacking] == ["price", "plain"]
    assert left_in(lacking[0]) == [(3, True), (6, False)]


def test_a_file_that_was_not_measured_lacks_everything(shop: Path, tmp_path: Path) -> None:
    data = CoverageData(data_of(shop, branches=True))
    other = tmp_path / "other.py"
    other.write_text(TEXT)
    targets = chosen([str(other)]).targets

    assert data.lacking(targets) == list(targets)
    assert data.changed_since(targets) == []


def test_data_that_does_not_exist_or_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no data\n" * 100)

    with pytest.raises(BadOption, match="there is no"):
        CoverageData(str(tmp_path / "gone"))
    with pytest.raises(BadOption, match="--coverage"):
        CoverageData(str(tmp_path / "text"))


def test_a_branch_with_a_pragma_is_neither_a_condition_nor_a_branch(tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_text(
        "def f(a: int, b: int) -> int:\n"
        "    if a == 123:\n"
        "        raise ValueError  # pragma: no cover\n"
        "    a += 1\n"
        "    if b:  # pragma: no cover\n"
        "        return 1\n"
        "    return 2 if a else 3\n"
    )

    target = chosen([str(file)]).targets[0]

    assert left_in(target) == [(2, False), (7, False), (7, True)]
    assert plan_of(target).branches == ()
