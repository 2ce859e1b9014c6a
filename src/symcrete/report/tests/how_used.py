"""How a test uses what a call gave: functions called, generators driven, contexts entered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from symcrete.explore.findings import FoundInput
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import free
from symcrete.run.use import AWAITED, Ending, Use


class InContext(Protocol):
    """A call whose error is raised inside a `with`: what that enters, and its body."""

    @property
    def context(self) -> str: ...

    @property
    def body(self) -> str: ...


def used_lines(
    layout: Layout, found: FoundInput, call: str, taken: list[str]
) -> tuple[list[str], str, str]:
    """The lines before the last use of a result, the expression of that use, and what a `with`
    enters, if the last use is to enter it and an error is raised there; else "".
    """
    lines: list[str] = []
    name = ""
    if found.uses[0].how in AWAITED:
        name = free(found.uses[0].name, taken)
        lines = layout.assignment(name, call, 4)
        return [*lines, "", *_driving(layout, found.uses, name)], "asyncio.run(driven())", ""
    for use in found.uses:
        if use.how == "with" and found.outcome == Ending.RAISED:
            return lines, call, call
        if use.how == "async with":
            return [*lines, *_entering(layout, use, call)], "asyncio.run(entered())", ""
        if use.again:
            lines += layout.expression(call, 4)
        else:
            name = free(use.name, taken)
            taken = [*taken, name]
        if use.how == "with":
            within = layout.expression(call, 4, before="with ", after=f" as {name}:")
            return [*lines, *within, f"        {body_of(use)}", ""], name, ""
        if not use.again:
            lines += layout.assignment(name, call, 4)
        call = _expression(use, name)
    return [*lines, ""], call, ""


def body_of(use: Use) -> str:
    """The statement inside a `with`: it raises what the use says, or does nothing."""
    return f"raise {use.given}" if use.given else "pass"


def within_both(layout: Layout, raises: str, made: InContext) -> list[str]:
    """`with pytest.raises(...), context:` and its body."""
    line = f"    with {raises}, {made.context}:"
    if len(line) <= layout.width:
        return [line, f"        {made.body}"]
    inner = layout.expression(made.context, 8, before="with ", after=":")
    outer = layout.expression(raises, 4, before="with ", after=":")
    return [*outer, *inner, f"            {made.body}"]


def _entering(layout: Layout, use: Use, call: str) -> list[str]:
    within = layout.expression(call, 8, before="async with ", after=" as given:")
    body = f"            {body_of(use)}"
    return ["    async def entered():", *within, body, "        return given", ""]


def _driving(layout: Layout, uses: Sequence[Use], name: str) -> list[str]:
    lines = ["    async def driven():"]
    for use in uses:
        last = "return " if use is uses[-1] else ""
        lines += layout.expression(f"{_expression(use, name)}", 8, before=f"{last}await ")
    return [*lines, ""]


def _expression(use: Use, name: str) -> str:
    match use.how:
        case "call":
            return f"{name}({use.given})"
        case "item":
            return f"{name}{use.item_called}"
        case "next" | "anext":
            return f"{use.how}({name})"
        case _:
            return f"{name}.{use.how}({use.given})"
