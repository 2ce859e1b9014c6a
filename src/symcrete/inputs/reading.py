"""From an input as people write it back to its variables: `items=[Item("a", 2)], code="SAVE"`.

The inverse of a shape's `write`. An object is read from the call that makes it, since only the call
tells the constructor's arguments; everything else from its value.
"""

from __future__ import annotations

import ast
import decimal
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from symcrete.errors import BadOption
from symcrete.inputs.draw.text import ByteArrayShape, BytesShape, StrShape, spread
from symcrete.inputs.shapes.aliasing import SharedShape
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.containers import DictShape, SequenceShape, SetShape, length_name
from symcrete.inputs.shapes.heap import same_name
from symcrete.inputs.shapes.library import (
    ODD_DECIMALS,
    DecimalShape,
    FieldsShape,
    FlagShape,
    FractionShape,
    PathShape,
    UuidShape,
)
from symcrete.inputs.shapes.objects import (
    DefaultShape,
    InstanceShape,
    Part,
    PerhapsShape,
    RecordShape,
)
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    LaterShape,
    SampledShape,
    Shape,
    TupleShape,
)
from symcrete.terms.evaluate import Assignment


class Unreadable(Exception):
    """No input of this shape is written like that; the text says why."""


def read_input(text: str, arguments: Arguments, scope: Mapping[str, Any]) -> Assignment:
    """The assignment that a text such as `a=0, b=(1, 2)` means; names in it are looked up in
    `scope`.

    Statements may come before it that make what arguments have in common: `x = []; a=x, b=x`.
    Raises BadOption with a message for people.
    """
    statements, call = _parsed(text)
    named = _Named(scope)
    shapes = {parameter.name: parameter.shape for parameter in arguments.parameters}
    given: Assignment = {}
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                named.texts[name] = value
            case ast.Assign(targets=[ast.Attribute()]):
                pass  # done below, once it is known where the objects are
            case _:
                raise BadOption(f"{ast.unparse(statement)!r} makes no object")
    for each in call.keywords:
        name = str(each.arg)
        if name not in shapes:
            raise BadOption(f"no parameter {name!r}; there are {', '.join(sorted(shapes))}")
        try:
            given |= _read(shapes[name], name, _Written(each.value, named))
        except Unreadable as reason:
            raise BadOption(f"{name}={ast.unparse(each.value)}: {reason}") from None
    for statement in statements:
        match statement:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=holder), attr=attribute)],
                value=ast.Name(id=other),
            ) if holder in named.places and other in named.places:
                given[same_name(f"{named.places[holder]}.{attribute}", named.places[other])] = True
            case ast.Assign(targets=[ast.Attribute()]):
                raise BadOption(f"{ast.unparse(statement)!r} is about no part of the input")
            case _:
                pass
    return given


def _parsed(text: str) -> tuple[list[ast.stmt], ast.Call]:
    """The statements of an input as people write it, and a call with its arguments."""
    pieces = text.split(";")
    for count in range(len(pieces)):
        before, given = ";".join(pieces[:count]), ";".join(pieces[count:])
        try:
            call = ast.parse(f"f({given.strip()})", mode="eval").body
            statements = ast.parse(before.strip()).body
        except (SyntaxError, ValueError):
            continue
        if isinstance(call, ast.Call) and not call.args:
            return statements, call
    raise BadOption(f'an input is given as "a=0, b=1", not {text!r}')


class _Named(dict[str, Any]):
    """What names in an input mean: those of the program, and those of objects that the input has
    twice.
    """

    def __init__(self, scope: Mapping[str, Any]) -> None:
        super().__init__(scope)
        self.texts: dict[str, ast.expr] = {}  # by name, the expression that makes the object
        self.places: dict[str, str] = {}  # the part of the input that the object was first read for


class _Written:
    """A part of an input: the expression it was written as, or only its value."""

    def __init__(self, node: ast.expr | None, scope: _Named, value: Any = None) -> None:
        self.name = node.id if isinstance(node, ast.Name) and node.id in scope.texts else ""
        if isinstance(node, ast.NamedExpr):
            self.name = node.target.id
            scope.texts[self.name] = node.value
        self.node = scope.texts[self.name] if self.name else node
        self.scope = scope
        self._value = value

    @property
    def value(self) -> Any:
        if self.node is None:
            return self._value
        try:
            code = compile(ast.Expression(self.node), "<input>", "eval")
            return eval(code, dict(self.scope))
        except Exception as error:
            raise Unreadable(f"{type(error).__name__}: {error}") from None

    def elements(self) -> list[_Written]:
        """The elements of a collection; raises Unreadable if it is none."""
        if isinstance(self.node, ast.List | ast.Tuple | ast.Set):
            return [_Written(each, self.scope) for each in self.node.elts]
        value = self.value
        if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
            raise Unreadable("not a collection")
        return [_Written(None, self.scope, each) for each in value]

    def pairs(self) -> list[tuple[_Written, _Written]]:
        """The keys and values of a mapping; raises Unreadable if it is none."""
        if isinstance(self.node, ast.Dict) and all(key is not None for key in self.node.keys):
            keys = [_Written(key, self.scope) for key in self.node.keys]
            values = [_Written(value, self.scope) for value in self.node.values]
            return list(zip(keys, values, strict=True))
        value = self.value
        if not isinstance(value, Mapping):
            raise Unreadable("not a mapping")
        return [
            (_Written(None, self.scope, k), _Written(None, self.scope, v)) for k, v in value.items()
        ]


