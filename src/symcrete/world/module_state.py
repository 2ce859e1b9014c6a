"""Names of the program's own modules, and attributes of its classes and objects, that something
changes: as after the import, or otherwise.

A flag or a number that only its readers change may have any value of its type. What other functions
of the program set is brought about by calling them (`run/history.py`); a test then only begins with
the value that the import gave.
"""

from __future__ import annotations

import contextlib
import copy
import pathlib
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.literal import NoLiteral, imports_of, literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, FloatShape, IntShape, Shape
from symcrete.inputs.told_apart import import_line
from symcrete.world.importing.concealed import CONCEALED, names_own_folder, plain_folders
from symcrete.world.source import Answer, Asking, Setting, Source, StandIn, Targets

_GENERAL: dict[type, Shape] = {int: IntShape(), float: FloatShape(), str: StrShape()}
_CONTAINERS = (list, dict, set)
CLEARED = ".cache_clear()"  # how the root of what a cached function remembers ends
UNSET = " unset"  # how the root of a name ends that is bound by calls only


def shape_of_name(value: Any, *, free: bool) -> Shape | None:
    """The shape of a name that the import gave this value; None where no value can be written down.

    free: it may have any value of its type.
    """
    kind = type(value)
    if names_own_folder(value) or (kind is str and value in CONCEALED.secrets):
        return shape_of_taken(value, ())
    try:
        literal(value)
    except NoLiteral:
        return None
    if kind is bool and free:
        return ChoiceShape((ConstantShape(value), ConstantShape(not value)))
    if kind in _GENERAL and free:
        return ChoiceShape((ConstantShape(value), _GENERAL[kind]))
    if kind is threading.local:
        return ConstantShape(threading.local())
    if kind in (bool, *_GENERAL, type(None)):
        return ConstantShape(value)
    return ConstantShape(copy.deepcopy(value)) if kind in _CONTAINERS else None


def shape_of_taken(value: Any, defaults: Sequence[str]) -> Shape | None:
    """The shape of a name whose value the import took from the system, without that value if it may
    be a secret; None where there is no shape.

    defaults: texts that the program takes where the system says nothing.
    """
    kind = type(value)
    if kind is bool:
        return ChoiceShape((ConstantShape(False), ConstantShape(True)))
    if value is None:
        return ChoiceShape((ConstantShape(None), StrShape()))
    if kind not in _GENERAL:
        return None if CONCEALED.seen else _as_imported(value)
    plain: list[Shape] = [ConstantShape(plain_folders(value))] if names_own_folder(value) else []
    for each in defaults[:1]:
        with contextlib.suppress(ValueError):
            plain.append(ConstantShape(kind(each)))
    return ChoiceShape((*plain, _GENERAL[kind])) if plain else _GENERAL[kind]


def shape_of_chosen(value: Any, choices: Sequence[Any]) -> Shape | None:
    """The shape of a name to which the system chose one of these values; None where the value is
    none of them, or there is no choice. The value itself comes first unless it tells of this
    machine.
    """
    known = [(type(each), each) for each in choices]
    if (type(value), value) not in known or len(known) == 1:
        return None
    first = [] if CONCEALED.seen else [(type(value), value)]
    return ChoiceShape(tuple([ConstantShape(each) for _, each in dict.fromkeys([*first, *known])]))


def _as_imported(value: Any) -> Shape | None:
    """The shape that has just a copy of the value, with folders that nobody has; None where a test
    cannot write it down.
    """
    try:
        literal(value)
    except NoLiteral:
        return None
    return ConstantShape(_in_plain_folders(value))


def _in_plain_folders(value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return plain_folders(value)
    if isinstance(value, pathlib.PurePath):
        return kind(plain_folders(str(value)))
    if kind is dict:
        return {key: _in_plain_folders(each) for key, each in value.items()}
    if kind in (list, set, tuple, frozenset):
        return kind([_in_plain_folders(each) for each in value])
    return copy.deepcopy(value)


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    """Nothing stands in for names of the program's own modules: `run/module_reads.py` finds them in
    the program's text.
    """
    return ()


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for each in answers:
        if each.root.endswith(CLEARED):
            module, _, function = each.root.removesuffix(CLEARED).rpartition(".")
            line = f"{import_line(module, function)}\n\n{function}{CLEARED}"
            yield Setting(each.root, "None", line)
            continue
        if each.root.endswith(UNSET):
            line = f"monkeypatch.delattr({literal(each.root.removesuffix(UNSET))}, raising=False)"
            yield Setting(each.root, "None", line)
            continue
        named = sorted(pair for pair in imports_of(each.value) if pair[0] != "builtins")
        lines = [import_line(module, name) for module, name in named]
        lines.append(f"monkeypatch.setattr({literal(each.root)}, {each.text})")
        yield Setting(each.root, each.text, "\n".join(lines))


MODULE_STATE = Source(
    name="module state",
    what="names of the program's modules, attributes of its classes and objects, that something "
    "changes",
    stand_ins=_stand_ins,
    shown=_shown,
)
