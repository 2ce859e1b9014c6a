"""Forget the environment of this machine once the program is imported: it may hold secrets.

An import may need variables, as settings do that are read there. After it every variable that a run
reads is an input, or set by the test; whoever reads them in another way (`os.environb`) finds those
of the worker's own folders, and nothing that a report or a cache must not hold.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from symcrete.inputs.literal import secrets

# Those that a worker is given folders of its own by, and those that only say how to write.
KEPT = frozenset(
    {
        *("HOME", "USERPROFILE", "TMPDIR", "HYPOTHESIS_STORAGE_DIRECTORY", "PYTHONHASHSEED"),
        *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
        *("XDG_RUNTIME_DIR", "TERM", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "COLUMNS", "NO_COLOR"),
    }
)


def forget_environment() -> None:
    """Take all other variables out of what Python tells of them; the system still knows them."""
    held: Any = os.environ
    kept = {held.encodekey(each) for each in KEPT}
    secrets.update(value for name, value in held.items() if name not in KEPT and value)
    for known in (held._data, getattr(sys.modules.get("posix"), "environ", {})):
        for name in [each for each in known if each not in kept]:
            del known[name]
