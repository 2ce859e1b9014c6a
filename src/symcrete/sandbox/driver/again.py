"""Run again what an earlier run found: does the program still do it?"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

from symcrete.clock import Clock, wall
from symcrete.explore.findings import FoundInput
from symcrete.explore.options import Options
from symcrete.program.source.target import Target
from symcrete.run.use import Ending
from symcrete.sandbox.driver.confirming import Confirming
from symcrete.sandbox.driver.replaying import Replays
from symcrete.slotted import dataclass

# seconds for two interpreters to start and import the program, on a busy machine; chosen, not
# measured
SECONDS_AT_LEAST = 10.0


@dataclass(frozen=True, slots=True)
class Again:
    """An input, what it did then and what it does now."""

    target: str
    then: FoundInput
    now: FoundInput | None  # None: not run again, or there was no time

    @property
    def same(self) -> bool:
        """Whether it was run again and did what it did then."""
        return self.now is not None and _did(self.then) == _did(self.now)

    def as_json(self) -> dict[str, Any]:
        now = self.now.as_json() if self.now is not None else None
        return {"target": self.target, "same": self.same, "then": self.then.as_json(), "now": now}


def replay_again(
    found: Iterable[tuple[Target, tuple[FoundInput, ...]]],
    options: Options,
    clock: Clock = wall,
) -> Iterator[Again]:
    """Every input of every target with what it does now, on the untouched functions."""
    with contextlib.ExitStack() as closing:
        replays: Replays | None = None
        for target, inputs in found:
            if replays is None or replays.source != target.source:
                closing.close()
                replays = closing.enter_context(contextlib.closing(Replays(target.source, options)))
            confirming = Confirming(target, options, replays)
            wanted = [each for each in inputs if each.outcome != Ending.BLOCKED]
            seconds = SECONDS_AT_LEAST + (options.run_seconds + 1.0) * len(wanted)
            until = clock() + seconds
            now = confirming.did(wanted, lambda until=until: until)  # type: ignore[misc]
            for then in inputs:
                yield Again(target.label, then, now.get(id(then)))


def _did(found: FoundInput) -> tuple[object, ...]:
    return found.outcome, found.returned, found.raised
