"""A class of the program that extends a built-in one keeps proofs about the latter away."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.compose import prepare
from symcrete.explore.options import Options
from symcrete.explore.proof.object_state import registered_later
from symcrete.explore.proof.own_subtypes import derived_classes, own_subtypes
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

IMPORTS = "import enum\nfrom typing import NamedTuple\n"
FUNCTION = "def f(n: int, s: str, t: tuple[int, int]) -> int:\n    return 1 if n > 2 else 0\n"
SHOWING = FUNCTION.replace("n > 2", 'f"{s}{t}" == str(n)')


def told(classes: str, function: str, folder: Path) -> list[str]:
    file = folder / "program.py"
    file.write_text(IMPORTS + classes + function)
    made, _ = prepare(targets_of(f"{file}::f")[0], EveryBranch(), Options(budget=1.0, replay=False))
    return [each.why for each in own_subtypes(made.parts)]


@pytest.mark.parametrize(
    ("classes", "name"),
    [
        (
            "class Odd(int):\n    def __eq__(self, other: object) -> bool:\n        return False\n",
            "int",
        ),
        ("class Odd(str):\n    def upper(self) -> str:\n        return ''\n", "str"),
        ("class Odd(tuple):\n    def __len__(self) -> int:\n        return 9\n", "tuple"),
    ],
)
def test_a_class_that_overrides_what_its_built_in_class_does_is_told(
    classes: str, name: str, tmp_path: Path
) -> None:
    (why,) = told(classes, FUNCTION, tmp_path)

    assert why.startswith(f"what is declared as {name} may be a Odd, whose `")


@pytest.mark.parametrize(
    "classes",
    [
        "class Money(int):\n    def doubled(self) -> int:\n        return self * 2\n",
        "class Level(enum.IntEnum):\n    LOW = 1\n",
        "class Color(str, enum.Enum):\n    RED = 'red'\n",
        "class Point(NamedTuple):\n    x: int\n    y: int\n",
        "class Apart:\n    def __eq__(self, other: object) -> bool:\n        return False\n",
    ],
)
def test_a_class_whose_objects_answer_alike_is_no_obstacle(classes: str, tmp_path: Path) -> None:
    assert told(classes, FUNCTION, tmp_path) == []


@pytest.mark.parametrize(
    "classes",
    [
        "class Color(str, enum.Enum):\n    RED = 'red'\n",
        "class Point(NamedTuple):\n    x: int\n    y: int\n",
    ],
)
def test_a_text_of_its_own_is_one_where_texts_are_made(classes: str, tmp_path: Path) -> None:
    assert len(told(classes, SHOWING, tmp_path)) == 1


FLAG = "class Perm(enum.IntFlag):\n    READ = 1\n    WRITE = 2\n"


@pytest.mark.parametrize(
    ("classes", "asked", "count"),
    [
        (FLAG, "n > 2", 0),
        (FLAG, "n & 2", 1),
        (FLAG, "~n > 2", 1),
        (FLAG, "n.__and__(2)", 1),
        (FLAG, "getattr(n, '__and__')(2)", 1),
        ("from operator import and_ as both\n" + FLAG, "both(n, 2)", 1),
    ],
)
def test_operators_on_bits_of_its_own_are_told_where_they_are_used(
    classes: str, asked: str, count: int, tmp_path: Path
) -> None:
    found = told(classes, FUNCTION.replace("n > 2", asked), tmp_path)

    assert len(found) == count


MONEY = "class Money(int):\n    def doubled(self) -> int:\n        return self * 2\n"
COLOR = "class Color(str, enum.Enum):\n    RED = 'red'\n"


@pytest.mark.parametrize(
    ("classes", "asked"),
    [
        (MONEY, "isinstance(n, Money)"),
        (MONEY, "type(n) is not int"),
        (MONEY, 'hasattr(n, "doubled")'),
        (COLOR, "isinstance(s, enum.Enum)"),
    ],
)
def test_a_class_that_the_program_asks_for_is_told(
    classes: str, asked: str, tmp_path: Path
) -> None:
    (why,) = told(classes, FUNCTION.replace("n > 2", asked), tmp_path)

    assert why.endswith("which is told from others here")


@pytest.mark.parametrize(
    ("classes", "asked"),
    [
        (MONEY, "isinstance(n, str)"),
        (MONEY, 'hasattr(n, "other")'),
        (COLOR, "isinstance(s, Color)"),  # inputs of this class are tried
    ],
)
def test_a_class_that_the_program_does_not_ask_for_is_none(
    classes: str, asked: str, tmp_path: Path
) -> None:
    assert told(classes, FUNCTION.replace("n > 2", asked), tmp_path) == []


ASKING = "def f(n: int) -> int:\n    return 1 if isinstance(n, {}) else 0\n"
SHAPE = "import abc\nclass Shape(abc.ABC):\n    pass\n"


@pytest.mark.parametrize(
    ("program", "count"),
    [
        (SHAPE + "def add() -> None:\n    Shape.register(int)\n" + ASKING.format("Shape"), 1),
        (
            SHAPE
            + "def add(kind: type) -> None:\n    kind.register(int)\n"
            + ASKING.format("Shape"),
            1,
        ),
        (
            SHAPE + "def add(kind): abc.ABCMeta.register(Shape, kind)\n" + ASKING.format("Shape"),
            1,
        ),
        (
            SHAPE + "put = Shape.register\ndef add(kind): put(kind)\n" + ASKING.format("Shape"),
            1,
        ),
        (
            SHAPE
            + "def add():\n    @Shape.register\n    class Own: pass\n"
            + ASKING.format("Shape"),
            1,
        ),
        (
            SHAPE + "@Shape.register\nclass Own: pass\ndef add(): pass\n" + ASKING.format("Shape"),
            0,
        ),
        (SHAPE + "Shape.register(float)\n" + ASKING.format("Shape"), 0),
        (
            SHAPE + "import atexit\nput = atexit.register\n" + ASKING.format("Shape"),
            0,
        ),
        (SHAPE + "def add() -> None:\n    Shape.register(int)\n" + ASKING.format("str"), 0),
        (
            "import atexit\ndef add() -> None:\n    atexit.register(print)\n"
            + ASKING.format("Odd"),
            0,
        ),
    ],
)
def test_classes_that_a_call_may_register_keep_proofs_away(
    program: str, count: int, tmp_path: Path
) -> None:
    file = tmp_path / "program.py"
    file.write_text("class Odd:\n    pass\n" + program)
    made, _ = prepare(targets_of(f"{file}::f")[0], EveryBranch(), Options(budget=1.0, replay=False))

    assert len(list(registered_later(made.parts))) == count


MAKING = """
class Base:
    limit = 1

    def __init__(self, n: int) -> None:
        self.n = n
        if self.most() > 3 or hasattr(self, "early"):
            self.n = 1

    def most(self) -> int:
        return 1

    @classmethod
    def made(cls, n: int) -> int:
        return n if cls.limit > 3 else 0