def _read(shape: Shape, name: str, written: _Written) -> Assignment:
    for kind in type(shape).__mro__:
        found = _READERS.get(kind)
        if found is not None:
            return found(shape, name, written)
    raise Unreadable(f"inputs of this type cannot be given ({type(shape).__name__})")


def _int(shape: IntShape, name: str, written: _Written) -> Assignment:
    value = written.value
    if type(value) is not int or not shape.allows(value):
        raise Unreadable("not an int that the parameter allows")
    return {name: value}


def _float(shape: FloatShape, name: str, written: _Written) -> Assignment:
    value = written.value
    if type(value) not in (int, float) or not shape.allows(float(value)):
        raise Unreadable("not a float that the parameter allows")
    return {name: float(value)}


def _bool(shape: BoolShape, name: str, written: _Written) -> Assignment:
    if type(written.value) is not bool:
        raise Unreadable("not a bool")
    return {name: written.value}


def _constant(shape: ConstantShape, name: str, written: _Written) -> Assignment:
    value = written.value
    if type(value) is not type(shape.value) or value != shape.value:
        raise Unreadable(f"not {shape.value!r}")
    return {}


def _choice(shape: ChoiceShape, name: str, written: _Written) -> Assignment:
    reasons: list[str] = []
    for number, each in enumerate(shape.choices):
        try:
            return {name + shape.which: number, **_read(each, name, written)}
        except Unreadable as reason:
            reasons.append(str(reason))
    raise Unreadable("; ".join(dict.fromkeys(reasons)))


def _perhaps(shape: PerhapsShape, name: str, written: _Written) -> Assignment:
    if isinstance(written.node, ast.Constant) and written.node.value is None:
        return {name + shape.which: 0}
    return {name + shape.which: 1, **_read(shape.shape, name, written)}


def _tuple(shape: TupleShape, name: str, written: _Written) -> Assignment:
    parts = shape.parts_of(name)
    if shape.kind is not None and isinstance(written.node, ast.Call):
        fields = tuple([Part(n, p) for n, p in zip(shape.names, shape.parts, strict=True)])
        return _arguments(fields, name, written.node, written.scope)
    elements = written.elements()
    if len(elements) != len(parts):
        raise Unreadable(f"not {len(parts)} elements")
    return _joined(_read(p, where, e) for (p, where), e in zip(parts, elements, strict=True))


def _text(
    kind: type, codes: Callable[[Any], list[int]] = list
) -> Callable[[Any, str, _Written], Assignment]:
    """A reader of texts of this class; `codes` gives the numbers of their characters."""

    def read(shape: Any, name: str, written: _Written) -> Assignment:
        value = written.value
        if type(value) is not kind:
            raise Unreadable(f"not a {kind.__name__}")
        given: Assignment = {}
        spread(name, codes(value), given)
        return given

    return read


_STR = _text(str, lambda value: list(map(ord, value)))


def _path(shape: PathShape, name: str, written: _Written) -> Assignment:
    return _STR(shape, name, _Written(None, written.scope, str(written.value)))


def _sequence(shape: SequenceShape | SetShape, name: str, written: _Written) -> Assignment:
    elements = written.elements()
    if len(elements) < shape.least or (shape.most is not None and len(elements) > shape.most):
        raise Unreadable("not as many elements as the parameter allows")
    parts = [_read(shape.element, shape.element_name(name, i), e) for i, e in enumerate(elements)]
    return {length_name(name): len(elements)} | _joined(parts)


def _dict(shape: DictShape, name: str, written: _Written) -> Assignment:
    given: Assignment = {}
    pairs = written.pairs()
    given[length_name(name)] = len(pairs)
    for index, (key, value) in enumerate(pairs):
        given |= _read(shape.key, shape.element_name(name, index), key)
        given |= _read(shape.value, shape.value_name(name, index), value)
    return given


def _record(shape: RecordShape, name: str, written: _Written) -> Assignment:
    given: Assignment = {}
    values = {key.value: value for key, value in written.pairs()}
    for key, part, required in shape.parts:
        if key in values:
            given |= _read(part, f"{name}[{key!r}]", values.pop(key))
            given[shape.has_name(name, key)] = True
        elif required:
            raise Unreadable(f"the key {key!r} is missing")
    if values:
        raise Unreadable(f"no key {next(iter(values))!r}")
    return given


