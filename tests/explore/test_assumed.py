"""An infeasible branch tells what its proof takes for granted."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.proof import assumed, set_by_callers

BOX = """
    class Box:
        def __init__(self, n: int) -> None:
            self.n = n

        def size(self) -> int:
            return self.n if self.n > 0 else 0

        def is_bad(self) -> bool:
            if self.size() < 0:
                return True
            return False
"""

OF_BODY = "Unit.k is 2, as its class sets it"
SET_BY_UNIT = "only Unit itself sets attributes of its objects"
NOT_DERIVED = "no argument is of a class derived from its declared one, known subtypes aside"
ALONE = "only Box itself sets attributes of its objects"

PROVED = {
    "complex numbers": (
        "def f(w: complex, z: complex) -> int:\n    if w.real > 1 and z.imag > 1 and w.real < 0:\n"
        "        return 1\n    return 0",
        [
            "w is complex, not a float or an int given for one",
            "z is complex, not a float or an int given for one",
        ],
    ),
    "a constant in the function": (
        "LIMIT = 10\ndef f(x: int) -> int:\n    if x > LIMIT and x < LIMIT:\n"
        "        return 1\n    return 0",
        ["LIMIT is 10, as its module sets it"],
    ),
    "a constant in what it calls": (
        "LIMIT = 10\ndef least(x: int) -> int:\n    return x if x > LIMIT else LIMIT\n"
        "def f(x: int) -> int:\n    if least(x) < 5:\n        return 1\n    return 0",
        ["LIMIT is 10, as its module sets it"],
    ),
    "a table that nothing changes": (
        'RATES = {"a": 1}\ndef f(x: int) -> int:\n    if len(RATES) > 3:\n'
        "        return 1\n    return 0",
        ["RATES is {'a': 1}, as its module sets it"],
    ),
    "a constant that is read after the branch": (
        "LIMIT = 10\ndef f(x: int) -> int:\n    if x * x < 0:\n        return 1\n    return LIMIT",
        [],
    ),
    "a constant of a function that is not called": (
        "LIMIT = 10\ndef g(x: int) -> int:\n    return LIMIT\n"
        "def f(x: int) -> int:\n    if x * x < 0:\n        return 1\n    return 0",
        [],
    ),
}


@pytest.mark.parametrize("what", PROVED)
def test_constants_on_the_way_are_told(what: str, tmp_path: Path) -> None:
    source, expected = PROVED[what]

    report = explore(source, tmp_path)

    assert report.infeasible
    assert {each for spot in report.infeasible for each in spot.assumes} == set(expected)


def test_methods_that_a_subclass_may_override_are_told(tmp_path: Path) -> None:
    report = explore(BOX, tmp_path, "Box.is_bad")

    (spot,) = report.infeasible
    assert spot.assumes == ("no subclass overrides Box.size", ALONE)


IN_BODIES = {
    "of a given object": ("b: Unit", "b.k", [OF_BODY, "no subclass overrides Unit.k", SET_BY_UNIT]),
    "of a class": ("x: int", "Unit.k", [OF_BODY]),
    "of an object that is made": ("x: int", "Unit().k", [OF_BODY]),
    "by its name": ("x: int", 'getattr(Unit, "k")', [OF_BODY, NOT_DERIVED]),
}


@pytest.mark.parametrize("how", IN_BODIES)
def test_attributes_that_the_body_of_a_class_sets_are_told(how: str, tmp_path: Path) -> None:
    parameter, read, expected = IN_BODIES[how]
    source = f"class Unit:\n    k = 2\n    size = 3\ndef f({parameter}) -> int:\n"

    report = explore(f"{source}    if {read} != 2:\n        return 1\n    return 0", tmp_path)

    (spot,) = report.infeasible
    assert spot.assumes == tuple(expected)


def test_attributes_of_a_body_are_told_of_class_methods(tmp_path: Path) -> None:
    report = explore(
        "class Unit:\n    k = 2\n    @classmethod\n    def f(cls) -> int:\n"
        "        return 1 if cls.k > 5 else 0",
        tmp_path,
        "Unit.f",
    )

    (spot,) = report.infeasible
    assert spot.assumes == (OF_BODY, "no subclass overrides Unit.k")


def test_derived_classes_that_are_tried_are_told_with_an_attribute_of_a_body(
    tmp_path: Path,
) -> None:
    report = explore(
        "class Unit:\n    k = 2\nclass Pair(Unit):\n    k = 4\n"
        "def f(b: Unit) -> int:\n    return 1 if b.k % 2 else 0",
        tmp_path,
    )

    (spot,) = report.infeasible
    assert "no class but Pair overrides Unit.k" in spot.assumes
    assert "Pair.k is 4, as its class sets it" in spot.assumes


CONSTANT = {
    "members of an enumeration": (
        "class E(enum.Enum):\n    A = 1\n    B = 2\n"
        "def f(b: E) -> int:\n    return 1 if b.value > 2 or E.A is E.B else 0",
        [],
    ),
    "a Final without a type": (
        "class Unit:\n    k: Final = 2\ndef f(b: Unit) -> int:\n    return 1 if b.k != 2 else 0",
        [OF_BODY, "no subclass overrides Unit.k", SET_BY_UNIT],
    ),
    "what every object is given": (
        "class Unit:\n    k = 2\n    def __init__(self, k: int) -> None:\n        self.k = k\n"
        "def f(b: Unit) -> int:\n    return 1 if b.k * b.k < 0 else 0",
        [SET_BY_UNIT],
    ),
    "a field with a default": (
        "@dataclass\nclass Unit:\n    k: int = 2\n"
        "def f(b: Unit) -> int:\n    return 1 if b.k * b.k < 0 else 0",
        [],
    ),
}


@pytest.mark.parametrize("what", CONSTANT)
def test_proofs_about_attributes_tell_no_more_than_callers_can_set(
    what: str, tmp_path: Path
) -> None:
    source, expected = CONSTANT[what]
    imports = "import enum\nfrom dataclasses import dataclass\nfrom typing import Final\n"

    report = explore(imports + source, tmp_path)

    assert report.infeasible
    assert {each for spot in report.infeasible for each in spot.assumes} == set(expected)


FAMILY = """
    class Base:
        def area(self) -> int:
            return 1

        def __len__(self) -> int:
            return 3

    class Derived(Base):
        def area(self) -> int:
            return 2

    def f(s: Base | None) -> int:
        if s is not None and s.area() == 7:
            return 1
        return 0
