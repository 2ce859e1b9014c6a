"""Believe the inputs of one target only after their replays, which run while others are sought."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from symcrete.clock import Clock, wall
from symcrete.explore.confirm.claims import call_of_input, confirmed, covering
from symcrete.explore.confirm.withheld import withheld
from symcrete.explore.findings import FoundInput
from symcrete.explore.options import Options
from symcrete.program.source.target import Target
from symcrete.run.untouched.played import Replayed
from symcrete.run.use import FINISHED, MOST_NAMES_TOLD, Ending
from symcrete.sandbox.driver.replaying import Replays

LAST_PRINTED = 60  # characters of the last line in a note about output; chosen, not measured
MUCH_OUTPUT = 1 << 16  # bytes printed in replays that are worth a note; chosen, not measured
# seconds at most for which inputs of a function that leaves nothing behind are held back: of 40
# functions with one comparison 240 inputs are replayed without it, 80 with it
HOLD_BACK = 1.0
_LOOK_AT_CLOCK = 0.2  # seconds between two looks at the clock while replays are waited for
_FLUSH_SECONDS = 0.1  # seconds until what was printed last has come through its pipe
_REPLAYED = (Ending.RETURNED, Ending.RAISED, Ending.TIMEOUT)


class Confirming:
    """Inputs on their way from found to confirmed; the listener is told of them in the order they
    were found.
    """

    def __init__(
        self,
        target: Target,
        options: Options,
        replays: Replays,
        told: Callable[[FoundInput], None] = lambda found: None,
        clock: Clock = wall,
    ) -> None:
        self._clock = clock
        self._target = target
        self._options = options
        self._replays = replays
        self._told = told
        self._changed = threading.Condition(threading.RLock())
        self._order: list[str] = []  # keys of what is to be told, as posted
        self._posted: dict[str, FoundInput] = {}
        self._did: dict[str, Replayed] = {}
        # inputs and what they are after their replay, by key
        self._judgements: dict[str, tuple[FoundInput, FoundInput]] = {}
        self._touched: dict[str, None] = {}  # variables of the program that calls changed
        self._held_back: list[FoundInput] = []
        self._due = 0.0  # when they are replayed
        self._printed = replays.printed()[0]

    def post(self, found: FoundInput) -> None:
        """Have an input replayed as soon as an interpreter is free."""
        key = found.key
        with self._changed:
            if key in self._posted:
                return
            self._posted[key] = found
            self._order.append(key)
        limit = self._options.run_seconds + (1.0 if found.outcome != Ending.TIMEOUT else 0.0)
        self._replays.post(
            self._target.scope,
            replace(call_of_input(found), called=self._target.name),
            limit,
            lambda did: self._replayed(key, did),
            expected=found.outcome,
        )

    def hold_back(self) -> None:
        """Wait a little with replays of inputs that are kept: a small function soon has plainer
        ones in their place. For targets none of whose calls can change what another one does.
        """
        self._due = self._clock() + min(HOLD_BACK, self._options.budget / 2)

    def keep(self, found: FoundInput) -> None:
        """Have an input replayed, at once or when inputs are held back no longer."""
        with self._changed:
            self._held_back.append(found)
        self.look()

    def look(self) -> None:
        """Have replayed what was held back, if that is due."""
        if self._held_back and self._clock() >= self._due:
            with self._changed:
                due, self._held_back = self._held_back, []
            for found in due:
                self.post(found)

    def finish(
        self, inputs: Iterable[FoundInput], until: Callable[[], float]
    ) -> tuple[list[FoundInput], list[FoundInput]]:
        """These inputs as the replays saw them, and those there was no time for.

        An input that crashed or was blocked is not replayed. One that did not end while exploring
        is replayed last, and believed without it where there is no time.
        """
        wanted = list(inputs)
        plain = [each for each in wanted if each.outcome in _REPLAYED]
        plain.sort(key=lambda each: each.outcome == Ending.TIMEOUT)  # they take longest
        judged = self.did(plain, until)
        ended, late = [], []
        for found in wanted:
            if id(found) in judged:
                ended.append(judged[id(found)])
            elif found.outcome not in FINISHED:
                ended.append(found)
            else:
                late.append(found)
        return ended, late

    def confirmed(
        self, inputs: Collection[FoundInput], lacking: set[str], until: Callable[[], float]
    ) -> list[FoundInput]:
        """Those of these inputs that were replayed already, as the replays saw them; those that
        were held back are replayed if they take one of the sides that are lacking.
        """
        with self._changed:
            held_back, self._held_back = self._held_back, []
        self.did([each for each in held_back if lacking & each.sides], until)
        with self._changed:
            keys = [(each, each.key) for each in inputs]
            done = [(each, key) for each, key in keys if key in self._did]
        return [self._judged(found, key) for found, key in done]

    def did(self, inputs: list[FoundInput], until: Callable[[], float]) -> dict[int, FoundInput]:
        """The inputs that were replayed in time as the replays saw them, by the identity of the
        input.
        """
        for found in inputs:
            self.post(found)
        keys = [each.key for each in inputs]
        with self._changed:
            while not all(key in self._did for key in keys):
                left = until() - self._clock()
                if left <= 0:
                    break
                self._changed.wait(min(left, _LOOK_AT_CLOCK))
            done = {key for key in keys if key in self._did}
        return {
            id(found): self._judged(found, key)
            for found, key in zip(inputs, keys, strict=True)
            if key in done
        }

    def only_after_others(self) -> set[str]:
        """Names of sides that calls took only after earlier ones."""
        with self._changed:
            return {name for did in self._did.values() for name in did.sides_later}

    def touched(self) -> list[str]:
        """Names of the program's variables that calls changed."""
        return sorted(self._touched)

    def notes(self) -> list[str]:
        """Sentences that the user should know about the replays."""
        notes = []
        if self._touched:
            names = ", ".join(sorted(self._touched)[:MOST_NAMES_TOLD])
            notes.append(f"calls change {names}: results may depend on earlier calls")
        printed, tail = self._replays.printed()
        if printed - self._printed > MUCH_OUTPUT:
            time.sleep(_FLUSH_SECONDS)
            printed, tail = self._replays.printed()
            last = tail.strip().rpartition("\n")[2][-LAST_PRINTED:]
            amount = (printed - self._printed) / 1e6  # megabytes
            notes.append(f"printed {amount:.1f} MB in replays, captured; it ends with {last!r}")
        return notes

    def _replayed(self, key: str, did: Replayed) -> None:
        with self._changed:
            self._did[key] = did
            self._touched.update(dict.fromkeys(did.changed))
            while self._order and self._order[0] in self._did:
                ready = self._order.pop(0)
                self._told(self._judged(self._posted[ready], ready))
            self._changed.notify_all()

    def _judged(self, found: FoundInput, key: str) -> FoundInput:
        """The input as its replay saw it; remembered, since it is asked for when the replay is done
        and again at the end.
        """
        known = self._judgements.get(key)
        if known is not None and known[0] is found:
            return known[1]
        did = self._did[key]
        seen = self._explained(covering(self._believed(found, did), did), did)
        judged = withheld(seen, self._replays.source.file)
        self._judgements[key] = found, judged
        return judged

    def _believed(self, found: FoundInput, did: Replayed) -> FoundInput:
        if found.outcome == Ending.TIMEOUT:
            if did.outcome == Ending.TIMEOUT:
                # How many steps were taken says less than how long the call takes without engine.
                return replace(found, reason=did.reason if found.by_steps else found.reason)
            # Cut while exploring, where it is slower; alone it came to an end.
            found = replace(found, outcome=did.outcome, error=did.error)
        return confirmed(found, did)

    def _explained(self, found: FoundInput, did: Replayed) -> FoundInput:
        """The input with the reason that a reader would ask for."""
        reason = found.reason
        if found.outcome == Ending.FLAKY:
            chance = self._replays.chance
            line = min((line for line in did.lines if line in chance), default=None)
            if line is not None:
                reason = f"{reason}; line {line} uses {chance[line].text}"
        elif found.error == "MemoryError" and self._options.memory:
            cap = self._options.memory / 2**30  # GiB
            reason = f"memory is capped at {cap:.1f} GiB of address space"
        elif found.error == "EOFError" and found.message is None:
            reason = "standard input is empty here"
        return replace(found, reason=reason)
