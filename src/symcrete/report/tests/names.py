"""What a test file calls the things it imports: no two share a name, none hides a fixture.

pytest takes whatever is called `test...` or `Test...` for a test, and the bodies of tests use some
names themselves: things of such names are imported under another one.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from symcrete.explore.findings import FoundInput, Spot, TargetReport
from symcrete.inputs.literal import double_quoted
from symcrete.inputs.told_apart import renamed
from symcrete.report.tests.layout import Layout
from symcrete.run.untouched.played import Seen
from symcrete.run.use import Use
from symcrete.slotted import dataclass

# Names that the bodies of tests use themselves.
RESERVED = frozenset(
    (
        "asyncio",
        "io",
        "itertools",
        "len",
        "list",
        "logging",
        "math",
        "Path",
        "pytest",
        "re",
        "repr",
        "sys",
        "type",
    )
)
_PATHS = ("pathlib", "Path")  # what a test file means by this reserved name
SETS = ".fset"  # behind the name of a property: what sets it
MOST_OF_A_NAME = 60  # characters of the name of a case
MOST_OF_A_CONDITION = 48  # characters that a condition adds to the name of a test
_SIGNS = {
    "==": "is",
    "!=": "is not",
    "<=": "at most",
    ">=": "at least",
    "<": "below",
    ">": "above",
}
# Words that cannot end the name of a test.
_HALF = ("when", "is", "not", "at", "most", "least", "below", "above", "and", "or", "in")
# What pytest gives to tests that ask for it by name.
FIXTURES = ("monkeypatch", "tmp_path", "capsys", "caplog", "request")
# What pytest or unittest calls by itself where a test file has it, beside hooks (`pytest_...`).
_CALLED = frozenset(
    (
        "load_tests",
        "setUpModule",
        "setup",
        "setup_function",
        "setup_module",
        "tearDownModule",
        "teardown",
        "teardown_function",
        "teardown_module",
    )
)
# What the bodies of tests assign to: a function of such a name could not be called there.
_ASSIGNED = frozenset(
    (
        "captured",
        "case",
        "complained",
        "driven",
        "entered",
        "expected",
        "given",
        "items",
        "logs",
        "printed",
        "result",
    )
)
# What the statements define that set a situation (`symcrete.world`), `moments_now` for one.
_DEFINED = frozenset(
    (
        "Entry",
        "Fixed",
        "InOrder",
        "archive",
        "at_once",
        "below",
        "connect",
        "connection",
        "denied",
        "entry",
        "file",
        "group",
        "member",
        "moments",
        "moments_now",
        "moments_today",
        "moments_utcnow",
        "moved",
        "response",
        "scandir",
        "skipped",
        "stat",
        "typed",
    )
)
_NUMBERED = re.compile(r"connection_\d+")  # those of several sockets


@dataclass(frozen=True, slots=True, order=True)
class Import:
    """A module, or a name of one, and what the file calls it."""

    module: str
    name: str = ""  # empty for the module itself
    local: str = ""

    @property
    def bound(self) -> str:
        """The name that the statement binds."""
        return self.local or self.name or self.module.split(".")[0]


class Bindings:
    """The names of one test file."""

    def __init__(self, there: Iterable[Import] = ()) -> None:
        self._by_name: dict[str, Import] = {each.bound: each for each in there}

    def bind(self, module: str, name: str) -> Import:
        """The import of a name, or of the module itself where the name is empty. The file calls it
        as it is, unless that means something else there.
        """
        called = name or module
        # A module, or that one class, may have a reserved name: it is reserved for that very one.
        is_taken = bool(name) and (module, name) != _PATHS and _means_more(name)
        wanted = f"_{called}" if is_taken else called
        local, count = wanted, 1
        while True:
            found = Import(module, name, local if local != called else "")
            if self._by_name.setdefault(local, found) == found:
                return found
            count += 1
            local = f"{wanted}_{count}"

    def bind_module(self, module: str) -> Import | None:
        """How the file imports the module itself; None where its name means something else."""
        found = Import(module)
        if _means_more(found.bound):
            return None
        return found if self._by_name.setdefault(found.bound, found) == found else None


def _means_more(name: str) -> bool:
    """Whether a test file uses the name itself, or may: built-ins stand in the texts of values."""
    return (
        name in RESERVED
        or name in FIXTURES
        or name in _CALLED
        or name in _ASSIGNED
        or name in _DEFINED
        or _NUMBERED.fullmatch(name) is not None
        or name.lower().startswith("test")
        or name.startswith("pytest")
        or hasattr(builtins, name)
    )


def listed_as(target: TargetReport) -> str:
    """The name under which the tests of a target stand in their file: that of its function. A
    property and its setter have one name in the program and two here.
    """
    return target.scope + SETS if target.kind == "setter" else target.scope


def free(name: str, taken: list[str]) -> str:
    """The name, with underscores behind it until nobody else has it and it is no keyword."""
    is_free = name not in taken and not keyword.iskeyword(name)
    return name if is_free else free(name + "_", taken)


def in_words(condition: str) -> str:
    """A condition as the end of a test's name: `os.environ.get('SHOP') == '1'` as
    `_when_os_environ_get_shop_is_1`, `returns True` as `_returns_true`; nothing for what has no
    letters.
    """
    head = "" if condition.startswith("returns ") else "when_"
    for sign, word in _SIGNS.items():
        condition = condition.replace(f" {sign} ", f" {word} ")
    words = re.findall(r"[a-z0-9]+", head + condition.lower())
    while len("_".join(words)) > MOST_OF_A_CONDITION:
        words.pop()
    while words and words[-1] in _HALF:
        words.pop()
    return f"_{'_'.join(words)}" if words else ""


def identifier(found: FoundInput) -> str:
    """What the input newly covers, as the name of the case: the first two conditions, or one where
    both would be too long.
    """
    words = telling(found.covers) or list(found.shows) or ["another input"]
    told = [each.encode("ascii", "replace").decode().replace("\n", " ") for each in words]
    # "returns True, at its edge" says all that "returns True" says.
    first, *others = dict.fromkeys(
        next((more for more in told if more.startswith(f"{each}, ")), each) for each in told
    )
    for text in [*[f"{first}, {each}" for each in others[:1]], first]:
        if len(text) <= MOST_OF_A_NAME:
            return text
    return first[: MOST_OF_A_NAME - 3] + "..."


def telling(spots: Sequence[Spot]) -> list[str]:
    """The conditions that a reader needs, as text. Left out are: that a loop was left, where it is
    said to be entered; the parts of an `a and b` that is true; and `not (a and b)` where the part
    that is false is there.
    """
    found = []
    for spot in spots:
        beside = [each for each in spots if each.line == spot.line and each is not spot]
        both = [each for each in beside if _is_other_side(spot, each)]
        whole = [each for each in beside if " and " in each.text and each.text[:5] != "not ("]
        said = any(spot.text in each.text for each in whole)
        parts = [each for each in beside if not _is_joined(each.text)]
        hidden = spot.text.startswith("not (") and _is_joined(spot.text) and bool(parts)
        if not (said or hidden or (both and not spot.side)):
            found.append(spot.text)
    return found or [spot.text for spot in spots]


def _is_other_side(spot: Spot, other: Spot) -> bool:
    return (
        (spot.line, spot.column) == (other.line, other.column)
        and spot.side is not other.side
        and not _is_joined(spot.text + other.text)
    )


def _is_joined(text: str) -> bool:
    return " and " in text or " or " in text


def different(identifiers: list[str]) -> list[str]:
    """The same names, numbered where two would be equal."""
    seen: dict[str, int] = {}
    found = []
    for each in identifiers:
        seen[each] = seen.get(each, 0) + 1
        found.append(each if seen[each] == 1 else f"{each} ({seen[each]})")
    return found


def quoted(text: str) -> str:
    """The text as a literal in the quotes that formatters prefer."""
    return double_quoted(ascii(text))


def renamed_input(found: FoundInput, names: Mapping[str, str]) -> FoundInput:
    """The input with the names in its texts replaced by those that the mapping has for them."""
    if not names:
        return found
    return replace(
        found,
        args={label: renamed(text, names) for label, text in found.args.items()},
        returned=None if found.returned is None else renamed(found.returned, names),
        setup=tuple([renamed(each, names) for each in found.setup]),
        uses=tuple([_renamed_use(each, names) for each in found.uses]),
        seen=tuple([_renamed_seen(each, names) for each in found.seen]),
        caught=renamed(found.caught, names) if found.caught else "",
    )


def _renamed_use(use: Use, names: Mapping[str, str]) -> Use:
    """The use with the names in its arguments replaced. The arguments are no expression by
    themselves, so a call is put around them meanwhile.
    """
    call = renamed(f"_({use.given})", names)
    return replace(use, given=call.removeprefix("_(").removesuffix(")"))


def _renamed_seen(seen: Seen, names: Mapping[str, str]) -> Seen:
    return replace(seen, value=renamed(seen.value, names)) if seen.value else seen


def import_block(imports: Iterable[Import], own: Iterable[str], layout: Layout) -> list[list[str]]:
    """The lines of the import statements in three sections, as sorters of imports make them: the
    standard library, other packages, the program's own (`own`).
    """
    tops = {module.split(".")[0] for module in own}
    sections: list[list[Import]] = [[], [], []]
    for each in sorted(set(imports), key=lambda each: (_natural(each.module), each)):
        top = each.module.split(".")[0]
        sections[2 if top in tops else 0 if top in sys.stdlib_module_names else 1].append(each)
    return [_section(each, layout) for each in sections]


def _section(imports: list[Import], layout: Layout) -> list[str]:
    lines = [
        f"import {each.module} as {each.local}" if each.local else f"import {each.module}"
        for each in imports
        if not each.name
    ]
    modules = dict.fromkeys(each.module for each in imports if each.name)
    for module in modules:
        named = [each for each in imports if each.module == module and each.name]
        named.sort(key=lambda each: _by_type(each.name))
        plain = [each.name for each in named if not each.local]
        # One statement for all names that stay as they are, in the place of the first of them.
        for each in named:
            if each.local:
                lines += _from(module, [f"{each.name} as {each.local}"], layout)
            elif each.name == plain[0]:
                lines += _from(module, plain, layout)
    return lines


def _by_type(name: str) -> tuple[int, _Natural]:
    """A key to sort imported names by, as sorters of imports do: constants, then classes, then the
    rest.
    """
    if name.isupper() and len(name) > 1:
        return 0, _natural(name)
    return (1 if name[:1].isupper() else 2), _natural(name)


_Natural: TypeAlias = tuple[list[tuple[int, int]], str]


def _natural(name: str) -> _Natural:
    """A key to sort names by: upper and lower case alike, numbers by their size, so that f9 comes
    before F10.
    """
    parts = re.findall(r"\d+|\D", name.lower())
    return [(ord("0"), int(each)) if each.isdecimal() else (ord(each), 0) for each in parts], name


def _from(module: str, names: list[str], layout: Layout) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= layout.width:
        return [line]
    return layout.one_per_line(f"from {module} import (", names, ")")


def imported_in(text: str, line: int, why: str) -> set[str]:
    """The names that the import statement in a line of the text binds; only those that `why` says
    could not be imported, if it names any. Nothing if the line is part of no import.
    """
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # nothing in it can be imported
    for node in body:
        inside = node.lineno <= line <= (node.end_lineno or node.lineno)
        if inside and isinstance(node, ast.Import | ast.ImportFrom):
            bound = {each.name: each.asname or each.name for each in node.names}
            failed = [each for each in bound if f"import name '{each}'" in why]
            return {bound[each] for each in failed or bound}
    return set()
