"""Believe an input only after the untouched function did what was claimed of it."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from symcrete.explore.findings import FoundInput
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.told_apart import beside
from symcrete.run.untouched.played import Call, Replayed, Seen
from symcrete.run.use import FINISHED, Ending


def call_of_input(found: FoundInput) -> Call:
    """The input as a call that can be replayed."""
    keywords = tuple(sorted(found.keywords))
    before, after = found.situation, found.uses
    return Call(found.args, keywords, found.imports, found.setup, situation=before, uses=after)


def confirmed(found: FoundInput, did: Replayed) -> FoundInput:
    """The input with what its replay really did, whatever it seemed to do while exploring."""
    if found.outcome == Ending.BLOCKED:
        return found  # it was stopped in the sandbox, and is not tried without
    outcome, reason = did.outcome, did.reason
    if outcome == Ending.FAILED:
        outcome = Ending.FLAKY
    imports, returned, compared = set(found.imports), did.returned, did.compared
    if outcome == Ending.RAISED and did.caught_module != "builtins" and did.caught:
        imports.add((did.caught_module, did.caught))
    elif returned is not None:
        try:
            returned, imports = beside(imports, returned, did.imports)
        except NoLiteral:  # it has objects of two classes with one name
            returned, compared = None, ""
    seen: list[Seen] = []
    for each in did.seen if outcome in FINISHED else ():
        with contextlib.suppress(NoLiteral):
            text, imports = beside(imports, each.value or "None", each.imports)
            seen.append(replace(each, value=text if each.value else ""))
    return replace(
        found,
        outcome=outcome,
        returned=returned if outcome == Ending.RETURNED else None,
        raised=did.raised if outcome == Ending.RAISED else None,
        error=did.error if outcome == Ending.RAISED else None,
        message=did.message if outcome == Ending.RAISED else None,
        result_type=did.result_type,
        imports=tuple(sorted(imports)),
        reason=reason,
        harm=did.harm,
        drained=did.drained,
        compared=compared,
        caught=did.caught if outcome == Ending.RAISED else "",
        lines=did.lines,
        seen=tuple(seen),
        situation=tuple([each for each in found.situation if each.set not in did.idle]),
    )


def covering(found: FoundInput, did: Replayed) -> FoundInput:
    """The input with the sides that its replay took.

    Where they were not watched, or replays differed, sides count only on lines that were executed.
    Of a call that could not be made, nothing was.
    """
    if did.outcome == Ending.FAILED:
        return replace(found, covers=(), sides=frozenset())
    if did.outcome not in (Ending.RETURNED, Ending.RAISED, Ending.FLAKY) or not (
        did.lines or did.sides
    ):
        return found
    if did.sides is not None:
        # Operations that fail are no conditions: a replay tells their line only.
        hidden = {name for name in found.sides if "@" in name}
        sides = did.sides | hidden
        covers = [spot for spot in found.covers if spot.key in sides]
        return replace(found, covers=tuple(covers), sides=sides)
    covers = [spot for spot in found.covers if spot.line in did.lines]
    missed = {spot.key for spot in found.covers} - {spot.key for spot in covers}
    return replace(found, covers=tuple(covers), sides=found.sides - missed)
