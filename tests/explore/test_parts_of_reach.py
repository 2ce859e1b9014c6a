"""Parts of `reach` and `explain`, each by itself: where to start, what is left open, what is gone."""

from __future__ import annotations

import gc
import importlib.util
import itertools
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from symcrete.backward.backtrack import Reasons
from symcrete.backward.view.module_texts import program_text
from symcrete.backward.view.steady_globals import Constants
from symcrete.explore.compose import prepare
from symcrete.explore.confirm.input_as_call import call_of
from symcrete.explore.cover.taken import key_of, sides_taken
from symcrete.explore.explain import explanation
from symcrete.explore.loop.parts import Parts
from symcrete.explore.minimise.plain_texts import Roles
from symcrete.explore.options import Options
from symcrete.explore.reach.goals import goal_at
from symcrete.explore.reach.gone import nothing_left
from symcrete.explore.reach.line_confirmed import confirmed
from symcrete.explore.reach.starts import callers, instead
from symcrete.explore.reach.unproved import assumptions, left_open, told_open
from symcrete.explore.told_path import Explanation
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import Target, targets_of
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.use import Ending
from symcrete.terms.term import Sort
from symcrete.terms.texts import STR, element_names, length_name, source

_numbers = itertools.count()


@pytest.fixture
def written(tmp_path: Path) -> Iterator[Any]:
    """Writes a module and imports it as it is."""
    made: list[str] = []
    # What is gone is looked for among all objects: those of earlier tests are millions.
    gc.freeze()

    def write(source: str) -> tuple[Path, ModuleType]:
        file = tmp_path / f"reach_parts_{next(_numbers)}.py"
        file.write_text(textwrap.dedent(source).lstrip("\n"))
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[file.stem] = module
        made.append(file.stem)
        spec.loader.exec_module(module)
        return file, module

    yield write
    gc.unfreeze()
    for name in made:
        del sys.modules[name]


def parts_of(target: Target) -> Parts:
    options = Options(budget=10.0, replay=False, max_runs=20)
    return prepare(target, EveryBranch(), options)[0].parts


# -- where to start


CALLS = """
    def inner(x):
        return x + 1

    def middle(x):
        return inner(x)

    def outer(x):
        return middle(x)
"""


def test_the_callers_of_a_function_come_nearest_first(written: Any) -> None:
    file, _ = written(CALLS)

    found = callers(goal_at(f"{file}:2"))

    assert [target.scope for target in found] == ["middle", "outer"]


def test_a_function_that_can_be_called_needs_no_other_way(written: Any) -> None:
    file, module = written(CALLS)

    assert instead(goal_at(f"{file}:2"), module) == []


def test_a_class_method_is_called_on_the_subclass_that_has_what_it_asks_for(written: Any) -> None:
    file, module = written("""
        class Address:
            @classmethod
            def of(cls, mask):
                return cls.BITS - mask

        class Short(Address):
            BITS = 32
    """)

    (found,) = instead(goal_at(f"{file}:4"), module)

    assert found.called == "Short.of"


def test_a_function_that_was_made_and_kept_is_called_by_its_name(written: Any) -> None:
    file, module = written("""
        def doubled(function):
            def twice(x):
                return 2 * function(x)
            return twice

        @doubled
        def price(x):
            return x
    """)

    (found,) = instead(goal_at(f"{file}:3"), module)

    assert found.called == "price"


# -- what is gone


def test_a_definition_that_was_replaced_is_gone_with_a_proof(written: Any) -> None:
    file, module = written("""
        def size(x):
            return 1

        def other(x):
            return 2

        size = len
    """)

    proof = nothing_left(goal_at(f"{file}:2").place, module)

    assert isinstance(proof, tuple)
    assert "`def size` in line 1" in proof[0]
    assert nothing_left(goal_at(f"{file}:5").place, module) is None


@pytest.mark.parametrize(
    "text",
    [
        "def size(x):\n    return 1\nsize = size(3)\n",
        "def size(x):\n    return 1\ndef size(x, y=size(3)):\n    return y\n",
        "def size(x):\n    return 1\nif __name__ == '__main__':\n    size = 2\n"
        "X = size(3)\nsize = None\n",
        "def size(x):\n    return 1\nclass size:\n    one = size(3)\n",
        "class A:\n    def m(self):\n        return 1\nX = A().m()\ndel A\n",
        "class A:\n    def m(self):\n        return 1\ndef use(a):\n    return a.m()\n"
        "X = use(A())\nA = None\n",
        "def use():\n    return size(3)\ndef size(x):\n    return 1\nX = use()\ndel size\n",
    ],
)
def test_a_definition_that_is_used_while_it_is_replaced_proves_nothing(
    written: Any, text: str
) -> None:
    file, module = written(text)
    line = 1 + text.splitlines().index(next(x for x in text.splitlines() if "return 1" in x))

    assert isinstance(nothing_left(goal_at(f"{file}:{line}").place, module), str)


