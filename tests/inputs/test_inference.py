"""What the body of a function says about parameters without annotations."""

from __future__ import annotations

import functools
import math
from decimal import Decimal
from random import Random
from typing import Any, TextIO

import pytest

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.infer.body import inferred_types, is_sure
from symcrete.inputs.infer.something import Something
from symcrete.inputs.shapes.arguments import arguments_of
from symcrete.inputs.shapes.containers import DictShape, SequenceShape
from symcrete.inputs.shapes.shape import ChoiceShape, Written


class Shape:
    def __init__(self, area: int) -> None:
        self.area = area


def appended(x):
    x.append(1)


def upper(x):
    return x.upper()


def looked_up(x):
    return x["key"] + x.get("other", 0)


def counted(x):
    return x % 2 == 0 and x > 3


def halved(x):
    return x / 2.5


def looped(x):
    return [each.strip() for each in x]


def pairs(x):
    for name, number in x:
        if name.startswith("a") and number > 3:
            return number
    return None


def compared(x):
    return x == "yes"


def matched(x):
    match x:
        case [1, *_]:
            return 1
        case str():
            return 2
    return 0


def called(x):
    return x(3) == 4


def measured(x):
    return x.area > 10


def documented(x):
    """Does it.

    :param float x: how much
    """
    return x


def nothing(unheard):
    return unheard


@pytest.mark.parametrize(
    ("function", "first"),
    [
        (appended, list[int]),
        (upper, str),
        (counted, int),
        (halved, float),
        (looped, list[str]),
        (pairs, list[tuple[str, int]]),
        (compared, str),
        (matched, list[int]),
        (measured, Shape),
        (documented, float),
    ],
)
def test_the_type_with_the_most_evidence_comes_first(function: Any, first: Any) -> None:
    assert inferred_types(function, "x")[0] == first


def test_keys_that_are_looked_up_make_a_record() -> None:
    found = inferred_types(looked_up, "x")[0]

    assert set(found.__annotations__) == {"key", "other"}


def test_what_is_called_is_a_callable() -> None:
    assert "Callable" in str(inferred_types(called, "x")[0])


def test_a_body_that_says_nothing_tells_nothing() -> None:
    assert inferred_types(nothing, "unheard") == []


class Reader:
    def __init__(self, source=None, level=0):
        if isinstance(source, str):
            source = [source]
        self.source = source
        self.level = level

    def first(self):
        return self.level + 1


def read(source):
    return Reader(source)


def cleaned(chunks):
    if not chunks[-1].strip():
        del chunks[-1]
    return chunks


def joined(chunks):
    last = chunks.pop()
    return last.upper()


def normal(path):
    return b"." if isinstance(path, bytes) else "."


def described(number):
    """Says it in words.

    Args:
        number: A string or an integer.
    """


def test_a_parameter_is_what_the_functions_take_that_it_is_given_to() -> None:
    assert inferred_types(read, "source")[0] is str


def test_a_parameter_is_what_the_methods_do_with_the_attribute_it_is_kept_in() -> None:
    assert inferred_types(Reader.__init__, "level")[0] is int


def test_a_list_holds_what_its_elements_are_used_as() -> None:
    assert list[str] in inferred_types(cleaned, "chunks")
    assert list[str] in inferred_types(joined, "chunks")


def test_what_may_be_bytes_may_be_text() -> None:
    assert inferred_types(normal, "path") == [bytes, str]


def test_a_docstring_says_it_in_words() -> None:
    assert inferred_types(described, "number") == [str, int]


def test_a_name_says_something_where_nothing_else_does() -> None:
    def silent(text, other):
        return None

    assert inferred_types(silent, "text") == [str]
    assert inferred_types(silent, "other") == []


def decoded(names):
    def decode(name):
        return name.decode()

    return list(map(decode, names))


def test_a_list_holds_what_a_mapped_function_takes() -> None:
    assert inferred_types(decoded, "names")[0] == list[bytes]


def many(x):
    if x > 1 or x < -1 or len(x) > 2 or math.isnan(x) or x["key"]:
        return 1
    for kind in (isinstance(x, float), isinstance(x, Shape), isinstance(x, str)):
        if kind:
            return 2
    return 3 if isinstance(x, bytes | bytearray) else isinstance(x, complex)


def at(i):
    return TABLE[i] if isinstance(i, slice) else [TABLE[i]]


def together(first, *rest, **named):
    for each in rest:
        first += each.strip()
    for name, value in named.items():
        first += name + value.upper()
    return first


class Made:
    def __new__(cls, text):
        return text.strip()


TABLE = [1, 2, 3]


def test_every_type_that_the_body_asks_for_by_name_is_one() -> None:
    assert {float, Shape, str, complex} <= set(inferred_types(many, "x"))


def test_where_every_type_is_asked_for_another_one_is_tried() -> None:
    def added(a, b):
        if isinstance(b, int | Shape):
            return a
        return a if isinstance(b, str) else NotImplemented

    assert list[int] in inferred_types(added, "b")


def test_what_may_be_a_slice_may_be_a_number() -> None:
    assert inferred_types(at, "i") == [int, slice]


