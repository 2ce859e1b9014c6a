"""What the code of a module names, without its text: reading a package again takes seconds."""

from __future__ import annotations

from collections.abc import Iterator
from opcode import opmap
from types import CodeType

from symcrete.slotted import dataclass

_STORING = (opmap["STORE_ATTR"], opmap["DELETE_ATTR"])
_EXTENDED = opmap["EXTENDED_ARG"]  # holds the upper bits of the next argument
_ARGUMENT_BITS = 8  # of an argument in one instruction


@dataclass(frozen=True, slots=True)
class CodeNames:
    """What the code of one module names."""

    words: frozenset[str]  # names and attributes, and texts that may be the names of some
    stored: frozenset[str]  # attributes that are stored or deleted


NO_NAMES = CodeNames(frozenset(), frozenset())


def all_code(code: CodeType) -> list[CodeType]:
    """The code of a module and of all functions and classes in it, outermost first."""
    found = [code]
    for each in found:
        found += [constant for constant in each.co_consts if isinstance(constant, CodeType)]
    return found


def names_in(code: CodeType) -> CodeNames:
    """What the code of a module names, with that of its functions."""
    words, stored = set[str](), set[str]()
    for each in all_code(code):
        words.update(each.co_names)
        words.update(_texts(each.co_consts))
        stored.update(_stored_by(each))
    return CodeNames(frozenset(_as_written(words)), frozenset(_as_written(stored)))


def _texts(constants: tuple[object, ...]) -> Iterator[str]:
    for each in constants:
        if isinstance(each, str):
            yield each
        elif isinstance(each, tuple | frozenset):
            yield from _texts(tuple(each))


def _as_written(names: set[str]) -> Iterator[str]:
    """The names, and those of private attributes, `_Shop__limit`, also as `__limit`."""
    for name in names:
        yield name
        if name.startswith("_") and (at := name.find("__", 1)) > 0:
            yield name[at:]


def _stored_by(code: CodeType) -> Iterator[str]:
    operations, arguments = code.co_code[::2], code.co_code[1::2]
    for operation in _STORING:
        at = operations.find(operation)
        while at >= 0:
            index, bits = arguments[at], _ARGUMENT_BITS
            before = at - 1
            while before >= 0 and operations[before] == _EXTENDED:
                index |= arguments[before] << bits
                before, bits = before - 1, bits + _ARGUMENT_BITS
            yield code.co_names[index]
            at = operations.find(operation, at + 1)
