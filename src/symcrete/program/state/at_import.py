"""Names that a module binds, while it is imported, to something that it took from elsewhere.

`DEBUG = os.environ.get("DEBUG") == "1"` holds what this machine's environment said; another one
says something else. What a name is made of is told here, which of it is the system's is not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from symcrete.program.source.module import walked
from symcrete.slotted import dataclass

Origin = tuple[str, str]  # a module, and what of it: "os", "environ"; "pathlib", "Path.home"
# Code that asks for it suits one version of Python or another, and is not told by the machine.
_OF_PYTHON: Origin = ("sys", "version")
_WITH_DEFAULT = frozenset({"get", "getenv", "setdefault", "pop"})  # their second argument is one


@dataclass(frozen=True, slots=True)
class Taken:
    """What a name was made of at import."""

    origins: frozenset[Origin]
    defaults: tuple[str, ...]  # texts that stand for what is not there: `get("MODE", "dev")`
    chosen: bool = False  # by the test of an `if`: its values are those that the text gives it


def taken_names(
    bound: Iterable[tuple[str, ast.expr]],
    attributes: Mapping[tuple[str, str], Sequence[ast.expr]],
    modules: Mapping[str, str],
    imported: Mapping[str, Origin],
    chosen: Iterable[tuple[str, ast.expr]] = (),
) -> dict[str, Taken]:
    """The names that are bound to something made of other modules' names, directly or by way of
    another such name, each with what it was made of; attributes of classes as `Config.token`.

    `bound`: the names of the module and what they are bound to, in the order of the text;
    `attributes`: what the bodies of its classes bind theirs to, by class and attribute; `modules`
    and `imported`: the modules, and the names of modules, that its own names mean; `chosen`: names,
    and attributes as `Config.token`, with the tests of the `if` that they are bound in.
    """
    found: dict[str, Taken] = {}
    every = [("", name, value) for name, value in bound]
    every += [
        (f"{owner}.", name, value)
        for (owner, name), values in attributes.items()
        for value in values
    ]
    # The import executes the bodies of classes where they stand, among the module's statements.
    every.sort(key=lambda each: (each[2].lineno, each[2].col_offset))
    for owner, own, value in every:
        name = f"{owner}{own}"
        if not isinstance(value, ast.Constant | ast.Lambda):
            made = _made_of(value, modules, imported, _seen_from(owner, found))
            if made.origins:
                former = found.get(name, Taken(frozenset(), ()))
                # Each text once: what a name is made of anew holds all that it was made of before.
                defaults = dict.fromkeys((*former.defaults, *made.defaults))
                found[name] = Taken(former.origins | made.origins, tuple(defaults))
    for name, test in chosen:
        made = _made_of(test, modules, imported, found)
        origins = made.origins - {_OF_PYTHON}
        former = found.get(name, Taken(frozenset(), (), chosen=True))
        if origins and former.chosen:
            found[name] = Taken(former.origins | origins, (), chosen=True)
    return found


def _seen_from(owner: str, taken: Mapping[str, Taken]) -> Mapping[str, Taken]:
    """What was found so far, with the attributes of a class, `Config.`, by their bare names too."""
    if not owner:
        return taken
    return {**taken, **{name.removeprefix(owner): each for name, each in taken.items()}}


def _made_of(
    value: ast.expr,
    modules: Mapping[str, str],
    imported: Mapping[str, Origin],
    taken: Mapping[str, Taken],
) -> Taken:
    origins: set[Origin] = set()
    defaults: list[str] = []
    for node in walked(value):
        match node:
            case ast.Call(
                func=ast.Attribute(attr=name) | ast.Name(id=name),
                args=[_, ast.Constant(value=str() as default)],
            ) if name in _WITH_DEFAULT:
                defaults.append(default)
            case ast.Name(id=name) if name in taken:
                origins |= taken[name].origins
                defaults += taken[name].defaults
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if f"{owner}.{name}" in taken:
                origins |= taken[f"{owner}.{name}"].origins
                defaults += taken[f"{owner}.{name}"].defaults
            case ast.Name() | ast.Attribute():
                origins.update(_origins(node, modules, imported))
    return Taken(frozenset(origins), tuple(dict.fromkeys(defaults)))


def _origins(
    node: ast.Name | ast.Attribute, modules: Mapping[str, str], imported: Mapping[str, Origin]
) -> Iterator[Origin]:
    """What a dotted name means, if its first part is a module or of one."""
    parts: list[str] = []
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        parts.insert(0, inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return
    if inner.id in imported:
        module, name = imported[inner.id]
        yield module, ".".join((name, *parts))
    elif inner.id in modules and parts:
        *path, name = parts
        yield ".".join((modules[inner.id], *path)), name
        if path:  # a method of a class: `pathlib.Path.home`
            yield modules[inner.id], ".".join(parts)
