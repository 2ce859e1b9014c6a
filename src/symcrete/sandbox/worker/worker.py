"""The worker: a process that confines itself, then does one job on strangers' code.

Started by `driver/births.py`. What it is to run is named "module:function" and gets the job, of the
type that its first parameter is annotated with, and a Link.
"""

from __future__ import annotations

import copy
import faulthandler
import fcntl
import gc
import importlib
import json
import os
import resource
import socket
import sys
import traceback
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn, TypeVar

from symcrete.codec import Vocabulary, decoded, encoded, tagged
from symcrete.sandbox.messages.board import Board
from symcrete.sandbox.messages.channel import Orders, Sender
from symcrete.sandbox.messages.doings import Doing
from symcrete.sandbox.messages.ends import Failed, Finished
from symcrete.sandbox.messages.jobs import Setup
from symcrete.sandbox.messages.words import Ready
from symcrete.sandbox.walls import audit, kernel, limits, semaphores, shared_memory
from symcrete.sandbox.walls.confine import Protection, confine
from symcrete.sandbox.walls.effects import allowance
from symcrete.sandbox.walls.notices import Facts, Notices
from symcrete.world.importing.concealed import CONCEALED

T = TypeVar("T")

LEAST_BUDGET = 0.3  # seconds that a worker gets at least, also after one that was ended
_LEFT_ABOVE = 16  # room for our own descriptors below the system's limit; chosen, not measured
# The number from which on our descriptors are: programs that close "all" mostly mean the low ones.
_HIGH = 900


class Link:
    """How the code in a worker speaks to the driver."""

    def __init__(
        self, sender: Sender, board: Board, orders: Orders, setup: Setup, protection: Protection
    ) -> None:
        self._sender = sender
        self._board = board
        self._orders = orders
        self.budget = setup.budget  # seconds left for the job
        self.work = setup.work  # the one folder that can be written to
        self.protection = protection

    def be_ready(self) -> None:
        """Say what is protected: from here on the budget counts."""
        self.send(Ready(tuple(self.protection.lines())))

    def heir(self, budget: float) -> Link:
        """The same for a fork of this process, which has so many seconds for its job."""
        heir = copy.copy(self)
        heir.budget = budget
        return heir

    def send(self, message: object) -> None:
        """Send the driver a message, one of those in `words`."""
        _send(self._sender, message)

    def doing(self, what: Doing, limit: float = float("inf")) -> None:
        """Say what comes next and how many seconds it may take: if the worker hangs or dies
        over it, this is what the driver reports."""
        self._board.write(tagged(what), limit)

    def catch_up(self) -> None:
        """Let what is written on the board next count as later than what forks wrote there."""
        self._board.catch_up()

    def orders(self, words: Vocabulary[T]) -> Iterator[T]:
        """What the driver asks for while the worker is at work; ends with the driver."""
        for order in self._orders:
            heard = words.heard(order)
            assert heard is not None, f"the driver sent {order.get('event')!r}"
            yield heard


def _send(sender: Sender, message: object) -> None:
    sender.send(type(message).__name__, encoded(message))


def main(descriptor: int, known_as: Mapping[int, int] | None = None) -> NoReturn:
    """Read what to do from the descriptor, do it, and end without waiting for anybody.

    `known_as` has the numbers here of the descriptors that the setup names; None: the same ones.
    """
    with os.fdopen(descriptor) as file:
        setup = decoded(Setup, json.load(file))
    if known_as is not None:
        setup = replace(
            setup,
            channel=known_as[setup.channel],
            board=known_as[setup.board],
            notices=known_as[setup.notices],
            orders=known_as[setup.orders],
        )
    limits.die_with(setup.driver)
    faulthandler.enable()
    sender = Sender(_high(setup.channel), setup.token)
    orders = Orders(_high(setup.orders))
    board = Board(setup.board)
    os.close(setup.board)

    def work() -> None:
        run, kind = _entry(setup.entry)
        gc.enable()
        job = decoded(kind, setup.job)
        # From here on modules are the program's, and none of our business to cache.
        sys.dont_write_bytecode = True
        sys.argv = ["symcrete"]
        CONCEALED.conceal()
        protection = _protect(setup, sender, board, orders)
        link = Link(sender, board, orders, setup, protection)
        link.be_ready()
        run(job, link)

    to_the_end(work, lambda message: _send(sender, message))


def to_the_end(work: Callable[[], None], send: Callable[[object], None]) -> NoReturn:
    """Do the work, say how it went, and end this process without waiting for anybody."""
    try:
        work()
        flush_output()
        send(Finished())
    except BaseException:
        said = traceback.format_exc()
        flush_output()
        send(Failed(said))
    # Not through the interpreter's own end: it would wait for threads the program left behind.
    os._exit(0)


def _entry(name: str) -> tuple[Callable[[Any, Link], None], Any]:
    """What to run, and the type of its job; a job of no declared type is passed on as JSON."""
    module, _, function = name.partition(":")
    run = getattr(importlib.import_module(module), function)
    return run, typing.get_type_hints(run).get("job", Any)


def _protect(setup: Setup, sender: Sender, board: Board, orders: Orders) -> Protection:
    if not setup.confined:
        return Protection(setup.work, gaps=("the sandbox is switched off (--no-sandbox)",))
    allow = allowance(setup.allow)
    connection = socket.socket(fileno=_high(setup.notices))
    protection = confine(
        setup.work,
        allow=allow,
        memory=setup.memory,
        forks=setup.forks,
        bears=setup.bears,
        notify=True,
        keep=(sender.descriptor, connection.fileno(), orders.descriptor),
    )
    if protection.listener is not None:
        notices = Notices(connection, board)
        machine = kernel.machine()
        assert machine is not None, "there is a filter, so the numbers of calls are known"
        facts = Facts(machine, protection.landlocked)
        notices.hand_over(protection.listener, facts)
        os.close(protection.listener)
        audit.attach(notices.drain)
    audit.install(setup.work, allow)
    if "ipc" not in allow:
        semaphores.stand_in()
        shared_memory.stand_in()
    return protection


def _high(descriptor: int) -> int:
    """The same descriptor under a number that the program is unlikely to hit on."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    below = max(3, min(_HIGH, soft - _LEFT_ABOVE))  # 0, 1 and 2 are the standard streams
    lowest = _HIGH if soft == resource.RLIM_INFINITY else below
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, lowest)
    os.close(descriptor)
    return moved


def flush_output() -> None:
    """Pass on what the program printed, as far as it left us the means to."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # closed or replaced by the program
            continue
