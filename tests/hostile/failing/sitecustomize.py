"""Let a disk fail: from the n-th write of the command itself on, or at that one only.

Counts what changes files whose path contains `FAIL_IN`; workers and their pipes are left alone.
"""

import builtins
import errno
import os
import sys
from typing import Any

WHERE = os.environ.get("FAIL_IN", "")
FROM, AT = int(os.environ.get("FAIL_FROM", "0")), int(os.environ.get("FAIL_AT", "0"))
count = 0


def failing(function: Any, path_of: Any) -> Any:
    def call(*args: Any, **keywords: Any) -> Any:
        global count
        if WHERE in path_of(*args, **keywords):
            count += 1
            if count == AT or 0 < FROM <= count:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return function(*args, **keywords)

    return call


def opened(path: Any, flags: Any = 0, *_: Any, **__: Any) -> str:
    writing = flags & (os.O_WRONLY | os.O_RDWR) if isinstance(flags, int) else "r" not in flags
    return os.path.abspath(path) if writing and isinstance(path, str) else "\0"


def written(descriptor: int, *_: Any) -> str:
    try:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return "\0"
    return path if path.startswith("/") and not path.startswith(("/memfd:", "/dev/")) else "\0"


def named(path: Any, *_: Any, **__: Any) -> str:
    return os.path.abspath(path)


if "symcrete.cli" in " ".join(sys.orig_argv):
    os.open = failing(os.open, opened)
    builtins.open = failing(builtins.open, opened)
    os.write = failing(os.write, written)
    os.fsync = failing(os.fsync, written)
    os.mkdir = failing(os.mkdir, named)
    os.replace = failing(os.replace, named)
