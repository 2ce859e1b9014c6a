"""Documents that have what a program looks for in them: JSON, TOML, INI and CSV.

A document is hardly found by chance, and one that lacks a key ends the run where the key is read.
What the program does with the result of `json.loads` or of `.json()`, with a `ConfigParser` or the
rows of a `csv.DictReader`, tells what a document has to hold: the keys it asks for, what it goes
through, and the constants it compares with.
"""

from __future__ import annotations

import ast
import contextlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import Any, Literal, TypeAlias

from symcrete.slotted import dataclass

Form: TypeAlias = Literal["json", "toml", "ini", "csv"]
LONGEST_DOCUMENT = 400  # characters; chosen, not measured
_MOST_DOCUMENTS = 16  # of one reader; chosen, not measured
# calls from function to function through which a part of a document is followed; chosen, not
# measured
_DEEPEST_HANDED_ON = 3
# By the name of a function or class that reads documents, the form of these.
_READERS: dict[str, Form] = {
    **dict.fromkeys(("load", "loads", "json"), "json"),
    **dict.fromkeys(("ConfigParser", "RawConfigParser"), "ini"),
    **dict.fromkeys(("reader", "DictReader"), "csv"),
}
# Methods of a ConfigParser that are given a section and an option, and that are given a section.
_OF_OPTIONS = frozenset({"get", "getint", "getfloat", "getboolean", "has_option"})
_OF_SECTIONS = frozenset({"has_section", "items", "options", *_OF_OPTIONS})
_KEY_READERS = frozenset({"get", "pop", "setdefault"})  # methods of a dict that are given a key
# Methods of texts, which tell that a value is one.
_OF_TEXTS = frozenset({"startswith", "endswith", "split", "lower", "upper", "strip", "encode"})
# Functions that give the items of what they are given.
_THROUGH = frozenset({"enumerate", "sorted", "list", "reversed", "tuple", "iter"})


@dataclass(slots=True)
class Sketch:
    """What is known of one place in a document."""

    keys: dict[str, Sketch] = field(default_factory=dict)
    item: Sketch | None = None  # of a list that the program goes through
    values: list[Any] = field(default_factory=list)  # constants that it is compared with
    form: Form | None = None  # of a whole document

    def at(self, key: str) -> Sketch:
        """The place of a key."""
        return self.keys.setdefault(key, Sketch())

    def each(self) -> Sketch:
        """The place of an item."""
        if self.item is None:
            self.item = Sketch()
        return self.item

    def may_be(self, values: Iterable[Any]) -> None:
        """Note constants that the program compares the value at this place with."""
        self.values += [each for each in values if each not in self.values]

    def document(self, choose: Callable[[str, int], int], place: str = "$") -> Any:
        """A document; `choose` says, for a place and so many possibilities, which it is to be."""
        if self.keys:
            found = {
                key: each.document(choose, f"{place}.{key}") for key, each in self.keys.items()
            }
            missing = choose(f"{place}?", len(found) + 1)  # 0: it has all its keys
            return {key: each for at, (key, each) in enumerate(found.items(), 1) if at != missing}
        if self.item is not None:
            one = self.item.document(choose, f"{place}[]")
            lists: tuple[list[Any], ...] = ([one], [], [one, one])
            return lists[choose(f"{place}#", len(lists))]
        values = [_other_than(self.values), *self.values] if self.values else [1, ""]
        return values[choose(place, len(values))]


def _other_than(values: list[Any]) -> Any:
    """A text or an int, as the first value is, that equals none of the values; None if each of the
    few that are tried does.
    """
    others = ("", "b") if isinstance(values[0], str) else (0, 1, 2)
    return next((each for each in others if each not in values), None)


def documents(tree: ast.AST, form: Form = "json") -> list[str]:
    """Texts of the documents that a program looks for; the plainest of each first."""
    return documents_by_form(tree).get(form, [])


def documents_by_form(tree: ast.AST) -> dict[Form, list[str]]:
    """By form, the texts of the documents that a program looks for; the plainest of each reader
    first.
    """
    found: dict[Form, dict[str, None]] = {}
    for root in _Reading(tree).roots():
        assert root.form is not None
        for each in _variants(root):
            text = _WRITERS[root.form](each)
            if len(text) <= LONGEST_DOCUMENT:
                found.setdefault(root.form, {})[text] = None
    return {form: list(texts) for form, texts in found.items()}


def _as_ini(document: Any) -> str:
    sections = document if isinstance(document, dict) else {}
    lines: list[str] = []
    for name, options in sections.items():
        lines.append(f"[{name}]")
        for key, value in options.items() if isinstance(options, dict) else ():
            lines.append(f"{key} = {value}")
    return "".join(f"{line}\n" for line in lines)