def _flag(shape: FlagShape, name: str, written: _Written) -> Assignment:
    value = written.value
    if type(value) is not shape.kind:
        raise Unreadable(f"not a {shape.kind.__name__}")
    found = {shape.has_name(name, member): member in value for member in shape.members()}
    if shape.plain(name, found) != value:
        raise Unreadable(f"bits of {value!r} that no member of {shape.kind.__name__} has")
    return found


def _instance(shape: InstanceShape, name: str, written: _Written) -> Assignment:
    if not isinstance(written.node, ast.Call):
        raise Unreadable(f"write it as a call, {shape.kind.__name__}(...)")
    made = _Written(written.node.func, written.scope).value
    if made is not shape.kind:
        raise Unreadable(f"not a call of {shape.kind.__name__}")
    if written.name:
        written.scope.places.setdefault(written.name, name)
    return _arguments(shape.parts, name, written.node, written.scope)


def _arguments(parts: tuple[Part, ...], name: str, call: ast.Call, scope: _Named) -> Assignment:
    """The variables of a call's arguments: positional ones in order, the others by name; the rest
    has its plainest value.
    """
    by_name = {part.name: part for part in parts}
    by_name |= {part.spread: part for part in parts if part.spread}
    order = [part for part in parts if not part.by_keyword and not part.spread]
    given: Assignment = {}
    in_turn = [node for node in call.args if not isinstance(node, ast.Starred)]
    more = in_turn[len(order) :]
    if more and "*" not in by_name:
        raise Unreadable("too many arguments")
    passed = [(part, node) for part, node in zip(order, in_turn, strict=False)]
    named = [(each.arg or "**", each.value) for each in call.keywords]
    if more:
        named.append(("*", ast.copy_location(ast.Tuple(more, ast.Load()), call)))
    named += [("*", node.value) for node in call.args if isinstance(node, ast.Starred)]
    for word, value in named:
        if word not in by_name:
            raise Unreadable(f"no argument {word!r}")
        passed.append((by_name[word], value))
    for part, node in passed:
        given |= _read(part.shape, f"{name}.{part.name}", _Written(node, scope))
    return given


def _shared(shape: SharedShape, name: str, written: _Written) -> Assignment:
    """The variables of an object of its own, or the one that says it is an object read before
    under the same name.
    """
    first = written.scope.places.setdefault(written.name, name) if written.name else name
    return _read(shape.own, name, written) if first == name else {same_name(name, first): True}


def _fields(shape: FieldsShape, name: str, written: _Written) -> Assignment:
    value = written.value
    if shape.kind is complex and type(value) in (int, float):
        value = complex(value)
    if type(value) is not shape.kind:
        raise Unreadable(f"not a {shape.kind.__name__}")
    return {f"{name}.{field}": getattr(value, field) for field, _ in shape.fields}


def _decimal(shape: DecimalShape, name: str, written: _Written) -> Assignment:
    value = written.value
    if type(value) is not decimal.Decimal:
        raise Unreadable("not a Decimal")
    for number, odd in enumerate(ODD_DECIMALS, 1):
        if repr(odd) == repr(value):
            return {name + shape.which: number}
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or exponent > 0:
        raise Unreadable("a Decimal without an exponent is needed")
    number = int("".join(map(str, digits)) or "0") * (-1 if sign else 1)
    return {name + shape.which: 0, f"{name}.digits": number, f"{name}.places": -exponent}


def _attributes(*names: str) -> Callable[[Any, str, _Written], Assignment]:
    """A reader of values whose variables are these attributes of them."""

    def read(shape: Any, name: str, written: _Written) -> Assignment:
        value = written.value
        if not all(hasattr(value, each) for each in names):
            raise Unreadable(f"a {type(value).__name__} does not fit")
        return {f"{name}.{each}": getattr(value, each) for each in names}

    return read


def _joined(parts: Iterable[Assignment]) -> Assignment:
    given: Assignment = {}
    for part in parts:
        given |= part
    return given


_READERS: dict[type, Callable[[Any, str, _Written], Assignment]] = {
    IntShape: _int,
    FloatShape: _float,
    BoolShape: _bool,
    ConstantShape: _constant,
    ChoiceShape: _choice,
    PerhapsShape: _perhaps,
    TupleShape: _tuple,
    StrShape: _STR,
    BytesShape: _text(bytes),
    ByteArrayShape: _text(bytearray),
    PathShape: _path,
    SequenceShape: _sequence,
    SetShape: _sequence,
    DictShape: _dict,
    RecordShape: _record,
    FlagShape: _flag,
    InstanceShape: _instance,
    FieldsShape: _fields,
    DecimalShape: _decimal,
    FractionShape: _attributes("numerator", "denominator"),
    UuidShape: _attributes("int"),
    DefaultShape: lambda shape, name, written: _read(shape.shape, name, written),
    LaterShape: lambda shape, name, written: _read(shape.shape, name, written),
    SharedShape: _shared,
    SampledShape: lambda shape, name, written: {name: written.value},
}
