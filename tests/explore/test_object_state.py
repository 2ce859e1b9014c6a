"""Objects that other code of the program puts into further states are part of no proof."""

import ast
from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.proof.object_state import attribute_reads

LAMP = """
    class Lamp:
        def __init__(self) -> None:
            self.on = 0
            self.lines = []

    def f(lamp: Lamp) -> int:
        if lamp.on == 1 or len(lamp.lines) == 3:
            return 1
        return 0
"""
ELSEWHERE = {
    "a store": "def press(lamp):\n        lamp.on = 1",
    "a store through setattr": 'def press(lamp):\n        setattr(lamp, "on", 1)',
    "a store of any attribute": "def press(lamp, name):\n        setattr(lamp, name, 1)",
    "a change in place": "def press(lamp):\n        lamp.lines.append(1)",
    "a store through object": 'def press(lamp):\n        object.__setattr__(lamp, "on", 1)',
    "a store in what vars gives": "def press(lamp, **states):\n        vars(lamp).update(states)",
    "a store in its dict": 'def press(lamp):\n        d = lamp.__dict__\n        d["on"] = 1',
    "a store in a list of dicts": (
        "def press(lamps):\n        [vars(each) for each in lamps][0]['on'] = 1"
    ),
    "a store in what map gives": (
        "def press(lamps):\n        for each in map(vars, lamps):\n            each['on'] = 1"
    ),
    "a store by vars under another name": "def press(lamp, get=vars):\n        get(lamp)['on'] = 1",
    "another dict": "def press(lamp, states):\n        lamp.__dict__ = states",
    "a store by another class": "class Hand:\n        def press(self, lamp):\n            lamp.on = 1",
}


@pytest.mark.parametrize("what", ELSEWHERE)
def test_what_other_code_stores_on_an_object_keeps_it_open(what: str, tmp_path: Path) -> None:
    report = explore(f"{LAMP}\n    {ELSEWHERE[what]}\n", tmp_path)

    assert report.infeasible == ()
    assert any("depends on `lamp." in spot.reason for spot in report.open), report.open
    assert any("press` sets" in spot.reason for spot in report.open), report.open


def test_what_nobody_stores_is_proved_unless_it_can_be_changed_in_place(tmp_path: Path) -> None:
    apart = LAMP.replace(" or len", ":\n            return 2\n        if len")

    report = explore(apart, tmp_path)

    assert [spot.text for spot in report.infeasible] == ["lamp.on == 1"]
    assert [spot.text for spot in report.open] == ["len(lamp.lines) == 3"]
    assert "`lamp.lines`, which may be changed after a Lamp is made" in report.open[0].reason


# Each sets `n` to 7, or adds to `log`, by a call that stands in no input.
CHANGING = {
    "an operator": "def __bool__(self):\n            self.n += 1\n            return True",
    "an iterator": "def __next__(self):\n            self.n += 1\n            return 0",
    "a setter": "def set(self, n):\n            self.n = n\n        size = property(None, set)",
    "a coroutine": "async def go(self):\n            self.n = 7",
    "a static method": "@staticmethod\n        def poke(box):\n            box.n = 7",
    "a name": "def put(self, name):\n            setattr(self, name, 7)",
    "a list that is handed out": "def items(self):\n            return self.log",
}


@pytest.mark.parametrize("what", CHANGING)
def test_what_a_method_changes_keeps_it_open(what: str, tmp_path: Path) -> None:
    source = f"""
    class Box:
        def __init__(self) -> None:
            self.n = 0
            self.log = []

        {CHANGING[what]}

        def is_odd(self) -> bool:
            if self.n == 7 or len(self.log) == 2:
                return True
            return False
    """

    report = explore(source, tmp_path, "Box.is_odd")

    assert not [spot.text for spot in report.infeasible if "log" in spot.text or what != LAST]


LAST = "a list that is handed out"  # of the changes, the one that leaves `n` alone


def test_a_field_that_the_constructor_takes_has_every_value_anyway(tmp_path: Path) -> None:
    source = """
    from dataclasses import dataclass

    @dataclass
    class Lamp:
        on: int

    def press(lamp: Lamp) -> None:
        lamp.on = 1

    def f(lamp: Lamp) -> int:
        if lamp.on * lamp.on < 0:
            return 1
        return 0
    """

    report = explore(source, tmp_path)

    assert len(report.infeasible) == 1


def test_attributes_are_read_by_name_by_getattr_and_all_at_once() -> None:
    function = ast.parse(
        "def f(a, k):\n    a.x, hasattr(a, 'y'), getattr(a, k), vars(a)\n    a.z = 1"
    )

    names = [name for _, name in attribute_reads(function)]

    assert sorted(names) == ["__dict__", "__dict__", "x", "y"]


FIELD = """
    from dataclasses import dataclass

    @dataclass
    class Box:
        n: int
        def f(self) -> int:
            if self.n is None:
                return 1
            return 0
        {method}

    {function}
"""
MISFITS = {
    "None by a function": ("pass", "def shut(box):\n        box.n = None"),
    "None by a private method": ("def _shut(self):\n            self.n = None", "pass"),
    "a part of several": ("pass", "def shut(box):\n        box.n, other = None, 1"),
    "by its name": ("pass", 'def shut(box):\n        setattr(box, "n", None)'),
    "by any name": ("pass", "def shut(box, name):\n        setattr(box, name, None)"),
    "what nobody declares": ("pass", "def shut(box, n):\n        box.n = n"),
    "a default that does not fit": ("pass", "def shut(box, n: int = None):\n        box.n = n"),
    "none at all": ("pass", "def shut(box):\n        del box.n"),
    "a constructor of its own": (
        "def __init__(self, n: int) -> None:\n            self.n = n",
        "def shut(box):\n        box.n = None",
    ),
}


