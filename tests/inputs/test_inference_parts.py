"""What a program's text says of its parameters: where they go, which keys, what the docstring says."""

from __future__ import annotations

import ast
import collections
import dataclasses
import enum
import inspect
import textwrap
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, cast, get_type_hints

import pytest

from symcrete.inputs.infer.body import asked_types, inferred_types
from symcrete.inputs.infer.callers import said_of_namesakes
from symcrete.inputs.infer.class_source import changing_methods, methods_in, set_by_constructor
from symcrete.inputs.infer.flow import (
    attributes_of,
    by_name,
    by_use,
    constructor_of,
    elements_of,
    is_called,
    methods_with,
    owner_of,
    passed_to,
    place_of,
)
from symcrete.inputs.infer.prose import documented
from symcrete.inputs.infer.records import (
    both,
    constant_kind,
    is_record,
    keys_of,
    named_value,
    record,
    record_of,
    singled_out,
)
from symcrete.inputs.infer.something import Named
from symcrete.inputs.shapes.arguments import arguments_of
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.objects import RecordShape
from symcrete.inputs.shapes.shape import ChoiceShape


class Shelf:
    """Has methods that use what its constructor stores."""

    class Board:
        def cut(self) -> None: ...

    def __init__(self, books, label=None) -> None:
        self.books = books
        self.label = self.name = label

    def first(self):
        kept = self.books
        return kept[0]

    @staticmethod
    def made(width):
        return width

    def put(self, book):
        return self.made(book)


def parsed(text: str) -> ast.Module:
    return ast.parse(textwrap.dedent(text))


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def call(text: str) -> ast.Call:
    node = expression(text)
    assert isinstance(node, ast.Call)
    return node


def test_the_methods_of_a_class_are_those_its_own_body_defines() -> None:
    class Inner(Shelf):
        def second(self) -> None: ...

    assert [node.name for node in methods_in(Shelf)] == ["__init__", "first", "made", "put"]
    assert [node.name for node in methods_in(Shelf.Board)] == ["cut"]
    assert [node.name for node in methods_in(Inner)] == ["second"]


@pytest.mark.parametrize("kind", [int, type("Made", (), {})])
def test_a_class_without_a_text_has_no_methods(kind: type) -> None:
    assert methods_in(kind) == ()


@pytest.mark.parametrize(
    ("name", "kinds"), [("url", [str]), ("lines", [list[str]]), ("n", []), ("amount", [])]
)
def test_some_names_say_what_people_mean_by_them(name: str, kinds: list[Any]) -> None:
    assert by_name(name) == kinds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("pattern.match(x)", [str]),
        ("','.join(x)", [list[str]]),
        ("text.startswith(x)", [str]),
        ("pattern.match(y)", []),
        ("compute(x)", []),
    ],
)
def test_what_a_method_of_texts_is_given_is_a_text(text: str, kinds: list[Any]) -> None:
    assert by_use(call(text), "x") == kinds


def test_a_method_belongs_to_the_class_it_is_written_in() -> None:
    names = {"Shelf": Shelf}

    assert owner_of(Shelf.first, names) is Shelf
    assert owner_of(owner_of, names) is None


def used(first: int, *, named: str = "") -> None: ...


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("used(x)", [(used, "first")]),
        ("used(1, named=x)", [(used, "named")]),
        ("used(y)", []),
        ("Shelf(x)", [(Shelf.__init__, "books")]),
        ("Shelf([], label=x)", [(Shelf.__init__, "label")]),
        ("self.put(x)", [(Shelf.put, "book")]),
        ("self.made(x)", [(Shelf.made, "width")]),
        ("unknown(x)", []),
    ],
)
def test_a_parameter_is_followed_into_the_calls_it_is_given_to(
    text: str, found: list[tuple[Callable[..., Any], str]]
) -> None:
    names: dict[str, Any] = {"used": used, "Shelf": Shelf}

    assert list(passed_to(parsed(text), "x", names, Shelf)) == found


def test_the_constructor_of_a_class_is_what_is_written_of_it() -> None:
    class Made:
        def __new__(cls, n: int) -> Made:
            return super().__new__(cls)

    assert constructor_of(Shelf) is Shelf.__init__
    assert constructor_of(Made) is Made.__new__
    assert constructor_of(int) is None


def test_a_parameter_is_followed_into_the_attributes_it_is_stored_in() -> None:
    (init, *_) = methods_in(Shelf)

    assert attributes_of(init, "label") == ["label", "name"]
    assert attributes_of(init, "books") == ["books"]
    assert attributes_of(init, "self") == []


