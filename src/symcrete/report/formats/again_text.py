"""Replayed inputs as lines to read."""

from __future__ import annotations

from symcrete.report.formats.terminal import call_text, outcome_text
from symcrete.sandbox.driver.again import Again


def told_again(again: Again, *, verbose: bool) -> list[str]:
    """The lines for one replayed input; none if it did the same as before, unless everything is
    asked for.
    """
    call = f"{again.target}  {call_text(again.then)}"
    if again.now is None:
        return [f"{call}  not run again ({again.then.outcome})"]
    if again.same:
        return [f"{call}  {outcome_text(again.now)}"] if verbose else []
    return [f"{call}", f"  then: {outcome_text(again.then)}", f"  now:  {outcome_text(again.now)}"]
