"""Calls that come before a run's own: state that only they can bring about.

Which functions are called, and with what, is part of the input. How many there are is a chain of
choices that search flips like all others, and no calls are the plainest.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from symcrete.errors import AssumptionFailed, RunCut
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.shape import write
from symcrete.run.drain import drain
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment
from symcrete.values.build.late_inputs import late_input
from symcrete.values.build.variables import report_choice, tracked_input
from symcrete.values.tracking import recording

MOST_EARLIER = 3  # calls before the run's own; chosen, not measured
# the share of random inputs that have a further call; chosen, not measured
SHARE_WITH_FURTHER_CALL = 0.3
EARLIER = "earlier"  # what the variables of these calls begin with

# the share of random calls that are the call before them once more, and of arguments that are those
# of the run's own call: what a program remembers is found again by equal ones; chosen, not measured
SHARE_REPEATED = 0.4


def earlier_call(index: int) -> str:
    """What the variables of the earlier call of this number begin with; with a question mark, the
    variable that says which function it is.
    """
    return f"{EARLIER}[{index}]"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A function of the program that may be called before the run's own call."""

    module: str
    name: str  # as a call writes it: `put`, `Registry.put`
    function: Callable[..., Any]
    arguments: Arguments
    begun: str = ""  # the text of the call up to its arguments, if it is no call of the name
    ended: str = ""  # what follows the call: the text of a call of what it returns


@dataclass(frozen=True, slots=True)
class History:
    """The functions that may be called before a target, since it reads what they change."""

    functions: tuple[Earlier, ...] = ()
    changed: tuple[Late, ...] = ()  # names that they change, which a test has to set back
    # attributes that the target counts up and does not read, and caches of functions that it calls
    updated: tuple[Late, ...] = ()
    counted: tuple[Late, ...] = ()  # attributes that the target counts up and reads

    def play(self, given: Assignment, *, tracked: bool) -> None:
        """Make the earlier calls that an input has. Raises AssumptionFailed where one of them
        raises: the input is none, then.
        """
        for late in self.updated:
            late_input(late)
        for index in range(MOST_EARLIER if self.functions else 0):
            root = earlier_call(index)
            which = given.setdefault(f"{root}?", 0) if tracked else given.get(f"{root}?", 0)
            if tracked:
                report_choice(f"{root}?", which, len(self.functions) + 1)
            if not 0 < which <= len(self.functions):
                return
            for late in self.changed:
                late_input(late)
            self._call(self.functions[which - 1], root, given, tracked=tracked)

    def finish(self) -> None:
        """Note what the target counts up and reads; to be called when its call is over.

        An attribute that was read before it was counted up is noted as an input by then. Any other
        had the value that the import gave it. It is noted here, so that a test sets that value:
        after earlier calls it would be another one.
        """
        noted = recording.active().late
        for late in self.counted:
            if late.root not in noted:
                late_input(late)

    def _call(self, earlier: Earlier, root: str, given: Assignment, *, tracked: bool) -> None:
        build = tracked_input if tracked else lambda shape, name, given: shape.plain(name, given)
        values = {
            each.name: build(each.shape, f"{root}.{each.name}", given)
            for each in earlier.arguments.parameters
        }
        positional, keywords = earlier.arguments.split(values)
        try:
            drain(earlier.function(*positional, **keywords))
        except (RunCut, AssumptionFailed, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise AssumptionFailed(f"an earlier call raised {type(error).__name__}") from None

    def sample(self, given: Assignment, pool: Pool, random: Random) -> None:
        """Draw earlier calls for a random input."""
        for index in range(MOST_EARLIER if self.functions else 0):
            root = earlier_call(index)
            if index and random.random() < SHARE_REPEATED:
                _repeat(given, earlier_call(index - 1), root)
                continue
            which = (
                random.randint(1, len(self.functions))
                if random.random() < SHARE_WITH_FURTHER_CALL
                else 0
            )
            given[f"{root}?"] = which
            if which == 0:
                return
            for each in self.functions[which - 1].arguments.parameters:
                each.shape.sample(f"{root}.{each.name}", pool, random, given)
                if random.random() < SHARE_REPEATED:
                    _repeat(given, each.name, f"{root}.{each.name}")

    def statements(self, given: Assignment) -> tuple[list[str], set[tuple[str, str]]]:
        """The calls of an input as text, with the (module, name) pairs that it mentions.

        Raises NoLiteral where a value has no text.
        """
        lines: list[str] = []
        imports: set[tuple[str, str]] = set()
        for index in range(MOST_EARLIER if self.functions else 0):
            root = earlier_call(index)
            which = given.get(f"{root}?", 0)
            if not 0 < which <= len(self.functions):
                break
            earlier = self.functions[which - 1]
            texts = []
            for each in earlier.arguments.parameters:
                written = write(each.shape, f"{root}.{each.name}", given)
                imports |= written.imports
                word = f"{each.name}=" if each.by_keyword else each.spread
                texts.append(f"{word}{written.text}")
            name = earlier.name
            if earlier.arguments.has_receiver:
                name = f"{texts.pop(0)}.{name.rpartition('.')[2]}"
            else:
                imports.add((earlier.module, name.partition(".")[0]))
            begun = f"{earlier.begun}{', ' * bool(texts)}" if earlier.begun else f"{name}("
            lines.append(f"{begun}{', '.join(texts)}){earlier.ended}")
        return lines, imports


def _repeat(given: Assignment, old: str, new: str) -> None:
    """Give the variables of one root, and of what is in it, the same values under another root."""
    named = re.compile(rf"(^|\()({re.escape(old)})(?![\w'\"])")
    for each in [name for name in given if named.search(name)]:
        given[named.sub(lambda match: match[1] + new, each)] = given[each]
