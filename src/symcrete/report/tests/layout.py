"""Lay out calls and lists as `ruff format` and `black` do: on one line, else indented, else one per
line.

A formatter leaves alone what ends with a comma, so that everything broken one per line stays so.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence

from symcrete.slotted import dataclass

# characters of a line, where the project says nothing else: the formatters' default
LINE_LENGTH = 88


@dataclass(frozen=True, slots=True)
class Layout:
    """Lines that are as wide as a project wants them."""

    width: int = LINE_LENGTH

    def laid_out(self, before: str, parts: Sequence[str], after: str) -> list[str]:
        """`before` + parts + `after`, such as `def f(`, parameters, `):`."""
        flat = ", ".join(parts)
        if len(before + flat + after) <= self.width or not parts:
            return [before + flat + after]
        # Formatters put a comma after the only parameter of a function, not after several.
        if len("    " + flat) <= self.width and len(parts) != 1:
            return [before, "    " + flat, after]
        return self.one_per_line(before, parts, after)

    def one_per_line(self, before: str, parts: Sequence[str], after: str) -> list[str]:
        """Each part on a line of its own, with a comma, which formatters leave as it is."""
        return [before, *[f"    {part}," for part in parts], after]

    def expression(
        self, text: str, indent: int = 0, *, before: str = "", after: str = ""
    ) -> list[str]:
        """An expression with what stands before and after it, broken at its brackets as needed."""
        if indent + len(before) + len(text) + len(after) <= self.width:
            return [" " * indent + before + text + after]
        tree = ast.parse(text, mode="eval").body
        return _Text(text, self.width).lines(tree, indent, before, after)

    def assignment(self, name: str, text: str, indent: int = 0) -> list[str]:
        """`name = text`, broken at the brackets of the text, or put into some."""
        lines = self.expression(text, indent, before=f"{name} = ")
        pad = " " * indent
        fits_alone = indent + 4 + len(text) <= self.width
        if len(lines) > 1 or len(lines[0]) <= self.width or not fits_alone:
            return lines
        return [f"{pad}{name} = (", f"{pad}    {text}", f"{pad})"]


class _Text:
    """One line of source text, and the lines to break it into."""

    def __init__(self, text: str, width: int) -> None:
        self._text = text.encode()  # a syntax tree counts bytes
        self._width = width

    def of(self, node: ast.AST) -> str:
        return self._between(_start(node), _end(node))

    def _between(self, start: int, end: int) -> str:
        return self._text[start:end].decode()

    def _head(self, node: ast.AST, value: ast.AST) -> str:
        """What stands before the value that ends an expression."""
        return self._between(_start(node), _start(value)).removesuffix("(")

    def _value(self, node: ast.AST, indent: int, before: str, after: str) -> list[str]:
        """The lines of a value inside an expression. `x := 1` gets brackets here, since they are no
        part of its node in the tree.
        """
        if not isinstance(node, ast.NamedExpr):
            return self.lines(node, indent, before, after)
        pad, flat = " " * indent, f"{before}({self.of(node)}){after}"
        if indent + len(flat) <= self._width:
            return [pad + flat]
        return [f"{pad}{before}(", *self.lines(node, indent + 4), f"{pad}){after}"]

    def lines(self, node: ast.AST, indent: int, before: str = "", after: str = "") -> list[str]:
        flat = " " * indent + before + self.of(node) + after
        if len(flat) <= self._width:
            return [flat]
        match node:
            case ast.List(elts=[_, *_] as parts):
                return self._exploded(f"{before}[", parts, f"]{after}", indent)
            case ast.Set(elts=parts):
                return self._exploded(f"{before}{{", parts, f"}}{after}", indent)
            case ast.Tuple(elts=[_, *_] as parts):
                return self._exploded(f"{before}(", parts, f"){after}", indent)
            case ast.Dict(keys=[_, *_]):
                return self._pairs(node, indent, before, after)
            case ast.Call():
                return self._call(node, indent, before, after)
            case ast.Lambda(body=body):
                return self._value(body, indent, before + self._head(node, body), after)
            case ast.NamedExpr(target=target, value=value):
                made = self.lines(value, indent, f"{before}{self.of(target)} := ", after)
                if len(made[0]) <= self._width:
                    return made
                first = f"{' ' * indent}{before}{self.of(target)}"
                return [first, *self.lines(value, indent, ":= ", after)]
            case ast.Starred(value=value):
                return self.lines(value, indent, f"{before}*", after)
            case ast.keyword(value=value):
                return self._value(value, indent, before + self._head(node, value), after)
            case ast.Subscript(value=ast.Tuple() | ast.Dict() as value):
                rest = self.of(node).removeprefix(self.of(value))
                return self.lines(value, indent, before, rest + after)
            case _:
                return [flat]

    def _exploded(
        self, before: str, parts: Sequence[ast.AST], after: str, indent: int
    ) -> list[str]:
        inside = [line for part in parts for line in self.lines(part, indent + 4, after=",")]
        return [" " * indent + before, *inside, " " * indent + after]

    def _pairs(self, node: ast.Dict, indent: int, before: str, after: str) -> list[str]:
        inside: list[str] = []
        for key, value in zip(node.keys, node.values, strict=True):
            head = "**" if key is None else f"{self.of(key)}: "
            inside += self._value(value, indent + 4, head, ",")
        return [" " * indent + before + "{", *inside, " " * indent + "}" + after]

    def _call(self, node: ast.Call, indent: int, before: str, after: str) -> list[str]:
        given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
        parts = sorted(given, key=lambda part: part.col_offset)
        pad, inner = " " * indent, " " * (indent + 4)
        head = f"{pad}{before}{self.of(node.func)}("
        if not parts:
            return [f"{head}){after}"]
        if isinstance(parts[0], ast.GeneratorExp):
            return [head, *self._generator(parts[0], indent + 4), f"{pad}){after}"]
        flat = inner + self._between(_end(node.func) + 1, _end(node) - 1)
        if len(flat) <= self._width:
            return [head, flat, f"{pad}){after}"]
        return self._exploded(head[indent:], parts, f"){after}", indent)

    def _generator(self, node: ast.GeneratorExp, indent: int) -> list[str]:
        """A generator expression without its brackets, which are those of the call around it."""
        flat = " " * indent + self.of(node)[1:-1]
        if len(flat) <= self._width:
            return [flat]
        lines = self.lines(node.elt, indent)
        for each in node.generators:
            lines += self.lines(each.iter, indent, f"for {self.of(each.target)} in ")
            for condition in each.ifs:
                lines += self.lines(condition, indent, "if ")
        return lines


def _start(node: ast.AST) -> int:
    found: int = getattr(node, "col_offset")  # noqa: B009  (not every node has one)
    return found


def _end(node: ast.AST) -> int:
    found: int = getattr(node, "end_col_offset")  # noqa: B009
    return found


def single_quoted(source: str) -> str:
    """The source with single quotes around every text that has none inside; texts in triple quotes
    stay as they are.
    """
    lines = source.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for token in reversed(tokens):
        text = token.string
        head = text[: len(text) - len(text.lstrip("rbuRBU"))]
        inside = text[len(head) + 1 : -1]
        plain = text[len(head) :].startswith('"') and not text[len(head) :].startswith('"""')
        if token.type != tokenize.STRING or not plain or "'" in inside:
            continue
        if '"' in inside and "r" in head.lower():
            continue  # its backslashes would stay
        (row, start), (_, end) = token.start, token.end
        line = lines[row - 1]
        shown = inside.replace('\\"', '"')
        lines[row - 1] = f"{line[:start]}{head}'{shown}'{line[end:]}"
    return "".join(lines)
