"""What a process may use (memory, file size, no core dumps) and be (nobody special)."""

import contextlib
import os
import signal
import sys
from collections.abc import Collection

from symcrete.sandbox.walls import kernel
from symcrete.sandbox.walls.effects import EFFECTS

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_SET_NO_NEW_PRIVS = 38  # of prctl
_CAPABILITY_VERSION = 0x20080522  # of the structure that capset takes, in linux/capability.h
# CAP_DAC_READ_SEARCH: a privileged user may not be able to read even files of his own without it.
# It does not let him write.
_READ_ANY_FILE = 2


def limit_memory(most: int) -> bool:
    """Make allocations beyond this many bytes of address space fail, which Python turns into
    MemoryError; says whether the system took it."""
    return _limit("RLIMIT_AS", most)


def limit_file_size(most: int) -> bool:
    """Make writes fail that go beyond this many bytes of a file; says whether the system took it.
    It holds for descriptors 1 and 2 as well where these are files.
    """
    return _limit("RLIMIT_FSIZE", most)


def no_core_dumps() -> bool:
    return _limit("RLIMIT_CORE", 0)


def _limit(name: str, most: int) -> bool:
    if resource is None:
        return False
    which = getattr(resource, name)
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(which, (most, most))
    except (OSError, ValueError):
        return False
    return True


def never_gain_privileges() -> bool:
    """No program started from here gets more rights than this one: what the kernel asks for
    before it lets anybody build walls. Says whether the system knows of it."""
    try:
        kernel.call("prctl", _SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    except OSError:
        return False
    return True


def drop_capabilities(allowed: Collection[str]) -> None:
    """Leave a privileged user nothing but what the allowed effects need."""
    keep = {_READ_ANY_FILE}.union(*(EFFECTS[name].capabilities for name in allowed))
    wanted = sum(1 << capability for capability in keep)
    head = _CAPABILITY_VERSION.to_bytes(4, "little") + bytes(4)
    effective, permitted = _capabilities(head)
    sets = (effective & wanted, permitted & wanted, 0)
    # The structure has the low halves of all three sets, then the high ones.
    low = b"".join((s & 0xFFFFFFFF).to_bytes(4, "little") for s in sets)
    high = b"".join((s >> 32).to_bytes(4, "little") for s in sets)
    with contextlib.suppress(OSError):  # a second wall: the filter refuses the calls as well
        kernel.call("capset", head, low + high)


def _capabilities(head: bytes) -> tuple[int, int]:
    """The effective and the permitted capabilities of this process, a bit for each."""
    import ctypes

    data = ctypes.create_string_buffer(24)
    kernel.call("capget", head, data)
    words = [int.from_bytes(data.raw[i : i + 4], "little") for i in range(0, 24, 4)]
    return words[0] | words[3] << 32, words[1] | words[4] << 32


def die_with(parent: int) -> None:
    """Be killed when the parent ends, even by kill -9 (Linux).

    The kernel watches the parent's thread that started this process: it has to stay alive.
    """
    if not sys.platform.startswith("linux"):
        return
    with contextlib.suppress(OSError):  # on a machine whose call numbers nobody wrote down
        kernel.call("prctl", kernel.SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:  # it ended before the kernel was told
        os._exit(1)
