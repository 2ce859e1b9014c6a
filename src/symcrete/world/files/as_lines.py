"""How a test sets up the files that a run asked for: below `tmp_path`, absolute paths too."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symcrete.inputs.literal import literal
from symcrete.world.files.file_tree import (
    ARCHIVES,
    BYTES,
    FILE,
    FOLDER,
    LISTED,
    MODE,
    MODIFIED,
    NAMES,
)
from symcrete.world.files.made_archives import as_statements
from symcrete.world.source import Answer, Setting, Targets

# Roots that say what a test has to do besides making files.
HERE = "current folder"  # the run asked for a path that is not absolute
MOVED = "absolute paths of "  # a function through which the run came to an absolute path
ORDERED = "order of "  # a function that lists a folder in which there is more than one name
ENTRIES = "status of entries"  # the run asked entries of `os.scandir` for theirs
MARKED = "nothing done by "  # a function that sets the mode or the times of a file
ACCESS = "os.access"  # with a path and a mode
DENIED = "denied "  # with a function and a path that it is refused
# Sets neither mode nor times, but raises where nothing is: `Path.touch` makes a file then.
_UNMARKED = "lambda path, *args, **named: os.stat(path) and None"


def shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    """How a test sets up what its run asked for: files first, then the functions that find them."""
    here = _current_folder(answers)
    if any(each.root == HERE for each in answers):
        yield from _changed_folder(here)
    yield from _made(answers, here)
    allowed = [each for each in answers if each.root.startswith(ACCESS)]
    ordered = _after(answers, ORDERED)
    replaced = {ACCESS} if allowed else set()
    replaced |= {"os.listdir"}.intersection(ordered)
    moved = [each for each in _after(answers, MOVED) if each not in replaced]
    absolute = _absolute(answers)
    if moved and absolute:
        yield from _moved(absolute, moved, targets)
    times = _about(answers, MODIFIED)
    if times:
        yield from _times(times, targets)
    # An entry asks the system itself, which knows nothing of the times of the input.
    timed = bool(times) and any(each.root == ENTRIES for each in answers)
    for each in dict.fromkeys([*ordered, *(["os.scandir"] if timed else [])]):
        yield from _ordered(each, _listings(answers), targets, timed=timed)
    if allowed:
        yield from _access(allowed, targets)
    yield from _denied(answers, targets)
    for each in _after(answers, MARKED):
        for target in targets("os", each.removeprefix("os.")):
            line = f"monkeypatch.setattr({literal(target)}, {_UNMARKED})"
            yield Setting(each, "None", f"import os\n{line}")


def _after(answers: Sequence[Answer], beginning: str) -> list[str]:
    found = [each.root for each in answers if each.root.startswith(beginning)]
    return [each.removeprefix(beginning) for each in found]


def _about(answers: Sequence[Answer], what: str) -> dict[str, Answer]:
    """The answers to one question about paths, such as FILE or NAMES, by path."""
    found = [each for each in answers if each.root.startswith(f"{what} '")]
    found += [each for each in answers if each.root.startswith(f'{what} "')]
    return {ast.literal_eval(each.root.removeprefix(f"{what} ")): each for each in found}


def _there(answers: Sequence[Answer]) -> dict[str, Answer]:
    """The answers that say what is there, by path; a name in a folder that the run did not look at
    is an empty file.
    """
    found = {path: each for path, each in _about(answers, FILE).items() if each.value is not None}
    entries = {each.root: each for each in answers if each.root.startswith(LISTED)}
    for folder, names in _about(answers, NAMES).items():
        for number, name in enumerate(names.value):
            path = name if folder == "." else f"{folder}/{name}"
            root = f"{LISTED} {number} of {folder!r}"
            found.setdefault(path, entries.get(root, Answer(root, "", '""')))
    return found


# -- files and folders


def _current_folder(answers: Sequence[Answer]) -> str:
    """The current folder of a test, below `tmp_path`: deep enough for the paths that lead out of
    it, and not where absolute paths lead to if somebody looks what is in it.
    """
    listed = _about(answers, NAMES)
    asked = [*_about(answers, FILE), *listed]
    above = max([path.split("/").count("..") for path in asked], default=0)
    apart = "." in listed and any(path.startswith("/") for path in _there(answers))
    return "/".join(["here"] * max(above, int(apart)))


def _changed_folder(here: str) -> Iterable[Setting]:
    if not here:
        yield Setting(HERE, literal("tmp_path"), "monkeypatch.chdir(tmp_path)")
        return
    call = "mkdir(parents=True)" if "/" in here else "mkdir()"
    yield Setting(f"folder {here!r}", "True", _line(here, call, ""))
    yield Setting(HERE, literal(f"tmp_path/{here}"), f"monkeypatch.chdir({_place(here, '')})")


def _made(answers: Sequence[Answer], here: str) -> Iterable[Setting]:
    contents = _about(answers, BYTES)
    archives = {path: (form, each) for form in ARCHIVES for path, each in _made_as(answers, form)}
    there, modes = _there(answers), _about(answers, MODE)
    made = {here.rsplit("/", level)[0] for level in range(here.count("/") + 1)} if here else set()
    for path, each in there.items():
        yield from _folders(path, each.value is FOLDER, made, here)
        if each.value is FOLDER:
            continue
        if path in modes:
            mode = oct(modes[path].value)
            yield Setting(modes[path].root, mode, _line(path, f"touch({mode})", here))
        if path in archives:
            form, content = archives[path]
            line = as_statements(form, _place(path, here), content.value)
            yield Setting(f"{form} {path!r}", content.text, line)
            continue
        content = contents.get(path, each)
        call = "write_bytes" if path in contents else "write_text"
        line = _line(path, f"{call}({content.text})", here)
        yield Setting(f"{FILE} {path!r}", content.text, line)


def _made_as(answers: Sequence[Answer], form: str) -> Iterable[tuple[str, Answer]]:
    """The archives of a form, by path, and their members."""
    found = _about(answers, form).items()
    return [(path, each) for path, each in found if each.value is not None]


def _folders(path: str, itself: bool, made: set[str], here: str) -> Iterable[Setting]:
    """Make the folders above a path that are not made yet, and the one there."""
    parts = _below(path, here).split("/")
    above = ["/".join(parts[: index + 1]) for index in range(len(parts) - (not itself))]
    new = [each for each in above if each not in made]
    made.update(above)
    if new:
        call = "mkdir()" if len(new) == 1 else "mkdir(parents=True)"
        yield Setting(f"folder {new[-1]!r}", "True", _line(f"/{new[-1]}", call, here))


def _line(path: str, call: str, here: str) -> str:
    return f"({_place(path, here)}).{call}"


def _place(path: str, here: str) -> str:
    return f"tmp_path / {literal(_below(path, here))}"


def _below(path: str, here: str) -> str:
    """Where a path of the run is in the test, relative to `tmp_path`."""
    return path.strip("/") if path.startswith("/") else posixpath.normpath(f"{here or '.'}/{path}")


# -- functions that find them there


def _absolute(answers: Sequence[Answer]) -> list[str]:
    """The absolute paths that the run asked about, without those below others."""
    asked: set[str] = set()
    for what in (FILE, NAMES):
        asked.update([path for path in _about(answers, what) if path.startswith("/")])
    return [
        path
        for path in sorted(asked)
        if not any(path.startswith(each) for each in asked if each != path)
    ]


_MOVED = """def below(path):
    inside = str(path).startswith(PATHS)
    return f"{tmp_path}{path}" if inside else path