"""


def test_classes_that_nobody_knows_are_told_beside_the_known_ones(tmp_path: Path) -> None:
    report = explore(FAMILY, tmp_path)

    (spot,) = report.infeasible
    expected = {"no class but Derived overrides Base.area", "no subclass overrides Base.__len__"}
    assert set(spot.assumes) == expected


def test_a_final_class_has_no_subclass(tmp_path: Path) -> None:
    final = "    from typing import final\n\n    @final" + BOX

    report = explore(final, tmp_path, "Box.is_bad")

    assert [spot.assumes for spot in report.infeasible] == [(ALONE,)]


@pytest.mark.parametrize(
    ("decorator", "expected"), [("@dataclass", (ALONE,)), ("@dataclass(frozen=True)", ())]
)
def test_attributes_that_anybody_can_assign_are_told(
    decorator: str, expected: tuple[str, ...], tmp_path: Path
) -> None:
    source = f"""
    from dataclasses import dataclass

    {decorator}
    class Box:
        n: int

        def __post_init__(self) -> None:
            assert self.n >= 0

    def f(box: Box) -> bool:
        return True if box.n < 0 else False
    """

    report = explore(source, tmp_path)

    assert [spot.assumes for spot in report.infeasible] == [expected]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "class Mark:\n    pass\ndef f(x: int) -> bool:\n"
            "    return True if isinstance(x, Mark) else False",
            "no argument is of a class derived from its declared one, known subtypes aside",
        ),
        (
            "from typing import TypedDict\nclass Row(TypedDict):\n    a: int\n"
            'def f(row: Row) -> bool:\n    return True if "b" in row else False',
            "row has no keys but those that its type declares",
        ),
        (
            "from collections.abc import Callable\ndef f(g: Callable[[int], int]) -> bool:\n"
            "    return True if g(1) != g(1) else False",
            "g gives equal results for equal arguments",
        ),
    ],
)
def test_what_declared_types_leave_open_is_told(source: str, expected: str, tmp_path: Path) -> None:
    report = explore(source, tmp_path)

    assert [spot.assumes for spot in report.infeasible] == [(expected,)]


def test_a_long_value_is_told_by_its_class() -> None:
    assert assumed._short("x" * 100) == "the str"
    assert assumed._short(3) == "3"


def test_an_object_without_a_text_of_its_own_is_told_by_its_class() -> None:
    class Registry: ...

    assert assumed._short(Registry()) == "a Registry"
    assert assumed._short([Registry()]) == "a list"


TAKEN = """
    import os

    class Config:
        token = os.environ.get("TOKEN")

    def f(config: Config) -> int:
        if config.token is not None:
            return 1
        return 0