def test_methods_that_use_an_attribute_come_with_every_name_they_have_for_it() -> None:
    assert [name for _, name in methods_with(Shelf, "books")] == [
        "self.books",
        "self.books",
        "kept",
    ]


@pytest.mark.parametrize(
    ("text", "name", "answer"),
    [("x", "x", True), ("self.x", "self.x", True), ("y.x", "self.x", False), ("x + 1", "x", False)],
)
def test_an_expression_is_called_by_its_name(text: str, name: str, answer: bool) -> None:
    assert is_called(expression(text), name) is answer


def test_elements_get_a_name_of_their_own() -> None:
    source = "first = rows[0]\nif first > rows.pop():\n    total = rows[1:]\n"

    found = elements_of(ast.parse(source), "rows")

    assert found is not None
    tree, name = found
    assert name == "rows[]"
    assert "rows[] > rows[]" in ast.unparse(tree)
    assert "rows[1:]" in ast.unparse(tree)


def test_where_no_element_is_taken_there_is_nothing_to_name() -> None:
    assert elements_of(ast.parse("x + 1"), "x") is None


def sphinx(a, b):
    """Adds.

    :param int a: the first
    :type b: list[str]
    """


def numpy(a, b):
    """Adds.

    a : float
        the first
    b : bytes, optional
    """


def google(a, b):
    """Adds.

    Args:
        a (dict[str, int]): the first
        b: A string or an integer.
    """


@pytest.mark.parametrize(
    ("function", "name", "kinds"),
    [
        (sphinx, "a", [int]),
        (sphinx, "b", [list[str]]),
        (numpy, "a", [float]),
        (numpy, "b", [bytes]),
        (google, "a", [dict[str, int]]),
        (google, "b", [str, int]),
        (google, "c", []),
        (used, "first", []),
    ],
)
def test_a_docstring_says_what_a_parameter_is(
    function: Callable[..., Any], name: str, kinds: list[Any]
) -> None:
    assert documented(function, name, {}) == kinds


class Graph: ...


def drawn(net, title):
    """Draw a graph.

    Parameters
    ----------
    net : NetworkX graph
        What to draw.
    title : any name that the graph could have
    """


def counted(net): ...


def test_a_docstring_may_name_a_class_of_the_module_in_prose() -> None:
    assert documented(drawn, "net", globals()) == [Graph]
    assert documented(drawn, "title", globals()) == []


def test_parameters_of_one_name_are_of_one_type() -> None:
    assert said_of_namesakes(counted, "net") == [Graph]
    assert said_of_namesakes(drawn, "net") == []


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("None", [None]),
        ("3", [int]),
        ("-2.5", [float]),
        ("f'{x}'", [str]),
        ("[1]", [list[int]]),
        ("LIMIT", [int]),
        ("other()", []),
    ],
)
def test_a_constant_says_its_kind(text: str, kinds: list[Any]) -> None:
    assert constant_kind(expression(text), {"LIMIT": 9}) == kinds


def test_the_keys_of_a_record_are_those_that_are_looked_up() -> None:
    tree = parsed("""
        order["total"]
        order.get("code", None)
        if "gift" in order and other["size"]:
            match order:
                case {"kind": kind}: pass
    """)

    assert sorted(keys_of(tree, "order")) == ["code", "gift", "kind", "total"]


def test_what_a_value_is_compared_with_tells_its_type() -> None:
    tree = parsed('order["code"] == "SAVE" and 2.5 < order["total"]\norder.get("gift") == None')

    record = record_of(["code", "total", "gift"], tree)

    assert get_type_hints(record) == {"code": str, "total": float, "gift": int}
    assert record.__required_keys__ == frozenset()


class Branch:
    """Holds others of its class, through properties."""

    def __init__(self, names) -> None:
        self.names: list[str] = names
        self.counts = collections.OrderedDict([(1, 2)])
        self.label = None

    @property
    def twigs(self):
        return tuple(self._twigs)

    @twigs.setter
    def twigs(self, twigs):
        Branch.__check(twigs)
        self._twigs = twigs

    @twigs.deleter
    def twigs(self):
        print("nothing happens")

    @staticmethod
    def __check(twigs):
        for twig in twigs:
            if not isinstance(twig, Branch):
                raise TypeError(twig)

    def holds(self, other):
        if other is None:
            return False
        return isinstance(other, Branch) and other.twigs == other.names and other.counts


def test_a_property_changes_its_object_if_any_of_its_functions_does() -> None:
    assert changing_methods(Branch) == ["__init__", "twigs"]


def test_the_decorator_of_a_setter_says_nothing_of_its_parameter() -> None:
    setter = vars(Branch)["twigs"].fset

    assert inferred_types(setter, "twigs")[0] == list[Branch]


