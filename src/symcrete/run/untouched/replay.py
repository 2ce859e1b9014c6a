"""Run found inputs again on the untouched function, in fresh interpreters under two hash seeds.

Only what both agree on is a fact about the program; the rest is reported as flaky.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

import symcrete
from symcrete.clock import Clock, wall
from symcrete.codec import decoded, encoded
from symcrete.program.source.target import Target
from symcrete.run.untouched.afresh import death
from symcrete.run.untouched.agreement import (
    HASH_SEEDS,
    MORE_TIME,
    Agreed,
    LookInto,
    first_look,
    second_look,
)
from symcrete.run.untouched.interpreter import Begin, Job, Said
from symcrete.run.untouched.played import Call, Replayed
from symcrete.run.use import Ending

# seconds for a fresh interpreter to import the program, on a busy machine; chosen, not measured
REPLAY_START_SECONDS = 20.0
# times the limit of a call, in which its answer must come: the interpreter itself ends plays that
# take too long; chosen, not measured
PLAYS = 8


class Replay:
    """Two interpreters that know the target; a context manager.

    `seconds` is the limit of one call; `file` is the one whose executed lines are told, if it is
    not the target's.
    """

    def __init__(self, target: Target, seconds: float, file: str = "") -> None:
        self._target = target
        self._file = file or str(target.source.file)
        self._seconds = seconds
        self._interpreters: list[_Interpreter] = []

    def __enter__(self) -> Self:
        self._interpreters = [_Interpreter(self._target, self._file, seed) for seed in HASH_SEEDS]
        return self

    def __exit__(self, *_: object) -> None:
        for interpreter in self._interpreters:
            interpreter.stop()

    def replay(self, call: Call, *, scope: str = "", seconds: float = 0.0) -> Replayed:
        """What the target, or another function of its module, does in both interpreters; flaky
        where they differ.
        """
        limit = seconds or self._seconds
        first, later = self._played(Job(call, limit, scope), after_others=True)
        match first_look(first, later):
            case Agreed(did):
                return did
            case LookInto():
                more = Job(call, MORE_TIME * limit, scope)
                return second_look(first, later, *self._played(more, after_others=False))

    def afresh(self, call: Call, *, scope: str = "") -> Replayed:
        """What the call does when it is the first, under the first hash seed alone."""
        job = Job(call, self._seconds, scope)
        self._interpreters[0].ask(job)
        return self._interpreters[0].answer(job.seconds)

    def _played(self, job: Job, *, after_others: bool) -> tuple[Replayed, Replayed]:
        """The answers of both interpreters: afresh under the first hash seed, under the second
        afresh or after others.
        """
        one, other = self._interpreters
        one.ask(job)
        other.ask(replace(job, after_others=after_others))
        return one.answer(job.seconds), other.answer(job.seconds)


ReplayOnce = Callable[[Target, Call, float], Replayed]


def replay_once(target: Target, call: Call, seconds: float) -> Replayed:
    """What the target does with this call, in two interpreters that are started for it."""
    with Replay(target, seconds) as replay:
        return replay.replay(call)


class Replays:
    """Replays for all the functions of a module in two interpreters; a context manager.

    They start at once and get ready while an input is looked for.
    """

    def __init__(self, target: Target) -> None:
        self._replay = Replay(target, 0.0)

    def __enter__(self) -> Self:
        self._replay.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._replay.__exit__()

    def __call__(self, target: Target, call: Call, seconds: float) -> Replayed:
        return self._replay.replay(call, scope=target.called, seconds=seconds)


class _Interpreter:
    """One fresh interpreter under one hash seed."""

    def __init__(self, target: Target, file: str, hash_seed: str, clock: Clock = wall) -> None:
        self._target = target
        self._clock = clock
        self._file = file
        self._hash_seed = hash_seed
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""
        self._start()

    def _start(self) -> None:
        source = self._target.source
        here = str(Path(symcrete.__file__).parents[1])  # the folder that the package is in
        environment = {**os.environ, "PYTHONHASHSEED": self._hash_seed, "PYTHONPATH": _path(here)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "symcrete.run.untouched.interpreter"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        self._buffer = b""
        self._send(
            Begin(
                path=source.path,
                module=source.module,
                scope=self._target.called,
                file=self._file,
                finder=self._hash_seed != HASH_SEEDS[0],
            )
        )
        self._ready = False

    def ask(self, job: Job) -> None:
        if self._process is None:
            self._start()
        if not self._ready:
            said = self._read(REPLAY_START_SECONDS)
            self._ready = said is not None and not said.failed
        self._send(job)

    def answer(self, seconds: float) -> Replayed:
        if not self._ready:
            return Replayed(
                Ending.FAILED, reason="the module cannot be imported by a fresh interpreter"
            )
        said = self._read(PLAYS * seconds + REPLAY_START_SECONDS)
        if said is None or said.did is None:
            assert self._process is not None
            code = self._process.poll()
            self.stop()
            if code is None:
                return Replayed(Ending.TIMEOUT, reason=f"does not end within {seconds:g} s")
            return Replayed(Ending.CRASHED, reason=death(code))
        return said.did

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):  # jobs that it died without reading
                        stream.close()
            self._process = None

    def _send(self, message: Begin | Job) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(encoded(message)).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it died: reading says so

    def _read(self, seconds: float) -> Said | None:
        """The next answer; None when the process is silent for too long or gone."""
        assert self._process is not None and self._process.stdout is not None
        deadline = self._clock() + seconds
        descriptor = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            left = deadline - self._clock()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                return None
            data = os.read(descriptor, 65536)  # what a pipe holds
            if not data:
                self._process.wait(1)
                return None
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        return decoded(Said, json.loads(line))


def _path(here: str) -> str:
    former = os.environ.get("PYTHONPATH")
    return f"{here}{os.pathsep}{former}" if former else here
