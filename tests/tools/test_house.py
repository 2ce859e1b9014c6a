"""Every rule of the house fails on a tiny tree that breaks it, and on no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from tools import house
from tools.house import Breaches, House, inspect, main

SOUND = {
    "src/symcrete/__init__.py": '"""The package."""\n',
    "src/symcrete/solve/__init__.py": '"""Find an input."""\n',
    "src/symcrete/solve/chain.py": "STEPS = 3  # of one walk\n",
    "tests/solve/test_chain.py": "from symcrete.solve.chain import STEPS\n\nassert STEPS == 3\n",
}


@pytest.fixture(autouse=True)
def no_exceptions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of this repository's own exceptions do not concern the small trees."""
    monkeypatch.setattr(house, "LONG_FUNCTIONS", {})
    monkeypatch.setattr(house, "SAME_STEM", {})
    monkeypatch.setattr(house, "DEFINED_TWICE", {})
    monkeypatch.setattr(house, "CLOCK_READERS", {})
    monkeypatch.setattr(house, "JSON_ITSELF", {})
    monkeypatch.setattr(house, "SET_FROM_OUTSIDE", {})
    monkeypatch.setattr(house, "WORDS_OF_OTHERS", {})
    monkeypatch.setattr(house, "NUMBERS_OF_A_FORMAT", {})
    monkeypatch.setattr(house, "STANDING", {})


