"""Which code keeps terms by itself: rewritten code and the engine's own; any other drops them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType, MemberDescriptorType
from typing import Any

from symcrete.folders import OUR_FILES
from symcrete.values.tracking import recording

rewritten_files: set[str] = set()
# Files of the program that are rewritten when a run first enters them: by the name that their code
# has until then (`alias`), what rewrites them.
to_be_rewritten: dict[str, Callable[[], None]] = {}
_MADE_BY_PYTHON = 1 << 9  # the flag Py_TPFLAGS_HEAPTYPE of a class
# Classes whose operators ask our values for theirs, or refuse them whatever they are.
_WELL_KNOWN = frozenset(
    {int, float, bool, str, bytes, list, tuple, dict, set, frozenset, type(None), object, type}
)


def alias(file: str) -> str:
    """A second name of a file, given to its code while it is not rewritten: whoever sees a function
    can tell by it that the file is still to be rewritten.
    """
    folder, _, name = file.rpartition("/")
    return f"{folder}/./{name}"


def enter(file: str) -> bool:
    """Rewrite a file that waits for being entered; `file` is its alias. False if none waits."""
    rewrite = to_be_rewritten.pop(file, None)
    if rewrite is None:
        return False
    rewrite()
    return True


def enter_by_run(file: str) -> bool:
    """As `enter`, but only if a run is under way: what is called between runs, by importing say,
    may never be called in a run.
    """
    return file in to_be_rewritten and recording.active().live and enter(file)


def is_followed(function: Any) -> bool:
    """Whether a function is the engine's own or rewritten; one that waits for being entered is
    rewritten now.
    """
    if type(function) is not FunctionType:
        return False
    enter_by_run(function.__code__.co_filename)
    file = function.__code__.co_filename
    return file in rewritten_files or file.startswith(OUR_FILES)


@functools.lru_cache(maxsize=512)  # attributes of classes; chosen, not measured
def keeps_attribute(kind: type, name: str) -> bool:
    """Whether a value that is assigned to this attribute keeps its term: it is stored as it is, or
    handed to a setter written in Python. A setter written in C may store a plain number.
    """
    found = inspect.getattr_static(kind, name, None)
    if type(found) is MemberDescriptorType:
        return bool(found.__objclass__.__flags__ & _MADE_BY_PYTHON)  # one of `__slots__`
    put = getattr(type(found), "__set__", None)
    dunder = name.startswith("__") and name.endswith("__")
    return put is None or dunder or type(found) is property or isinstance(put, FunctionType)


def drops_terms(kind: type, *methods: str) -> bool:
    """Whether the first of these methods that a class has, those of `object` aside, is code that is
    not followed; never so for int, str, list and the like.
    """
    if kind in _WELL_KNOWN:
        return False
    for name in methods:
        found = getattr(kind, name, None)
        if found is not None and found is not getattr(object, name, None):
            return not is_followed(found)
    return False
