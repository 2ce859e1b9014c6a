"""Whether a function calls itself, however far around, with other values than its types say.

A backward search believes the types of its entry point's parameters: a caller outside keeps to
them. A call from inside need not, and counts as well, since an allowed call leads to it.
"""

from __future__ import annotations

from symcrete.backward.sorts import bound_arguments
from symcrete.backward.view.program_view import Program
from symcrete.explore.proof.reentry import come_by, is_among
from symcrete.program.lowering.three_address import Call, Flow


def entered_again(program: Program, entry: Flow) -> dict[str, None]:
    """The reason, in words, why the declared types of an entry point may not hold for a call that
    the program itself makes while it runs; empty if there is no such call, or each is followed.
    """
    text = program.text
    if entry.file not in text.trees:
        return {f"the text of {entry.scope} is not known": None}
    elsewhere = [source for file, source in text.sources.items() if file != entry.file]
    ahead = come_by(text.trees[entry.file], entry.scope, elsewhere)
    if ahead is not None and not is_among(entry.scope, ahead):
        return {}
    if ahead is not None and program.is_called_only_by_name(entry):
        inside = [each for each in program.callers(entry) if is_among(each[0].scope, ahead)]
        if all(_is_followed(program, entry, *each) for each in inside):
            return {}
    return {f"{entry.scope} may be called again while it runs, with values of other types": None}


def _is_followed(program: Program, entry: Flow, flow: Flow, number: int) -> bool:
    """Whether the search knows what this call hands on to the entry point."""
    call = flow.statements[number]
    assert isinstance(call, Call)
    return flow in program.reachable(entry) and bound_arguments(entry, call) is not None
