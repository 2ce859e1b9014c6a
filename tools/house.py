"""The rules of the house: prints how the source is cut, and fails where a rule is broken.

    python -m tools.house [ROOT]

A rule is a function that gets the tree and gives the breaches it found, as sentences; `RULES` lists
them all. What is still broken and being mended is in `STANDING`, with the number that may remain;
an exception for good stands in a table with its reason.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from tools.citations import broken_citations
from tools.fields import Place, set_from_outside, words_as_texts
from tools.modules import (
    PACKAGE,
    Module,
    clock_reads,
    constants_of,
    cycles,
    functions_of,
    imported,
    longest,
    modules_of,
    private_overrides,
    unexplained_constants,
    untyped_messages,
    used,
    writes_elsewhere,
)
from tools.numbers import unnamed_numbers

MOST_FILES = 15  # in a folder, its __init__ aside: what can be seen at a glance
LONGEST_FILE = 500  # lines
LONGEST_FUNCTION = 80  # lines
SAME_PREFIX = 3  # files of a folder that begin with the same word: that word wants to be a folder

# Functions that may be longer, by file and name, and why.
LONG_FUNCTIONS: dict[str, str] = {}

# Files that share a stem although they are different concepts, and why that is right.
SAME_STEM: dict[str, str] = {
    "backend": "each solver's folder has the backend itself, the same concept for another library",
    "bit_vectors": "each solver's folder has its bit vectors",
    "c_library": "each solver's folder has the functions of its C library",
}

# Numbers that two modules define, and why one of them cannot have it from the other.
DEFINED_TWICE: dict[str, str] = {
    "MOST_ITEMS": "oracle/outcomes.py is copied beside programs that are judged",
}

# Modules that read a clock themselves, and why; everybody else is handed one.
CLOCK_READERS: dict[str, str] = {
    "clock.py": "it is the one that names the clock",
    "sandbox/driver/folder.py": "how old a folder is, only the clock of the file system can tell",
    "sandbox/worker/serving.py": "it sets the clock that the program under test will read",
}

# Modules of the sandbox that hold JSON as it is, and why; between all others dataclasses pass.
JSON_ITSELF: dict[str, str] = {
    "sandbox/driver/again.py": "what `symcrete replay --json` prints is JSON",
    "sandbox/journal/journal.py": "a line of a journal, which `runs` makes an event of",
    "sandbox/messages/board.py": "an entry as it is read: the program may have written it",
    "sandbox/messages/channel.py": "a line of a pipe, which the vocabulary makes a message of",
}

# Files that set fields of objects whose classes are elsewhere: how often, and why. Everybody else
# tells an object what to do, or makes another one.
SET_FROM_OUTSIDE: dict[str, tuple[int, str]] = {
    "sandbox/worker/seedling.py": (
        2,
        "the name and mode that Python's own start gives its streams",
    ),
    "slotted.py": (1, "`dataclasses` too gives a Field its name later: only the class knows it"),
    "values/tracking/arithmetic.py": (1, "a call for each sum would be felt (benchmarks/paths.py)"),
    "world/files/opened_archives.py": (1, "a member of `tarfile` is renamed like this"),
    "world/importing/concealed.py": (1, "programs hold `os.environ` itself: it has to stay"),
}

# Modules that compare a field of others which has the name of one of ours, and whose it is.
WORDS_OF_OTHERS: dict[str, str] = {
    "sandbox/cluster/cluster.py": "the status of a task of Dask",
}

# Folders and files whose functions hold numbers that nobody chose, and what those are instead.
NUMBERS_OF_A_FORMAT: dict[str, str] = {
    "report/formats/live.py": "of terminals: their usual size, seconds in a minute",
    "report/formats/sarif.py": "of the format",
    "report/formats/svg.py": "pixels of a picture",
    "report/formats/terminal.py": "columns of a line",
    "report/page": "pixels of a picture, and per cent",
    "report/tests": "columns by which lines of a test are indented",
    "sandbox/walls": "of the kernel: sizes and bits of its structures",
    "values/build": "of the calendar, and of the format of a UUID",
    "values/library": "of the calendar, and of the format of a UUID",
    "values/models": "of Python: codes of characters, bases, how many arguments a function takes",
    "values/numbers": "the base of decimals",
    "values/regex": "codes of characters",
    "values/text": "codes of characters, of encodings and of f-strings",
    "values/tracking": "of Python: how names of methods begin",
}

# Breaches that are known and being mended: how many may remain. The numbers only go down.
STANDING: dict[str, int] = {}

Breaches: TypeAlias = list[str]


@dataclass(frozen=True)
class House:
    """A repository: the package below `src`, and the tests of it."""

    root: Path

    @cached_property
    def modules(self) -> list[Module]:
        """Every module of the package."""
        return modules_of(self.root / "src" / PACKAGE)

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """Which modules of the package are imported by importing each module."""
        names = [each.name for each in self.modules]
        return {each.name: imported(each.tree, names, at_once=True) for each in self.modules}

    @cached_property
    def folders(self) -> dict[Path, list[Module]]:
        """The modules of each folder, its `__init__` aside."""
        found: dict[Path, list[Module]] = defaultdict(list)
        for module in self.modules:
            found[module.path.parent].extend([] if module.is_init else [module])
        return dict(found)

    @property
    def set_from_outside(self) -> dict[str, list[Place]]:
        """Where fields are set from outside, by the row of `SET_FROM_OUTSIDE`; "" if none is."""
        found: dict[str, list[Place]] = defaultdict(list)
        for place in self._set_from_outside:
            above = [place.module.path, *place.module.path.parents]
            keys = [each.as_posix() for each in above if each.as_posix() in SET_FROM_OUTSIDE]
            found[keys[0] if keys else ""].append(place)
        return dict(found)

    @cached_property
    def _set_from_outside(self) -> list[Place]:
        return list(set_from_outside(self.modules))

    @cached_property
    def without_a_direct_test(self) -> list[Module]:
        """Modules, `__init__` aside, of which no file of `tests` uses anything."""
        names = [module.name for module in self.modules]
        seen: set[str] = set()
        for file in (self.root / "tests").rglob("*.py"):
            seen |= used(ast.parse(file.read_text()), names)
        return [each for each in self.modules if not each.is_init and each.name not in seen]


def folders_are_small(house: House) -> Breaches:
    """At most 15 files in a folder."""
    return [
        f"{folder}: {len(modules)} files, at most {MOST_FILES}"
        for folder, modules in house.folders.items()
        if len(modules) > MOST_FILES
    ]


def files_are_short(house: House) -> Breaches:
    """At most 500 lines in a file."""
    return [
        f"{module.path}: {module.lines} lines, at most {LONGEST_FILE}"
        for module in house.modules
        if module.lines > LONGEST_FILE
    ]


def functions_are_short(house: House) -> Breaches:
    """At most 80 lines in a function."""
    return [
        f"{module.path}: {function.name} has {function.lines} lines, at most {LONGEST_FUNCTION}"
        for module in house.modules
        for function in functions_of(module)
        if function.lines > LONGEST_FUNCTION
        and f"{module.path.as_posix()}: {function.name}" not in LONG_FUNCTIONS
    ]


def imports_go_one_way(house: House) -> Breaches:
    """No modules that import one another in a circle."""
    return [f"import cycle: {', '.join(group)}" for group in cycles(house.imports)]


def folders_say_what_they_are_for(house: House) -> Breaches:
    """An `__init__.py` with one line that says it; below the root nothing else."""
    inits = {module.path.parent: module for module in house.modules if module.is_init}
    breaches = []
    for folder in house.folders:
        if folder not in inits:
            breaches.append(f"{folder}: no __init__.py that says what the folder is for")
            continue
        body = inits[folder].tree.body
        said = ast.get_docstring(inits[folder].tree)
        if not said:
            breaches.append(f"{folder}/__init__.py: no docstring that says what the folder is for")
        elif folder != Path() and "\n" in said:
            breaches.append(f"{folder}/__init__.py: the docstring has more than one line")
        if folder != Path() and len(body) > 1:
            breaches.append(f"{folder}/__init__.py: holds more than a docstring")
    return breaches


def names_are_not_shared(house: House) -> Breaches:
    """No two files of the same name, unless `SAME_STEM` says why."""
    places: dict[str, list[str]] = defaultdict(list)
    for module in house.modules:
        if not module.is_init:
            places[module.path.stem].append(module.path.as_posix())
    return [
        f"{stem}.py is the name of {len(paths)} files: {', '.join(paths)}"
        for stem, paths in sorted(places.items())
        if len(paths) > 1 and stem not in SAME_STEM
    ]


def prefixes_are_folders(house: House) -> Breaches:
    """No three files of a folder whose names begin with the same word."""
    breaches = []
    for folder, modules in house.folders.items():
        words = Counter(
            module.path.stem.partition("_")[0] for module in modules if "_" in module.path.stem
        )
        breaches += [
            f"{folder}: {count} files begin with {word}_; make it a folder"
            for word, count in sorted(words.items())
            if count >= SAME_PREFIX
        ]
    return breaches


def constants_mean_one_thing(house: House) -> Breaches:
    """No name of a number that stands for different numbers anywhere in the source, and none that
    is defined twice, unless `DEFINED_TWICE` says why.
    """
    values: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for module in house.modules:
        for name, value in constants_of(module):
            values[name].append((module.path.as_posix(), value))
    return [
        f"{name} is " + ", ".join(f"{value} in {path}" for path, value in sorted(places))
        for name, places in sorted(values.items())
        if len(places) > 1 and (name not in DEFINED_TWICE or len({each for _, each in places}) > 1)
    ]


def constants_have_reasons(house: House) -> Breaches:
    """Every number with a name says in a comment what it counts and why it is so large."""
    return [
        f"{module.path}:{line}: {name} has no comment that says what it counts and why"
        for module in house.modules
        for line, name in unexplained_constants(module)
    ]


def numbers_have_names(house: House) -> Breaches:
    """No number in a function without a name or a comment; `NUMBERS_OF_A_FORMAT` lists the places
    where facts of a format stand, and `unnamed_numbers` says what needs neither.
    """
    return [
        f"{module.path}:{line}: {number} has neither a name nor a comment that says what it is"
        for module in house.modules
        if not _holds_a_format(module)
        for line, number in unnamed_numbers(module)
    ]


def _holds_a_format(module: Module) -> bool:
    places = (module.path, *module.path.parents)
    return any(each.as_posix() in NUMBERS_OF_A_FORMAT for each in places)


def clocks_are_passed_in(house: House) -> Breaches:
    """No clock is read outside the modules that `CLOCK_READERS` lists."""
    return [
        f"{module.path}:{line}: reads a clock; it should be handed one"
        for module in house.modules
        if module.path.as_posix() not in CLOCK_READERS
        for line in clock_reads(module)
    ]


def messages_are_typed(house: House) -> Breaches:
    """No `dict[str, Any]` or `[str, object]` in the sandbox, unless `JSON_ITSELF` says why."""
    return [
        f"{module.path}:{line}: a dataclass is wanted"
        for module in house.modules
        if module.stage == "sandbox" and module.path.as_posix() not in JSON_ITSELF
        for line in untyped_messages(module)
    ]


def private_methods_stay_private(house: House) -> Breaches:
    """No class replaces a private method of a class above it."""
    return [
        f"{module.path}:{line}: {name} replaces a private method; what may be replaced is public"
        for module, line, name in private_overrides(house.modules)
    ]


def objects_are_told(house: House) -> Breaches:
    """No field is set by another module than its class's, but as often as `SET_FROM_OUTSIDE`
    says.
    """
    breaches, counts = [], house.set_from_outside
    for place in counts.pop("", []):
        where = f"{place.module.path}:{place.line}"
        breaches.append(f"{where}: sets {place.text} of an object that should be told")
    for key, places in counts.items():
        most = SET_FROM_OUTSIDE[key][0]
        if len(places) > most:
            lines = ", ".join(f"{place.module.path}:{place.line}" for place in places)
            breaches.append(
                f"{key}: sets {len(places)} fields from outside, at most {most}: {lines}"
            )
    return breaches


def words_are_members(house: House) -> Breaches:
    """No field that is declared as an enumeration of words is compared with a text."""
    return [
        f"{place.module.path}:{place.line}: compares a word with a text: {place.text}"
        for place in words_as_texts(house.modules)
        if place.module.path.as_posix() not in WORDS_OF_OTHERS
    ]


def importing_changes_nothing(house: House) -> Breaches:
    """No module writes into another one while it is imported."""
    return [
        f"{module.path}:{line}: importing it changes another module: {text}"
        for module in house.modules
        for line, text in writes_elsewhere(module)
    ]


def modules_have_tests(house: House) -> Breaches:
    """Something of every module is used by a test itself, not only by other modules."""
    return [f"{module.path}: no test uses it" for module in house.without_a_direct_test]


def exceptions_are_needed(house: House) -> Breaches:
    """No exception in the tables above for a file that is gone or keeps the rule."""
    stems = Counter(module.path.stem for module in house.modules if not module.is_init)
    numbers = Counter(name for module in house.modules for name, _ in constants_of(module))
    long = {
        f"{each.path.as_posix()}: {function.name}"
        for each in house.modules
        for function in functions_of(each)
        if function.lines > LONGEST_FUNCTION
    }
    readers = {each.path.as_posix() for each in house.modules if clock_reads(each)}
    untyped = {each.path.as_posix() for each in house.modules if untyped_messages(each)}
    outside = house.set_from_outside
    compared = {place.module.path.as_posix() for place in words_as_texts(house.modules)}
    of_formats = {
        place.as_posix()
        for each in house.modules
        if _holds_a_format(each) and any(unnamed_numbers(each))
        for place in (each.path, *each.path.parents)
    }
    return [
        *(
            f"SET_FROM_OUTSIDE: {key} sets {len(outside.get(key, []))}, not {most}"
            for key, (most, _) in SET_FROM_OUTSIDE.items()
            if len(outside.get(key, [])) < most
        ),
        *(f"WORDS_OF_OTHERS: {path} has none" for path in WORDS_OF_OTHERS if path not in compared),
        *(f"SAME_STEM: {stem}.py is not shared any more" for stem in SAME_STEM if stems[stem] < 2),
        *(f"DEFINED_TWICE: {name} is not" for name in DEFINED_TWICE if numbers[name] < 2),
        *(f"LONG_FUNCTIONS: {name} is not long" for name in LONG_FUNCTIONS if name not in long),
        *(f"CLOCK_READERS: {path} reads none" for path in CLOCK_READERS if path not in readers),
        *(f"JSON_ITSELF: {path} holds none" for path in JSON_ITSELF if path not in untyped),
        *(
            f"NUMBERS_OF_A_FORMAT: {path} holds none"
            for path in NUMBERS_OF_A_FORMAT
            if path not in of_formats
        ),
    ]


def citations_exist(house: House) -> Breaches:
    """Every file that a comment, a docstring or a page names is there."""
    return [str(citation) for citation in broken_citations(house.root)]


RULES: tuple[Callable[[House], Breaches], ...] = (
    folders_are_small,
    files_are_short,
    functions_are_short,
    imports_go_one_way,
    folders_say_what_they_are_for,
    names_are_not_shared,
    prefixes_are_folders,
    constants_mean_one_thing,
    constants_have_reasons,
    numbers_have_names,
    clocks_are_passed_in,
    messages_are_typed,
    private_methods_stay_private,
    objects_are_told,
    words_are_members,
    importing_changes_nothing,
    modules_have_tests,
    exceptions_are_needed,
    citations_exist,
)


def picture(house: House) -> list[str]:
    """How the source is cut, as lines of text."""
    lines = ["files  lines  folder"]
    for folder, modules in sorted(house.folders.items()):
        total = sum(module.lines for module in modules)
        lines.append(f"{len(modules):5}  {total:5}  {PACKAGE / folder}")
    file = max(house.modules, key=lambda module: module.lines)
    lines.append(f"longest file: {file.path}, {file.lines} lines")
    function = longest([each for module in house.modules for each in functions_of(module)])
    if function is not None:
        where = f"{function.module.path}: {function.name}"
        lines.append(f"longest function: {where}, {function.lines} lines")
    untested = len(house.without_a_direct_test)
    lines.append(f"modules without a direct test: {untested} of {len(house.modules)}")
    return lines


def inspect(house: House) -> tuple[list[str], bool]:
    """What each rule found, as lines of text, and whether all of it is within bounds."""
    lines, kept = [], True
    for rule in RULES:
        breaches, most = rule(house), STANDING.get(rule.__name__, 0)
        if len(breaches) > most:
            kept = False
            lines.append(f"BROKEN {rule.__name__}: {len(breaches)}, where {most} may remain")
            lines += [f"  {breach}" for breach in breaches]
        elif most:
            lines.append(f"{rule.__name__}: {len(breaches)} remain, {most} may")
    return lines, kept


def main(arguments: Sequence[str]) -> int:
    """Print the picture and the breaches; 1 if a rule is broken."""
    house = House(Path(arguments[0] if arguments else "."))
    lines, kept = inspect(house)
    print("\n".join([*picture(house), *lines]))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