def built(root: Path, files: dict[str, str]) -> House:
    """A sound tree with these files added to it or in place of its own."""
    for name, text in {**SOUND, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    return House(root)


def long_function(lines: int) -> str:
    return "def f():\n" + "    pass\n" * (lines - 1)


def test_a_sound_tree_breaks_no_rule(tmp_path: Path) -> None:
    assert inspect(built(tmp_path, {})) == ([], True)


def test_the_table_of_rules_lists_every_rule() -> None:
    rules = {
        name
        for name, value in vars(house).items()
        if getattr(value, "__annotations__", {}).get("return") == "Breaches"
    }

    assert {rule.__name__ for rule in house.RULES} == rules


WORDS = """
from enum import StrEnum
class End(StrEnum):
    BROKEN = "broken"
class Chain:
    end: End
"""
SIXTEEN = [f"step{number}" for number in range(15)]
BROKEN: list[tuple[Callable[[House], Breaches], dict[str, str], str]] = [
    (
        house.folders_are_small,
        {f"src/symcrete/solve/{name}.py": "" for name in SIXTEEN},
        "solve: 16 files, at most 15",
    ),
    (
        house.files_are_short,
        {"src/symcrete/solve/chain.py": "\n" * 501},
        "solve/chain.py: 501 lines, at most 500",
    ),
    (
        house.functions_are_short,
        {"src/symcrete/solve/chain.py": long_function(81)},
        "solve/chain.py: f has 81 lines, at most 80",
    ),
    (
        house.imports_go_one_way,
        {
            "src/symcrete/solve/chain.py": "from symcrete.solve import link\n",
            "src/symcrete/solve/link.py": "from symcrete.solve.chain import STEPS\n",
        },
        "import cycle: symcrete.solve.chain, symcrete.solve.link",
    ),
    (
        house.folders_say_what_they_are_for,
        {"src/symcrete/solve/__init__.py": ""},
        "solve/__init__.py: no docstring that says what the folder is for",
    ),
    (
        house.folders_say_what_they_are_for,
        {"src/symcrete/solve/__init__.py": '"""Find an input.\n\nAt length.\n"""\n'},
        "solve/__init__.py: the docstring has more than one line",
    ),
    (
        house.folders_say_what_they_are_for,
        {"src/symcrete/solve/__init__.py": '"""Find an input."""\n\nfrom os import path\n'},
        "solve/__init__.py: holds more than a docstring",
    ),
    (
        house.folders_say_what_they_are_for,
        {"src/symcrete/solve/walk/step.py": ""},
        "solve/walk: no __init__.py that says what the folder is for",
    ),
    (
        house.names_are_not_shared,
        {"src/symcrete/run/chain.py": ""},
        "chain.py is the name of 2 files: run/chain.py, solve/chain.py",
    ),
    (
        house.prefixes_are_folders,
        {f"src/symcrete/solve/walk_{name}.py": "" for name in ("step", "score", "memory")},
        "solve: 3 files begin with walk_; make it a folder",
    ),
    (
        house.constants_mean_one_thing,
        {"src/symcrete/solve/walk/step.py": "SLOW, _STEPS = 0.5, 2 ** 4\n"},
        "STEPS is 3 in solve/chain.py, 2 ** 4 in solve/walk/step.py",
    ),
    (
        house.constants_mean_one_thing,
        {"src/symcrete/run/limits.py": "STEPS = 4\n"},
        "STEPS is 4 in run/limits.py, 3 in solve/chain.py",
    ),
    (
        house.constants_mean_one_thing,
        {"src/symcrete/run/limits.py": "_STEPS = 3\n"},
        "STEPS is 3 in run/limits.py, 3 in solve/chain.py",
    ),
    (
        house.constants_mean_one_thing,
        {"src/symcrete/run/limits.py": "PIECE = 1\n_PIECE = 2\n"},
        "PIECE is 1 in run/limits.py, 2 in run/limits.py",
    ),
    (
        house.constants_have_reasons,
        {"src/symcrete/solve/walk/step.py": "FAST = 1  # seconds\n\nSLOW = 0.5\n"},
        "solve/walk/step.py:3: SLOW has no comment that says what it counts and why",
    ),
    (
        house.numbers_have_names,
        {"src/symcrete/solve/chain.py": "def near(x):\n    return x < 0.3\n"},
        "solve/chain.py:2: 0.3 has neither a name nor a comment that says what it is",
    ),
    (
        house.numbers_have_names,
        {"src/symcrete/solve/chain.py": "class Chain:\n    def wait(self, seconds=5): ...\n"},
        "solve/chain.py:2: 5 has neither a name nor a comment that says what it is",
    ),
    (
        house.numbers_have_names,
        {"src/symcrete/solve/chain.py": "def far(x):\n    # not far\n    return x[:8], len(x) > 1\n"},
        "solve/chain.py:3: 8 has neither a name nor a comment that says what it is",
    ),
    (
        house.clocks_are_passed_in,
        {"src/symcrete/solve/chain.py": "import time\n\nNOW = time.monotonic()\n"},
        "solve/chain.py:3: reads a clock; it should be handed one",
    ),
    (
        house.clocks_are_passed_in,
        {"src/symcrete/solve/chain.py": "from time import perf_counter\n"},
        "solve/chain.py:1: reads a clock; it should be handed one",
    ),
    (
        house.messages_are_typed,
        {"src/symcrete/sandbox/driver.py": "def told(message: dict[str, Any]) -> None: ...\n"},
        "sandbox/driver.py:1: a dataclass is wanted",
    ),
    (
        house.messages_are_typed,
        {"src/symcrete/sandbox/driver.py": "def told(message: Mapping[str, object]) -> None: ...\n"},
        "sandbox/driver.py:1: a dataclass is wanted",
    ),
    (
        house.modules_have_tests,
        {"src/symcrete/solve/link.py": "from symcrete.solve import chain\n"},
        "solve/link.py: no test uses it",
    ),
    (
        house.modules_have_tests,
        {
            "src/symcrete/solve/link.py": "class Link: ...\n",
            "tests/solve/chains.py": "from symcrete.solve.link import Link\n\ndef of(link: Link): ...\n",
        },
        "solve/link.py: no test uses it",
    ),
    (
        house.private_methods_stay_private,
        {
            "src/symcrete/solve/chain.py": "class Chain:\n    def _ask(self): ...\n",
            "src/symcrete/solve/link.py": """
            from symcrete.solve.chain import Chain as Whole
            class Link(Whole):
                def ask(self): ...
                def _ask(self): ...
            """,
        },
        "solve/link.py:5: Link._ask replaces a private method; what may be replaced is public",
    ),
    (
        house.objects_are_told,
        {
            "src/symcrete/solve/chain.py": "class Chain:\n    seconds: float\n",
            "src/symcrete/solve/link.py": "def f(chain):\n    chain.seconds += 1.0\n",
        },
        "solve/link.py:2: sets chain.seconds of an object that should be told",
    ),
    (
        house.objects_are_told,
        {
            "src/symcrete/solve/chain.py": """
            class Chain:
                __slots__ = ("tail",)
                def __init__(self):
                    self.head = None
            """,
            "src/symcrete/solve/link.py": "def f(self):\n    self.chain.head, self.tail = 1, 2\n",
        },
        "solve/link.py:2: sets self.chain.head of an object that should be told",
    ),
    (
        house.objects_are_told,
        {
            "src/symcrete/solve/chain.py": "class Chain:\n    value: int\n",
            "src/symcrete/solve/link.py": "def f(it: ast.Return | Chain):\n    it.value = 1\n",
        },
        "solve/link.py:2: sets it.value of an object that should be told",
    ),
    (
        house.words_are_members,
        {
            "src/symcrete/solve/chain.py": WORDS,
            "src/symcrete/solve/link.py": "def f(it):\n    return it.end == 'brokn'\n",
        },
        "solve/link.py:2: compares a word with a text: it.end == 'brokn'",
    ),
    (
        house.words_are_members,
        {
            "src/symcrete/solve/chain.py": WORDS,
            "src/symcrete/solve/link.py": "def f(it):\n    return it.end in (End.BROKEN, 'whole')\n",
        },
        "solve/link.py:2: compares a word with a text: it.end in (End.BROKEN, 'whole')",
    ),
    (
        house.words_are_members,
        {
            "src/symcrete/solve/chain.py": WORDS,
            "src/symcrete/solve/link.py": "def f(it):\n    match it.end:\n        case 'brokn': ...\n",
        },
        "solve/link.py:2: compares a word with a text: match it.end:",
    ),
    (
        house.importing_changes_nothing,
        {"src/symcrete/solve/link.py": "from symcrete.solve import chain\nchain.ROWS['a'] = 1\n"},
        "solve/link.py:2: importing it changes another module: chain.ROWS['a'] = 1",
    ),
    (
        house.importing_changes_nothing,
        {"src/symcrete/solve/link.py": "from symcrete.solve.chain import add\nadd('a', 1)\n"},
        "solve/link.py:2: importing it changes another module: add('a', 1)",
    ),
    (
        house.importing_changes_nothing,
        {"src/symcrete/solve/link.py": "from symcrete.solve.chain import A\nfor n in 'ab': setattr(A, n, 1)\n"},
        "solve/link.py:2: importing it changes another module: setattr(A, n, 1)",
    ),
    (
        house.citations_exist,
        {"src/symcrete/solve/chain.py": "# As measured (benchmarks/loops.py).\n", "benchmarks/paths.py": ""},
        "src/symcrete/solve/chain.py:1: benchmarks/loops.py is named, but is not there",
    ),
    (
        house.citations_exist,
        {"docs/wave.md": "```python\n# wave.py\n```\nCover wave.py, then tide.py.\n"},
        "docs/wave.md:4: tide.py is named, but is not there",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "files", "breach"), BROKEN, ids=[f"{row[0].__name__}: {row[2]}" for row in BROKEN]
)
def test_a_broken_rule_is_said_with_its_place(
    tmp_path: Path, rule: Callable[[House], Breaches], files: dict[str, str], breach: str
) -> None:
    broken = built(tmp_path, files)

    assert rule(broken) == [breach]
    lines, kept = inspect(broken)
    assert not kept
    assert f"BROKEN {rule.__name__}: 1, where 0 may remain" in lines


KEPT: list[tuple[Callable[[House], Breaches], dict[str, str]]] = [
    (house.folders_are_small, {f"src/symcrete/solve/{name}.py": "" for name in SIXTEEN[1:]}),
    (house.files_are_short, {"src/symcrete/solve/chain.py": "\n" * 500}),
    (house.functions_are_short, {"src/symcrete/solve/chain.py": long_function(80)}),
    (
        house.imports_go_one_way,
        {
            "src/symcrete/solve/chain.py": """
            from typing import TYPE_CHECKING
            if TYPE_CHECKING:
                from symcrete.solve.link import Link
            def later():
                import symcrete.solve.link
            """,
            "src/symcrete/solve/link.py": "from symcrete.solve.chain import later\n",
        },
    ),
    (house.prefixes_are_folders, {f"src/symcrete/solve/walk_{name}.py": "" for name in ("a", "b")}),
    (house.constants_mean_one_thing, {"src/symcrete/solve/limits.py": "TURNS = 3\n"}),
    (
        house.constants_have_reasons,
        {"src/symcrete/solve/few.py": "# Both in seconds.\nA = 1\nB = 2\n"},
    ),
    (
        house.numbers_have_names,
        {
            "src/symcrete/solve/chain.py": """
            STEPS = 3  # of one walk
            def plain(row, random, places):
                if len(row) == 3 and random.random() < 0.5:
                    return row[4], row[-5], 10**places, round(row[0] * 2.0, 6), -1
                return STEPS, 86_400 * places  # seconds of a day
            """,
        },
    ),
    (
        house.clocks_are_passed_in,
        {"src/symcrete/solve/chain.py": "import time\n\ndef wait(clock=time.monotonic): ...\n"},
    ),
    (house.messages_are_typed, {"src/symcrete/run/trace.py": "found: dict[str, Any] = {}\n"}),
    (
        house.modules_have_tests,
        {"tests/solve/test_chain.py": "import symcrete.solve.chain\n\nsymcrete.solve.chain.f()\n"},
    ),
    (
        house.private_methods_stay_private,
        {
            "src/symcrete/solve/chain.py": "class Chain:\n    def _ask(self): ...\n",
            "src/symcrete/solve/link.py": """
            from symcrete.solve.chain import Chain
            class Link(Chain):
                def __init__(self): ...
                def _told(self): ...
            """,
        },
    ),
    (
        house.objects_are_told,
        {
            "src/symcrete/solve/chain.py": """
            import sys
            class Chain:
                stdout: str
                def longer(self, other):
                    self.links = other.links = 1
                    other.stdout = ""
            """,
            "src/symcrete/solve/link.py": "import sys\n\ndef f(it):\n    sys.stdout = it.other = 1\n",
        },
    ),
    (
        house.objects_are_told,
        {
            "src/symcrete/solve/chain.py": "class Chain:\n    value: int\n",
            "src/symcrete/solve/link.py": "def f(node: ast.Return | ast.Expr):\n    node.value = 1\n",
        },
    ),
    (
        house.words_are_members,
        {
            "src/symcrete/solve/chain.py": WORDS,
            "src/symcrete/solve/link.py": "def f(it):\n    return it.end == End.BROKEN != it.start\n",
        },
    ),
    (
        house.importing_changes_nothing,
        {
            "src/symcrete/solve/link.py": """
            from symcrete.solve.chain import complete, main
            ROWS = {}
            ROWS["a"] = complete
            class Link: ...
            complete(Link)
            setattr(Link, "a", 1)
            if __name__ == "__main__":
                main()
            """,
        },
    ),
    (
        house.citations_exist,
        {
            "benchmarks/paths.py": "",
            "src/symcrete/solve/chain.py": "# benchmarks/paths.py, solve/chain.py, shop.py, chain.py\n",
        },
    ),
]


@pytest.mark.parametrize(("rule", "files"), KEPT)
def test_what_is_just_within_a_rule_keeps_it(
    tmp_path: Path, rule: Callable[[House], Breaches], files: dict[str, str]
) -> None:
    assert rule(built(tmp_path, files)) == []


def test_an_exception_is_listed_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "src/symcrete/run/chain.py": "import time\n\nNOW = time.time()\nSTEPS = 3\n",
        "src/symcrete/solve/link.py": long_function(81),
        "src/symcrete/report/picture.py": "def left():\n    return 12\n",
    }
    monkeypatch.setattr(house, "NUMBERS_OF_A_FORMAT", {"report": "pixels"})
    monkeypatch.setattr(house, "DEFINED_TWICE", {"STEPS": "it is copied"})
    monkeypatch.setattr(house, "SAME_STEM", {"chain": "a chain of calls and one of solvers"})
    monkeypatch.setattr(house, "CLOCK_READERS", {"run/chain.py": "it measures"})
    monkeypatch.setattr(house, "LONG_FUNCTIONS", {"solve/link.py: f": "it is a table"})
    tree = built(tmp_path, files)

    assert house.names_are_not_shared(tree) == []
    assert house.constants_mean_one_thing(tree) == []
    assert house.clocks_are_passed_in(tree) == []
    assert house.functions_are_short(tree) == []
    assert house.numbers_have_names(tree) == []
    assert house.exceptions_are_needed(tree) == []


