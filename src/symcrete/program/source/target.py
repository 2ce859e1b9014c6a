"""What the user points at: `file.py`, `file.py::func`, `package.module:Class.method`, a folder."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from symcrete.errors import NothingToAnalyse, TargetNotFound
from symcrete.program.source.code_cells import ENDING
from symcrete.program.source.module import (
    MOST_SUGGESTIONS,
    Source,
    files_below,
    source_of_file,
    source_of_module,
)
from symcrete.program.source.sites import functions
from symcrete.program.source.special import CONSTRUCTING, NEVER_CALLED
from symcrete.slotted import dataclass

MOST_NAMES_LISTED = 8  # functions of a file, where one was not found; chosen, not measured
# how alike, from 0 to 1 by difflib, a name is that may have been meant; chosen, not measured
ABOUT_SIMILAR = 0.5
INNER_TEST = ".hypothesis.inner_test"  # what `@given` wraps, as an attribute of what it makes


@dataclass(frozen=True, slots=True)
class Subject:
    """A function that a target written by us calls with the arguments it is given."""

    source: Source
    scope: str
    name: str  # it is called by
    bound: str  # what the target's module calls the module of the function


@dataclass(frozen=True, slots=True)
class Target:
    """One function to explore."""

    source: Source
    scope: str  # "func" or "Class.method"
    label: str  # as the user would write it
    name: str = ""  # the name it is called by, if that is not its scope
    subjects: tuple[Subject, ...] = ()  # what it calls; its parameters are those of the first
    uncounted: frozenset[str] = frozenset()  # names of outcomes and branches that need no input

    @property
    def called(self) -> str:
        """The name it is called by, as an attribute of its module: "Class" for a constructor."""
        return self.name or self.scope

    @property
    def is_method(self) -> bool:
        return "." in self.called


def targets_of(text: str) -> list[Target]:
    """Every function that a target names, in the order of the file."""
    place, name = _split(text)
    path = Path(place)
    if path.is_dir():
        if name:
            raise TargetNotFound(f"{place} is a folder; name a file in it to pick {name!r}")
        return _in_folder(path)
    if place.endswith((".py", ENDING)) or "/" in place or path.exists():
        source, shown = source_of_file(path), place
    else:
        source, shown = source_of_module(place), place
    separator = "::" if shown.endswith((".py", ENDING)) or path.is_file() else ":"
    return _in_source(source, name, shown, separator)


def targets_of_source(source: Source) -> list[Target]:
    """Every function of a module that is named as Python imports it."""
    return _in_source(source, "", source.module, ":")


def counted(source: Source, scope: str, within: str) -> tuple[str, str]:
    """The file and the scope whose branches count: the target's own, or those that `within` names
    as "module:function".
    """
    if not within:
        return str(source.file), scope
    module, _, scope = within.partition(":")
    return str(source_of_module(module).file), scope


def _split(text: str) -> tuple[str, str]:
    if "::" in text:
        place, _, name = text.partition("::")
        return place, name.replace("::", ".")
    place, _, name = text.partition(":")
    return place, name


def _in_folder(folder: Path) -> list[Target]:
    found: list[Target] = []
    for file in files_below(folder, notebooks=True):
        try:
            found += _in_source(source_of_file(file), "", str(file), "::")
        except NothingToAnalyse:
            continue  # a file of constants is no reason to stop
    if not found:
        raise NothingToAnalyse(f"no functions below {folder}")
    return found


def _in_source(source: Source, name: str, shown: str, separator: str) -> list[Target]:
    names = [scope for scope, _ in functions(source.tree())]
    if name:
        if name.removesuffix(".fset") in _setters(source.tree()) and name not in names:
            return [_setter(source, name.removesuffix(".fset"), shown + separator)]
        if name not in names:
            raise TargetNotFound(_not_found(name, names, shown, source))
        if not _is_outer(name, names):
            raise TargetNotFound(
                f"{name} is defined inside a function and cannot be imported by a test; "
                f"name the function around it, {name.rpartition('.')[0]}"
            )
        return [_target(source, name, shown + separator)]
    picked = callable_scopes(source.tree())
    if not picked:
        raise NothingToAnalyse(f"{shown} defines no functions")
    setters = _setters(source.tree())
    found = [_target(source, scope, shown + separator) for scope in picked]
    for scope in [each for each in picked if each in setters]:
        place = picked.index(scope) + 1 + sum(each.name.endswith(".fset") for each in found)
        found.insert(place, _setter(source, scope, shown + separator))
    return found


def callable_scopes(tree: ast.Module) -> list[str]:
    """The functions of a module that a test can call, in the order of the file."""
    typing_only = set(_typing_only(tree.body))
    names = [scope for scope, node in functions(tree) if node not in typing_only]
    outer = [scope for scope in names if _is_outer(scope, names)]
    return [scope for scope in dict.fromkeys(outer) if not _is_never_called(scope)]


def _typing_only(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """What stands under `if TYPE_CHECKING:` of a module or a class: it is there for type checkers
    and never runs.
    """
    for node in body:
        match node:
            case ast.If(
                test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"), body=unrun
            ):
                for statement in unrun:
                    yield from ast.walk(statement)
            case ast.ClassDef(body=inner):
                yield from _typing_only(inner)


def _setter(source: Source, scope: str, before: str) -> Target:
    return Target(source, scope, f"{before}{scope}.fset", f"{scope}.fset")


def _target(source: Source, scope: str, before: str) -> Target:
    """The target of a function; a constructor is called by the name of its class, and of a test
    under Hypothesis's `@given` the function that was decorated.
    """
    owner, _, name = scope.rpartition(".")
    if scope in _given_tests(source.tree()):
        return Target(source, scope, before + scope, scope + INNER_TEST)
    return Target(source, scope, before + scope, owner if name in CONSTRUCTING else "")


def _setters(tree: ast.Module) -> set[str]:
    """The properties that can be assigned to."""
    return {
        scope
        for scope, node in functions(tree)
        for each in node.decorator_list
        if isinstance(each, ast.Attribute) and each.attr == "setter"
    }


def _given_tests(tree: ast.Module) -> set[str]:
    """The functions that Hypothesis's `@given` decorates; others have such a decorator, too."""
    bound = {
        each.asname or each.name: f"{node.module}.{each.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for each in node.names
    }
    bound |= {
        each.asname or each.name: each.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for each in node.names
    }
    if not any(each.startswith("hypothesis") for each in bound.values()):
        return set()
    return {
        scope
        for scope, node in functions(tree)
        for each in node.decorator_list
        if isinstance(each, ast.Call) and _meant(each.func, bound) == "hypothesis.given"
    }


