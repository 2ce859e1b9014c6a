"""What a fork had to import its parent imports too, if it is one of our own modules."""

import importlib
import os
import sys

import pytest

from symcrete.sandbox.worker.learned import Learned, is_ours, learn

NAME = "symcrete.search.strategies.traversal"


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


@pytest.mark.parametrize("scribble", [b"[1, 2\0", b'["os", "symcrete.__main__", 7]\0', b"\xff\0"])
def test_what_a_program_scribbles_teaches_nothing(scribble: bytes) -> None:
    learned = Learned()
    learned._page[: len(scribble)] = scribble

    assert learned.by_fork() == ()


def test_only_modules_that_define_things_are_imported() -> None:
    learn(("this",))

    assert "this" not in sys.modules
    assert not is_ours("symcrete.__main__")
