"""The worker: a process that confines itself, then does one job on strangers' code.

Started by watch.py. What it is to run is named "module:function" and gets the job and a Link.
"""

import faulthandler
import fcntl
import importlib
import json
import os
import resource
import socket
import sys
import traceback
from collections.abc import Mapping
from typing import Any, NoReturn

from symcrete.sandbox.messages.board import Board
from symcrete.sandbox.messages.channel import Orders, Sender
from symcrete.sandbox.walls import audit, kernel, limits
from symcrete.sandbox.walls.confine import Protection, confine
from symcrete.sandbox.walls.effects import allowance
from symcrete.sandbox.walls.notices import Notices

_HIGH = 900  # programs that close "all" descriptors mostly mean the low ones


class Link:
    """How the code in a worker speaks to the driver."""

    def __init__(
        self, sender: Sender, board: Board, orders: Orders, work: str, protection: Protection
    ) -> None:
        self._sender = sender
        self._board = board
        self.orders = orders  # what the driver asks for while the worker is at work
        self.work = work  # the one folder that can be written to
        self.protection = protection

    def send(self, event: str, **fields: object) -> None:
        """An event for the driver; the fields must be JSON."""
        self._sender.send(event, fields)

    def doing(self, limit: float = float("inf"), **what: object) -> None:
        """Say what comes next and how many seconds it may take: if the worker hangs or dies
        over it, this is what the driver reports."""
        self._board.write(what, limit)


def main(descriptor: int) -> NoReturn:
    """Read what to do from the descriptor, do it, and end without waiting for anybody."""
    with os.fdopen(descriptor) as file:
        setup = json.load(file)
    limits.die_with(setup["driver"])
    faulthandler.enable()
    sender = Sender(_high(setup["channel"]), setup["token"])
    orders = Orders(_high(setup["orders"]))
    board = Board(setup["board"])
    os.close(setup["board"])
    try:
        module, _, function = setup["entry"].partition(":")
        run = getattr(importlib.import_module(module), function)
        # From here on modules are the program's, and none of our business to cache.
        sys.dont_write_bytecode = True
        sys.argv = ["symcrete"]
        protection = _protect(setup, sender, board, orders)
        sender.send("worker-ready", {"protection": protection.lines()})
        run(setup["job"], Link(sender, board, orders, setup["work"], protection))
        _flush()
        sender.send("worker-finished", {})
    except BaseException:
        said = traceback.format_exc()
        _flush()
        sender.send("worker-failed", {"traceback": said})
    # Not through the interpreter's own end: it would wait for threads the program left behind.
    os._exit(0)


def _protect(setup: Mapping[str, Any], sender: Sender, board: Board, orders: Orders) -> Protection:
    if not setup["confined"]:
        return Protection(setup["work"], gaps=("the sandbox is switched off (--no-sandbox)",))
    allow = allowance(setup["allow"])
    connection = socket.socket(fileno=_high(setup["notices"]))
    protection = confine(
        setup["work"],
        allow=allow,
        memory=setup["memory"],
        forks=setup["forks"],
        notify=True,
        keep=(sender.descriptor, connection.fileno(), orders.descriptor),
    )
    if protection.listener is not None:
        notices = Notices(connection, board)
        facts = {"machine": kernel.machine(), "landlocked": protection.landlocked}
        notices.hand_over(protection.listener, facts)
        os.close(protection.listener)
        audit.attach(notices.drain)
    audit.install(setup["work"], allow)
    return protection


def _high(descriptor: int) -> int:
    """The same descriptor under a number that the program is unlikely to hit on."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = _HIGH if soft == resource.RLIM_INFINITY else max(3, min(_HIGH, soft - 16))
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, lowest)
    os.close(descriptor)
    return moved


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:  # closed or replaced by the program
            continue