def test_a_new_definition_that_calls_itself_does_not_use_the_former(written: Any) -> None:
    file, module = written("""
        def size(x):
            return 1

        def size(x):
            return size(x - 1) if x else 0
    """)

    assert isinstance(nothing_left(goal_at(f"{file}:2").place, module), tuple)


def test_a_definition_that_was_used_before_it_went_proves_nothing(written: Any) -> None:
    file, module = written("""
        def size(x):
            return 1

        ONE = size(3)
        size = len
    """)

    assert nothing_left(goal_at(f"{file}:2").place, module) == (
        "size is used in line 4, while its module is imported"
    )


def test_a_definition_under_a_condition_may_exist_elsewhere(written: Any) -> None:
    file, module = written("""
        import sys
        if sys.platform == "nowhere":
            def size(x):
                return 1
    """)

    told = nothing_left(goal_at(f"{file}:4").place, module)

    assert told == "size is defined under a condition, which may hold elsewhere"


# -- what is left open


def reasons(written: Any, head: str, **types: str) -> list[str]:
    file, module = written(f"{head}\n    return 0\n")
    target = targets_of(f"{file}::f")[0]
    return list(left_open(target, module.f, types, vars(module)))


def test_a_declared_signature_leaves_nothing_open(written: Any) -> None:
    assert reasons(written, "def f(n: int, s: str = 'a') -> int:") == []


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("def f(n):", "the parameter n has no declared type"),
        ("def f(n: object):", "the parameter n may be anything"),
        ("def f(unit: str = None):", "the default of unit is not of its declared type"),
        ("def range(n):\n    return n\ndef f(n: int):", "the module has a `range` of its own"),
        ("from functools import lru_cache\n@lru_cache\ndef f(n: int):", "f is decorated or"),
    ],
)
def test_what_a_signature_does_not_say_is_left_open(written: Any, head: str, reason: str) -> None:
    (told,) = reasons(written, head)

    assert told.startswith(reason)


def test_a_type_that_the_user_gives_is_not_open(written: Any) -> None:
    assert reasons(written, "def f(n):", n="int") == []


def test_a_proof_names_the_constants_and_the_floats_it_stands_on() -> None:
    told = assumptions(["LIMIT is 3"], {"x": Sort.FLOAT, "n": Sort.INT})

    assert told == ("LIMIT is 3", "x is a float, not an int given for one")


# -- constants of a program


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("LIMIT", (True, 3)),
        ("PAIR", (True, (3, "a"))),
        ("math.tau", (True, 6.283185307179586)),
        ("Colour.RED.name", (False, None)),
        ("__name__", (False, None)),
        ("changed", (False, None)),
        ("seen", (False, None)),
        ("missing", (False, None)),
    ],
)
def test_a_name_is_a_constant_if_nothing_in_the_program_can_change_it(
    written: Any, name: str, expected: tuple[bool, Any]
) -> None:
    file, module = written("""
        import enum
        import math

        LIMIT = 3
        PAIR = (LIMIT, "a")
        seen = []
        changed = 1

        class Colour(enum.Enum):
            RED = 1

        def change():
            global changed
            changed += 1
    """)
    constants = Constants(program_text([str(file)]))

    known, value = constants.resolve(str(file), vars(module), name)

    assert (known, value if known else None) == expected


def test_what_was_relied_on_is_kept_in_words(written: Any) -> None:
    file, module = written("LIMIT = 3\n")
    constants = Constants(program_text([str(file)]))

    constants.resolve(str(file), vars(module), "LIMIT")
    constants.resolve(str(file), vars(module), "len")

    assert list(constants.used) == ["LIMIT is 3, as its module sets it"]


# -- inputs, their calls and their paths


DATED = """
    from dataclasses import dataclass

    @dataclass
    class Point:
        x: int

    def f(p: Point, *, n: int = 1) -> int:
        if p.x > n:
            return 1
        return 0
"""


def test_an_input_of_the_engine_is_a_call_with_its_imports(tmp_path: Path) -> None:
    file = tmp_path / "input_as_call_program.py"
    file.write_text(textwrap.dedent(DATED))
    parts = parts_of(targets_of(f"{file}::f")[0])

    call = call_of(parts.arguments, {"p.x": 4, "n": 2})

    assert call.args == {"p": "Point(4)", "n": "2"}
    assert call.keywords == ("n",)
    assert call.imports == (("input_as_call_program", "Point"),)


