"""Classes of the library that few programs use: known without loading their modules."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

from symcrete.program.source.module import is_library


def is_library_class(kind: object, module: str, name: str) -> bool:
    """Whether something is a class of the library, named by its module: never before the module is
    loaded, nor if a program has put a module of its own in its place.
    """
    loaded: Any = sys.modules.get(module)
    return kind is not None and kind is getattr(loaded, name, None) and _of_library(loaded)


def has_library_class(value: object, module: str, name: str) -> bool:
    """Whether a value is an object of such a class."""
    loaded: Any = sys.modules.get(module)
    kind = getattr(loaded, name, None)
    return isinstance(kind, type) and _of_library(loaded) and isinstance(value, kind)


def _of_library(module: Any) -> bool:
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and _is_library(file)


@functools.lru_cache(maxsize=8)  # asked of every value that may be a constant; of two modules
def _is_library(file: str) -> bool:
    return is_library(Path(file))
