"""Which functions are targets, and that a broken file costs nothing but itself."""

from pathlib import Path

import pytest

from symcrete.errors import ImportFailed, NothingToAnalyse
from symcrete.explore.compose import cover
from symcrete.explore.options import Options
from symcrete.explore.project.choosing import NO_COVER, chosen, excluding_patterns
from symcrete.program.source.target import targets_of

FUNCTION = "def {}(x: int) -> int:\n    return x\n"


def scopes(folder: Path, **options: object) -> list[str]:
    return [target.scope for target in chosen([str(folder)], **options).targets]  # type: ignore[arg-type]


def test_a_file_that_cannot_be_parsed_is_told_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def f(:\n")
    (tmp_path / "good.py").write_text(FUNCTION.format("f"))
    (tmp_path / "constants.py").write_text("X = 1\n")

    found = chosen([str(tmp_path)])

    assert [target.scope for target in found.targets] == ["f"]
    assert [Path(each.file).name for each in found.broken] == ["bad.py"]
    assert "syntax error" in found.broken[0].error


def test_a_mistake_in_the_only_target_is_raised(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def f(:\n")

    with pytest.raises(ImportFailed):
        chosen([str(tmp_path / "bad.py")])


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("a.py", ["g"]),
        ("a.py::f", ["F.m", "g"]),
        ("F.*", ["f", "g"]),
        ("g", ["f", "F.m"]),
        ("*/b.py", ["f", "F.m"]),
    ],
)
def test_globs_leave_out_files_and_functions(tmp_path: Path, glob: str, left: list[str]) -> None:
    method = "class F:\n    def m(self) -> int:\n        return 1\n"
    (tmp_path / "a.py").write_text(FUNCTION.format("f") + method)
    (tmp_path / "b.py").write_text(FUNCTION.format("g"))

    assert scopes(tmp_path, exclude=[glob]) == left


def test_functions_with_a_pragma_are_left_out_unless_they_are_named(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(
        "def f(x: int) -> int:  # pragma: no cover\n    return x\n"
        "class C:  # pragma: no cover\n    def m(self) -> int:\n        return 1\n"
        "class D:\n    class E:  # pragma: no cover\n"
        "        def m(self) -> int:\n            return 1\n"
        "def g(x: int) -> int:\n    return x  # pragma: no cover\n"
    )

    assert scopes(tmp_path) == ["g"]
    assert [target.scope for target in chosen([f"{file}::f"]).targets] == ["f"]


def test_where_everything_is_excluded_there_is_nothing_to_analyse(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(FUNCTION.format("f"))

    with pytest.raises(NothingToAnalyse, match="1 are excluded"):
        chosen([str(tmp_path)], exclude=["f"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".coveragerc", "[report]\nexclude_also =\n    def legacy_\n"),
        ("setup.cfg", "[coverage:report]\nexclude_also =\n    def legacy_\n"),
        ("pyproject.toml", "[tool.coverage.report]\nexclude_also = ['def legacy_']\n"),
    ],
)
def test_the_exclusions_of_coverage_are_honoured(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "a.py").write_text(FUNCTION.format("legacy_f") + FUNCTION.format("f"))

    patterns = excluding_patterns(tmp_path)

    assert patterns == [NO_COVER, "def legacy_"]
    assert scopes(tmp_path, patterns=patterns) == ["f"]


def test_a_package_is_all_its_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "prices.py").write_text(FUNCTION.format("price"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))

    assert [target.scope for target in chosen(["shop"]).targets] == ["price"]


def test_functions_of_a_package_are_named_as_they_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "shop_of_names" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "shop_of_names" / "__init__.py").write_text(FUNCTION.format("f"))
    (inner / "__init__.py").write_text("raise RuntimeError('imported')\n")
    (inner / "g.py").write_text(FUNCTION.format("g"))
    monkeypatch.syspath_prepend(str(tmp_path))

    whole, part = chosen(["shop_of_names"]), chosen(["shop_of_names.inner"])

    labels = ["shop_of_names:f", "shop_of_names.inner.g:g"]
    assert [target.label for target in whole.targets] == labels
    assert [target.label for target in part.targets] == labels[1:]


def test_a_package_without_an_init_is_found_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spread_out" / "deep").mkdir(parents=True)
    (tmp_path / "spread_out" / "deep" / "m.py").write_text(FUNCTION.format("f"))
    monkeypatch.syspath_prepend(str(tmp_path))

    target = chosen(["spread_out"]).targets[0]

    assert (target.label, target.source.module) == ("spread_out.deep.m:f", "spread_out.deep.m")
    assert target.source.root == tmp_path


def test_a_file_of_a_package_without_an_init_keeps_its_relative_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src" / "spread").mkdir(parents=True)
    file = tmp_path / "src" / "spread" / "m.py"
    file.write_text("from . import n\n" + FUNCTION.format("f"))
    monkeypatch.chdir(tmp_path)

    source = chosen([str(file)]).targets[0].source

    assert (source.module, source.root) == ("spread.m", tmp_path / "src")


def test_a_file_with_the_name_of_this_tool_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "symcrete.py").write_text("def f(n: int) -> int:\n    return n\n")

    report = cover(targets_of(f"{tmp_path / 'symcrete.py'}::f")[0], Options())

    assert "has the name of this tool" in report.error
