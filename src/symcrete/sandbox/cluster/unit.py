"""What a worker of a cluster does: explore the functions of one module, as one machine would.

Everything that goes over the network is text of our own codec, so that a cluster needs the same
version of symcrete and the same files, and nothing is unpickled but a name and strings.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import os
import platform
from collections.abc import Callable
from pathlib import Path

from symcrete import VERSION
from symcrete.clock import wall
from symcrete.codec import decoded, encoded
from symcrete.errors import SymcreteError
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import Target
from symcrete.sandbox.driver import driver
from symcrete.sandbox.driver.births import Zygotes
from symcrete.sandbox.driver.replaying import SERVING_ENTRY
from symcrete.sandbox.messages.before import Before
from symcrete.sandbox.messages.events import Event
from symcrete.slotted import dataclass

SECONDS_BETWEEN_ASKING = 1.0  # whether to stop, which is a question over the network


class NotTheSame(SymcreteError):
    """A worker of the cluster has another version of symcrete, or of the program."""


@dataclass(frozen=True, slots=True)
class Known:
    """A function to explore, and what earlier runs knew of it."""

    target: Target
    before: Before


@dataclass(frozen=True, slots=True)
class Unit:
    """The functions of one module, as they travel."""

    version: str  # of symcrete
    folder: str  # that the command was started in
    text: str  # a hash of the module's file
    options: Options
    functions: tuple[Known, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """Something that the driver of a single machine would have been told at once."""

    target: str
    event: Event | None = None  # None: it was taken up
    gaps: tuple[str, ...] = ()  # what the worker's machine does not protect from


@dataclass(frozen=True, slots=True)
class Explored:
    """The reports of a unit."""

    reports: tuple[TargetReport, ...]


def unit_of(functions: tuple[Known, ...], options: Options) -> Unit:
    """The functions of one module, ready to travel."""
    file = functions[0].target.source.file
    return Unit(VERSION, os.getcwd(), _hashed(file), options, functions)


def explored_unit(text: str, topic: str) -> str:
    """The entry of a task: explore a unit, in the same processes and behind the same walls as on
    one machine, and tell under the topic what happens. Returns the reports, an `Explored` as text.
    """
    from distributed import Event as Flag
    from distributed import get_worker

    plain = json.loads(text)
    if plain["version"] != VERSION:
        raise NotTheSame(
            f"{platform.node()} has symcrete {VERSION}, and {plain['version']} is wanted"
        )
    unit = decoded(Unit, plain)
    worker = get_worker()
    flag = Flag(topic)

    def tell(happened: Happened) -> None:
        worker.log_event(topic, json.dumps(encoded(happened)))

    return json.dumps(encoded(explored(unit, tell, _asking(flag.is_set))))


def explored(unit: Unit, tell: Callable[[Happened], None], stop: Callable[[], bool]) -> Explored:
    """The reports of a unit, which is explored on this machine."""
    file = unit.functions[0].target.source.file
    if _hashed(file) != unit.text:
        raise NotTheSame(f"{file} is not the same on {platform.node()}, or is not there")
    with contextlib.suppress(OSError):
        os.chdir(unit.folder)
    before = {each.target.label: each.before for each in unit.functions}
    reports = driver.cover_all(
        [each.target for each in unit.functions],
        unit.options,
        on_target=lambda target: tell(Happened(target.label)),
        on_protection=lambda lines: tell(Happened("", gaps=tuple(lines))),
        record=lambda target, event: tell(Happened(target.label, event)),
        before=lambda target: before[target.label],
        stop=stop,
        zygotes=_zygotes(),
    )
    return Explored(tuple(reports))


@functools.cache
def _zygotes() -> Zygotes:
    """The zygotes of this process, which all its units share."""
    zygotes = Zygotes(SERVING_ENTRY)
    atexit.register(zygotes.close)
    return zygotes


def _asking(question: Callable[[], bool]) -> Callable[[], bool]:
    """A function that gives the last answer to the question, which is asked again after a while and
    never again after a yes.
    """
    asked, answer = wall(), False

    def ask() -> bool:
        nonlocal asked, answer
        if not answer and wall() - asked > SECONDS_BETWEEN_ASKING:
            asked, answer = wall(), question()
        return answer

    return ask


def _hashed(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""
