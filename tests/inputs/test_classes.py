"""Classes and parameters as shapes: what a constructor takes, and what is known without annotation."""

from __future__ import annotations

import ast
import collections
import importlib
import inspect
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self, TypeVar

import pytest

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.infer.class_source import defining_names
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.shapes.annotations import Reader
from symcrete.inputs.shapes.classes import shape_of_class, shape_of_receiver
from symcrete.inputs.shapes.containers import SequenceShape, length_name
from symcrete.inputs.shapes.described_classes import NodeShape, is_model
from symcrete.inputs.shapes.fakes import FakeShape
from symcrete.inputs.shapes.hints import name_of
from symcrete.inputs.shapes.inferred import shape_of_parameter
from symcrete.inputs.shapes.objects import (
    DefaultShape,
    InstanceShape,
    RecordShape,
    defaulted,
    written_call,
)
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    LaterShape,
    Shape,
    TupleShape,
    one_of,
    write,
)
from symcrete.program.source import module

T = TypeVar("T")


class Counter:
    def __init__(self, start: int = 0) -> None:
        self.count = start

    def add(self, more: int) -> None:
        self.count += more

    def seen(self) -> int:
        return self.count

    def __enter__(self) -> Counter:
        self.count = -1
        return self

    def __exit__(self, *error: object) -> None: ...


class Loud(Counter):
    def seen(self) -> int:
        return -self.count


class Buffer:
    def __init__(self) -> None:
        self.data = b""

    def __iadd__(self, more: bytes) -> Self:
        self.data += more
        return self

    def __ior__(self, other: int) -> int:
        return other

    @property
    def closed(self) -> Self:
        self.data += b"."
        return self

    @property
    def size(self) -> int:
        return len(self.data)


class Public:
    """Says that it is of the package, as public classes of packages do."""

    def __init__(self, n: Ceiling) -> None:
        self.n = n

    def grow(self) -> None:
        self.n += 1


Public.__module__ = "symcrete"
Ceiling = int


class Missing(Protocol[T]):
    def keys(self) -> list[T]: ...


@dataclass
class Needs:
    other: Needs


class Pair(NamedTuple):
    first: int
    second: int


def reader() -> Reader:
    return Reader(globals())


class Registering(type):
    def size(cls) -> int:
        return 1


class Registered(metaclass=Registering):
    pass


def instance(kind: type) -> InstanceShape:
    shape = shape_of_class(kind, "x", reader())
    choices = shape.choices if isinstance(shape, ChoiceShape) else (shape,)
    (found,) = [each for each in choices if isinstance(each, InstanceShape) and each.kind is kind]
    return found


def test_an_object_is_made_by_its_constructor_and_changed_by_its_methods() -> None:
    shape = instance(Counter)
    given = {"c.start": 3, "c.calls()": 1, "c.calls()[0]?": 0, "c.calls()[0].more": 4}

    assert [method.name for method in shape.methods] == ["add", "__enter__"]
    assert shape.plain("c", given).count == 7
    assert write(shape, "c", given).text == "(c := Counter(3), c.add(4))[0]"


def test_an_object_is_changed_by_operators_and_by_properties_that_change_it() -> None:
    shape = instance(Buffer)
    given = {"b.calls()": 2, "b.calls()[0]?": 0, "b.calls()[1]?": 1}

    assert [method.name for method in shape.methods] == ["__iadd__", "closed"]
    assert shape.plain("b", given).data == b"."
    assert write(shape, "b", given).text == '(b := Buffer(), b.__iadd__(b""), b.closed)[0]'


def test_a_class_is_read_where_it_is_written_whatever_module_it_says_it_is_of() -> None:
    shape = instance(Public)

    assert [method.name for method in shape.methods] == ["grow"]
    assert shape.parts[0].shape == IntShape()
    assert name_of(Public, globals()) == (__name__, "Public")
    assert name_of(Public, {}) == ("symcrete", "Public")
    assert defining_names(Public) is globals()
    assert defining_names(Pair) == {}


