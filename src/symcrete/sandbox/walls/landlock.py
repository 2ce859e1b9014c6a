"""Landlock: the kernel lets this process read everywhere and write only below given folders.

It decides on the file that a path really leads to, so links do not help, and it holds for root
as for anybody. Since Linux 5.13; each later version (ABI) closes one more gap.
"""

import os
from collections.abc import Sequence

from symcrete.sandbox.walls import kernel

# Rights to files as linux/landlock.h numbers them, without those that only read.
WRITE_FILE, REMOVE_DIR, REMOVE_FILE = 1 << 1, 1 << 4, 1 << 5
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK = 1 << 6, 1 << 7, 1 << 8, 1 << 9
MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = 1 << 10, 1 << 11, 1 << 12
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15

# Every right that changes something, by the ABI that brought it.
_RIGHTS = {
    1: WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_CHAR | MAKE_DIR | MAKE_REG | MAKE_SOCK
    | MAKE_FIFO | MAKE_BLOCK | MAKE_SYM,
    2: REFER,
    3: TRUNCATE,
    5: IOCTL_DEV,
}  # fmt: skip
_TRUNCATE_SINCE, _TCP_SINCE, _SCOPES_SINCE = 3, 4, 6
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_SCOPE_ABSTRACT_SOCKETS, _SCOPE_SIGNALS = 1 << 0, 1 << 1

_HARMLESS_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
# A device node below the work folder would open the whole disk from there.
_IN_FOLDERS = ~(MAKE_CHAR | MAKE_BLOCK)


def abi() -> int:
    """The version the kernel offers; 0 where it offers none."""
    try:
        return kernel.call("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def guards_truncation(version: int) -> bool:
    return version >= _TRUNCATE_SINCE


def guards_signals(version: int) -> bool:
    """Whether signals can be kept within the confined processes, whoever their parent is."""
    return version >= _SCOPES_SINCE


def restrict(
    writable: Sequence[str], *, version: int, files: bool, network: bool, signals: bool
) -> None:
    """Take from this thread, and all it starts, the chosen rights but for the writable folders.

    The caller has set no_new_privs and has no other threads.
    """
    rights = sum(right for since, right in _RIGHTS.items() if since <= version) if files else 0
    tcp = _BIND_TCP | _CONNECT_TCP if network and version >= _TCP_SINCE else 0
    scopes = _scopes(network, signals) if version >= _SCOPES_SINCE else 0
    if not rights and not tcp and not scopes:
        return
    ruleset = _ruleset(rights, tcp, scopes, version)
    try:
        if rights:
            for folder in writable:
                _let(ruleset, folder, rights & _IN_FOLDERS)
            for device in _HARMLESS_DEVICES:
                _let(ruleset, device, rights & (WRITE_FILE | TRUNCATE | IOCTL_DEV))
        kernel.call("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)


def _scopes(network: bool, signals: bool) -> int:
    return (_SCOPE_ABSTRACT_SOCKETS if network else 0) | (_SCOPE_SIGNALS if signals else 0)


def _ruleset(rights: int, tcp: int, scopes: int, version: int) -> int:
    words = [rights]  # older kernels refuse a longer structure than they know
    if version >= _TCP_SINCE:
        words.append(tcp)
    if version >= _SCOPES_SINCE:
        words.append(scopes)
    attributes = b"".join(word.to_bytes(8, "little") for word in words)
    return kernel.call("landlock_create_ruleset", attributes, len(attributes), 0)


def _let(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # nothing there to be written to
    try:
        rule = rights.to_bytes(8, "little") + place.to_bytes(4, "little")
        kernel.call("landlock_add_rule", ruleset, 1, rule, 0)
    finally:
        os.close(place)
