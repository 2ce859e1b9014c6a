"""Objects as published packages use them: every branch behind them is covered, by tests that pass."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.report.whole_modules import covered

PROGRAMS = {
    "a tree whose nodes are attached by setting a property": """
    class Node:
        @property
        def parent(self):
            return getattr(self, "_parent", None)

        @parent.setter
        def parent(self, value):
            if value is not None and not isinstance(value, Node):
                raise TypeError("no node")
            self._parent = value
            if value is not None:
                value.held().append(self)

        def held(self):
            if not hasattr(self, "_held"):
                self._held = []
            return self._held

        @property
        def children(self):
            return tuple(self.held())

        @children.setter
        def children(self, children):
            children = tuple(children)
            Node.__check(children)
            for child in children:
                child.parent = self

        @children.deleter
        def children(self):  # pragma: no cover
            for child in self.children:
                child.parent = None

        @staticmethod
        def __check(children):
            for child in children:
                if not isinstance(child, Node):
                    raise TypeError("no node")

        def height(self):
            children = self.children
            if children:
                return 1 + max(child.height() for child in children)
            return 0

        def is_root(self):
            if self.parent is None:
                return True
            return False
    """,
    "a signal that calls what was connected, with keywords": """
    from __future__ import annotations
    from typing import TYPE_CHECKING, Any

    if TYPE_CHECKING:  # pragma: no cover
        from typing import Callable, TypeVar
        F = TypeVar("F", bound=Callable[..., Any])


    class Signal:
        def __init__(self):
            self.receivers: dict[int, Any] = {}

        def connect(self, receiver: F, again: bool = False) -> F:
            self.receivers[len(self.receivers)] = receiver
            return receiver

        def send(self, sender: Any, **more: Any) -> list:
            return [each(sender, signal=self) for each in self.receivers.values()]

        def loud(self, least: int) -> str:
            if len(self.receivers) > least >= 0:
                return "loud"
            return "quiet"
    """,
    "a record that holds records of its type, and something that nobody can make": """
    from __future__ import annotations
    import threading
    from typing import TypedDict


    class Options(TypedDict, total=False):
        size: int
        lock: threading.Lock
        inner: list[Options]


    def nested(options: Options) -> int:
        inner = options.get("inner", [])
        if len(inner) > 1 and inner[0].get("size") == 7:
            return 7
        return 0
    """,
    "an object that names itself by time and machine": """
    import uuid


    class Node:
        def __init__(self, name=None):
            self.name = name or str(uuid.uuid1())


    def label(node: Node, size: int) -> str:
        if size > 3:
            return node.name
        return "small"
    """,
    "an object of the module that remembers functions": """
    from typing import Any, Callable


    class Bell:
        def __init__(self) -> None:
            self.receivers: list[Callable[..., Any]] = []

        def connect(self, receiver: Callable[..., Any]) -> None:
            self.receivers.append(receiver)


    bell = Bell()


    def ring(times: int) -> str:
        if not bell.receivers:
            return "nobody"
        if bell.receivers[0](times, loud=True):
            return "loud"
        return "quiet"
    """,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_every_branch_is_covered_by_tests_that_pass(program: str, tmp_path: Path) -> None:
    found = covered(program, tmp_path, max_runs=300)

    assert found.passes, found.said
    assert _missing(tmp_path) == ([], [])


def _missing(folder: Path) -> tuple[list[int], list[list[int]]]:
    """The lines and branches of the program that its tests do not take, by coverage.py."""
    measured = [sys.executable, "-m", "coverage", "run", "--branch", "--include=shop.py"]
    tests = ["-m", "pytest", "-q", "-p", "no:symcrete", "-p", "no:cacheprovider", "test_shop.py"]
    subprocess.run([*measured, *tests], cwd=folder, capture_output=True, check=True)
    told = subprocess.run(
        [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"],
        cwd=folder,
        capture_output=True,
        check=True,
    )
    file = json.loads(told.stdout)["files"]["shop.py"]
    return file["missing_lines"], file["missing_branches"]
