"""Where a folder really lies, whatever links lead there, where our own code is, and how those of a
run are called.
"""

from __future__ import annotations

import functools
import os

import symcrete

OUR_FILES = os.path.dirname(symcrete.__file__) + "/"  # how paths of our own code begin
# What another interpreter must look through to find this package.
IMPORT_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(symcrete.__file__)))
OWN_FOLDER = "symcrete-"  # how the names of the folders begin that a run makes for itself


def real_folder(folder: str) -> str:
    """The folder without links, as `os.path.realpath` gives it.

    What is absolute is asked of the system once: each function that is explored asks for every
    folder of `sys.path` and of every imported module, which took a fifth of a short exploration.
    """
    return _resolved(folder) if folder.startswith("/") else os.path.realpath(folder)


@functools.lru_cache(maxsize=4096)  # folders; chosen, not measured
def _resolved(folder: str) -> str:
    return os.path.realpath(folder)
