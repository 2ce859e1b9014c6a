"""Functions whose calls cannot leave anything behind: played after others, they do the same.

Decided from the code, with everything in doubt for "no": a function may use its locals, constants,
built-in functions without effects, and functions of the same kind. It stores into no attribute and
no global, imports nothing, and has no closure and no mutable default. What it changes then is new
in every call.
"""

from __future__ import annotations

import builtins
import cmath
import dis
import math
from collections.abc import Callable
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any, TypeAlias

from symcrete.instrument.naming import PREFIX

_CONSTANTS = (int, float, complex, str, bytes, bool, NoneType)
_PURE_MODULES = (math, cmath)
_PURE_NAMES = [
    "abs", "all", "any", "ascii", "bin", "bool", "bytearray", "bytes", "callable", "chr",
    "complex", "dict", "divmod", "enumerate", "filter", "float", "format", "frozenset", "hex",
    "int", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next",
    "oct", "ord", "pow", "range", "repr", "reversed", "round", "set", "slice", "sorted", "str",
    "sum", "tuple", "zip", "NotImplemented", "Ellipsis",
]  # fmt: skip
_PURE = {id(getattr(builtins, name)) for name in _PURE_NAMES}
_STORING = frozenset(
    {
        "STORE_GLOBAL",
        "DELETE_GLOBAL",
        "STORE_NAME",
        "DELETE_NAME",
        "STORE_ATTR",
        "DELETE_ATTR",
        "IMPORT_NAME",
        "IMPORT_FROM",
        "IMPORT_STAR",
        "LOAD_BUILD_CLASS",
    }
)
_GLOBAL_NAMES = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_CLASSDEREF"})
# Their numbers: `dis` makes an object of every instruction, and most code has none of these.
_LOOKED_AT = frozenset([dis.opmap[name] for name in (_STORING | _GLOBAL_NAMES) & dis.opmap.keys()])
# attributes of generators by which their frame, and so the module's names, can be reached
_FRAMES = frozenset({"gi_frame", "cr_frame", "ag_frame"})

_NO_CONSTANTS = -1  # in `seen`, beside ids of functions: names that hold a constant may not be read

# The code of a function as its author wrote it; None if it is not known.
CodeOf: TypeAlias = Callable[[FunctionType], CodeType | None]


def is_self_contained(
    function: object,
    code_of: CodeOf = lambda function: function.__code__,
    *,
    reads_constants: bool = True,
) -> bool:
    """Whether calls with arguments of built-in types leave nothing behind. `code_of` tells what to
    look at where the code of functions is not the author's; `reads_constants`: whether they may
    read names of a module that hold a number or text, which an import may have taken from the
    system (`from sys import platform`).
    """
    return _is_pure_function(function, code_of, set() if reads_constants else {_NO_CONSTANTS})


def _is_pure_function(function: object, code_of: CodeOf, seen: set[int]) -> bool:
    if type(function) is not FunctionType:
        return False
    if id(function) in seen:
        return True
    seen.add(id(function))
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    if function.__closure__ or function.__dict__ or not all(map(_is_constant, defaults)):
        return False
    code = code_of(function)
    return code is not None and _is_pure_code(code, function.__globals__, code_of, seen)


def _is_pure_code(code: CodeType, names: dict[str, Any], code_of: CodeOf, seen: set[int]) -> bool:
    if any(name.startswith("__") or name in _FRAMES for name in code.co_names):
        return False  # such as `f.__dict__`, by which shared objects can be reached
    # Every other byte is the number of an instruction, or 0 where it keeps something in between.
    unsure = not _LOOKED_AT.isdisjoint(code.co_code[::2])
    for instruction in dis.get_instructions(code) if unsure else ():
        if instruction.opname in _STORING:
            return False
        if instruction.opname in _GLOBAL_NAMES and not _is_harmless(
            instruction.argval, names, code_of, seen
        ):
            return False
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return all(_is_pure_code(each, names, code_of, seen) for each in inner)


def _is_harmless(name: str, names: dict[str, Any], code_of: CodeOf, seen: set[int]) -> bool:
    if name.startswith(PREFIX):
        return True  # a hook of ours, which tells the side of a condition
    if name not in names:
        value = getattr(builtins, name, _Missing)
        known = isinstance(value, type | BuiltinFunctionType) or value in (Ellipsis, NotImplemented)
        return known and (id(value) in _PURE or _is_exception(value))
    value = names[name]
    if isinstance(value, ModuleType):
        return value in _PURE_MODULES
    if _is_constant(value):
        return _NO_CONSTANTS not in seen
    return _is_pure_function(value, code_of, seen)


class _Missing:
    """Stands for a name that does not exist: NameError is an outcome like any other."""


def _is_exception(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _is_constant(value: object) -> bool:
    if type(value) in (tuple, frozenset):
        return all(map(_is_constant, value))  # type: ignore[call-overload]
    return type(value) in _CONSTANTS
