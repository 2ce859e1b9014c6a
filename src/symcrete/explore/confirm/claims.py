"""Believe an input only after the untouched function did what was claimed of it."""

from __future__ import annotations

from dataclasses import replace

from symcrete.explore.findings import FoundInput
from symcrete.run.untouched.played import Call, Replayed


def call_of_input(found: FoundInput) -> Call:
    return Call(found.args, tuple(sorted(found.keywords)), found.imports, found.setup)


def _last(name: str | None) -> str:
    """The name of a class without those of what it is defined in."""
    return (name or "").rpartition(".")[2]


def confirmed(found: FoundInput, did: Replayed) -> FoundInput:
    """The input with what really happened; where that differs from the exploration it is flaky."""
    if found.outcome == "blocked":
        return found  # what it does without the sandbox nobody wants to try
    outcome, reason = did.outcome, did.reason
    if outcome == "failed":
        outcome = "flaky"
    if outcome in ("returned", "raised"):
        same_error = _last(did.error) == _last(found.error)
        agrees = outcome == found.outcome and (outcome != "raised" or same_error)
        reached = not did.lines or found.claims <= did.lines
        if not (agrees and reached):
            outcome = "flaky"
            seen, now = found.error or found.outcome, did.error or did.outcome
            reason = f"explored as {seen}, replayed as {now}"
    imports = {*found.imports, *did.imports}
    if outcome == "raised" and did.caught_module != "builtins" and did.caught:
        imports.add((did.caught_module, did.caught))
    return replace(
        found,
        outcome=outcome,
        returned=did.returned if outcome == "returned" else None,
        raised=did.raised if outcome == "raised" else None,
        error=did.error if outcome == "raised" else None,
        message=did.message if outcome == "raised" else None,
        result_type=did.result_type,
        imports=tuple(sorted(imports)),
        reason=reason,
        harm=did.harm,
        drained=did.drained,
        compared=did.compared,
        caught=did.caught if outcome == "raised" else "",
    )