def test_fields_may_be_set_from_outside_as_often_as_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "src/symcrete/run/trace.py": "class Trace:\n    kept: int\n",
        "src/symcrete/solve/chain.py": "def f(trace):\n    trace.kept = 1\n    trace.kept = 2\n",
    }
    tree = built(tmp_path, files)

    monkeypatch.setattr(house, "SET_FROM_OUTSIDE", {"solve": (2, "it is in a hurry")})
    assert house.objects_are_told(tree) == house.exceptions_are_needed(tree) == []

    monkeypatch.setattr(house, "SET_FROM_OUTSIDE", {"solve": (1, "it is in a hurry")})
    assert house.objects_are_told(tree) == [
        "solve: sets 2 fields from outside, at most 1: solve/chain.py:2, solve/chain.py:3"
    ]

    monkeypatch.setattr(house, "SET_FROM_OUTSIDE", {"solve": (3, "it is in a hurry")})
    assert house.exceptions_are_needed(tree) == ["SET_FROM_OUTSIDE: solve sets 2, not 3"]


def test_a_word_of_others_is_listed_with_whose_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "src/symcrete/solve/chain.py": WORDS,
        "src/symcrete/solve/link.py": "def f(task):\n    return task.end == 'loose'\n",
    }
    monkeypatch.setattr(house, "WORDS_OF_OTHERS", {"solve/link.py": "the end of a task"})
    tree = built(tmp_path, files)

    assert house.words_are_members(tree) == house.exceptions_are_needed(tree) == []

    monkeypatch.setattr(house, "WORDS_OF_OTHERS", {"solve/chain.py": "the end of a task"})
    assert house.exceptions_are_needed(tree) == ["WORDS_OF_OTHERS: solve/chain.py has none"]


