"""Modules beside the target's are rewritten when a run enters them."""

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from symcrete.explore.compose import cover, loaded
from symcrete.explore.options import options_from
from symcrete.explore.rewritten import ImportedProgram
from symcrete.program.source.module import source_of_file
from symcrete.program.source.target import targets_of
from symcrete.values.tracking.followed import alias, enter, is_followed, rewritten_files

PACKAGE = {
    "__init__": "",
    "entry": """
        from lately import aside, helping

        def f(n: int, s: str) -> int:
            if helping.decorated(n) == 1:
                return 1
            if helping.Named(s).is_long():
                return 2
            return helping.ADD(n)
        """,
    "helping": """
        import functools

        def adding_one(function):
            @functools.wraps(function)
            def inner(n):
                return 1 if n == 9177 else function(n)
            return inner

        @adding_one
        def decorated(n):
            return 0

        class Named:
            def __init__(self, name):
                self.name = name
            def is_long(self):
                return len(self.name) == 7 and self.name[2] == "q"

        def made():
            return lambda n: 5 if n == 88123 else 6

        ADD = made()
        count = 0
        def counted():
            global count
            count += 1
        """,
    "aside": "def never(x):\n    return 1 if x else 2\n",
}


@pytest.fixture
def entry(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "lately"
    folder.mkdir()
    for name, text in PACKAGE.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    yield folder / "entry.py"
    for name in [each for each in sys.modules if each.partition(".")[0] == "lately"]:
        del sys.modules[name]


def program_of(entry: Path) -> ImportedProgram:
    return loaded(source_of_file(entry), options_from({}), at_once=False)


def test_what_no_run_has_entered_is_as_written(entry: Path) -> None:
    imported = program_of(entry)

    assert list(imported.rewritten.files) == [str(entry)]
    assert not is_followed(sys.modules["lately.helping"].decorated)


def test_entering_rewrites_functions_methods_wrappers_and_what_closures_keep(entry: Path) -> None:
    program_of(entry)
    module = sys.modules["lately.helping"]
    functions = [module.decorated, module.decorated.__wrapped__, module.Named.is_long, module.ADD]
    assert enter(alias(str(module.__file__)))

    assert {each.__code__.co_filename for each in functions} == {str(module.__file__)}
    assert str(module.__file__) in rewritten_files
    assert not enter(alias(str(module.__file__)))


def test_rewritten_functions_still_compute_what_they_did(entry: Path) -> None:
    program_of(entry)
    module = sys.modules["lately.helping"]
    before = [module.decorated(9177), module.decorated(1), module.Named("abqdefg").is_long()]
    enter(alias(str(module.__file__)))

    assert [
        module.decorated(9177),
        module.decorated(1),
        module.Named("abqdefg").is_long(),
    ] == before


def test_branches_that_other_modules_decide_are_covered(entry: Path) -> None:
    target = targets_of(f"{entry}::f")[0]
    report = cover(target, options_from({"budget": 20.0, "replay": False}))

    assert report.conditions.open == 0, report.open


def test_a_module_that_waits_still_says_what_it_changes(entry: Path) -> None:
    imported = program_of(entry)
    file = str(entry.with_name("helping.py"))

    assert "count" in imported.rewritten.facts_of(file).rebound
    assert any("count" in facts.rebound for facts in imported.rewritten.facts_with("count"))
    assert str(entry.with_name("aside.py")) not in imported.rewritten.facts


def test_the_text_of_a_file_that_waits_is_read_once(entry: Path) -> None:
    rewritten = program_of(entry).rewritten
    rewritten.facts_with("no module has this word")

    entry.with_name("aside.py").unlink()

    assert rewritten.facts_with("nor this one") is not None
