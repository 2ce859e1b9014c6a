"""What a fork had to make ready its parent makes ready too, if it is one of our own."""

import importlib
import os
import sys
from typing import Any

import pytest

from symcrete import slotted
from symcrete.sandbox.worker.learned import Learned, is_ours, learn
from symcrete.slotted import dataclass

NAME = "symcrete.search.branches.traversal"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_parent_learns_what_its_fork_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    importlib.import_module(NAME)
    monkeypatch.delitem(sys.modules, NAME)
    learned = Learned()
    pid = os.fork()
    if not pid:  # pragma: no cover - the fork
        importlib.import_module(NAME)
        learned.tell()
        os._exit(0)
    os.waitpid(pid, 0)

    names = learned.by_fork()
    learned.follow(names)

    assert names == (NAME,)
    assert NAME in sys.modules
    assert learned.by_fork() == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_parent_makes_the_classes_ready_that_its_fork_used() -> None:
    unused: Any = dataclass(frozen=True, slots=True)(
        type("Unused", (), {"__module__": "symcrete.slotted", "__annotations__": {"x": "int"}})
    )
    slotted.Unused = unused  # type: ignore[attr-defined]
    try:
        learned = Learned()
        pid = os.fork()
        if not pid:  # pragma: no cover - the fork
            for number in range(slotted.FEW_INSTANCES + 1):
                unused(number)
            learned.tell()
            os._exit(0)
        os.waitpid(pid, 0)

        names = learned.by_fork()
        before = slotted.in_use()
        learned.follow(names)
    finally:
        del slotted.Unused  # type: ignore[attr-defined]

    assert names == ("symcrete.slotted:Unused.__init__",)
    assert names[0] not in before
    assert names[0] in slotted.in_use()


def test_a_fork_that_stays_says_each_thing_once() -> None:
    learned = Learned()
    slotted._WITH_METHODS["symcrete.slotted:Nothing"] = None
    try:
        first, second = learned.news(), learned.news()
    finally:
        del slotted._WITH_METHODS["symcrete.slotted:Nothing"]

    assert first == ("symcrete.slotted:Nothing",)
    assert second == ()


@pytest.mark.parametrize("scribble", [b"[1, 2\0", b'["os", "symcrete.__main__", 7]\0', b"\xff\0"])
def test_what_a_program_scribbles_teaches_nothing(scribble: bytes) -> None:
    learned = Learned()
    learned._page[: len(scribble)] = scribble

    assert learned.by_fork() == ()


def test_only_modules_that_define_things_are_imported() -> None:
    learn(("this",))

    assert "this" not in sys.modules
    learn(("symcrete.slotted:Absent", "symcrete.absent:X", "os:path"))
    assert not is_ours("symcrete.__main__")