def test_an_alternative_that_nobody_can_build_is_a_stand_in_beside_the_others() -> None:
    shape = reader().shape(Missing[int] | list[int], "x")

    assert isinstance(shape, ChoiceShape)
    assert [type(each) for each in shape.choices] == [FakeShape, SequenceShape]


def test_objects_of_subclasses_are_alternatives() -> None:
    shape = shape_of_class(Counter, "x", reader())

    assert isinstance(shape, ChoiceShape)
    assert {type(each.plain("x", {})) for each in shape.choices} == {Counter, Loud}


def test_the_objects_of_a_metaclass_are_its_classes() -> None:
    known = reader()

    shape = shape_of_class(Registering, "x", known)

    assert shape == ConstantShape(Registered)
    assert list(known.open) == ["x may be any class that Registering makes"]


def test_the_object_of_a_method_has_that_very_method() -> None:
    shape, by_object = shape_of_receiver(Counter, "seen", "x", reader())

    assert type(shape.plain("x", {})) is Counter
    assert not isinstance(shape, ChoiceShape)
    assert by_object


def test_a_class_goes_by_the_name_that_its_module_has_for_it() -> None:
    made = type("Hidden", (), {})

    assert name_of(Counter, globals()) == (__name__, "Counter")
    assert name_of(made, {"__name__": "shop", "Shown": made}) == ("shop", "Shown")


def test_an_object_of_a_class_without_a_name_cannot_be_written() -> None:
    class Inner:
        pass

    with pytest.raises(NoLiteral):
        write(InstanceShape(Inner, tuple), "x", {})


def test_a_class_that_takes_one_of_its_own_ends() -> None:
    shape = shape_of_class(Needs, "x", reader())

    assert shape is not None
    with pytest.raises(AssumptionFailed):
        shape.plain("x", {})


def test_a_shape_that_is_known_later_is_that_shape() -> None:
    assert LaterShape(IntShape).plain("x", {"x": 4}) == 4


def test_a_record_has_the_keys_that_it_must_have_and_those_it_is_given() -> None:
    shape = RecordShape((("a", IntShape(), True), ("b", IntShape(), False)))

    assert shape.plain("r", {}) == {"a": 0}
    assert shape.plain("r", {"'b' in r": True, "r['b']": 2}) == {"a": 0, "b": 2}


def test_plain_classes_are_no_models() -> None:
    assert not is_model(Counter)


def parameter(function: Any) -> inspect.Parameter:
    (only,) = inspect.signature(function).parameters.values()
    return only


def of(function: Any, annotation: Any, reading: Reader) -> Shape:
    return shape_of_parameter(function, parameter(function), annotation, "f.x", reading)


def test_a_default_that_its_annotation_does_not_allow_is_an_input() -> None:
    def f(x=None):
        return x

    assert of(f, int, reader()) == ChoiceShape((IntShape(), ConstantShape(None)))


@pytest.mark.parametrize(("default", "annotation"), [(3, float), (None, int | None), (2, int)])
def test_a_default_of_its_type_adds_nothing(default: Any, annotation: Any) -> None:
    def f(x=default):
        return x

    assert of(f, annotation, reader()) == of(lambda x: x, annotation, reader())


def test_a_bare_list_holds_what_its_elements_are_used_as_first() -> None:
    def f(x: list):
        return [each.upper() for each in x]

    reading = reader()
    shape = of(f, list, reading)

    assert isinstance(shape, ChoiceShape)
    first = shape.choices[0]
    assert isinstance(first, SequenceShape)
    assert type(first.element.plain("e", {})) is str
    assert list(reading.open) == ["f.x says nothing of its elements"]


def test_a_parameter_of_which_nothing_is_known_may_be_of_several_kinds() -> None:
    def f(x):
        return x

    reading = reader()
    shape = of(f, inspect.Parameter.empty, reading)

    assert isinstance(shape, ChoiceShape)
    assert {type(each.plain("x", {})) for each in shape.choices} >= {int, str, float, list, dict}
    assert list(reading.open) == ["f.x has no declared type"]


