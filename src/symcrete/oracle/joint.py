"""A program that calls two functions with the same inputs, so that one exploration has both.

It is written into a folder of its own. Its one branch, whether both calls did the same, is a branch
like any other: the side on which they differ is solved for, or proved infeasible.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from symcrete.inputs.told_apart import is_importable
from symcrete.oracle import outcomes, traces
from symcrete.oracle.subjects import declared
from symcrete.program.source.module import Source, is_library, parsed
from symcrete.program.source.target import Subject, Target

PROGRAM, OUTCOMES = "joint_program", "joint_outcomes"  # the modules that are written
_OURS = "symcrete.oracle."  # in imports of our modules; copies have "joint_" in its place
SAME = '"same"'  # what the program returns, as text, where both calls did the same
_TEXT = f"""\

{{imports}}
from {OUTCOMES} import both, difference, function_at, same

first = function_at(first_module, {{first_name!r}})
second = function_at(second_module, {{second_name!r}})
versions = tuple(
    [(name, sys.modules[other]) for name, other in {{versions}} if other in sys.modules]
)


def compare(*positional, **keywords):
    one, other = both(first, second, positional{{given}}, keywords, versions, {{declared}})
    if same(one, other):
        return {SAME}
    return difference(one, other)
"""


def joint_target(
    first: Target,
    second: Target,
    folder: Path,
    versions: dict[str, str] | None = None,
    *,
    given: int | None = None,
) -> Target:
    """The target that calls both, written into the folder; with the first `given` arguments, if
    those after them are left to the defaults.

    `versions`: modules of the first program, and the names of other versions of them, which the
    second one uses.
    """
    text = _TEXT.format(
        imports="\n".join(
            [imported_as(first, "first_module"), imported_as(second, "second_module")]
        ),
        first_name=first.called,
        second_name=second.called,
        versions=tuple((versions or {}).items()),
        given="" if given is None else f"[:{given}]",
        declared=tuple(sorted({*declared(first), *declared(second)})),
    )
    source = written(folder, text, (outcomes,), (first, second))
    subjects = (subject(first, "first_module"), subject(second, "second_module"))
    return Target(source, "compare", f"{first.label} and {second.label}", subjects=subjects)


def imported_as(target: Target, bound: str) -> str:
    """Statements that import the module of a target under a name.

    Where its package has something else of the module's name, `import ... as` would give that.
    """
    module = target.source.module
    if not is_importable(module):
        return f'{bound} = __import__({module!r}, fromlist=["{bound}"])'
    package, _, name = module.rpartition(".")
    beside = target.source.file.parent / "__init__.py"
    plain = f"import {module} as {bound}"
    if not package or target.source.file == beside or not beside.is_file():
        return plain
    try:
        body = parsed(str(beside)).body
    except (OSError, SyntaxError, ValueError):
        return plain
    # `from . import between` gives the module itself, `from .between import between` does not.
    hiding = [node for node in body if isinstance(node, ast.ImportFrom) and node.module]
    if name in [each.asname or each.name for node in hiding for each in node.names]:
        return f"import {module}\n{bound} = sys.modules[{module!r}]"
    return plain


def written(
    folder: Path,
    text: str,
    beside: Sequence[ModuleType],
    targets: Sequence[Target],
    as_is: Sequence[ModuleType] = (),
) -> Source:
    """A program in a folder of its own that calls these targets, with copies of modules of ours
    that are rewritten like it, and of `oracle/traces.py` and those `as_is`, which are not.
    """
    program, plain = folder / "program", folder / "as_written"
    for each in (program, plain):
        each.mkdir(parents=True, exist_ok=True)
    for module in (traces, *as_is):
        own = Path(str(module.__file__))
        (plain / f"joint_{own.stem}.py").write_bytes(own.read_bytes())
    for each in [Path(str(module.__file__)) for module in beside]:
        copied = each.read_text(encoding="utf-8").replace(_OURS, "joint_")
        (program / f"joint_{each.stem}.py").write_text(copied, encoding="utf-8")
    file = program / f"{PROGRAM}.py"
    file.write_text(f"import sys\n\nsys.path.append({str(plain)!r})\n{text}", encoding="utf-8")
    roots = dict.fromkeys([each.source.root for each in targets if not _installed(each)])
    return Source(file.resolve(), PROGRAM, program.resolve(), tuple(roots))


def subject(target: Target, bound: str) -> Subject:
    """The function of a target as one that a target of ours calls; `bound` is what the module of
    ours calls the module of the function.
    """
    return Subject(target.source, target.scope, target.name, bound)


def libraries(targets: Sequence[Target]) -> tuple[str, ...]:
    """Modules of installed packages that have to be rewritten for these targets."""
    return tuple(dict.fromkeys([each.source.module for each in targets if _installed(each)]))


def _installed(target: Target) -> bool:
    return is_library(target.source.file)