def _meant(name: ast.expr, bound: dict[str, str]) -> str:
    """What a dotted name means where these names are imported."""
    first, dot, rest = ast.unparse(name).partition(".")
    return bound.get(first, first) + dot + rest


def _is_outer(scope: str, names: list[str]) -> bool:
    """Whether a function is not defined inside another one: only those can be called from
    outside.
    """
    parts = scope.split(".")
    return not any(".".join(parts[:i]) in names for i in range(1, len(parts)))


def _is_never_called(scope: str) -> bool:
    return scope.rpartition(".")[2] in NEVER_CALLED


def _not_found(name: str, names: list[str], shown: str, source: Source) -> str:
    if name in _lambdas(source.tree()):
        return f"{name} in {shown} is a lambda; only functions with a `def` are explored"
    import difflib  # only for mistakes

    close = difflib.get_close_matches(name, names, n=MOST_SUGGESTIONS, cutoff=ABOUT_SIMILAR)
    if close:
        hint = f"; did you mean {' or '.join(close)}?"
    elif names:
        more = " ..." if len(names) > MOST_NAMES_LISTED else ""
        hint = f"; it has {', '.join(names[:MOST_NAMES_LISTED])}{more}"
    else:
        hint = "; it defines no functions"
    return f"no function {name!r} in {shown}{hint}"


def _lambdas(tree: ast.Module) -> set[str]:
    return {
        place.id
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda)
        for place in statement.targets
        if isinstance(place, ast.Name)
    }