"""


def test_what_the_body_of_a_class_took_from_the_environment_is_no_constant(tmp_path: Path) -> None:
    report = explore(TAKEN, tmp_path)

    assert report.infeasible == ()
    assert "which the import took from the system" in report.open[0].reason


def test_an_attribute_taken_from_the_environment_is_told_apart_on_one_line(tmp_path: Path) -> None:
    source = TAKEN.replace("is not None:", "is not None and Config.token is not None:")

    report = explore(source, tmp_path)

    assert report.infeasible == ()


def test_a_derived_class_may_take_from_the_environment_what_is_a_constant_of_its_base(
    tmp_path: Path,
) -> None:
    report = explore(
        "import math, os\nclass Base:\n    size = math.floor(0.5)\n"
        "    def is_one(self) -> bool:\n        return self.size == 1\n"
        "class Own(Base):\n    size = len(os.environ.get('TOKEN', ''))\n"
        "def f(own: Own) -> int:\n    if own.is_one():\n        return 1\n    return 0",
        tmp_path,
    )

    assert report.infeasible == ()


def test_what_the_body_of_a_class_made_of_a_library_is_a_constant(tmp_path: Path) -> None:
    report = explore(
        "import math\nclass Unit:\n    limit = math.floor(3.5)\ndef f(x: int) -> int:\n"
        "    if Unit.limit > 100:\n        return 1\n    return 0",
        tmp_path,
    )

    assert [spot.assumes for spot in report.infeasible] == [
        ("Unit.limit is 3, as its class sets it",)
    ]


@pytest.mark.parametrize(
    "body",
    [
        "    size, other = len(os.environ.get('TOKEN', '')), 1",
        "    [size, *other] = [len(os.environ.get('TOKEN', '')), 1]",
        "    if True:\n        size = len(os.environ.get('TOKEN', ''))",
        "    size = 0\n    size += len(os.environ.get('TOKEN', ''))",
        "    for size in [len(os.environ.get('TOKEN', ''))]: ...",
        "    match len(os.environ.get('TOKEN', '')):\n        case size: ...",
    ],
)
def test_wherever_the_body_of_a_class_takes_it_from_the_environment(
    body: str, tmp_path: Path
) -> None:
    source = f"import os\nclass Config:\n{body}\ndef f(x: int) -> int:\n"

    report = explore(source + "    if Config.size == 1:\n        return 1\n    return 0", tmp_path)

    assert report.infeasible == ()
    assert report.open == ()


def test_one_name_of_several_may_be_taken_from_the_environment(tmp_path: Path) -> None:
    report = explore(
        "import os\nsize, other = len(os.environ.get('TOKEN', '')), 1\ndef f(x: int) -> int:\n"
        "    if other != 1:\n        return 2\n    if size == 1:\n        return 1\n    return 0",
        tmp_path,
    )

    assert [spot.assumes for spot in report.infeasible] == [("other is 1, as its module sets it",)]
    assert report.open == ()


def test_a_name_may_be_made_of_what_a_class_took_from_the_environment(tmp_path: Path) -> None:
    report = explore(
        "import os\nclass Config:\n    size = len(os.environ.get('TOKEN', ''))\n"
        "SIZE = Config.size\ndef f(x: int) -> int:\n"
        "    if SIZE == 1:\n        return 1\n    return 0",
        tmp_path,
    )

    assert report.infeasible == ()
    assert report.open == ()


@pytest.mark.parametrize("body", ["tags, other = [], 1", "if True:\n        tags = []"])
def test_a_list_that_objects_share_and_a_function_changes_is_no_constant(
    body: str, tmp_path: Path
) -> None:
    report = explore(
        f"class Unit:\n    {body}\ndef grow() -> None:\n    Unit.tags.append(1)\n"
        "def f(x: int) -> int:\n    if len(Unit.tags) == 3:\n        return 1\n    return 0",
        tmp_path,
    )

    assert report.infeasible == ()


CHOSEN = """
    import os, sys

    if TEST:
        LIMIT = 10
    else:
        LIMIT = 5

    class Config:
        limit = 5
        fast = False
        if TEST:
            limit = 10
            fast = True

    def f(x: int) -> int:
        if ASKED:
            return 1
        return 0