def moved(function):
    return lambda *args, **named: function(*map(below, args), **named)

"""


def _moved(paths: Sequence[str], names: Sequence[str], targets: Targets) -> Iterable[Setting]:
    """Statements after which these functions look for these paths below the test's folder."""
    text = literal(paths[0] if len(paths) == 1 else tuple(paths))
    lines = []
    for each in names:
        module, _, name = each.rpartition(".")
        by = f"moved({name if module == 'builtins' else each})"
        lines += [f"monkeypatch.setattr({literal(at)}, {by})" for at in targets(module, name)]
    needs = {each.partition(".")[0] for each in names} - {"builtins"}
    head = "".join([f"import {each}\n" for each in sorted(needs)])
    functions = _MOVED.replace("PATHS", text)
    yield Setting(text, literal("below tmp_path"), head + functions + "\n".join(lines))


_STAT = """import os

def stat(path, *rest, real=os.stat, **named):
    found, times = real(path, *rest, **named), TIMES
    name = "" if isinstance(path, int) else os.path.normpath(os.fspath(path))
    return os.stat_result((*found[:7], *[times[name]] * 3)) if name in times else found

"""


def _times(asked: Mapping[str, Answer], targets: Targets) -> Iterable[Setting]:
    """Statements after which these files were changed at the times of the input."""
    times = literal({path: float(each.value) for path, each in asked.items()})
    for target in targets("os", "stat"):
        line = f"{_STAT.replace('TIMES', times)}monkeypatch.setattr({literal(target)}, stat)"
        yield Setting("times of files", times, line)