def test_a_parameter_with_good_evidence_is_of_that_kind_alone() -> None:
    def f(x):
        return x.upper() + x.lower()

    assert type(of(f, inspect.Parameter.empty, reader()).plain("x", {})) is str
    assert not isinstance(of(f, inspect.Parameter.empty, reader()), ChoiceShape)


@pytest.mark.parametrize(
    ("shape", "default"),
    [
        (IntShape(), 80),
        (FloatShape(), 0.5),
        (BoolShape(), True),
        (StrShape(), "{{"),
        (one_of([IntShape(), ConstantShape(None)]), None),
        (SequenceShape(IntShape(), list), ()),
    ],
)
def test_an_argument_of_which_nothing_is_known_has_its_default(shape: Shape, default: Any) -> None:
    made = defaulted(shape, default)

    assert isinstance(made, DefaultShape)
    assert made.plain("x", {}) == default
    assert made.is_left_out("x", {})


def test_a_default_that_no_variables_mean_is_no_start() -> None:
    assert defaulted(IntShape(), object()) == IntShape()
    assert defaulted(IntShape(), True) == IntShape()


def test_what_is_left_out_makes_those_behind_it_keywords() -> None:
    class Style:
        def __init__(self, start: str = "{{", width: int = 80) -> None: ...

    shape = instance(Style)

    assert "(width=3)" in written_call_of(shape, {"x.width": 3})
    assert written_call_of(shape, {"len(x.start)": 0}).endswith('("")')
    assert written_call_of(shape, {"x.width": 80}).endswith("Style()")


def written_call_of(shape: InstanceShape, given: dict[str, Any]) -> str:
    return written_call("Style", shape.parts, "x", given).text


def test_a_node_of_a_syntax_tree_has_the_fields_of_the_grammar() -> None:
    (shape,) = [
        each
        for each in reader().shape(ast.expr, "x").choices  # type: ignore[attr-defined]
        if isinstance(each, NodeShape) and each.kind is ast.Name
    ]

    assert [part.name for part in shape.parts] == ["id", "ctx"]
    assert write(shape, "x", {}).text == 'Name(id="", ctx=Load())'


def test_a_pattern_is_one_that_the_module_has_or_a_usual_one() -> None:
    own = re.compile("[a-z]+x", re.VERBOSE)
    shape = Reader({"OWN": own}).shape(re.Pattern[str], "x")
    assert isinstance(shape, ChoiceShape)

    assert shape.plain("x", {}) is own
    assert write(shape, "x", {}).text == 're.compile(r"[a-z]+x", re.VERBOSE)'
    assert write(shape, "x", {"x?": 1}).text == r're.compile(r"\w+")'


class Span(collections.namedtuple("SpanBase", ["begin", "end", "data"])):
    """A named tuple whose constructor takes something else than its fields."""

    def __new__(cls, begin: int, length: int, data=None):
        return super().__new__(cls, begin, begin + length, data)

    def label(self) -> str:
        return str(self.data.upper()) if self.data else ""


Row = collections.namedtuple("Row", ["name", "price"], defaults=[None])


def priced(row: Row) -> bool:
    return row.price > 0.5 if row.name.startswith("a") else row.price is None


def test_a_named_tuple_with_a_constructor_of_its_own_is_made_by_it() -> None:
    shape = reader().shape(Span, "s")

    assert shape.plain("s", {"s.begin": 3, "s.length": 4}) == (3, 7, None)
    assert write(shape, "s", {"s.begin": 3, "s.length": 4}).text == "Span(3, 4)"


class Limit:
    def __init__(self, calls: int) -> None:
        self.calls = calls

    def spend(self, more: int) -> None:
        self.calls -= more


def test_a_constructor_may_take_something_that_is_called_calls() -> None:
    shape = reader().shape(Limit, "x")
    given = {"x.calls": 15, "x.calls()": 1, "x.calls()[0].more": 2}

    assert shape.plain("x", given).calls == 13
    assert write(shape, "x", {"x.calls": 15}).text == "Limit(15)"


