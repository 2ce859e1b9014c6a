"""Two classes of one name in the texts of an input: one of them is written with its module."""

from __future__ import annotations

import ast
import importlib
import keyword
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from symcrete.inputs.literal import NoLiteral, literal

if TYPE_CHECKING:  # the driver uses `beside`, and is to load no shapes
    from symcrete.inputs.shapes.shape import Written

Imports = set[tuple[str, str]]  # (module, name), without a name the module itself
FINDS = ("importlib", "import_module")  # the import for a class written with its module


def told_apart(written: Mapping[str, Written]) -> tuple[dict[str, str], Imports]:
    """The texts by label, and the imports they need.

    The first text that mentions a name keeps it; where a later one means another module's, that one
    is written as `import_module("stock").Item`. Raises NoLiteral where a single text means both.
    """
    imports: Imports = set()
    texts: dict[str, str] = {}
    for label, each in written.items():
        if each.imports:
            texts[label], imports = beside(imports, each.text, each.imports)
        else:  # as the texts of numbers, of which there may be thousands
            texts[label] = each.text
    return texts, imports


def beside(
    there: Iterable[tuple[str, str]], text: str, imports: Collection[tuple[str, str]]
) -> tuple[str, Imports]:
    """The text for use beside the imports `there`, and the imports needed then, `there` included.

    A name that is there already from another module is written with its own module in the text.
    """
    if not imports:
        return text, set(there)
    found, owners = set(there), {_first(*each): each[0] for each in there}
    other: dict[str, str] = {}
    own: dict[str, str] = {}
    for module, name in sorted(imports):
        first = _first(module, name)
        if own.setdefault(first, module) != module:
            raise NoLiteral(f"two classes named {first} in one value")
        if module != "builtins" and owners.get(first, module) != module:
            other[first] = f'import_module("{module}").{first}'
            found.add(FINDS)
        else:
            found.add((module, name))
    return renamed(text, other), found


def _first(module: str, name: str) -> str:
    """The name that an import binds; without a name it is the module that is imported."""
    return (name or module).split(".")[0]


def imported(module: str, name: str) -> tuple[str, Any]:
    """The name that an import binds and the value it gets; without a name the module is
    imported.
    """
    found = importlib.import_module(module)
    first = _first(module, name)
    # `import a.b` binds `a`, through which the program comes to `b`.
    return first, getattr(found, first) if name else importlib.import_module(first)


def import_line(module: str, name: str) -> str:
    """The statement that imports a name of a module, or the module where there is no name."""
    if name and not is_importable(module):
        return f"{name} = __import__({literal(module)}, fromlist=[{literal(name)}]).{name}"
    return f"from {module} import {name}" if name else f"import {module}"


def is_importable(module: str) -> bool:
    """Whether an import statement takes the name of a module: none with a hyphen does."""
    return all(each.isidentifier() and not keyword.iskeyword(each) for each in module.split("."))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The source text with each variable that `names` has replaced by its text there."""
    if not names:
        return text
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
    for node in sorted(found, key=lambda each: (each.lineno, each.col_offset), reverse=True):
        if node.id in names:
            line = lines[node.lineno - 1]
            start, end = node.col_offset, node.col_offset + len(node.id.encode())
            lines[node.lineno - 1] = line[:start] + names[node.id].encode() + line[end:]
    return b"".join(lines).decode()