def test_outcomes_are_named_alike_in_every_process(tmp_path: Path) -> None:
    file = tmp_path / "taken_program.py"
    file.write_text(
        "def g(x):\n    return 1 if x else 2\n\ndef f(x: int):\n    return 1 if x > 3 else 2\n"
    )
    coverage = parts_of(targets_of(f"{file}::f")[0]).coverage
    (site,) = coverage.own

    assert key_of(coverage, (site.number, True)) == "0+"
    assert sides_taken(coverage, coverage.own_bits) == {"0+", "0-"}
    assert sides_taken(coverage, 0) == frozenset()


def test_an_explanation_tells_each_branch_and_the_untouched_result(tmp_path: Path) -> None:
    file = tmp_path / "explained_program.py"
    file.write_text("def f(x: int) -> int:\n    if x > 3:\n        return 1\n    return 0\n")
    asked: list[Call] = []

    def replay(target: Target, call: Call, seconds: float) -> Replayed:
        asked.append(call)
        return Replayed(Ending.RETURNED, returned="1")

    told = explanation(targets_of(f"{file}::f")[0], Options(), "x=5", replay)

    assert [call.args for call in asked] == [{"x": "5"}]
    assert told.branches == ((2, "x > 3", "x > 3"),)
    assert told.path_condition == "x > 3"
    assert told.as_json()["returned"] == "1"


def test_a_told_path_is_lines_for_a_reader_and_says_if_nothing_depends_on_the_input() -> None:
    raised = Replayed(Ending.RAISED, raised="ValueError()")
    told = Explanation("shop.py::f", {"x": "5"}, ((2, "x > 3", "x >= 4"),), "x >= 4", raised)
    plain = Explanation("shop.py::f", {}, (), "True", Replayed(Ending.RETURNED, returned="1"))

    assert told.lines() == [
        "shop.py::f(x=5)",
        "  line    2  x > 3  because x >= 4",
        "  raised: ValueError()",
        "path condition: x >= 4",
    ]
    assert plain.lines()[1:3] == [
        "  no branch on the way depends on the input",
        "  returns 1",
    ]


@pytest.mark.parametrize(
    ("did", "believed"),
    [
        (Replayed(Ending.RETURNED, returned="1", lines=frozenset({2, 3})), True),
        (Replayed(Ending.RETURNED, returned="0", lines=frozenset({2})), False),
    ],
    ids=["executes the line", "goes elsewhere"],
)
def test_an_input_is_confirmed_only_if_a_replay_executes_the_line(
    did: Replayed, believed: bool, tmp_path: Path
) -> None:
    file = tmp_path / "line_confirmed_program.py"
    file.write_text("def f(x: int) -> int:\n    if x > 3:\n        return 1\n    return 0\n")
    goal = goal_at(f"{file}:3")
    parts = parts_of(goal.target)
    with parts.runner:
        trace = parts.runner.run({"x": 9})

    found = confirmed(trace, goal, parts, lambda target, call, seconds: did, 1.0)

    assert (found is not None) is believed
    routes = [] if found is None else [found.route]
    assert routes == [((2, "x > 3"),)] * believed


# -- plainer texts


def given(text: str) -> dict[str, Any]:
    """A text input `s` and a number beside it."""
    source("s", STR)
    codes = dict(zip(element_names("s", len(text)), map(ord, text), strict=False))
    return {length_name("s"): len(text), "n": 900, **codes}


def test_a_length_is_made_shorter_and_a_character_plainer_plainest_first() -> None:
    assignment = given("z~")
    roles = Roles(assignment)

    lengths = list(roles.plainer(length_name("s"), assignment) or ())
    first = list(roles.plainer("s[0]", assignment) or ())

    assert lengths == [0, 1]
    assert [chr(code) for code in first[:4]] == ["a", "0", " ", "A"]
    assert ord("z") not in first


def test_a_character_behind_the_end_has_no_plainer_value_and_a_number_is_none_of_ours() -> None:
    assignment = given("ab")
    roles = Roles(assignment)
    assignment[length_name("s")] = 1

    assert list(roles.plainer("s[1]", assignment) or ()) == []
    assert roles.plainer("n", assignment) is None


def test_a_long_text_is_halved_after_the_shortest_were_tried() -> None:
    assignment = given("a") | {length_name("s"): 100}

    lengths = list(Roles(given("a")).plainer(length_name("s"), assignment) or ())

    assert lengths == [*range(20), 50, 25]


def test_reasons_that_blame_something_are_told_before_general_ones() -> None:
    found = Reasons()
    found.add("an input that should take this path takes another", general=True)
    found.add("not every caller of f is followed in this module")
    more = Reasons()
    more.add("not every caller of g is known", general=True)
    more.add("x has no declared type")
    found.take(more)

    assert told_open(found, refuted=0).split("; ") == [
        "not every caller of f is followed in this module",
        "x has no declared type",
        "an input that should take this path takes another",
        "not every caller of g is known",
    ]
    assert told_open(Reasons(), refuted=0) == "the budget was spent"
