"""Grow a graph point by point, before it is known where each way on leads.

The ends of what has been built dangle until the next point is known. Exceptions and jumps leave
through frames: a loop takes `break` and `continue`, a `try` takes exceptions, a `finally` or `with`
takes everything and passes it on.
"""

from __future__ import annotations

import ast
from dataclasses import field
from typing import Literal, TypeAlias

from symcrete.program.graph.cfg import Cfg, Edge
from symcrete.program.source.sites import ModuleSites, Outcome
from symcrete.slotted import dataclass

Leaving: TypeAlias = Literal["raise", "return", "break", "continue"]


@dataclass(frozen=True, slots=True)
class End:
    """A way on whose target is not known yet."""

    point: int
    outcome: Outcome | None = None
    implicit: bool = False


Ends: TypeAlias = list[End]


@dataclass(slots=True)
class Frame:
    """A statement that catches some of the ways to leave what is inside it."""

    catches: tuple[Leaving, ...]
    caught: dict[Leaving, Ends] = field(default_factory=dict)


class Growth:
    """A graph under construction."""

    def __init__(self, cfg: Cfg, sites: ModuleSites, first: int) -> None:
        self.cfg = cfg
        self.line = 0  # the line of the statement at hand
        self._sites = sites
        self._first = first
        self._frames: list[Frame] = []

    def point(
        self,
        kind: Literal["statement", "evaluation", "condition", "join"],
        node: ast.AST | None,
        ends: Ends,
        *,
        site: int | None = None,
        calls: tuple[ast.AST, ...] = (),
        quiet: bool = False,  # cannot raise
    ) -> int:
        """Add a point that these ends lead to, and return its number."""
        number = self.cfg.add(kind, self.line, node, site, calls)
        self.connect(ends, number)
        if not quiet:
            self.leave("raise", [End(number, implicit=True)])
        return number

    def connect(self, ends: Ends, target: int) -> None:
        """Let these ends lead to a point."""
        for end in ends:
            self.cfg.connect(Edge(end.point, target, end.outcome, end.implicit))

    def push(self, *catches: Leaving) -> Frame:
        """Enter a statement that catches these ways to leave it, until `pop`."""
        frame = Frame(catches)
        self._frames.append(frame)
        return frame

    def pop(self) -> None:
        self._frames.pop()

    def leave(self, how: Leaving, ends: Ends) -> None:
        """Hand these ends to the innermost frame that catches this way to leave."""
        for frame in reversed(self._frames):
            if ends and how in frame.catches:
                frame.caught.setdefault(how, []).extend(ends)
                return

    def pass_on(self, frame: Frame, ends: Ends) -> None:
        """Let all that led into a `finally` go on its way after it."""
        for how, caught in frame.caught.items():
            implicit = all(end.implicit for end in caught)
            self.leave(how, [End(end.point, end.outcome, implicit) for end in ends])

    def decide(
        self, key: ast.AST, shown: ast.AST, ends: Ends, link: int | None = None
    ) -> tuple[Ends, Ends]:
        """Add the point of a condition; returns the ends where it is true, and those where it is
        false. `key` and `link` are what it was numbered by, `shown` is the code of the point.
        """
        site = self._first + self._sites.of(key, link)
        point = self.point("condition", shown, ends, site=site, quiet=True)
        return [End(point, (site, True))], [End(point, (site, False))]