def _listings(answers: Sequence[Answer]) -> dict[str, list[str]]:
    """All that is in each folder that the run listed, in the order of the input."""
    there = _there(answers)
    found = {}
    for folder, each in _about(answers, NAMES).items():
        start = "" if folder == "." else f"{folder}/"
        below = [path for path in there if path.startswith(start) and not path.startswith("../")]
        inside = [path[len(start) :].partition("/")[0] for path in below]
        found[folder] = [*each.value, *sorted(set(inside).difference(each.value))]
    return found


_IN_ORDER = """import os

class InOrder:
    def __init__(self, path="."):
        names = NAMES
        with scandir(path) as found:
            order = lambda entry: [*names, entry.name].index(entry.name)
            self.entries = iter(sorted(found, key=order))

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.entries)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

scandir = os.scandir
"""


_TIMED = """class Entry:
    def __init__(self, entry):
        self.name, self.path, self.is_dir = entry.name, entry.path, entry.is_dir
        self.is_file, self.is_symlink = entry.is_file, entry.is_symlink

    def __fspath__(self):
        return self.path

    def stat(self, **named):
        return os.stat(self.path, **named)

"""


def _ordered(
    function: str, listings: Mapping[str, list[str]], targets: Targets, *, timed: bool
) -> Iterable[Setting]:
    """Statements after which a folder is listed in the order of the input, on any file system;
    `timed`: and entries have the times of the input.
    """
    module, _, name = function.rpartition(".")
    single = len(listings) == 1
    names = literal(next(iter(listings.values())) if single else dict(listings))
    for target in targets(module, name):
        if name == "scandir":
            line = f"{_IN_ORDER}monkeypatch.setattr({literal(target)}, InOrder)"
            line = line.replace("NAMES", names if single else f"{names}.get(str(path), [])")
            if timed:
                line = line.replace("class InOrder", f"{_TIMED}class InOrder")
                line = line.replace("iter(sorted(", "map(Entry, sorted(")
        else:
            chosen = names if single else f"{names}[str(path)]"
            line = f'monkeypatch.setattr({literal(target)}, lambda path=".": {chosen})'
        yield Setting(function, names, line)


_DENYING = """import os

def denied(path, *rest, real=REAL, **named):
    if os.path.normpath(path) in PATHS:
        raise PermissionError(13, "Permission denied", path)
    return real(path, *rest, **named)

"""


def _denied(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    """Statements after which the system refuses these paths to these functions."""
    refused: dict[str, list[str]] = {}
    for each in answers:
        if each.root.startswith(DENIED) and each.value:
            function, path = ast.literal_eval(each.root.removeprefix(DENIED))
            refused.setdefault(function, []).append(path)
    for function, paths in refused.items():
        module, _, name = function.rpartition(".")
        real = name if module == "builtins" else function
        text = _DENYING.replace("REAL", real).replace("PATHS", literal(paths))
        head = "" if module in ("builtins", "os") else f"import {module}\n"
        for target in targets(module, name):
            line = f"{head}{text}monkeypatch.setattr({literal(target)}, denied)"
            yield Setting(function, literal(f"refuses {', '.join(paths)}"), line)


def _access(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    allowed: list[Any] = [_asked(each) for each in answers if each.value]
    for target in targets("os", "access"):
        if len(allowed) in (0, len(answers)):
            by = f"lambda path, mode: {bool(allowed)}"
        else:
            text = ", ".join([literal(each) for each in allowed])
            by = f"lambda path, mode: (str(path), mode) in [{text}]"
        line = f"monkeypatch.setattr({literal(target)}, {by})"
        shown_as = ", ".join([f"{literal(_asked(each))}: {each.text}" for each in answers])
        yield Setting("os.access", f"{{{shown_as}}}", line)


def _asked(answer: Answer) -> Any:
    return ast.literal_eval(answer.root.removeprefix(ACCESS))
