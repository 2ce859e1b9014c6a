"""Names of the program's own modules, and attributes of its classes and objects, that something
changes: as after the import, or otherwise.

A flag or a number that only its readers change may have any value of its type. What other functions
of the program set is brought about by calling them (`run/history.py`); a test then only begins with
the value that the import gave.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.literal import NoLiteral, imports_of, literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, FloatShape, IntShape, Shape
from symcrete.world.source import Answer, Asking, Setting, Source, StandIn, Targets

_GENERAL: dict[type, Shape] = {int: IntShape(), float: FloatShape(), str: StrShape()}
_CONTAINERS = (list, dict, set)
CLEARED = ".cache_clear()"  # how the root of what a cached function remembers ends


def shape_of_name(value: Any, *, free: bool) -> Shape | None:
    """The values of a name that the import gave this one; None where none can be written down.

    free: it may have any value of its type.
    """
    kind = type(value)
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


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    """Nothing stands in for names of the program's own modules: `run/module_reads.py` finds them in
    the program's text.
    """
    return ()


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for each in answers:
        if each.root.endswith(CLEARED):
            module, _, function = each.root.removesuffix(CLEARED).rpartition(".")
            line = f"from {module} import {function}\n\n{function}{CLEARED}"
            yield Setting(each.root, "", line)
            continue
        named = sorted(pair for pair in imports_of(each.value) if pair[0] != "builtins")
        lines = [f"from {module} import {name}" for module, name in named]
        lines.append(f"monkeypatch.setattr({literal(each.root)}, {each.text})")
        yield Setting(each.root, each.text, "\n".join(lines))


MODULE_STATE = Source(
    name="module state",
    what="names of the program's modules, attributes of its classes and objects, that something "
    "changes",
    stand_ins=_stand_ins,
    shown=_shown,
)
