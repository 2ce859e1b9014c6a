"""Versions of the heap along one trace: two reads of an object agree if nothing wrote between them.

A read is marked with the version it sees. A container that the path itself made is changed only by
writes to it and by writes to who knows what; an input is not changed by writes to such containers.
"""

from __future__ import annotations

import re
from typing import Any

from symcrete.terms.term import VAR, Term

ONCE = "@once"  # how the mark of a read begins that agrees with no other
_LATER = re.compile(r"@0*[1-9]|@0\.0*[1-9]")  # a mark that counts at least one write


_MARK = re.compile(r"@(once\d+|[\d.]+!?)(?=\()")


def without_marks(text: str) -> str:
    """Conditions as a reader knows them: `len(xs) > 3`, whatever version of `xs` is meant."""
    return _MARK.sub("", text).replace("`", "")


def sees_writes(operation: str) -> bool:
    """Whether the name of a marked operation says that it sees something the path wrote.

    Then evaluation cannot compute it: the writes themselves are not replayed.
    """
    return _LATER.search(operation) is not None


class Versions:
    """Counts the writes of one trace, in execution order."""

    __slots__ = ("_appeared", "_elsewhere", "_every", "_made", "_single")

    def __init__(self) -> None:
        self._every = 0  # all writes
        self._elsewhere = 0  # writes that may be to anything
        self._made: dict[Term, int] = {}  # containers made on the path, with the writes to each
        self._appeared: set[Term] = set()  # values whose origin is not known, such as the next item
        self._single = 0

    def appeared(self, value: Any) -> None:
        """Note a value whose origin is not followed: it may be any object."""
        self._appeared.add(value)

    def made(self, container: Any) -> None:
        """Note a container that came into being here: nothing else holds it yet."""
        if isinstance(container, Term):
            self._made[container] = 0

    def wrote(self, container: Any) -> None:
        """Count a write to a container, or to anything if it is None."""
        self._every += 1
        if isinstance(container, Term) and container in self._made:
            self._made[container] += 1
        else:
            self._elsewhere += 1

    def seen(self, value: Any, *, shallow: bool) -> str:
        """The mark of a read that starts from a value; a shallow one looks at that object alone."""
        if shallow and isinstance(value, Term):
            if value in self._made:
                return f"@{self._elsewhere}.{self._made[value]}"
            if value.op is VAR and value not in self._appeared:
                return f"@{self._elsewhere}"
        return f"@{self._every}!"

    def once(self) -> str:
        """The mark of a read that agrees with no other."""
        self._single += 1
        return f"{ONCE}{self._single}"
