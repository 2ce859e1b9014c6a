"""Seccomp: the kernel refuses chosen system calls of this process, whoever makes them.

A filter is a small program over the call's number and its register arguments; it cannot follow
pointers. What pointers say (paths, addresses) is therefore refused whole, or left to Landlock.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence

from symcrete.sandbox.walls import kernel
from symcrete.slotted import dataclass

ALLOW = 0x7FFF0000  # SECCOMP_RET_ALLOW
NOTIFY = 0x7FC00000  # SECCOMP_RET_USER_NOTIF
_ERRNO = 0x00050000  # SECCOMP_RET_ERRNO, with the error in its low bits

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALL_LOW_BITS = 0xFFFFFFFF  # every bit of the low half of an argument


def refuse(errno: int) -> int:
    """The action that makes a call fail with this error."""
    return _ERRNO | errno


@dataclass(frozen=True, slots=True)
class Always:
    """The call as such, with whatever arguments."""


@dataclass(frozen=True, slots=True)
class Among:
    """The argument's low half, under the mask, is one of the values."""

    argument: int
    values: tuple[int, ...]
    mask: int = ALL_LOW_BITS


@dataclass(frozen=True, slots=True)
class NotAmong:
    """The argument's low half, under the mask, is none of the values."""

    argument: int
    values: tuple[int, ...]
    mask: int = ALL_LOW_BITS


@dataclass(frozen=True, slots=True)
class AnyBit:
    """One of the mask's bits is set in the argument's low half."""

    argument: int
    mask: int


@dataclass(frozen=True, slots=True)
class Given:
    """The argument, often a pointer, is not zero."""

    argument: int


@dataclass(frozen=True, slots=True)
class Spans:
    """One of the values lies between the two arguments."""

    low: int
    high: int
    values: tuple[int, ...]


ALWAYS = Always()
Condition = Always | Among | NotAmong | AnyBit | Given | Spans

# Classic BPF: operation, how many instructions to skip when true, when false, value.
Instruction = tuple[int, int, int, int]
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_ABOVE, _IF_AT_LEAST, _IF_BITS = 0x15, 0x25, 0x35, 0x45
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in what the filter sees
_ENOSYS, _EPERM = 38, 1


def program(
    machine: str, calls: Mapping[str, Sequence[tuple[Condition, int]]]
) -> list[Instruction]:
    """The filter that gives each call the action of its first condition that holds."""
    code: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, ARCHITECTURES[machine]),
        (_RETURN, 0, 0, refuse(_EPERM)),  # another architecture's numbers mean other calls
        (_LOAD, 0, 0, _NUMBER),
        (_IF_ABOVE, 0, 1, kernel.HIGHEST),
        (_RETURN, 0, 0, refuse(_ENOSYS)),
    ]
    for name, cases in calls.items():
        number = kernel.number(name, machine)
        if number is not None:
            block = _block(cases)
            code += [(_IF_EQUAL, 0, len(block), number), *block]
    return [*code, (_RETURN, 0, 0, ALLOW)]


def _block(cases: Iterable[tuple[Condition, int]]) -> list[Instruction]:
    """The instructions for the cases of one call. Every way through them ends in an action:
    whatever follows would need the number of the call, which is no longer loaded.
    """
    block: list[Instruction] = []
    for condition, action in cases:
        block += _case(condition, action)
        if isinstance(condition, Always):
            return block
    return [*block, (_RETURN, 0, 0, ALLOW)]


def _case(condition: Condition, action: int) -> list[Instruction]:
    """Instructions that return the action where the condition holds, and else go on after them."""
    do = (_RETURN, 0, 0, action)
    match condition:
        case Always():
            return [do]
        case Among(argument, values, mask):
            tests = [
                (_IF_EQUAL, len(values) - i - 1, 0, v & ALL_LOW_BITS) for i, v in enumerate(values)
            ]
            tests[-1] = (_IF_EQUAL, 0, 1, values[-1] & ALL_LOW_BITS)
            return [*_low(argument, mask), *tests, do]
        case NotAmong(argument, values, mask):
            tests = [
                (_IF_EQUAL, len(values) - i, 0, v & ALL_LOW_BITS) for i, v in enumerate(values)
            ]
            return [*_low(argument, mask), *tests, do]
        case AnyBit(argument, mask):
            return [*_low(argument), (_IF_BITS, 0, 1, mask), do]
        case Given(argument):
            high = (_LOAD, 0, 0, _ARGUMENTS + 8 * argument + 4)
            return [*_low(argument), (_IF_EQUAL, 0, 2, 0), high, (_IF_EQUAL, 1, 0, 0), do]
        case Spans(low, high, values):
            return [step for value in values for step in _span(low, high, value, do)]


def _span(low: int, high: int, value: int, do: Instruction) -> list[Instruction]:
    below = [*_low(low), (_IF_ABOVE, 3, 0, value)]
    return [*below, *_low(high), (_IF_AT_LEAST, 0, 1, value), do]


def _low(argument: int, mask: int = ALL_LOW_BITS) -> list[Instruction]:
    load = (_LOAD, 0, 0, _ARGUMENTS + 8 * argument)
    return [load] if mask == ALL_LOW_BITS else [load, (_AND, 0, 0, mask)]


_INSTRUCTION = struct.Struct("<HBBI")
_SET_FILTER = 1  # SECCOMP_SET_MODE_FILTER
# Flags of SECCOMP_SET_MODE_FILTER.
_ALL_THREADS, _KEEP_SPECULATION, _LISTENER, _LISTENER_WITH_THREADS = 1, 4, 8, 16


def install(code: Sequence[Instruction], *, notify: bool) -> int | None:
    """Put the filter over every thread of this process for good.

    With `notify`, gives the descriptor from which another process answers the calls whose
    action is NOTIFY; it must be read, or those calls wait. The caller has set no_new_privs.
    """
    return install_packed(packed(code), notify=notify)


def packed(code: Sequence[Instruction]) -> bytes:
    """The filter as the kernel reads it."""
    return b"".join(_INSTRUCTION.pack(*instruction) for instruction in code)


def install_packed(instructions: bytes, *, notify: bool = False) -> int | None:
    """As `install`, for a filter that was packed before."""
    import ctypes

    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    count = len(instructions) // _INSTRUCTION.size
    head = struct.pack("<HxxxxxxQ", count, ctypes.addressof(buffer))
    # Without _KEEP_SPECULATION kernels before 5.16 slow the whole process down.
    flags = _ALL_THREADS | _KEEP_SPECULATION
    if notify:
        return kernel.call("seccomp", _SET_FILTER, flags | _LISTENER | _LISTENER_WITH_THREADS, head)
    kernel.call("seccomp", _SET_FILTER, flags, head)
    return None
