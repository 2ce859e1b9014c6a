"""What a test looks at after a call, besides its result: changed arguments, state, output."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from symcrete.explore.findings import FoundInput
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import free, quoted
from symcrete.run.untouched.played import Seen
from symcrete.slotted import dataclass

_LONGEST_ENDING = 40  # characters of `changes_a_and_b` in the name of a test; chosen, not measured


@dataclass(frozen=True, slots=True)
class Look:
    """One thing that a test looks at, in all its cases."""

    seen: Seen  # in the first case
    values: tuple[str, ...]  # in each case

    @property
    def differs(self) -> bool:
        """Whether it is a column of the cases: they do not all see the same."""
        return len(set(self.values)) > 1


def looks_of(inputs: Sequence[FoundInput]) -> list[Look]:
    """What the cases of a test look at; all of them look at the same places."""
    return [
        Look(seen, tuple([each.seen[index].value for each in inputs]))
        for index, seen in enumerate(inputs[0].seen)
    ]


def labels_looked_at(found: FoundInput) -> set[str]:
    """The arguments that need a name, so that they can be looked at after the call."""
    of_arguments = [each for each in found.seen if each.kind == "argument" or each.part == "is"]
    return {each.of for each in of_arguments}


def with_unchanged(inputs: Iterable[FoundInput]) -> list[FoundInput]:
    """The inputs, changed so that they can be the cases of one test: an argument that some of the
    calls change is looked at after the other calls too.
    """
    inputs = list(inputs)
    places = dict.fromkeys(
        (each.outcome, seen.place)
        for each in inputs
        for seen in each.seen
        if seen.kind == "argument" and not seen.part
    )
    return [
        _filled(each, [p for outcome, p in places if outcome == each.outcome]) for each in inputs
    ]


def _filled(found: FoundInput, places: list[tuple[str, str, str]]) -> FoundInput:
    by_place = {each.place: each for each in found.seen}
    for place in places:
        text = found.args.get(place[1], "")
        if place not in by_place and _is_literal(text) and not found.setup:
            by_place[place] = Seen(*place, text)
    return replace(found, seen=tuple(sorted(by_place.values(), key=_order)))


def _order(seen: Seen) -> tuple[int, str]:
    """A key to sort by: the result first, then arguments by name, then the rest. Parts of one thing
    compare equal, so they stay in order.
    """
    return ("result", "argument").index(seen.kind) if seen.kind in _FIRST else 2, seen.of


_FIRST = ("result", "argument")


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return False
    return True


def ending_of(looks: Sequence[Look], inputs: Sequence[FoundInput]) -> str:
    """The end of a test's name for what is looked at: `_changes_items`, `_prints`. It does not name
    an argument that no case changes.
    """
    changed = [
        _name(look.seen)
        for look in looks
        if look.seen.kind == "argument" and not _is_left(look, inputs)
    ]
    told = [f"changes_{'_and_'.join(dict.fromkeys(changed))}"] if changed else []
    if len(told) == 1 and len(told[0]) > _LONGEST_ENDING:
        told = [f"changes_{changed[0]}"]
    verbs = {
        "variable": "sets_{}",
        "file": "writes_{}",
        "printed": "prints",
        "complained": "prints_an_error",
        "logged": "logs",
    }
    for look in looks:
        if look.seen.kind in verbs:
            verb = "removes_{}" if look.seen.part == "gone" else verbs[look.seen.kind]
            told.append(verb.format(_name(look.seen)))
    return f"_{'_and_'.join(told[:2])}" if told else ""


def _is_left(look: Look, inputs: Sequence[FoundInput]) -> bool:
    """Whether a whole argument is after every call what it was before."""
    given = [each.args.get(look.seen.of) for each in inputs]
    return not look.seen.part and given == list(look.values)


def columns_of(looks: Sequence[Look], taken: Sequence[str]) -> dict[int, str]:
    """The names of the columns for what differs between cases, by the number of the look."""
    found: dict[int, str] = {}
    for index, look in enumerate(looks):
        if look.differs:
            found[index] = free(_called(look.seen), [*taken, *found.values()])
    return found


def assertions(
    looks: Sequence[Look],
    columns: Mapping[int, str],
    names: Mapping[str, str],
    module: str,
    layout: Layout,
) -> list[str]:
    """The lines after the call; `names` says what the test calls each argument, and the result
    under the empty name.
    """
    kinds = {look.seen.kind for look in looks}
    both = {"printed", "complained"} <= kinds
    lines = ["    captured = capsys.readouterr()"] if both else []
    for index, look in enumerate(looks):
        if look.seen.part == "is":
            continue
        value = columns.get(index, look.values[0])
        if look.seen.part == "gone":
            lines.append(f"    assert not (tmp_path / {quoted(look.seen.of)}).exists()")
            continue
        subject = _subject(look.seen, names, module)
        if both:
            subject = subject.replace("capsys.readouterr()", "captured")
        operator = "is" if value in ("None", "True", "False") else "=="
        shown = layout.expression(value, 4, before=f"assert {subject} {operator} ")
        if max(map(len, shown)) > layout.width:  # a long text, which formatters would move
            taken = [*names.values(), *columns.values()]
            after = free(_called(look.seen), taken)
            lines += layout.assignment(after, value, 4)
            if len(f"    assert {subject} {operator} {after}") > layout.width:
                lines += layout.assignment(free("seen", taken), subject, 4)
                subject = free("seen", taken)
            shown = [f"    assert {subject} {operator} {after}"]
        lines += shown
    return lines


def _subject(seen: Seen, names: Mapping[str, str], module: str) -> str:
    """The expression that a test looks at."""
    match seen.kind:
        case "argument" | "result":
            holder = names[seen.of]
            return f"len({holder})" if seen.part == "len" else f"{holder}{seen.part}"
        case "variable":
            return f"{module}.{seen.of}"
        case "file":
            return f'(tmp_path / {quoted(seen.of)}).read_text(encoding="utf-8")'
        case "printed":
            return "capsys.readouterr().out"
        case "complained":
            return "capsys.readouterr().err"
        case _:
            return "caplog.record_tuples"


def _called(seen: Seen) -> str:
    """A name for the value that is expected."""
    word = _name(seen)
    return f"expected_{word}" if seen.kind == "result" else f"{word}_after"


def _name(seen: Seen) -> str:
    """A word for what is looked at."""
    match seen.kind:
        case "argument" | "result" if seen.part == "len":
            return "length"
        case "argument" | "result":
            found = seen.part.strip(".()") or seen.of
        case "variable" | "file":
            found = seen.of
        case _:
            found = seen.kind
    return re.sub(r"\W+", "_", found).strip("_").lower() or "it"
