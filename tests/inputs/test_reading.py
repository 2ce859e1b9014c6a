"""An input as people write it, read back into its variables."""

import dataclasses
import datetime
import decimal
import enum
import fractions
import pathlib
import random
import typing
import uuid

import pytest

from symcrete.errors import BadOption
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.reading import read_input
from symcrete.inputs.shapes.arguments import arguments_of


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Item:
    name: str
    price: float
    tags: list[str] = dataclasses.field(default_factory=list)


class Movie(typing.TypedDict, total=False):
    title: str
    year: int


class Point(typing.NamedTuple):
    x: int
    y: int


class Account:
    def __init__(self, owner: str, balance: int = 0) -> None:
        self.owner, self.balance = owner, balance


def everything(
    a: int,
    b: float,
    c: bool,
    d: str,
    e: bytes,
    f: list[int],
    g: dict[str, int],
    h: set[int],
    i: int | None,
    j: Colour,
    k: Access,
    items: list[Item],
    m: Movie,
    n: Point,
    o: datetime.date,
    p: decimal.Decimal,
    q: fractions.Fraction,
    r: uuid.UUID,
    s: pathlib.PurePath,
    t: tuple[int, str],
    u: complex,
    v: Item | None,
    w: datetime.datetime,
): ...


SCOPE = {
    **vars(datetime),
    **{kind.__name__: kind for kind in (Colour, Access, Item, Movie, Point, Account)},
    "Decimal": decimal.Decimal,
    "Fraction": fractions.Fraction,
    "UUID": uuid.UUID,
    "PurePosixPath": pathlib.PurePosixPath,
    "PurePath": pathlib.PurePath,
}


@pytest.mark.parametrize("seed", range(40))
def test_what_is_written_is_read_back(seed: int):
    arguments = arguments_of(everything, {}, "everything")
    drawn = arguments.sample(Pool(), random.Random(seed))
    texts = {name: each.text for name, each in arguments.written(drawn).items()}

    read = read_input(", ".join(f"{name}={text}" for name, text in texts.items()), arguments, SCOPE)

    assert {name: each.text for name, each in arguments.written(read).items()} == texts


def test_an_object_is_read_from_the_call_that_makes_it():
    def pay(account: Account, amount: int): ...

    arguments = arguments_of(pay, {}, "pay")
    given = read_input("account=Account('me', balance=3), amount=2", arguments, SCOPE)

    account = arguments.plain(given)["account"]

    assert (account.owner, account.balance, given["amount"]) == ("me", 3, 2)


class Parcel:
    def __init__(self, weight: int = 1, *sizes: int, **marks: int) -> None:
        self.fragile = marks.get("fragile", 0)
        self.state = weight, sizes, self.fragile


def send(parcel: Parcel) -> None: ...


@pytest.mark.parametrize("text", ["Parcel()", "Parcel(1, 2, 3)", 'Parcel(4, 5, **{"fragile": 6})'])
def test_further_arguments_of_a_constructor_are_written_and_read_back(text: str) -> None:
    arguments = arguments_of(send, {}, "send")

    given = read_input(f"parcel={text}", arguments, {"Parcel": Parcel})

    assert arguments.written(given)["parcel"].text == text
    assert arguments.plain(given)["parcel"].state == eval(text).state


def test_further_arguments_may_be_unpacked() -> None:
    arguments = arguments_of(send, {}, "send")

    given = read_input("parcel=Parcel(1, *(2, 3))", arguments, {"Parcel": Parcel})

    assert arguments.plain(given)["parcel"].state == (1, (2, 3), 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("account=5", "write it as a call, Account(...)"),
        ("account=Account('a', 1, 2)", "too many arguments"),
        ("account=Account('a', limit=2)", "no argument 'limit'"),
        ("account=Account(7)", "not a str"),
        ("account=Account(unknown)", "NameError"),
        ("amount=True", "not an int"),
        ("sum=3", "no parameter 'sum'; there are account, amount"),
        ("3", "an input is given as"),
    ],
)
def test_what_does_not_fit_is_said(text: str, message: str):
    def pay(account: Account, amount: int): ...

    with pytest.raises(BadOption, match=message.replace("(", r"\(").replace(")", r"\)")):
        read_input(text, arguments_of(pay, {}, "pay"), SCOPE)


@dataclasses.dataclass
class Link:
    value: int
    next: "Link | None" = None


def same(rows: list[list[int]], row: list[int], head: Link) -> bool:
    return row is rows[0] and head.next is head


@pytest.mark.parametrize(
    "text",
    [
        "same_0 = [1, 2]; rows=[same_0, [], same_0], row=same_0, head=Link(1)",
        "rows=[(same_0 := [1, 2]), [], same_0], row=same_0, head=Link(1, Link(2))",
        "x = Link(3, None); x.next = x; rows=[[1]], row=[], head=x",
        "y = Link(4, None); x = Link(3, y); y.next = x; rows=[], row=[], head=x",
        'rows=[], row=[], head=Link(len("a;b"))',
    ],
)
def test_objects_that_an_input_has_twice_are_read_back(text: str) -> None:
    arguments = arguments_of(same, {}, "same")

    given = read_input(text, arguments, {"Link": Link, "len": len})

    made = arguments.plain(given)
    shared = [row for row in made["rows"] if row is made["row"]]
    assert len(shared) == 2 * ("same_0" in text)
    cycle = made["head"].next is made["head"] or (
        made["head"].next is not None and made["head"].next.next is made["head"]
    )
    assert cycle == ("x.next" in text or "y.next" in text)


@pytest.mark.parametrize("text", ["x.next = x; rows=[], row=[], head=Link(1)", "f(); row=[]"])
def test_statements_that_make_nothing_of_the_input_are_refused(text: str) -> None:
    with pytest.raises(BadOption):
        read_input(text, arguments_of(same, {}, "same"), {"Link": Link})