def test_what_a_body_asks_for_is_among_the_types_and_none_as_well() -> None:
    assert asked_types(Branch.holds, "other") == [Branch, None]


@pytest.mark.parametrize(
    ("attribute", "declared", "put"),
    [("names", "list[str]", None), ("counts", None, dict), ("label", None, None)],
)
def test_what_a_constructor_puts_into_an_attribute(
    attribute: str, declared: str | None, put: type | None
) -> None:
    annotation, kind = set_by_constructor(Branch, attribute)

    assert (annotation and ast.unparse(annotation), kind) == (declared, put)


_MISSING = object()


class Speed(enum.Enum):
    FAST = 1


def sentinel(x):
    return x is _MISSING


def speed(x):
    return 1 if x == Speed.FAST else 0


def of_others(x):
    return x is dataclasses.MISSING or x is inspect.Parameter.empty


def records(x):
    return x["top"]["size"] + 1


def test_an_object_that_a_parameter_is_compared_with_is_one_of_its_values() -> None:
    assert inferred_types(sentinel, "x") == [Named(_MISSING, __name__, "_MISSING")]
    assert inferred_types(of_others, "x") == [
        Named(dataclasses.MISSING, "dataclasses", "MISSING"),
        Named(inspect.Parameter.empty, "inspect", "Parameter.empty"),
    ]


def test_a_member_of_an_enumeration_tells_the_enumeration_and_something_else_is_tried() -> None:
    assert inferred_types(speed, "x") == [Speed, str]


def test_what_is_looked_up_in_a_record_may_be_a_record() -> None:
    (kind, *_) = inferred_types(records, "x")

    inner = get_type_hints(kind)["top"]
    assert get_type_hints(inner) == {"size": int}


class Renderer:
    """Its methods hand a record on, and each reads some of the keys."""

    known: ClassVar[dict[int, str]] = {}

    def item(self, token):
        return self.known[token["type"]] + name_of(token["attrs"].get("by"))

    def items(self, tokens):
        return [self.item(each) for each in tokens]

    def children(self, token):
        inside = token["children"]
        return self.items(inside)

    def heading(self, token):
        level = cast(float, token.get("attrs", {}).get("level"))
        text: str = token["raw"]
        rows = token["rows"]
        first = rows[0]
        last = token["notes"].pop()
        return (
            level,
            text,
            token.get("marks", ""),
            first or "none",
            last + ".",
            self.children(token),
        )

    def all(self, tokens: Iterable[dict[str, Any]]) -> str:
        return self.items(tokens)


def name_of(name: str) -> str:
    return name


def shown(kind: Any) -> Any:
    """A type with the keys of its records written out."""
    if is_record(kind):
        return {key: shown(inside) for key, inside in get_type_hints(kind).items()}
    return [shown(each) for each in kind.__args__] if hasattr(kind, "__args__") else kind


def test_a_record_has_the_keys_that_every_function_reads_which_is_given_it() -> None:
    (kind, *_) = inferred_types(Renderer.heading, "token")

    item = {"type": int, "attrs": {"by": str}}
    attrs = {"level": float}
    texts = {"raw": str, "marks": str, "rows": [str], "notes": [str]}
    assert shown(kind) == {"children": [item], "attrs": attrs, **texts}


def test_what_an_annotation_leaves_open_is_what_the_body_reads() -> None:
    shape = arguments_of(Renderer.all, {}, "all").parameters[1].shape

    assert isinstance(shape, ChoiceShape)
    inside = [each.element for each in shape.choices if isinstance(each, SequenceShape)]
    keys = [name for name, *_ in inside[0].parts] if isinstance(inside[0], RecordShape) else []
    assert keys == ["type", "attrs"]


def test_two_records_are_one_with_the_keys_of_both() -> None:
    one, other = record({"a": int, "b": record({"c": str})}), record({"a": str, "b": record({})})

    assert shown(both(one, other)) == {"a": str, "b": {"c": str}}
    assert both(one, record({"a": int})) is one


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x.get('a', {})['b']", "x['a']['b']"),
        ("cast(int, self.x['a'])", "self.x['a']"),
        ("x[0]", None),
        ("f(x)['a']", None),
    ],
)
def test_what_is_looked_up_has_one_text_however_it_is_looked_up(
    text: str, place: str | None
) -> None:
    assert place_of(expression(text)) == place


def test_what_has_no_name_is_no_single_value() -> None:
    names = {"x": object(), "__name__": "here"}

    assert named_value(expression("x.y"), names) is None
    assert named_value(expression("f()"), names) is None
    assert singled_out(expression("len"), {**names, "len": 3}) == []