def _as_csv(document: Any) -> str:
    rows = document if isinstance(document, list) else []
    if not all(isinstance(row, dict) for row in rows):
        cells = [list(row) * _COLUMNS if isinstance(row, list) else [row] for row in rows]
        return "".join(",".join(map(str, row)) + "\n" for row in cells)
    header = list(dict.fromkeys([key for row in rows for key in row]))
    lines = [header, *[[row.get(key, "") for key in header] for row in rows]]
    return "".join(",".join(map(str, line)) + "\n" for line in lines if header)


def _as_toml(document: Any, path: str = "") -> str:
    if not isinstance(document, dict):
        return ""
    tables = {key: each for key, each in document.items() if isinstance(each, dict)}
    lines = [f"{key} = {json.dumps(each)}" for key, each in document.items() if key not in tables]
    for key, each in tables.items():
        lines += [f"[{path}{key}]", _as_toml(each, f"{path}{key}.").rstrip("\n")]
    return "".join(f"{line}\n" for line in lines if line)


_COLUMNS = 3  # of a table whose rows are read by number; chosen, not measured
_WRITERS: dict[Form, Callable[[Any], str]] = {
    "json": json.dumps,
    "toml": _as_toml,
    "ini": _as_ini,
    "csv": _as_csv,
}


def written_documents(tree: ast.AST) -> Iterator[str]:
    """The lists and dicts that a program spells out, as JSON."""
    for node in ast.walk(tree):
        if isinstance(node, ast.List | ast.Dict):
            with contextlib.suppress(ValueError, TypeError):
                text = json.dumps(ast.literal_eval(node))
                if len(text) <= LONGEST_DOCUMENT:
                    yield text


def _variants(root: Sketch) -> Iterator[Any]:
    """The plainest document of a sketch, then those that differ from it in one place."""
    sizes: dict[str, int] = {}

    def plainest(place: str, size: int) -> int:
        sizes[place] = size
        return 0

    yield root.document(plainest)
    others = [(place, which) for place, size in sizes.items() for which in range(1, size)]
    for place, which in others[:_MOST_DOCUMENTS]:
        yield root.document(lambda asked, _, at=place, other=which: other if asked == at else 0)  # type: ignore[misc]


