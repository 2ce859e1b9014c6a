"""Our `dataclass` beside the standard one: the same in everything that anybody can see."""

from __future__ import annotations

import builtins
import copy
import dataclasses
import inspect
import pickle
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from symcrete import slotted
from symcrete.dataclass_methods.built_alike import plain_init
from symcrete.dataclass_methods.plain_hashes import PLAIN_HASHES
from symcrete.dataclass_methods.plain_inits import PLAIN_INITS

T = TypeVar("T")
Decorator = Callable[..., Any]


def classes(dataclass: Decorator) -> dict[str, Any]:
    """Classes of all the kinds that we write, by the given decorator."""

    @dataclass(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: float = 1.5
        tags: list[str] = field(default_factory=list)

    @dataclass(frozen=True, slots=True)
    class Empty:
        """Nothing."""

    @dataclass(slots=True)
    class Counter:
        """It changes, and has parts that nobody passes in."""

        step: int
        total: int = field(init=False)
        seen: dict[int, int] = field(init=False, default_factory=dict)
        hidden: int = field(default=3, repr=False, compare=False)

        def __post_init__(self) -> None:
            self.total = 10 * self.step

    @dataclass(frozen=True, slots=True, eq=False)
    class Identity:
        """Equal to nothing but itself."""

        x: int

    @dataclass(frozen=True, slots=True)
    class Child(Point):
        """With a field more than its parent."""

        z: int = 0

        def __repr__(self) -> str:
            return "a child"

    @dataclass(frozen=True, slots=True)
    class Boxed(Generic[T]):
        """Of any kind."""

        held: T

    @dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        """Can be sorted."""

        x: int

    made = [Point, Empty, Counter, Identity, Child, Boxed, Ordered]
    return {each.__name__: each for each in made}


OURS, THEIRS = classes(slotted.dataclass), classes(dataclasses.dataclass)
CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Point", (1,), {}),
    ("Point", (1,), {"tags": ["a"], "y": -0.0}),
    ("Empty", (), {}),
    ("Counter", (4,), {}),
    ("Counter", (4, 5), {}),
    ("Identity", (7,), {}),
    ("Child", (1, 2.0, [], 3), {}),
    ("Boxed", ("text",), {}),
    ("Ordered", (1,), {}),
]
each_call = pytest.mark.parametrize(("name", "args", "keywords"), CALLS)