@pytest.mark.parametrize("what", MISFITS)
def test_a_field_that_may_hold_something_else_than_declared_is_part_of_no_proof(
    what: str, tmp_path: Path
) -> None:
    method, function = MISFITS[what]

    report = explore(
        FIELD.format(method=method, function=function), tmp_path, "Box.f", max_runs=200
    )

    assert report.infeasible == ()


@pytest.mark.parametrize(
    "function",
    [
        "def more(box: Box, n: int) -> None:\n        box.n += n",
        "class Other:\n        def shut(self) -> None:\n            self.n = None",
    ],
)
def test_what_is_stored_as_declared_or_elsewhere_is_in_no_proofs_way(
    function: str, tmp_path: Path
) -> None:
    report = explore(
        FIELD.format(method="pass", function=function), tmp_path, "Box.f", max_runs=200
    )

    assert [spot.text for spot in report.infeasible] == ["self.n is None"]


def test_a_list_in_a_field_that_is_changed_through_another_name_proves_nothing(
    tmp_path: Path,
) -> None:
    program = """
        from dataclasses import dataclass

        @dataclass
        class Box:
            items: list[int]

        def f(box: Box) -> int:
            if len(box.items) == 1 and box.items[0] is None:
                return 1
            return 0
    """
    spoiling = """
        def spoil(box: Box) -> None:
            mine = box.items
            mine.append(None)
    """

    alone, spoilt = explore(program, tmp_path), explore(program + spoiling, tmp_path)

    assert [spot.text for spot in alone.infeasible] == ["box.items[0] is None"]
    assert spoilt.infeasible == ()
    assert any("`spoil` may set to something else" in spot.reason for spot in spoilt.open)


OF_ITS_CLASS = """
    class Rule:
        limit = 3

        def step(self) -> int:
            return 1

        def f(self, n: int) -> int:
            if {test}:
                return 1
            return 0
        {method}

    {function}
"""
LIMIT, STEP = "self.limit + n == n + 9", "self.step() + n == n + 9"
REPLACING = {
    "nothing": ("pass", "pass", {LIMIT, STEP}),
    "a store": ("pass", "def put(rule, n):\n        rule.limit = n", {STEP}),
    "a store of a method": ("pass", "def put(rule, do):\n        rule.step = do", {LIMIT}),
    "setattr": ("pass", 'def put(rule, n):\n        setattr(rule, "limit", n)', {STEP}),
    "setattr of any name": ("pass", "def put(rule, k):\n        setattr(rule, k, 9)", {STEP}),
    "its own setattr": ("def put(self, n):\n            setattr(self, 'limit', n)", "pass", {STEP}),
    "its own setattr of any name": (
        "def put(self, **k):\n            for each in k: setattr(self, each, k[each])",
        "pass",
        {STEP},
    ),
    "its own dict": ("def put(self, n):\n            vars(self)['limit'] = n", "pass", {STEP}),
    "its own dict handed on": (
        "def put(self, n):\n            filled(vars(self), n)",
        "pass",
        {STEP},
    ),
    "setattr of the class": (
        "@classmethod\n        def put(cls, **k):\n            for a in k: setattr(cls, a, k[a])",
        "pass",
        set(),
    ),
}


@pytest.mark.parametrize("what", REPLACING)
def test_what_objects_have_of_their_class_may_be_set_in_one_of_them(
    what: str, tmp_path: Path
) -> None:
    method, function, proved = REPLACING[what]
    programs = {
        test: OF_ITS_CLASS.format(method=method, function=function, test=test)
        for test in (LIMIT, STEP)
    }

    found = {
        test: explore(program, tmp_path, "Rule.f", max_runs=300).infeasible
        for test, program in programs.items()
    }

    assert {test for test, spots in found.items() if spots} == proved


@pytest.mark.parametrize(
    ("what", "setter"),
    [("setattr of any name", "put"), ("its own setattr of any name", "Rule.put")],
)
def test_a_proof_says_that_no_method_is_set_by_who_sets_any_name(
    what: str, setter: str, tmp_path: Path
) -> None:
    method, function, _ = REPLACING[what]
    program = OF_ITS_CLASS.format(method=method, function=function, test=STEP)

    (spot,) = explore(program, tmp_path, "Rule.f", max_runs=300).infeasible

    assert f"`{setter}` sets no method of Rule" in spot.assumes


SINGLETON = """
    from __future__ import annotations
    from typing import ClassVar

    class Pool:
        _instance: ClassVar[Pool | None] = None

        def __new__(cls) -> Pool:
            if cls._instance is None:
                cls._instance = super().__new__(cls)
                cls._instance.free = 2
            return cls._instance

        def take(self) -> bool:
            if self.free == 0:
                return False
            self.free -= 1
            return True
"""


def test_an_object_that_its_class_keeps_is_a_new_one_in_every_run(tmp_path: Path) -> None:
    report = explore(SINGLETON, tmp_path, "Pool.take")

    assert [each.args["self"] for each in report.inputs] == [
        "Pool()",
        "(self := Pool(), self.take(), self.take())[0]",
    ]
