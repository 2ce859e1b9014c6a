"""What a program changes around itself is noticed; what happens between its runs is not its doing."""

import os
import threading
from collections.abc import Iterator

import pytest

from symcrete.run.surroundings import Surroundings


@pytest.fixture
def around() -> Iterator[Surroundings]:
    names = [
        name for name in ("_start_joinable_thread", "_start_new_thread") if name in vars(threading)
    ]
    former = {name: getattr(threading, name) for name in names}
    yield Surroundings({"threading"})
    for name, function in former.items():
        setattr(threading, name, function)


def start_a_thread() -> None:
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def test_a_thread_started_in_a_run_is_the_program_s(around: Surroundings) -> None:
    around.settle()
    start_a_thread()
    around.restore()

    assert around.starts_threads


def test_a_thread_of_a_solver_is_not_the_program_s(around: Surroundings) -> None:
    around.settle()
    around.restore()
    start_a_thread()

    assert not around.starts_threads


def test_the_environment_of_the_first_run_is_put_back_not_that_of_the_import(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SHOP_LEVEL", raising=False)
    around = Surroundings({"environ"})  # made while variables are still concealed
    monkeypatch.setenv("SHOP_LEVEL", "high")

    around.settle()
    os.environ["SHOP_LEVEL"] = "low"
    around.restore()

    assert os.environ["SHOP_LEVEL"] == "high"
