"""Give a run the values of inputs that it asks for while it runs (`inputs/late.py`).

The value of a root is built when it is first asked for, with a term for each of its variables, and
remembered for the rest of the run; the root is noted with the run. In a run without terms it is the
plain value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import Shape
from symcrete.values.build.variables import tracked_input
from symcrete.values.text.meaning.formatting import pinned_text
from symcrete.values.tracking import recording
from symcrete.values.tracking.carrying import carries
from symcrete.values.tracking.followed import rewritten_files
from symcrete.values.tracking.modelled import callee
from symcrete.values.tracking.numeric import untracked
from symcrete.values.tracking.subscripts import item

# reads of one root (a clock, a draw) that are inputs; later reads get its plain value; chosen, not
# measured
MOST_READS = 12

AFTERWARDS = "afterwards"  # key of a run's memory: the functions to call when the run is over
# By "module.name": a function that takes the real value of the attribute and gives the one that
# rewritten code reads in its place.
attribute_reads: dict[str, Callable[[Any], Any]] = {}
# The same for names of the program that something changes, by the number of the read.
state_reads: dict[int, Callable[[Any], Any]] = {}


def late_input(late: Late) -> Any:
    """The value of a root in the input of the run under way: built when first read, then the same
    object at every read.
    """
    record = recording.active()
    key = ("late", late.root)
    if key in record.memory:
        return record.memory[key]
    given = record.given
    assert given is not None, "there is no run whose input could have it"
    record.late[late.root] = late
    if record.live:
        value = tracked_input(late.shape, late.root, given)
    else:
        value = late.shape.plain(late.root, given)
    record.memory[key] = value
    return value


class RunUnderWay:
    """Answers for the run under way: what `world.source.Asking` describes."""

    def __init__(self, words: Collection[str] = ()) -> None:
        """`words`: every name that the program's text mentions."""
        self._words = words

    @property
    def running(self) -> bool:
        return recording.active().given is not None

    @property
    def by_program(self) -> bool:
        return recording.program_frame().f_code.co_filename in rewritten_files

    def value(self, late: Late) -> Any:
        return late_input(late)

    def next_value(self, root: str, shape: Shape, source: str) -> Any:
        memory = recording.active().memory
        count = memory[("reads", root)] = memory.get(("reads", root), 0) + 1
        if count > MOST_READS:
            self.lose(f"more than {MOST_READS} reads of {root}")
            return shape.plain(root, {})
        return late_input(Late(root if count == 1 else f"{root}@{count}", shape, source))

    def remembered(self, what: str, make: Callable[[], Any]) -> Any:
        memory = recording.active().memory
        key = ("world", what)
        if key not in memory:
            memory[key] = make()
        return memory[key]

    def afterwards(self, call: Callable[[], object]) -> None:
        recording.active().memory.setdefault(AFTERWARDS, []).append(call)

    def is_tracked(self, value: Any) -> bool:
        return carries((value,))

    def plain(self, value: Any) -> Any:
        if not self.is_tracked(value):
            return value
        self.lose("what it asks of the world")
        return untracked(value)

    def pinned(self, value: Any) -> Any:
        pinned_text(getattr(value, "tracked_text", value))
        return untracked(value)

    def item(self, items: Any, index: Any) -> Any:
        return item(items, index)

    def callee(self, function: Any) -> Any:
        return callee(function)

    def mentions(self, word: str) -> bool:
        return word in self._words

    def reads(self, what: str) -> None:
        recording.active().read_world(what)

    def lose(self, what: str) -> None:
        recording.active().lose(what)
