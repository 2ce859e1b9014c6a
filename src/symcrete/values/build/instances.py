"""Tracked objects: the class is called with tracked arguments, then some of its methods are.

Code of the program runs here, and its branches are the first of the path. An exception says that
there is no such object: an invariant of the class is a precondition of the target.
"""

from __future__ import annotations

from typing import Any

from symcrete.errors import AssumptionFailed, NotAnInput
from symcrete.inputs.shapes.aliasing import SharedShape
from symcrete.inputs.shapes.described_classes import ModelShape, NodeShape
from symcrete.inputs.shapes.heap import MOST_SAME, Heap, same_name, set_back
from symcrete.inputs.shapes.library import FlagShape
from symcrete.inputs.shapes.objects import (
    MOST_METHOD_CALLS,
    BareShape,
    DefaultShape,
    InstanceShape,
    Part,
    PerhapsShape,
    RecordShape,
    called,
    calls_name,
    plain_parts,
)
from symcrete.inputs.shapes.shape import ENDLESS, LaterShape, depth_of
from symcrete.terms.evaluate import Assignment
from symcrete.terms.term import Operation, Sort, intern, var
from symcrete.values.build.variables import Builder, counted, report_choice, tracked_input
from symcrete.values.tracking import recording
from symcrete.values.tracking.modelled import callee


def objects() -> Heap:
    """The `Heap` of the run under way: what has been built of its input so far."""
    memory = recording.active().memory
    found: Heap | None = memory.get(Heap)
    if found is None:
        found = memory[Heap] = Heap()
    return found


def _instance(shape: InstanceShape, name: str, given: Assignment) -> Any:
    others = objects()
    others.enter(shape.kind, name)
    try:
        parts = tracked_parts(shape.parts, name, given)
    finally:
        others.leave()
    try:
        made = called(callee(shape.kind), parts)
    except Exception as error:
        raise AssumptionFailed(
            f"no {shape.kind.__name__} could be built: {_words(error)}"
        ) from None
    for holder, attribute in others.referring(made, name, shape.part_names):
        set_back(holder, attribute, made)
    if shape.methods:
        _call_methods(shape, made, name, given)
    return made


def _node(shape: NodeShape, name: str, given: Assignment) -> Any:
    """A node whose fields are set one by one: its constructor is C code, which drops terms."""
    made: Any = shape.kind()
    for part, value in tracked_parts(shape.parts, name, given):
        setattr(made, part.name, value)
    return made


def _words(error: Exception) -> str:
    """The class and the message of an exception; its class alone if `str(error)` fails."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:
        return type(error).__name__


def tracked_parts(parts: tuple[Part, ...], name: str, given: Assignment) -> list[tuple[Part, Any]]:
    """Each part of the object `name` with its tracked value, in the order of `parts`."""
    return [(part, tracked_input(part.shape, f"{name}.{part.name}", given)) for part in parts]


def _call_methods(shape: InstanceShape, made: Any, name: str, given: Assignment) -> None:
    """Call the methods that the input names on a new object; whether there is another call, and of
    which method, are branches. A call that raises means that there is no such object.
    """
    for index in counted(calls_name(name), MOST_METHOD_CALLS, given):
        which = f"{calls_name(name)}[{index}]?"
        report_choice(which, given.setdefault(which, 0), len(shape.methods))
        method, where = shape.call(name, index, given)
        parts = tracked_parts(method.parts, where, given)
        try:
            method.apply(made, parts)
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
    except Exception:  # pydantic refused it: no condition of ours says why
        raise NotAnInput from None
    for (part, value), (_, was) in zip(parts, plain, strict=True):
        field = shape.field_of(part)
        held = made.__dict__.get(field)
        if type(held) is type(was) and held == was:
            made.__dict__[field] = value
        else:
            recording.active().lose(f"{shape.kind.__name__}.{field}, which pydantic converts")
    return made


def _report_valid(shape: ModelShape, name: str, given: Assignment) -> None:
    """Report as a branch that the program's own validators accept the fields; a solver cannot look
    into that condition, it can only be evaluated.
    """
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


# The operations of `_report_valid`: one for each class, name and list of variables, so that the
# same condition is the same term in every run.
_validity: dict[Any, Operation] = {}


def _bare(shape: BareShape, name: str, given: Assignment) -> Any:
    kind: Any = shape.kind
    return kind.__new__(kind)


def _later(shape: LaterShape, name: str, given: Assignment) -> Any:
    if depth_of(name) > ENDLESS:
        whole = name.partition(".")[0]
        raise AssumptionFailed(f"no {whole} could be built: it takes an object of its own class")
    return tracked_input(shape.shape, name, given)


def _default(shape: DefaultShape, name: str, given: Assignment) -> Any:
    meant = shape.default(name)
    for each, value in meant.items():
        given.setdefault(each, value)
    recording.active().defaults[name] = meant
    return tracked_input(shape.shape, name, given)


def _perhaps(shape: PerhapsShape, name: str, given: Assignment) -> Any:
    which = given.setdefault(name + shape.which, 0)
    report_choice(name + shape.which, which, 2)
    if which:
        return tracked_input(shape.shape, name, given)
    if shape.back is not None:
        others = objects()
        for other in others.around(shape.back):
            same = same_name(name, other)
            if decided(same, given, same):
                others.promise(name, other)
                break
    return None


def decided(name: str, given: Assignment, what: str) -> bool:
    """The value of the bool variable `name`, False if not given, as a branch at the site of
    `what`.
    """
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
    """An object built earlier or a new one: for each of the first few objects of its type, whether
    it is that one is a branch.
    """
    others = objects()
    for other in others.candidates(shape.key):
        same = same_name(name, other)
        if decided(same, given, same):
            return others.earlier(shape.key)[other]
    made = tracked_input(shape.own, name, given)
    earlier = others.earlier(shape.key)
    earlier[name] = made
    if len(earlier) > MOST_SAME + 1:
        what = "objects of the same type, of which more may be one than are tried"
        recording.active().losses["", 0, what] = None
    return made


BUILDERS: dict[type, Builder] = {
    SharedShape: _shared,
    InstanceShape: _instance,
    NodeShape: _node,
    ModelShape: _model,
    BareShape: _bare,
    DefaultShape: _default,
    LaterShape: _later,
    PerhapsShape: _perhaps,
    RecordShape: _record,
    FlagShape: _flag,
}
