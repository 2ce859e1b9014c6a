"""A part of many programs, judged in one process."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import warnings
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.truth.asking import Engine, kept_zygotes
from tests.truth.judge import Judgement, judged
from tests.truth.programs import Program, program
from tests.truth.shrink import shrunk

from symcrete.errors import RunCut
from symcrete.explore.attack.attack import RAISE


def judged_apart(seeds: range, **how: Any) -> tuple[Judgement, list[str]]:
    """What `judge_part` gives, from a process of its own: the terms and modules of many programs
    fill the memory, and a solver may end its process.

    What a process that ended had judged is asked again, one half after the other; a program that
    ends its process alone is counted, and told.
    """
    spawning = multiprocessing.get_context("spawn")
    ours, theirs = spawning.Pipe(duplex=False)
    process = spawning.Process(target=_tell, args=(theirs, seeds, how))
    process.start()
    theirs.close()
    try:
        found: tuple[Judgement, list[str]] = ours.recv()
        return found
    except EOFError:
        process.join()
    finally:
        ours.close()
        process.join()
    if len(seeds) == 1:
        told = f"seed {seeds[0]}: its process ended with code {process.exitcode}"
        return Judgement(lost=1), [told]
    middle = len(seeds) // 2
    (total, shown), (later, further) = (
        judged_apart(each, **how) for each in (seeds[:middle], seeds[middle:])
    )
    total.add(later)
    return total, shown + further


def _tell(channel: Connection, seeds: range, how: dict[str, Any]) -> None:
    channel.send(judge_part(seeds, **how))


def judge_part(
    seeds: range, *, lines: int, show: bool, seconds: float = 2.0
) -> tuple[Judgement, list[str]]:
    """The claims about the programs of these seeds, and what to print of the false ones.

    Each question has so many seconds; the engine spends a share of them on attacks.
    """
    os.environ[RAISE] = "raise"  # a proof that is refuted in time was a false claim
    warnings.simplefilter("ignore")  # of programs that compare a literal with `is`
    total, shown = Judgement(), []
    with tempfile.TemporaryDirectory() as folder, kept_zygotes() as zygotes:
        engine = Engine(Path(folder), seconds, zygotes)
        for seed in seeds:
            made = program(seed)
            found = _judged(made, engine, lines)
            total.add(found)
            shown += [f"FALSE seed {seed}: {claim}" for claim in found.false]
            if found.false and show:
                shown.append(_smallest(made, found.false[0], engine, lines))
    return total, shown


def _judged(made: Program, engine: Engine, lines: int) -> Judgement:
    """The claims about one program; an alarm of a run that ends the engine is a broken promise."""
    try:
        return judged(made, engine, lines)
    except RunCut as reason:
        return Judgement(programs=1, false=[f"the engine ended: {reason!r}"])


def _smallest(made: Program, claim: str, engine: Engine, lines: int) -> str:
    """The text of a smaller program with a false claim of the same kind."""
    kind = claim.split(":")[0].split("{")[0]
    small = shrunk(
        made, lambda each: any(kind in other for other in _judged(each, engine, lines).false)
    )
    return small.text.partition("on: bool\n")[2]
