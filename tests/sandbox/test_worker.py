"""The worker's end of the talk with the driver, and how a worker says that it has ended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NoReturn

import pytest

from symcrete.codec import untagged
from symcrete.sandbox.messages.board import Board
from symcrete.sandbox.messages.channel import Event, Orders, Receiver, Sender
from symcrete.sandbox.messages.doings import Doing, Importing
from symcrete.sandbox.messages.ends import Failed, Finished
from symcrete.sandbox.messages.jobs import Setup
from symcrete.sandbox.messages.words import TO_REPLAYING, Enough
from symcrete.sandbox.walls.confine import Protection
from symcrete.sandbox.worker.worker import Link, to_the_end

TOKEN = "0123"


class Driver:
    """The other ends of a worker's pipes and board."""

    def __init__(self) -> None:
        self._read, write = os.pipe()
        read, self._orders = os.pipe()
        board = os.memfd_create("board")
        setup = Setup(
            driver=os.getpid(), entry="", job=None, budget=5.0, token=TOKEN, channel=write,
            board=board, notices=-1, orders=read, work="/work", allow=(), memory=None,
            forks=False, confined=False,
        )  # fmt: skip
        self.board = Board(board)
        protection = Protection("/work", gaps=("no walls",))
        self.link = Link(Sender(write, TOKEN), self.board, Orders(read), setup, protection)
        self._open = {self._read, write, read, self._orders, board}

    def heard(self) -> list[Event]:
        return Receiver(TOKEN).feed(os.read(self._read, 1 << 16))

    def order(self, text: str) -> None:
        os.write(self._orders, text.encode())

    def close(self, *descriptors: int) -> None:
        for each in descriptors or tuple(self._open):
            os.close(each)
            self._open.discard(each)

    def end_orders(self) -> None:
        self.close(self._orders)


@pytest.fixture
def driver() -> Iterator[Driver]:
    made = Driver()
    yield made
    made.board.close()
    made.close()


def test_a_worker_says_what_is_not_protected_when_it_is_ready(driver: Driver) -> None:
    driver.link.be_ready()

    [event] = driver.heard()
    assert event["event"] == "Ready"
    assert any("no walls" in line for line in event["protection"])


def test_what_comes_next_stands_on_the_board_with_its_limit(driver: Driver) -> None:
    driver.link.doing(Importing("shop"), 2.5)

    entry = driver.board.read()
    assert entry is not None
    assert untagged(Doing, entry.what) == Importing("shop")
    assert entry.limit == 2.5


def test_an_heir_has_its_own_budget_and_the_same_channel(driver: Driver) -> None:
    heir = driver.link.heir(1.5)
    heir.send(Finished())

    assert (heir.budget, driver.link.budget) == (1.5, 5.0)
    assert [event["event"] for event in driver.heard()] == ["Finished"]


def test_orders_are_messages_and_end_with_the_driver(driver: Driver) -> None:
    driver.order('{"event": "Enough"}\n')
    driver.end_orders()

    assert list(driver.link.orders(TO_REPLAYING)) == [Enough()]


class Ended(BaseException):
    """In place of the end of the process."""


@pytest.mark.parametrize(
    ("work", "said"), [(lambda: None, Finished), (lambda: 1 // 0, Failed)], ids=["done", "raised"]
)
def test_a_worker_says_how_its_work_went_and_ends(
    monkeypatch: pytest.MonkeyPatch, work: object, said: type
) -> None:
    def ended(code: int) -> NoReturn:
        raise Ended(code)

    monkeypatch.setattr(os, "_exit", ended)
    heard: list[object] = []

    with pytest.raises(Ended, match="0"):
        to_the_end(work, heard.append)  # type: ignore[arg-type]

    assert [type(each) for each in heard] == [said]
    assert said is Finished or "ZeroDivisionError" in heard[0].traceback  # type: ignore[attr-defined]