"""


def of_derived(classes: str, name: str, folder: Path) -> list[str]:
    file = folder / "program.py"
    file.write_text(MAKING + classes)
    target = targets_of(f"{file}::Base.{name}")[0]
    made, _ = prepare(target, EveryBranch(), Options(budget=1.0, replay=False))
    return [each.why for each in derived_classes(made.parts)]


@pytest.mark.parametrize(
    ("classes", "name", "word"),
    [
        ("class D(Base):\n    def most(self) -> int:\n        return 5\n", "__init__", "most"),
        ("class D(Base):\n    limit = 5\n", "made", "limit"),
        (
            "class D(Base):\n    def __init__(self) -> None:\n"
            "        self.early = 1\n        super().__init__(1)\n",
            "__init__",
            "early",
        ),
    ],
)
def test_a_constructor_or_class_method_also_runs_for_derived_classes(
    classes: str, name: str, word: str, tmp_path: Path
) -> None:
    (why,) = of_derived(classes, name, tmp_path)

    assert why == f"Base.{name} may be called for D, whose `{word}` is its own"


@pytest.mark.parametrize(
    "classes",
    [
        "class D(Base):\n    def other(self) -> int:\n        return 5\n",
        "class D(Base):\n    def __init__(self) -> None:\n        self.most = 9\n",
        "class D(Base):\n    def __init__(self) -> None:\n"
        "        super().__init__(1)\n        self.early = 1\n",
        "class Other:\n    def most(self) -> int:\n        return 5\n",
    ],
    ids=["another name", "own constructor alone", "stored afterwards", "not derived"],
)
def test_a_derived_class_that_changes_nothing_of_it_is_not_told(
    classes: str, tmp_path: Path
) -> None:
    assert not of_derived(classes, "__init__", tmp_path)


SHOP = """
from typing import Generic, TypeVar
T = TypeVar("T")
class Rule(Generic[T]):
    limit = 3
    def step(self) -> int:
        return 3
    def f(self, n: int) -> int:
        return 1 if self.step() + n == n + 9 else 0
class Wide(Rule):
    pass
Alias = Rule
Meta = type
KINDS = {{}}
def make(r: int) -> Rule:
    {made}
