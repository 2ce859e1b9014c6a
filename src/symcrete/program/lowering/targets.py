"""What assignments write to in three-address form: locals, attributes, elements, tuples of such."""

from __future__ import annotations

import ast

from symcrete.program.lowering.expression_values import IN_PLACE, Values
from symcrete.program.lowering.local_names import own_nodes, written_names
from symcrete.program.lowering.three_address import (
    Assign,
    Constant,
    Mark,
    Opaque,
    Operand,
    Store,
)


class Targets(Values):
    """Lowers what statements write; the ways through a body are lowered by its subclass."""

    def augmented(self, node: ast.AugAssign, target: ast.Attribute | ast.Subscript) -> None:
        """`base.attribute += value` and `base[key] += value`: read, compute, store."""
        line, operation = node.lineno, IN_PLACE[type(node.op)]
        base = self.held(target.value)
        attribute: str | None = None
        if isinstance(target, ast.Attribute):
            attribute = target.attr
            former = self.assign(line, "getattr", base, Constant(attribute))
        else:
            former = self.assign(line, "getitem", base, self.held(target.slice))
        self.assign(line, operation, former, self.value(node.value))
        self.emit(Store(line, base, attribute, ast.unparse(target)))

    def deleted(self, target: ast.expr) -> None:
        """`del target`: attributes and elements are stores like any other."""
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self.deleted(part)
            case ast.Attribute() | ast.Subscript():
                self.store(target)
            case _:
                self.other(ast.copy_location(ast.Delete([target]), target))

    def store(self, target: ast.Attribute | ast.Subscript) -> None:
        """Emit a store into an attribute or an element; what is stored does not matter."""
        attribute = target.attr if isinstance(target, ast.Attribute) else None
        base = self.held(target.value)
        if isinstance(target, ast.Subscript):
            self.value(target.slice)
        self.emit(Store(target.lineno, base, attribute, ast.unparse(target)))

    def other(self, node: ast.stmt) -> None:
        """Emit a statement that is not looked into: the names it writes are unknown afterwards."""
        compound = not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        leaves = (ast.Return, ast.Break, ast.Continue)
        if compound and any(isinstance(each, leaves) for each in own_nodes(node)):
            what = ast.unparse(node).partition("\n")[0]
            self.flow.gaps[f"the ways through `{what}` in line {node.lineno} are not followed"] = (
                None
            )
        writes = tuple(sorted(name for name in written_names(node) if name in self._locals))
        self.emit(Opaque(node.lineno, writes, self.reads(node), ast.unparse(node)))

    def annotated(self, target: ast.expr, value: ast.expr | None, kind: ast.expr) -> None:
        """`target: kind = value`; without a value it does nothing."""
        if value is None:
            self.emit(Mark(target.lineno, "pass"))
            return
        found = self.value(value)
        if isinstance(kind, ast.Name) and kind.id in ("int", "float", "bool"):
            # A hint for the concrete phase; nothing enforces it.
            found = self.assign(target.lineno, "hint", found, Constant(kind.id))
        self.bind(target, found)

    def bind(self, target: ast.expr, value: Operand) -> None:
        """`target = value`: a local, a tuple of targets, an attribute or an element."""
        line = target.lineno
        match target:
            case ast.Name(id=name) if name in self._locals:
                self.emit(Assign(line, name, "copy", (value,)))
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if not any(
                isinstance(part, ast.Starred) for part in parts
            ):
                pieces = [
                    self.assign(line, "unpack", value, Constant(i)) for i in range(len(parts))
                ]
                for part, piece in zip(parts, pieces, strict=True):
                    self.bind(part, piece)
            case ast.Attribute() | ast.Subscript():
                self.store(target)
            case _:
                writes = tuple(
                    sorted(name for name in written_names(target) if name in self._locals)
                )
                reads = self.reads(target)
                if isinstance(value, str):
                    reads = (*reads, value)
                self.emit(Opaque(line, writes, reads, ast.unparse(target)))
