"""Run something in a fork of this process: it starts from here, and nothing it does is seen here.

Only its answer comes back, as bytes over a pipe; where the pipe was closed, in memory that both
share. It may hang, crash or close whatever it likes.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import select
import signal
import struct
import time
from collections.abc import Callable, Iterator
from typing import NoReturn, TypeAlias

from symcrete.clock import Clock, wall
from symcrete.slotted import dataclass

_ANSWER_PIECE = 1 << 16  # bytes read at once: what a pipe holds
_BOARD = 1 << 22  # bytes of shared memory for one answer; pages that nobody writes cost nothing
_SIZE = struct.Struct("<Q")  # how long the answer on the board is; 0 if there is none
# seconds in which a process must be gone that was killed or gave its answer; chosen, not measured
_GONE_SECONDS = 1.0
_POLL = 0.002  # seconds between two looks whether a child has ended; chosen, not measured


@dataclass(frozen=True, slots=True)
class Answered:
    """The child's whole answer."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Gone:
    """The child ended without an answer."""

    code: int  # exit code, negative for a signal


@dataclass(frozen=True, slots=True)
class TooLong:
    """The child took longer than it may, and was killed."""


Fate: TypeAlias = Answered | Gone | TooLong


class CannotKill(Exception):
    """A child that hangs, in a process that may not send it a signal."""


def fork_once(
    work: Callable[[], bytes], seconds: float, in_child: Callable[[], None] = lambda: None
) -> Fate:
    """The answer of the work, done in a fork of its own; `in_child` is called there first.

    Raises OSError where this process may not fork.
    """

    with mmap.mmap(-1, _BOARD) as board:

        def serve(questions: int, answers: int) -> None:
            answer = work()
            if len(answer) <= _BOARD - _SIZE.size:
                board[: _SIZE.size + len(answer)] = _SIZE.pack(len(answer)) + answer
            with contextlib.suppress(OSError):  # the work may have closed every descriptor
                _write(answers, answer)

        with contextlib.closing(Companion(serve, in_child)) as child:
            child.say_no_more()
            fate = child.heard(seconds)
        (size,) = _SIZE.unpack_from(board)
        if isinstance(fate, Gone) and size:
            return Answered(board[_SIZE.size : _SIZE.size + size].partition(b"\n")[0])
        return fate


class Companion:
    """A fork that lives on and answers one question after the other, as lines of bytes."""

    def __init__(
        self,
        serve: Callable[[int, int], None],
        in_child: Callable[[], None] = lambda: None,
        clock: Clock = wall,
    ) -> None:
        """`serve` gets the descriptors to read questions from and to write answers to."""
        questions, self._questions = os.pipe()
        self._answers, answers = os.pipe()
        self._rest = b""
        self._clock = clock
        self._status: int | None = None
        try:
            self._pid = os.fork()
        except OSError:
            for each in (questions, self._questions, self._answers, answers):
                os.close(each)
            raise
        if self._pid == 0:
            _be_child(lambda: serve(questions, answers), in_child, (self._questions, self._answers))
        os.close(questions)
        os.close(answers)

    def ask(self, question: bytes, seconds: float) -> Fate:
        """Its answer to a question; if it ended or took too long, it cannot be asked again."""
        try:
            _write(self._questions, question + b"\n")
        except OSError:
            return Gone(self._wait(_GONE_SECONDS) or 0)
        return self.heard(seconds)

    def say_no_more(self) -> None:
        """Close the questions, so that it ends when it has answered."""
        os.close(self._questions)
        self._questions = -1

    def heard(self, seconds: float) -> Fate:
        """The next line that it wrote; or how it ended without one."""
        until = self._clock() + seconds
        while b"\n" not in self._rest:
            left = until - self._clock()
            if left <= 0 or not select.select([self._answers], [], [], left)[0]:
                self.kill()
                return TooLong()
            data = os.read(self._answers, _ANSWER_PIECE)
            if not data:
                return self._at_the_end(until)
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return Answered(line)

    def _at_the_end(self, until: float) -> Fate:
        """How it ended, once it closed its pipe: it is dead, or still busy and then killed."""
        code = self._wait(max(0.0, until - self._clock()))
        if code is None:
            self.kill()
            return TooLong()
        return Gone(code)

    def kill(self) -> None:
        """End it now. Raises `CannotKill` where the system does not let us."""
        if self._status is None:
            try:
                os.kill(self._pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            except PermissionError as error:
                raise CannotKill from error
            self._wait(_GONE_SECONDS)

    def close(self) -> None:
        """Let it go; it has answered or is killed."""
        for each in (self._questions, self._answers):
            if each >= 0:
                os.close(each)
        self._questions = self._answers = -1
        if self._wait(_GONE_SECONDS) is None:
            self.kill()

    def _wait(self, seconds: float) -> int | None:
        """Its exit code once it is gone; None if it is not gone after so many seconds."""
        until = self._clock() + seconds
        while self._status is None:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status)
            elif self._clock() >= until:
                return None
            else:
                time.sleep(_POLL)
        return self._status


def _be_child(
    work: Callable[[], None], in_child: Callable[[], None], others: tuple[int, ...]
) -> NoReturn:
    """Do the work in the child, and end it: it never comes back into the parent's code, whatever
    happens.
    """
    code = 1
    try:
        for each in others:
            os.close(each)
        in_child()
        work()
        code = 0
    finally:
        os._exit(code)


def lines_from(descriptor: int) -> Iterator[bytes]:
    """The questions that a companion is asked, one line each, until there are no more."""
    rest = b""
    while True:
        data = os.read(descriptor, _ANSWER_PIECE)
        if not data:
            return
        *lines, rest = (rest + data).split(b"\n")
        yield from lines


def answer_with(descriptor: int, line: bytes) -> None:
    """Give a companion's answer to one question."""
    _write(descriptor, line + b"\n")


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
