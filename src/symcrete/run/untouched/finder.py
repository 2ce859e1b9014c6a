"""A finder of modules that finds nothing, put before Python's own.

Test runners have one, which reads the name of a module as a path. With a text that is no name of a
module a program then does something else than without it, and no test should assert that.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import PurePath


class NameReader:
    """A finder that reads the name of a module as a path, and finds nothing."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: object = None
    ) -> None:
        PurePath(*name.split(".")).with_suffix(".py")


def install() -> None:
    """Put the finder before Python's own."""
    sys.meta_path.insert(0, NameReader())