class _Reading:
    """Sketches of the documents that a program reads, by what its functions do with them."""

    def __init__(self, tree: ast.AST) -> None:
        self._tree = tree
        self._functions = {
            node.name: node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        self._roots: dict[ast.AST, Sketch] = {}
        self._names: dict[str, Sketch] = {}  # of the function that is looked at
        self._depth = 0

    def roots(self) -> list[Sketch]:
        """A sketch for each call that reads a document."""
        for function in self._functions.values():
            self._look_at(function.body, {})
        return list(self._roots.values())

    def _look_at(self, body: list[ast.stmt], names: dict[str, Sketch]) -> None:
        around, self._names = self._names, names
        for statement in body:
            for node in _in_order(statement):
                self._note(node)
        self._names = around

    def _note(self, node: ast.AST) -> None:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.NamedExpr(target=ast.Name(id=name), value=value)
            ):
                self._bind(name, self._of(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._bind(name, self._of(value))
            case (
                ast.For(target=target, iter=through)
                | ast.comprehension(target=target, iter=through)
            ):
                self._bind_items(target, through)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                self._compare(left, operator, right)
            case ast.MatchValue() | ast.Match():
                self._match(node)
            case ast.Call():
                self._call(node)
            case ast.expr():
                self._of(node)

    def _bind(self, name: str, sketch: Sketch | None) -> None:
        if sketch is not None:
            self._names[name] = sketch

    def _bind_items(self, target: ast.expr, through: ast.expr) -> None:
        match target, through:
            case ast.Tuple(elts=[_, ast.Name(id=name)]), ast.Call(
                func=ast.Attribute(value=value, attr="items")
            ):
                if (found := self._of(value)) is not None:
                    self._bind(name, found.at("a"))
            case ast.Tuple(elts=[_, ast.Name(id=name)]), ast.Call(
                func=ast.Name(id="enumerate"), args=[value, *_]
            ):
                if (found := self._of(value)) is not None:
                    self._bind(name, found.each())
            case ast.Name(id=name), _:
                if (found := self._of(through)) is not None:
                    self._bind(name, found.each())

    def _of(self, node: ast.expr) -> Sketch | None:
        """The place of a document that an expression stands for; None if it is none."""
        match node:
            case ast.Name(id=name):
                return self._names.get(name)
            case ast.Await(value=value):
                return self._of(value)
            case ast.BoolOp(values=[first, *_]):  # data.get("items") or []
                return self._of(first)
            case ast.Subscript(value=value, slice=ast.Constant(value=str() as key)):
                found = self._of(value)
                return None if found is None else found.at(key)
            case ast.Subscript(value=value, slice=ast.Constant() | ast.UnaryOp()):
                found = self._of(value)
                return None if found is None else found.each()
            case ast.Subscript(value=value):
                return self._of(value)
            case ast.Call():
                return self._of_call(node)
        return None

    def _of_call(self, node: ast.Call) -> Sketch | None:
        if (found := self._of_section(node)) is not None:
            return found
        match node:
            case ast.Call(
                func=ast.Attribute(value=value, attr=name),
                args=[ast.Constant(value=str() as key), *_],
            ) if name in _KEY_READERS:
                found = self._of(value)
                return None if found is None else found.at(key)
            case ast.Call(func=ast.Name(id=name), args=[value, *_]) if name in _THROUGH:
                return self._of(value)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="tomllib" | "tomli"), attr="load" | "loads")
            ):
                return self._roots.setdefault(node, Sketch(form="toml"))
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _READERS:
                return self._roots.setdefault(node, Sketch(form=_READERS[name]))
        return None

    def _of_section(self, node: ast.Call) -> Sketch | None:
        """The place of an option that a ConfigParser is asked for, or of a section of it."""
        match node:
            case ast.Call(
                func=ast.Attribute(value=value, attr=name),
                args=[ast.Constant(value=str() as section), *rest],
            ) if name in _OF_SECTIONS:
                found = self._of(value)
                if found is None or found.form != "ini":
                    return None
                place = found.at(section)
                match rest:
                    case [ast.Constant(value=str() as key), *_] if name in _OF_OPTIONS:
                        place = place.at(key)
                if name == "getboolean":
                    place.may_be([True])
                return place
        return None

    def _compare(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> None:
        found, other = self._of(left), self._of(right)
        if found is not None:
            found.may_be(_near(operator, right))
        elif other is not None and isinstance(operator, ast.In | ast.NotIn):
            if isinstance(left, ast.Constant) and isinstance(left.value, str):
                other.at(left.value)
        elif other is not None:
            other.may_be(_near(operator, left))

    def _match(self, node: ast.AST) -> None:
        if isinstance(node, ast.Match) and (found := self._of(node.subject)) is not None:
            for case in node.cases:
                found.may_be(_constants(case.pattern))

    def _call(self, node: ast.Call) -> None:
        self._of(node)
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[value, kind]):
                if (found := self._of(value)) is not None:
                    found.may_be(_of_kinds(kind))
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _OF_TEXTS:
                if (found := self._of(value)) is not None:
                    found.may_be(_texts(node.args) or ["a"])
            case ast.Call(func=ast.Name(id=name)) if name in self._functions:
                self._hand_on(self._functions[name], node.args)

    def _hand_on(
        self, function: ast.FunctionDef | ast.AsyncFunctionDef, given: list[ast.expr]
    ) -> None:
        """Look at what a function of the program does with the parts that it is given."""
        parameters = [each.arg for each in function.args.args]
        found = {name: self._of(each) for name, each in zip(parameters, given, strict=False)}
        handed = {name: each for name, each in found.items() if each is not None}
        if handed and self._depth < _DEEPEST_HANDED_ON:
            self._depth += 1
            self._look_at(function.body, handed)
            self._depth -= 1


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all in it; what binds a name comes before what is done with it."""
    bound = [ast.Assign, ast.For, ast.comprehension, ast.NamedExpr]
    yield node
    children = list(ast.iter_child_nodes(node))
    for each in sorted(children, key=lambda child: type(child) not in bound):
        yield from _in_order(each)


def _texts(nodes: list[ast.expr]) -> list[str]:
    found = [each.value for each in nodes if isinstance(each, ast.Constant)]
    return [each for each in found if isinstance(each, str)]


def _constants(node: ast.AST) -> list[Any]:
    found = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
    return [each for each in found if isinstance(each, str | int | float | None)]


def _near(operator: ast.cmpop, node: ast.expr) -> list[Any]:
    """Constants that decide a comparison: for an order also the numbers beside them."""
    found = _constants(node)
    if not isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
        return found
    numbers = [each for each in found if type(each) in (int, float)]
    return [each + step for each in numbers for step in (0, 1, -1)] or [1]


_KINDS: dict[str, Any] = {
    "dict": {},
    "list": [],
    "str": "a",
    "int": 1,
    "float": 1.5,
    "bool": True,
}


def _of_kinds(node: ast.expr) -> list[Any]:
    names = [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    return [_KINDS[name] for name in names if name in _KINDS]