def test_an_exception_that_nobody_needs_any_more_is_a_breach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "SAME_STEM", {"chain": "a chain of calls and one of solvers"})
    monkeypatch.setattr(house, "CLOCK_READERS", {"run/chain.py": "it measures"})
    monkeypatch.setattr(house, "LONG_FUNCTIONS", {"solve/chain.py: f": "it was a table"})
    monkeypatch.setattr(house, "JSON_ITSELF", {"sandbox/talk.py": "a line of a pipe"})
    monkeypatch.setattr(house, "NUMBERS_OF_A_FORMAT", {"solve": "pixels"})
    monkeypatch.setattr(house, "DEFINED_TWICE", {"STEPS": "it is copied"})

    assert house.exceptions_are_needed(built(tmp_path, {})) == [
        "SAME_STEM: chain.py is not shared any more",
        "DEFINED_TWICE: STEPS is not",
        "LONG_FUNCTIONS: solve/chain.py: f is not long",
        "CLOCK_READERS: run/chain.py reads none",
        "JSON_ITSELF: sandbox/talk.py holds none",
        "NUMBERS_OF_A_FORMAT: solve holds none",
    ]


def test_breaches_that_may_remain_are_counted_not_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = built(tmp_path, {"src/symcrete/solve/chain.py": "\n" * 501})

    monkeypatch.setattr(house, "STANDING", {"files_are_short": 1})

    assert inspect(tree) == (
        ["files_are_short: 1 remain, 1 may"],
        True,
    )


def test_the_picture_counts_files_and_names_the_longest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built(tmp_path, {"src/symcrete/solve/chain.py": long_function(12)})

    code = main([str(tmp_path)])

    assert code == 0
    shown = capsys.readouterr().out
    assert "    1     12  symcrete/solve\n" in shown
    assert "longest file: solve/chain.py, 12 lines\n" in shown
    assert "longest function: solve/chain.py: f, 12 lines\n" in shown
    assert "modules without a direct test: 0 of 3" in shown


def test_a_broken_rule_is_an_exit_code_of_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built(tmp_path, {"src/symcrete/solve/chain.py": "\n" * 501})

    assert main([str(tmp_path)]) == 1
    assert "BROKEN files_are_short" in capsys.readouterr().out
