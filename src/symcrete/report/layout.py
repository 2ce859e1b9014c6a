"""Lay out calls and literals as `ruff format` and `black` do: on one line, else indented, else one
part per line, and so on inside each part.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

WIDTH = 88


def laid_out(
    before: str, parts: Sequence[str], after: str, indent: int = 0, *, exploded: bool = False
) -> list[str]:
    """`before` + parts + `after`, such as `f(`, arguments, `)`; a part may hold several lines."""
    pad = " " * indent
    flat = pad + before + ", ".join(parts) + after
    several = any("\n" in part for part in parts)
    if not exploded and not several and len(flat) <= WIDTH:
        return [flat]
    inner = pad + "    "
    joined = inner + ", ".join(parts)
    if not exploded and not several and (len(joined) <= WIDTH or not parts):
        return [pad + before, joined, pad + after] if parts else [flat]
    if len(parts) == 1 and not exploded and not several and not _splits(parts[0], indent + 4):
        return [pad + before, joined, pad + after]  # too long, and a comma would not help
    lines = [pad + before]
    for part in parts:
        if "\n" in part or len(inner + part) < WIDTH:
            lines += [inner + line for line in (part + ",").split("\n")]
        else:
            lines += wrapped("", part, ",", indent + 4)
    lines.append(pad + after)
    return lines


def wrapped(before: str, text: str, after: str, indent: int) -> list[str]:
    """An expression between two texts; where it is too long its brackets are opened."""
    flat = " " * indent + before + text + after
    found = None if len(flat) <= WIDTH or "\n" in text else _opened(text)
    if found is None:
        return flat.split("\n")
    start, parts, end, is_call = found
    return laid_out(before + start, parts, end + after, indent, exploded=not is_call)


def _splits(text: str, indent: int) -> bool:
    return len(wrapped("", text, ",", indent)) > 1


def _opened(text: str) -> tuple[str, list[str], str, bool] | None:
    """What comes before the parts in the last brackets, the parts, what follows, and whether it is
    a call; None where there is nothing to open.
    """
    name, equals, value = text.partition("=")
    if equals and name.isidentifier():
        found = _opened(value)
        return found and (f"{name}={found[0]}", *found[1:])
    stars = len(text) - len(text.lstrip("*"))
    try:
        node = ast.parse(text[stars:].strip(), mode="eval").body
    except SyntaxError:
        return _opened_entry(text)
    source = text[stars:].strip()

    def shown(part: ast.AST) -> str:
        return ast.get_source_segment(source, part) or ""

    match node:
        case ast.Call() if node.args or node.keywords:
            parts = [shown(each) for each in (*node.args, *node.keywords)]
            start, end, is_call = f"{shown(node.func)}(", ")", True
        case ast.List(elts=parts_) | ast.Set(elts=parts_) | ast.Tuple(elts=parts_) if parts_:
            parts = [shown(each) for each in parts_]
            start, end, is_call = source[0], source[-1], False
            if start not in "[{(":
                return None
        case ast.Dict(keys=keys, values=values) if keys and None not in keys:
            parts = [
                f"{shown(key)}: {shown(value)}"
                for key, value in zip(keys, values, strict=True)
                if key is not None
            ]
            start, end, is_call = "{", "}", False
        case _:
            return None
    return "*" * stars + start, parts, end, is_call


def _opened_entry(text: str) -> tuple[str, list[str], str, bool] | None:
    """Of an entry of a dictionary: its value is opened."""
    try:
        node = ast.parse(f"{{{text}}}", mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(node, ast.Dict) or len(node.values) != 1 or node.keys[0] is None:
        return None
    value = ast.get_source_segment(f"{{{text}}}", node.values[0]) or ""
    found = _opened(value)
    return found and (text[: len(text) - len(value)] + found[0], *found[1:])