def test_what_a_field_of_a_named_tuple_is_used_for_says_its_type() -> None:
    known = reader()
    shape = known.shape(Row, "r")

    assert isinstance(shape, TupleShape)
    name, price = shape.parts
    assert isinstance(name, StrShape)
    assert isinstance(price, ChoiceShape)
    assert {type(each) for each in price.choices} >= {FloatShape, ConstantShape}
    assert any("r.name has no declared type" in each for each in known.open)


@dataclass
class Basket:
    owner: str
    items: list[int] = field(default_factory=list)


def test_an_empty_container_that_a_field_begins_with_is_left_out() -> None:
    shape = shape_of_class(Basket, "basket", Reader(globals()))

    assert shape is not None
    empty = {"len(basket.owner)": 0, "len(basket.items)": 0}
    one = {"len(basket.owner)": 0, "len(basket.items)": 1, "basket.items[0]": 3}
    assert write(shape, "basket", empty).text == 'Basket("")'
    assert write(shape, "basket", one).text == 'Basket("", [3])'
    assert shape.plain("basket", empty) == Basket("")


@dataclass
class Purse:
    coins: int
    owner: str = ""

    def pay(self, price: int) -> None:
        self.coins -= price


@dataclass
class Torn(Purse):
    def lose(self) -> None:
        self.coins = None  # type: ignore[assignment]


@dataclass
class Marked(Purse):
    def mark(self) -> None:
        self.marked = True


def test_methods_are_called_only_for_states_that_the_constructor_does_not_give() -> None:
    def methods(kind: type) -> list[str]:
        shape = shape_of_class(kind, "x", Reader(globals()))
        while isinstance(shape, ChoiceShape):
            shape = next(e for e in shape.choices if getattr(e, "kind", None) is kind)
        assert isinstance(shape, InstanceShape)
        return [each.name for each in shape.methods]

    assert methods(Purse) == []
    assert methods(Torn) == ["lose", "pay"]
    assert methods(Marked) == ["mark", "pay"]
    assert methods(Counter) == ["add", "__enter__"]


class Refused(ValueError):
    def __str__(self) -> str:
        return f"refused: {self.args}"


class Zone(tzinfo):
    def utcoffset(self, moment: datetime | None) -> timedelta:
        return timedelta(0)


def test_an_exception_without_a_constructor_of_its_own_takes_texts_and_numbers() -> None:
    shape = instance(Refused)
    given = {
        length_name("x.args"): 2,
        "x.args[0]?": 1,
        "x.args[0]": 7,
        "x.args[1]?": 1,
        "x.args[1]": 8,
    }

    assert shape.plain("x", given).args == (7, 8)
    assert write(shape, "x", given).text == "Refused(7, 8)"
    assert write(shape, "x", {length_name("x.args"): 0}).text == "Refused()"


def test_a_class_that_keeps_a_constructor_written_in_C_is_made_of_nothing() -> None:
    asked = reader()

    shape = shape_of_class(Zone, "x", asked)

    assert isinstance(shape, InstanceShape)
    assert isinstance(shape.plain("x", {}), Zone)
    assert list(asked.open) == ["Zone() does not tell what it takes, for x"]


def test_classes_of_other_modules_of_an_installed_package_are_the_program_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "installed_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "parts.py").write_text(
        "class Wheel:\n    def __init__(self, size=0):\n        self.size = size\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "_library_folders", lambda: (str(tmp_path),))
    wheel = importlib.import_module("installed_package.parts").Wheel

    inside = shape_of_class(wheel, "x", Reader({"__name__": "installed_package.cars"}))
    outside = shape_of_class(wheel, "x", Reader({"__name__": "other_package.cars"}))

    assert isinstance(inside, InstanceShape)
    assert outside is None


def test_calls_left_from_another_class_are_not_made() -> None:
    shape = instance(Zone)

    assert write(shape, "x", {"x.calls()": 1, "x.calls()[0]?": 7}).text == "Zone()"
