"""Run found inputs again on the untouched function, in fresh interpreters under two hash seeds.

Only what both agree on is a fact about the program; the rest is reported as flaky.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from symcrete.inputs.shapes.arguments import Arguments
from symcrete.program.source.target import Target
from symcrete.terms.evaluate import Assignment

HASH_SEEDS = ("0", "1")
START_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Call:
    """One input as text, ready to be written into a test."""

    args: dict[str, str]
    keywords: tuple[str, ...] = ()
    imports: tuple[tuple[str, str], ...] = ()
    setup: tuple[str, ...] = ()  # statements to run before the arguments are evaluated

    def as_plain(self) -> dict[str, Any]:
        """As data that JSON can carry to an interpreter."""
        return {
            "args": self.args,
            "keywords": self.keywords,
            "imports": self.imports,
            "setup": self.setup,
        }


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the untouched function did."""

    outcome: str  # returned, raised, timeout, crashed, flaky, failed
    returned: str | None = None
    raised: str | None = None
    error: str | None = None  # the class raised
    error_module: str = "builtins"
    message: str | None = None  # its text, where the program and not Python chose it
    result_type: str = ""
    imports: tuple[tuple[str, str], ...] = ()
    lines: frozenset[int] = frozenset()
    reason: str = ""
    changed: tuple[str, ...] = ()  # variables of the program's modules that the call changed
    harm: str = ""  # what it does to everything else in its process


class Replay:
    """Two interpreters that know the target; a context manager.

    `file` is the one whose executed lines are told, if it is not the target's.
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
        """What the target did, or another function of its module."""
        for interpreter in self._interpreters:
            interpreter.ask(call, scope)
        limit = seconds or self._seconds
        first, second = [each.answer(limit) for each in self._interpreters]
        return combined(first, second)


ReplayOnce = Callable[[Target, Call, float], "Replayed"]


def replay_once(target: Target, call: Call, seconds: float) -> Replayed:
    with Replay(target, seconds) as replay:
        return replay.replay(call)


class Replays:
    """Replays of all the functions of a module in two interpreters, which start at once and get
    ready while an input is looked for; a context manager.
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


def combined(first: Replayed, second: Replayed) -> Replayed:
    """What two replays agree on; flaky where they do not."""
    lines = first.lines | second.lines
    changed = tuple(sorted({*first.changed, *second.changed}))
    for each in (first, second):
        if each.outcome == "flaky":
            return replace(each, lines=lines, changed=changed)
    if first.outcome != second.outcome or first.error != second.error:
        reason = f"{_said(first)} in one run, {_said(second)} in another"
    elif (first.returned, first.raised) != (second.returned, second.raised):
        kind = "result" if first.outcome == "returned" else "message"
        reason = f"the {kind} differs between two runs"
    else:
        return replace(first, changed=changed)
    if changed:
        reason = f"it depends on earlier calls, which change {', '.join(changed[:4])}"
    return Replayed("flaky", reason=reason, lines=lines, changed=changed)


def _said(answer: Replayed) -> str:
    return answer.error or answer.outcome


class _Interpreter:
    def __init__(self, target: Target, file: str, hash_seed: str) -> None:
        self._target = target
        self._file = file
        self._hash_seed = hash_seed
        self._process: subprocess.Popen[bytes] | None = None
        self._buffer = b""
        self._start()

    def _start(self) -> None:
        source = self._target.source
        here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        environment = {**os.environ, "PYTHONHASHSEED": self._hash_seed, "PYTHONPATH": _path(here)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "symcrete.run.replayer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        self._buffer = b""
        self._send(
            {
                "path": [str(source.root)],
                "module": source.module,
                "scope": self._target.called,
                "file": self._file,
                "finder": self._hash_seed != HASH_SEEDS[0],
            }
        )
        self._ready = False

    def ask(self, call: Call, scope: str = "") -> None:
        if self._process is None:
            self._start()
        if not self._ready:
            said = self._read(START_SECONDS)
            self._ready = bool(said and said.get("ready"))
        told = call.as_plain()
        self._send({**told, "scope": scope} if scope else told)

    def answer(self, seconds: float) -> Replayed:
        if not self._ready:
            return Replayed("failed", reason="the module cannot be imported by a fresh interpreter")
        said = self._read(seconds)
        if said is None:
            assert self._process is not None
            code = self._process.poll()
            self.stop()
            if code is None:
                return Replayed("timeout", reason=f"does not end within {seconds:g} s")
            return Replayed("crashed", reason=_death(code))
        return replayed_from(said)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
            self._process = None

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it died: reading says so

    def _read(self, seconds: float) -> dict[str, Any] | None:
        """The next answer; None when the process is silent for too long or gone."""
        assert self._process is not None and self._process.stdout is not None
        deadline = time.monotonic() + seconds
        descriptor = self._process.stdout.fileno()
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                return None
            data = os.read(descriptor, 65536)
            if not data:
                self._process.wait(1)
                return None
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        said: dict[str, Any] = json.loads(line)
        return said


def replayed_from(said: dict[str, Any]) -> Replayed:
    """An answer of the replayer."""
    return Replayed(
        outcome=said["outcome"],
        returned=said.get("returned"),
        raised=said.get("raised"),
        error=said.get("error"),
        error_module=said.get("error_module", "builtins"),
        message=said.get("message"),
        result_type=said.get("result_type", ""),
        imports=tuple([(module, name) for module, name in said.get("imports", ())]),
        lines=frozenset(said.get("lines", ())),
        reason=said.get("reason", ""),
        changed=tuple(said.get("changed", ())),
        harm=said.get("harm", ""),
    )


def _path(here: str) -> str:
    former = os.environ.get("PYTHONPATH")
    return f"{here}{os.pathsep}{former}" if former else here


def _death(code: int) -> str:
    if code < 0:
        try:
            return f"target crashed: {signal.Signals(-code).name}"
        except ValueError:
            return f"target crashed: signal {-code}"
    return f"target ended the process (code {code})"


def call_of(arguments: Arguments, given: Assignment) -> Call:
    """An input as text. Raises NoLiteral where a value has none."""
    written = arguments.written(given)
    imports = sorted(set().union(*[each.imports for each in written.values()]))
    texts = {label: each.text for label, each in written.items()}
    return Call(texts, tuple(arguments.keywords), tuple(imports))