"""


@pytest.mark.parametrize(
    ("made", "base", "told"),
    [
        (
            "class Own(Rule):\n        def step(self):\n            return r\n    return Own()",
            "Rule",
            "`step` is",
        ),
        (
            "class Own(Rule[int]):\n        step = lambda s: r\n    return Own()",
            "Rule",
            "`step` is",
        ),
        (
            "class Mid(Rule):\n        pass\n"
            "    class Own(Mid):\n        def __init__(self):\n            self.step = r\n"
            "    return Own()",
            "Mid",
            "`__init__` is",
        ),
        ('return type("Own", (Rule,), {"step": lambda self: r})()', "Rule", "`step` is"),
        ('return type("Own", (Rule,), dict(step=lambda self: r))()', "Rule", "`step` is"),
        ('return type("Own", (Rule,), globals_of(r))()', "Rule", "attributes are"),
        ('return type("Own", tuple([Rule]), {"step": lambda self: r})()', "Rule", "`step` is"),
        ('return type("Own", given(r), {"step": lambda self: r})()', "Rule", "`step` is"),
        ("class Own(r):\n        step = lambda s: r\n    return Own()", "Rule", "`step` is"),
        (
            "kind = Rule\n    class Own(kind):\n        step = lambda s: r\n    return Own()",
            "Rule",
            "`step` is",
        ),
        ("class Own(given(r)):\n        step = lambda s: r\n    return Own()", "Rule", "`step` is"),
        ("class Own(r.kind):\n        step = lambda s: r\n    return Own()", "Rule", "`step` is"),
        ("class Own(KINDS[r]):\n        step = lambda s: r\n    return Own()", "Rule", "`step` is"),
        ("class Own(Alias):\n        step = lambda s: r\n    return Own()", "Rule", "`step` is"),
        ("class Own(Wide):\n        step = lambda s: r\n    return Own()", "Wide", "`step` is"),
        (
            "from shop import Rule as R\n    class Own(R):\n        step = lambda s: r",
            "Rule",
            "`step` is",
        ),
        ('return Meta("Own", (Rule,), {"step": lambda self: r})()', "Rule", "`step` is"),
        ('return Meta("Own", (r,), {"step": lambda self: r})()', "Rule", "`step` is"),
        ('return r.meta("Own", (Rule,), {"step": lambda self: r})()', "Rule", "`step` is"),
        ('return r.meta("Own", (Alias,), {"step": lambda self: r})()', "Rule", "`step` is"),
    ],
)
def test_what_a_class_that_a_function_makes_overrides_is_part_of_no_proof(
    made: str, base: str, told: str, tmp_path: Path
) -> None:
    report = explore(SHOP.format(made=made), tmp_path, "Rule.f")

    assert report.infeasible == ()
    assert [spot.reason for spot in report.open] == [
        f"what is declared as {base} may be a Own that `make` makes, whose {told} its own"
    ]


@pytest.mark.parametrize(
    "made",
    [
        "return isinstance(r, (Rule, int))",
        'return type("Own", (Rule,), {"more": 1})()',
        "class Own(Rule):\n        def more(self):\n            return r\n    return Own()",
        "class Own(Exception):\n        def step(self):\n            return r\n    raise Own",
        "class Own(r):\n        def more(self):\n            return r\n    return Own()",
        "class Own(namedtuple('P', 'x')):\n        def step(self):\n            return r",
        "return dataclasses.make_dataclass(r, fields)",
        "return dataclasses.make_dataclass(r, [], bases=())",
        "return types.new_class(r)",
        'left.text("hi", (r, r), {"step": "red"})',
        'r.type("#name", text, 30)',
        "return type(r)(text, r, 30)",
        "import threading as th\n    class Own(th.Thread):\n        def step(self):\n"
        "            return r",
        "from threading import Thread as T\n    class Own(T):\n        def step(self):\n"
        "            return r",
    ],
)
def test_a_class_that_a_function_makes_is_no_matter_where_it_overrides_nothing(
    made: str, tmp_path: Path
) -> None:
    report = explore(SHOP.format(made=made), tmp_path, "Rule.f")

    assert [spot.text for spot in report.infeasible] == ["self.step() + n == n + 9"]


@pytest.mark.parametrize(
    "made",
    [
        "types.new_class('Own', (Rule,))",
        "types.new_class('Own', bases=(Rule,))",
        "types.new_class('Own', (shop.Rule,))",
        "types.new_class(*r)",
        "types.new_class('Own', **r)",
        "dataclasses.make_dataclass('Own', [], bases=(shop.Rule,), namespace={'step': five})",
        "dataclasses.make_dataclass('Own', [], bases=r)",
        "dataclasses.make_dataclass('Own', [], bases=(Alias,))",
        "type(r.name, (Rule,), {'step': r})",
        "type(r)('Own', (r,), {'step': five})",
        "Rule.__class__('Own', (Rule,), {'step': five})",
    ],
)
def test_a_class_that_a_library_makes_of_one_may_override_anything(
    made: str, tmp_path: Path
) -> None:
    report = explore(SHOP.format(made=f"return {made}"), tmp_path, "Rule.f")

    assert report.infeasible == ()
    (spot,) = report.open
    assert spot.reason.startswith("what is declared as Rule may be a ")
    assert "<ast" not in spot.reason