def test_each_of_many_arguments_is_what_their_elements_are_used_as() -> None:
    texts = StrShape()

    shapes = {p.name: p.shape for p in arguments_of(together, {}, "together").parameters}

    rest, named = shapes["rest"], shapes["named"]
    assert isinstance(rest, SequenceShape)
    assert isinstance(named, DictShape)
    assert isinstance(named.value, ChoiceShape)
    assert rest.element == texts
    assert named.value.choices[0] == texts


def test_a_bound_first_argument_hides_nothing_of_the_others() -> None:
    made = functools.partial(Made.__new__, Made)

    (parameter,) = arguments_of(made, {}, "Made.__new__").parameters

    assert parameter.shape == StrShape()


def test_a_drawn_slice_has_a_text_of_its_own() -> None:
    arguments = arguments_of(at, {"i": "slice"}, "at")
    given = arguments.sample(Pool(), Random(3))

    text = arguments.written(given)["i"].text

    assert eval(text) == arguments.plain(given)["i"]
    assert "slice(" in text


UNSET = object()


class Marked:
    def __init__(self, marks=("#", ";"), kind=UNSET, other=None):
        self.marks, self.kind, self.other = marks, kind, other


def test_a_default_that_has_a_name_is_one_of_the_values_and_is_written_by_it() -> None:
    def fetched(key: str, fallback=UNSET):
        return key if fallback is UNSET else fallback

    arguments = arguments_of(fetched, {}, "fetched")

    assert arguments.plain({})["fallback"] is UNSET
    assert arguments.written({})["fallback"] == Written("UNSET", frozenset({(__name__, "UNSET")}))


def test_an_object_is_made_with_the_defaults_that_say_more_than_their_type() -> None:
    def used(marked: Marked):
        return marked

    arguments = arguments_of(used, {}, "used")

    made = [arguments.plain(arguments.sample(Pool(), Random(n)))["marked"] for n in range(20)]

    assert {each.marks for each in made} == {("#", ";")}
    assert {each.kind for each in made} == {UNSET}
    assert {each.other for each in made} == {None}


class Holding:
    def __init__(self, value) -> None:
        self.value = value if value is UNSET or callable(value) else (lambda: value)


def test_an_object_is_not_always_made_with_the_one_object_that_its_constructor_asks_for() -> None:
    def used(held: Holding):
        return held

    arguments = arguments_of(used, {}, "used")

    made = [arguments.plain(arguments.sample(Pool(), Random(n)))["held"] for n in range(20)]
    assert {each.value is UNSET for each in made} == {False, True}


def split_first(text):
    first, text = text.split(":", 1)
    return text[1:] if first else text[0]


def split_late(text, by):
    if by:
        text = text.split(by)
    return text[1:]


def either(text):
    if not isinstance(text, str):
        return text[1:]
    return text.split(":")


def forgiving(source):
    try:
        return source.read()
    except AttributeError:
        return source.split(":")


def made_anew(value):
    if isinstance(value, int):
        return value
    value = Decimal(value)
    return value.quantize(Decimal(1))


def asked_before(value):
    value.quantize(Decimal(1))
    value = Decimal(value)
    return value + 1


def handing_on(source):
    return forgiving(source)


def strict(source):
    try:
        return source.read()
    except OSError:
        return source.split(":")


def test_no_type_is_tried_that_lacks_a_method_which_every_call_calls() -> None:
    assert inferred_types(split_first, "text") == [str]
    assert list[int] in inferred_types(split_late, "text")
    assert list[int] in inferred_types(either, "text")


def test_what_is_done_without_a_missing_attribute_is_tried_without_it() -> None:
    assert str in inferred_types(forgiving, "source")
    assert TextIO in inferred_types(forgiving, "source")
    assert str in inferred_types(handing_on, "source")
    assert str not in inferred_types(strict, "source")


class Leaf:
    def __init__(self, size: int) -> None:
        self.size = size

    def total(self) -> int:
        return self.size


class Branch:
    def __init__(self, *children, **more) -> None:
        self.children = list(children)

    def total(self) -> int:
        return sum(each.size for each in self.children)


def test_what_a_constructor_takes_any_number_of_is_given_where_methods_tell_its_class() -> None:
    def used(branch: Branch):
        return branch

    arguments = arguments_of(used, {}, "used")

    made = [arguments.plain(arguments.sample(Pool(), Random(n)))["branch"] for n in range(20)]
    assert {type(each) for branch in made for each in branch.children} == {Leaf}
    assert any("children has no declared type" in why for why in arguments.open)


def test_what_is_read_of_an_object_made_of_the_parameter_says_nothing_of_the_parameter() -> None:
    assert Something not in inferred_types(made_anew, "value")
    assert Something in inferred_types(asked_before, "value")


def cut(text, end):
    return text.split(end, 1)


def test_what_a_method_of_texts_alone_is_given_is_surely_a_text() -> None:
    assert inferred_types(cut, "end") == [str]
    assert is_sure(cut, "end")


class Sentence:
    def __init__(self, written) -> None:
        self.written = written
        self.words = self.cut(self.written)

    def cut(self, text):
        return text.split()


def test_what_a_method_does_with_an_attribute_it_is_handed_tells_of_the_constructor() -> None:
    assert inferred_types(Sentence.__init__, "written") == [str]
