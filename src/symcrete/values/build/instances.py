"""Tracked objects: the class is called with tracked arguments, then some of its methods are.

Code of the program runs here, and its branches are the first of the path. An exception says that
there is no such object: an invariant of the class is a precondition of the target.
"""

from __future__ import annotations

from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.shapes.aliasing import AliasedShape, SharedShape
from symcrete.inputs.shapes.objects import (
    MOST_CALLS,
    BareShape,
    FlagShape,
    InstanceShape,
    LaterShape,
    Part,
    PerhapsShape,
    RecordShape,
    called,
    plain_parts,
)
from symcrete.inputs.shapes.pydantic_models import ModelShape
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Operation, Sort, intern, var
from symcrete.values.build.variables import Builder, counted, report_choice, tracked_input
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import callee


def _instance(shape: InstanceShape, name: str, given: Assignment) -> Any:
    parts = tracked_parts(shape.parts, name, given)
    try:
        made = called(callee(shape.kind), parts)
    except Exception:
        raise AssumptionFailed from None
    if shape.methods:
        _call_methods(shape, made, name, given)
    return made


def tracked_parts(parts: tuple[Part, ...], name: str, given: Assignment) -> list[tuple[Part, Any]]:
    return [(part, tracked_input(part.shape, f"{name}.{part.name}", given)) for part in parts]


def _call_methods(shape: InstanceShape, made: Any, name: str, given: Assignment) -> None:
    """Each further call is a branch, and so is which method it is."""
    for index in counted(f"{name}.calls", MOST_CALLS, given):
        which = f"{name}.call[{index}]?"
        report_choice(which, given.setdefault(which, 0), len(shape.methods))
        method, where = shape.call(name, index, given)
        parts = tracked_parts(method.parts, where, given)
        try:
            called(getattr(made, method.name), parts)
        except Exception:
            raise AssumptionFailed from None


def _model(shape: ModelShape, name: str, given: Assignment) -> Any:
    """pydantic makes the object of plain values; its fields then get the tracked ones back."""
    parts = tracked_parts(shape.parts, name, given)
    plain = plain_parts(shape.parts, name, given)
    if shape.has_validators:
        _report_valid(shape, name, given)
    try:
        made = called(shape.kind, plain)
    except Exception:
        raise AssumptionFailed from None
    for (part, value), (_, was) in zip(parts, plain, strict=True):
        field = shape.field_of(part)
        held = made.__dict__.get(field)
        if type(held) is type(was) and held == was:
            made.__dict__[field] = value
        else:
            recording.active().lose(f"{shape.kind.__name__}.{field}, which pydantic converts")
    return made


def _report_valid(shape: ModelShape, name: str, given: Assignment) -> None:
    """That the program's own validators accept the fields is a condition only evaluation knows."""
    scalars = {bool: Sort.BOOL, int: Sort.INT, float: Sort.FLOAT}
    names = sorted(each for each in given if name in each and type(given[each]) in scalars)

    def valid(*values: Any) -> bool:
        try:
            shape.plain(name, dict(zip(names, values, strict=True)))
        except Exception:
            return False
        return True

    key = (shape, name, tuple(names))
    op = _validity.get(key)
    if op is None:
        label = f"{shape.kind.__name__}.is_valid"
        op = _validity[key] = Operation(label, Sort.BOOL, valid, "", opaque=True)
    term = intern(op, tuple([var(each, scalars[type(given[each])]) for each in names]))
    record = recording.active()
    record.passed(record.shape_site(name, 0), term, valid(*[given[each] for each in names]))


_validity: dict[Any, Operation] = {}


def _bare(shape: BareShape, name: str, given: Assignment) -> Any:
    kind: Any = shape.kind
    return kind.__new__(kind)


def _later(shape: LaterShape, name: str, given: Assignment) -> Any:
    return tracked_input(shape.shape, name, given)


def _perhaps(shape: PerhapsShape, name: str, given: Assignment) -> Any:
    which = given.setdefault(f"{name}?", 0)
    report_choice(f"{name}?", which, 2)
    return tracked_input(shape.shape, name, given) if which else None


def decided(name: str, given: Assignment, what: str) -> bool:
    """A part that may be there or not."""
    there = given.setdefault(name, False)
    record = recording.active()
    return record.passed(record.shape_site(what, 0), var(name, Sort.BOOL), there)


def _record(shape: RecordShape, name: str, given: Assignment) -> Any:
    made: dict[str, Any] = {}
    for key, part, required in shape.parts:
        has = shape.has_name(name, key)
        if required or decided(has, given, has):
            made[key] = tracked_input(part, f"{name}[{key!r}]", given)
    return made


def _flag(shape: FlagShape, name: str, given: Assignment) -> Any:
    made = shape.kind(0)
    for member in shape.members():
        has = shape.has_name(name, member)
        if decided(has, given, has):
            made |= member
    return made


def _shared(shape: SharedShape, name: str, given: Assignment) -> Any:
    made = recording.active().shared[name] = tracked_input(shape.own, name, given)
    return made  # parameters are built in their order: sharers come later


def _aliased(shape: AliasedShape, name: str, given: Assignment) -> Any:
    which = given.setdefault(f"{name}?", 0)
    report_choice(f"{name}?", which, 1 + len(shape.others))
    if which:
        return recording.active().shared[shape.others[which - 1]]
    return tracked_input(shape.own, name, given)


BUILDERS: dict[type, Builder] = {
    SharedShape: _shared,
    AliasedShape: _aliased,
    InstanceShape: _instance,
    ModelShape: _model,
    BareShape: _bare,
    LaterShape: _later,
    PerhapsShape: _perhaps,
    RecordShape: _record,
    FlagShape: _flag,
}