@each_call
def test_an_instance_looks_the_same(
    name: str, args: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    ours, theirs = OURS[name](*args, **keywords), THEIRS[name](*args, **keywords)

    assert repr(ours) == repr(theirs)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert ours.__match_args__ == theirs.__match_args__
    assert not hasattr(ours, "__dict__")


@each_call
def test_an_instance_is_copied_and_replaced_as_a_whole(
    name: str, args: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    ours = OURS[name](*args, **keywords)

    copied, replaced = copy.deepcopy(ours), dataclasses.replace(ours)

    assert dataclasses.asdict(copied) == dataclasses.asdict(ours)
    assert dataclasses.asdict(replaced) == dataclasses.asdict(ours)


@pytest.mark.parametrize("name", OURS)
def test_a_class_is_made_with_the_same_signature(name: str) -> None:
    ours, theirs = inspect.signature(OURS[name]), inspect.signature(THEIRS[name])

    assert list(ours.parameters) == list(theirs.parameters)
    assert [each.kind for each in ours.parameters.values()] == [
        each.kind for each in theirs.parameters.values()
    ]
    assert OURS[name].__doc__ == THEIRS[name].__doc__


@pytest.mark.parametrize("made", [OURS, THEIRS], ids=["ours", "theirs"])
def test_equality_and_hash_go_by_the_fields_that_are_compared(made: dict[str, Any]) -> None:
    frozen, changing, identity = made["Boxed"], made["Counter"], made["Identity"]

    assert frozen((1, 2)) == frozen((1, 2))
    assert hash(frozen((1, 2))) == hash(frozen((1, 2)))
    assert frozen(1) != frozen(2)
    assert frozen(1) != made["Ordered"](1)
    assert changing(4, 5) == changing(4, 6)
    assert changing.__hash__ is None
    assert identity(1) != identity(1)
    assert made["Ordered"](1) < made["Ordered"](2)
    assert made["Empty"]() == made["Empty"]()


@pytest.mark.parametrize("made", [OURS, THEIRS], ids=["ours", "theirs"])
def test_a_frozen_instance_refuses_to_change(made: dict[str, Any]) -> None:
    point = made["Child"](1)

    with pytest.raises(FrozenInstanceError, match="'x'"):
        point.x = 2
    with pytest.raises(FrozenInstanceError, match="'z'"):
        del point.z
    assert (point.x, point.z) == (1, 0)


def test_a_subclass_that_is_no_dataclass_may_have_attributes_of_its_own() -> None:
    noted = type("Noted", (OURS["Point"],), {})(1)
    noted.note = "mine"

    # The standard one with slots fails here with a TypeError, up to Python 3.12 at least.
    assert noted.note == "mine"
    with pytest.raises(FrozenInstanceError):
        noted.x = 3


@pytest.mark.parametrize("made", [OURS, THEIRS], ids=["ours", "theirs"])
def test_each_instance_gets_a_default_of_its_own(made: dict[str, Any]) -> None:
    first, second = made["Point"](1), made["Point"](1)

    first.tags.append("a")

    assert second.tags == []


@slotted.dataclass(frozen=True, slots=True)
class Pickled:
    """At the top of a module, where pickle finds it."""

    x: int
    inner: Pickled | None = None


def test_a_frozen_instance_is_pickled() -> None:
    made = Pickled(1, Pickled(2))

    assert pickle.loads(pickle.dumps(made)) == made


def test_an_instance_that_holds_itself_is_shown() -> None:
    made = OURS["Point"](1)
    made.tags.append(made)

    assert repr(made).endswith("tags=[...])")


def test_the_standard_decorator_accepts_a_subclass() -> None:
    @slotted.dataclass(frozen=True, slots=True)
    class Base:
        x: int

    @dataclasses.dataclass(frozen=True, slots=True)
    class Other(Base):
        y: int

    assert Other(1, 2) == Other(1, 2)


def test_classes_that_are_built_alike_keep_their_own_names_and_defaults() -> None:
    @slotted.dataclass(frozen=True, slots=True)
    class One:
        first: int
        second: int = 2

    @slotted.dataclass(frozen=True, slots=True)
    class Other:
        left: int
        right: int = 3

    assert str(inspect.signature(Other)) == "(left: 'int', right: 'int' = 3) -> None"
    assert One(1) == One(first=1, second=2)
    assert Other(left=1) == Other(1, 3)
    assert hash(Other(1, 3)) != hash(Other(3, 1))
    with pytest.raises(TypeError, match="first"):
        Other(first=1)  # type: ignore[call-arg]


def test_a_field_without_a_default_does_not_follow_one_with_a_default() -> None:
    class Wrong:
        x: int = 1
        y: int

    with pytest.raises(TypeError, match="non-default argument 'y'"):
        slotted.dataclass(frozen=True, slots=True)(Wrong)


def test_a_method_is_made_when_it_has_been_called_a_few_times() -> None:
    @slotted.dataclass(slots=True)
    class Waiting:
        x: int

    name = f"{Waiting.__module__}:{Waiting.__qualname__}.__init__"

    few = [Waiting(number) for number in range(slotted.FEW_INSTANCES)]
    before = slotted.in_use()
    further = Waiting(1)

    assert name not in before
    assert name in slotted.in_use()
    assert [each.x for each in few] == [*range(slotted.FEW_INSTANCES)]
    assert further == few[1]


@pytest.mark.parametrize("count", sorted(PLAIN_INITS))
def test_a_frozen_class_of_parameters_alone_is_made_as_the_standard_one(count: int) -> None:
    fields = {f"x{number}": int for number in range(count)}

    def made(decorator: Any) -> Any:
        space = {"__annotations__": fields, "__module__": __name__, f"x{count - 1}": -1}
        return decorator(frozen=True, slots=True)(type("Made", (), space))

    ours, theirs = made(slotted.dataclass), made(dataclasses.dataclass)
    given = [*range(count)]

    assert repr(ours(*given)) == repr(theirs(*given))
    assert repr(ours(*given[:-1])) == repr(theirs(*given[:-1]))
    assert repr(ours(**dict(zip(fields, given, strict=True)))) == repr(theirs(*given))
    assert ours(*given) == ours(*given) != ours(*given[:-1])
    for wrong in ([*given, 0], {"y": 1}, given[:-2] if count > 1 else [1, 2]):
        positional, named = ([], wrong) if isinstance(wrong, dict) else (wrong, {})
        with pytest.raises(TypeError) as expected:
            theirs(*positional, **named)
        with pytest.raises(TypeError) as seen:
            ours(*positional, **named)
        assert str(seen.value) == str(expected.value)


@pytest.mark.parametrize("count", [*sorted(PLAIN_HASHES), max(PLAIN_HASHES) + 1])
def test_the_hash_of_a_frozen_class_is_the_standard_one(count: int) -> None:
    space = {"__annotations__": {f"x{number}": int for number in range(count)}}
    kind: Any = slotted.dataclass(frozen=True, slots=True)(type("Made", (), space))

    assert hash(kind(*range(count))) == hash(tuple(range(count)))
    assert "_field_" not in repr(kind.__hash__.__code__.co_names)


def test_a_class_that_makes_a_default_has_no_plain_init() -> None:
    @dataclasses.dataclass
    class Plain:
        __slots__ = ("x",)
        x: int

    assert plain_init(Plain, {"x": ("int", dataclasses.MISSING)}) is not None
    assert plain_init(Plain, {"x": ("int", field(default_factory=int))}) is None
    assert plain_init(Plain, {"x": ("int", field(init=False))}) is None


@each_call
def test_the_first_instances_are_as_the_later_ones(
    name: str, args: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    kind, theirs = classes(slotted.dataclass)[name], THEIRS[name](*args, **keywords)

    made = [kind(*args, **keywords) for _ in range(slotted.FEW_INSTANCES + 2)]

    assert {repr(each) for each in made} == {repr(theirs)}


@pytest.mark.parametrize(
    ("name", "args", "keywords"),
    [
        ("Point", (), {}),
        ("Point", (1, 2.0, [], 4), {}),
        ("Point", (1,), {"x": 2}),
        ("Point", (1,), {"z": 2}),
        ("Counter", (1,), {"total": 3}),
        ("Empty", (1,), {}),
    ],
)
def test_the_first_instance_refuses_the_same_arguments(
    name: str, args: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    kind = classes(slotted.dataclass)[name]

    with pytest.raises(TypeError) as ours:
        kind(*args, **keywords)
    with pytest.raises(TypeError) as theirs:
        THEIRS[name](*args, **keywords)

    assert str(ours.value) == str(theirs.value)


def test_a_class_can_be_used_first_where_built_in_functions_were_replaced() -> None:
    @slotted.dataclass(frozen=True, slots=True)
    class Late:
        x: int
        y: tuple[int, ...] = field(default_factory=tuple)

    names = ("isinstance", "len", "hash", "getattr", "setattr", "vars", "hasattr", "enumerate")
    known = vars(builtins)
    former = {name: known[name] for name in names}
    known.update(dict.fromkeys(names))
    try:
        one, *_, other = [Late(1) for _ in range(slotted.FEW_INSTANCES + 2)]
        equal, numbers = one == other, (one.__hash__(), other.__hash__())
    finally:
        known.update(former)

    assert equal
    assert numbers[0] == numbers[1] == hash(one)


def test_a_child_can_be_used_before_its_parent() -> None:
    @slotted.dataclass(frozen=True, slots=True)
    class Parent:
        x: int
        y: int = 2

    @slotted.dataclass(frozen=True, slots=True)
    class Child(Parent):
        z: int = 3

    class Grandchild(Child):
        def __init__(self) -> None:
            Parent.__init__(self, 7)

    assert Child(1) == Child(1, 2, 3)
    assert Grandchild().x == 7
    assert [each.name for each in dataclasses.fields(Parent)] == ["x", "y"]
    assert [each.name for each in dataclasses.fields(Child)] == ["x", "y", "z"]


def test_what_is_of_the_class_is_no_field() -> None:
    @slotted.dataclass(frozen=True, slots=True)
    class Kind:
        decides: ClassVar[bool] = True
        x: int = 0

    assert Kind.decides
    assert Kind(4).x == 4
    assert [each.name for each in dataclasses.fields(Kind)] == ["x"]


@each_call
def test_a_copy_is_what_replacing_gives(
    name: str, args: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    ours = OURS[name](*args, **keywords)
    changes = {each.name: "other" for each in dataclasses.fields(ours)[:1]}

    copied = slotted.copied(ours, **changes)

    assert type(copied) is type(ours)
    assert repr(ours) == repr(OURS[name](*args, **keywords))
    for each in dataclasses.fields(ours):
        assert getattr(copied, each.name) is changes.get(each.name, getattr(ours, each.name))


@pytest.mark.parametrize("name", list(OURS))
def test_the_names_of_fields_are_known_without_a_description(name: str) -> None:
    fresh = classes(slotted.dataclass)[name]
    lazy = vars(fresh)["__dataclass_fields__"]

    names = slotted.field_names(fresh)

    assert names == tuple([each.name for each in dataclasses.fields(THEIRS[name])])
    assert vars(fresh)["__dataclass_fields__"] is lazy


def test_a_class_that_is_no_dataclass_has_no_names_of_fields() -> None:
    assert slotted.field_names(int) == ()


def test_first_instances_are_filled_without_describing_their_class() -> None:
    fresh = classes(slotted.dataclass)["Point"]
    lazy = vars(fresh)["__dataclass_fields__"]

    made = [fresh(1), fresh(2, tags=["a"]), fresh(x=3, y=0.5)]

    assert [(each.x, each.y, each.tags) for each in made] == [
        (1, 1.5, []),
        (2, 1.5, ["a"]),
        (3, 0.5, []),
    ]
    assert vars(fresh)["__dataclass_fields__"] is lazy


def test_two_threads_that_make_the_first_instances_agree_on_the_fields(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, waiting = slotted._told_fields, threading.Barrier(2)

    def told_to_both(made: Any) -> Any:
        waiting.wait(timeout=10)  # until the other thread has begun, too
        return told(made)

    @slotted.dataclass(frozen=True, slots=True)
    class Pair:
        a: int
        b: int

    later = vars(Pair)["__dataclass_fields__"].later
    monkeypatch.setattr(slotted, "_told_fields", told_to_both)
    threads = [threading.Thread(target=later.compile, args=("__init__",)) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert [each.name for each in later.fields()] == ["a", "b"]
    assert Pair(1, 2).b == 2
