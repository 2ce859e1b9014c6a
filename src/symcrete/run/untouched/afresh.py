"""Play calls afresh: each in a fork of a process that has done nothing but import the module.

A result is what the call gives when it is the first one. A call that cannot leave anything behind
is played in that process itself, which is the same and much cheaper. On request a call is played
after all earlier ones instead: a result that differs then depends on them.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, assert_never

from symcrete.codec import decoded, encoded
from symcrete.run.untouched.forks import (
    Answered,
    Companion,
    Fate,
    Gone,
    TooLong,
    answer_with,
    fork_once,
    lines_from,
)
from symcrete.run.untouched.played import Call, Replayed, all_saw, unsteady
from symcrete.run.untouched.replayer import Replayer
from symcrete.run.use import Ending
from symcrete.slotted import dataclass

# further plays of a call that executed a line which asks for chance: with that of the second
# interpreter, a toss of a coin goes unnoticed 1 time in 500
FURTHER_PLAYS = 8


@dataclass(frozen=True, slots=True)
class Question:
    """A call that a companion process is asked to play."""

    scope: str
    call: Call


class Chance:
    """The state of `random` after the import, which every fork starts from: a program may have
    seeded it.
    """

    def __init__(self, *, watched: bool) -> None:
        """Made before the program is imported; `watched` says that the program asks for chance."""
        self._state = self._now() if watched and importlib.import_module("random") else None
        self.seeded = False  # whether the program seeded it when it was imported

    def after_import(self) -> None:
        """Take in the state at the end of the import, and whether the program seeded it."""
        former, self._state = self._state, self._now()
        self.seeded = former is not None and former != self._state

    def restore(self) -> None:
        """Go on with the state at the end of the import."""
        if self._state is not None:
            sys.modules["random"].setstate(self._state)

    def _now(self) -> Any:
        random = sys.modules.get("random")
        return random.getstate() if random is not None else None


class Afresh:
    """Plays calls in a process that has imported the module."""

    def __init__(
        self,
        replayer: Replayer,
        chance: Chance,
        *,
        unsteady: frozenset[int] = frozenset(),
        before: Callable[[float], None] = lambda seconds: None,
        in_child: Callable[[], None] = lambda: None,
        around: Callable[[str, Callable[[], Replayed]], Replayed] = lambda scope, play: play(),
    ) -> None:
        """`unsteady`: lines that ask for chance or the time. `before` is called here before every
        play, with the seconds that it may take; `in_child` first in every fork, `around` around
        every call there, with the scope of the function.
        """
        self._replayer = replayer
        self._unsteady = unsteady
        self._before = before
        self._in_child = in_child
        self._around = around
        self._chance = chance
        chance.after_import()
        self._companion: Companion | None = None  # plays calls one after the other

    def play(
        self, scope: str, call: Call, seconds: float, *, after_others: bool = False
    ) -> Replayed:
        """What the call does when it is the first one; with `after_others`, what it does after all
        calls that were played so before.
        """
        question = Question(scope, call)
        if self._replayer.leaves_nothing(scope, call):
            self._before(seconds)
            return self._play(question)
        if after_others:
            return self._own_sides(question, self._later(question, seconds), seconds)
        did = self._first(question, seconds)
        return self._steady(question, did, seconds) if did.lines & self._unsteady else did

    def close(self) -> None:
        if self._companion is not None:
            self._companion.kill()
            self._companion.close()

    def _first(self, question: Question, seconds: float, *, reseeded: bool = False) -> Replayed:
        def work() -> bytes:
            if not reseeded:
                self._chance.restore()
            return json.dumps(encoded(self._play(question))).encode() + b"\n"

        self._before(seconds)
        return _told(fork_once(work, seconds, self._in_child), seconds)

    def _steady(self, question: Question, did: Replayed, seconds: float) -> Replayed:
        """The same answer, or "flaky" if chance or the clock give something else when it is played
        again.
        """
        for _ in range(FURTHER_PLAYS):
            again = self._first(question, seconds, reseeded=not self._chance.seeded)
            if again.did != did.did:
                told = unsteady("the result differs between two calls", did, again)
                return replace(told, lines=did.lines)
            did = replace(did, seen=all_saw(did, again))
        return did

    def _later(self, question: Question, seconds: float) -> Replayed:
        companion = self._companion or Companion(self._serve, self._in_child)
        self._before(seconds)
        fate = companion.ask(json.dumps(encoded(question)).encode(), seconds)
        if isinstance(fate, Answered):
            self._companion = companion
        else:
            companion.close()
            self._companion = None
        return _told(fate, seconds)

    def _own_sides(self, question: Question, later: Replayed, seconds: float) -> Replayed:
        """What a call did after others, with the sides that it takes when it is the first one: the
        others may be the reason for a side also where result and lines are the same.
        """
        if not later.sides:
            return later
        own = self._first(question, seconds).sides or frozenset()
        return replace(later, sides=own, sides_later=later.sides - own)

    def _serve(self, questions: int, answers: int) -> None:
        self._chance.restore()
        for line in lines_from(questions):
            did = self._play(decoded(Question, json.loads(line)))
            answer_with(answers, json.dumps(encoded(did)).encode())

    def _play(self, question: Question) -> Replayed:
        scope, call = question.scope, question.call
        return self._around(scope, lambda: self._replayer.play(scope, call))


def _told(fate: Fate, seconds: float) -> Replayed:
    match fate:
        case Answered(data):
            with contextlib.suppress(ValueError):
                return decoded(Replayed, json.loads(data))
            return Replayed(Ending.CRASHED, reason="target wrote to the descriptors of its process")
        case TooLong():
            return Replayed(Ending.TIMEOUT, reason=f"does not end within {seconds:g} s")
        case Gone(code):
            return Replayed(Ending.CRASHED, reason=death(code))
        case _:
            assert_never(fate)


def death(code: int) -> str:
    """The end of a process in words."""
    if code >= 0:
        return f"target ended the process (code {code})"
    try:
        return f"target crashed: {signal.Signals(-code).name}"
    except ValueError:  # a real-time signal
        return f"target crashed: signal {-code}"