"""


@pytest.mark.parametrize("asked", ["LIMIT == 7", "Config.limit == 10", "Config().limit == 10"])
def test_what_the_environment_chooses_is_no_constant(asked: str, tmp_path: Path) -> None:
    chosen = CHOSEN.replace("TEST", "os.environ.get('BIG')")

    report = explore(chosen.replace("ASKED", asked), tmp_path)

    assert report.infeasible == ()
    assert "which the import took from the system" in report.open[0].reason


def test_which_of_two_constants_the_environment_chooses_is_an_input(tmp_path: Path) -> None:
    chosen = CHOSEN.replace("TEST", "os.environ.get('BIG')").replace("ASKED", "LIMIT == 10")

    report = explore(chosen, tmp_path)
    computed = explore(chosen.replace("LIMIT = 10", "LIMIT = len('ten') + 7"), tmp_path)

    assert report.infeasible == report.open == computed.infeasible == ()
    assert {each.situation[0].value for each in report.inputs} == {"5", "10"}
    assert "which the import took from the system" in computed.open[0].reason


@pytest.mark.parametrize("test", ["sys.platform == 'none'", "sys.version < '3'"])
def test_what_the_kind_of_machine_chooses_is_a_constant(test: str, tmp_path: Path) -> None:
    chosen = CHOSEN.replace("TEST", test)

    report = explore(chosen.replace("ASKED", "LIMIT == 10"), tmp_path)
    in_class = explore(chosen.replace("ASKED", "Config.limit == 10"), tmp_path)

    assert [each.assumes for each in (*report.infeasible, *in_class.infeasible)] == [
        ("LIMIT is 5, as its module sets it",),
        ("Config.limit is 5, as its class sets it",),
    ]


@pytest.mark.parametrize("test", ["os.environ.get('BIG')", "sys.platform == 'none'"])
def test_a_flag_is_an_input_whoever_chooses_it(test: str, tmp_path: Path) -> None:
    report = explore(CHOSEN.replace("TEST", test).replace("ASKED", "Config.fast"), tmp_path)

    assert report.infeasible == report.open == ()


def test_the_documentation_has_what_the_interpreter_and_the_machine_decide() -> None:
    told = {*set_by_callers._TOLD.values(), *set_by_callers._OF_MODULES.values()}
    page = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text()

    assert [each for each in sorted(told) if each not in page] == []
