"""Expressions in three-address form: parts computed into temporaries, conditions as branches."""

from __future__ import annotations

import ast
from typing import TypeAlias, assert_never

from symcrete.program.lowering.local_names import free_names, written_names
from symcrete.program.lowering.three_address import (
    Assign,
    Branch,
    Call,
    Caught,
    Compute,
    Constant,
    Edge,
    Flow,
    Mark,
    Opaque,
    Operand,
    Raise,
    Return,
    Statement,
    Store,
)
from symcrete.program.source.module import walked
from symcrete.program.source.sites import ModuleSites

# statements whose next one is not known yet, each with the side if it is a branch
Ends: TypeAlias = list[tuple[int, bool | None]]

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
}
# `x += y` is an operation of its own: on a list it changes the list, whoever else holds it.
IN_PLACE: dict[type[ast.operator], str] = {kind: f"i{name}" for kind, name in BINARY.items()}
UNARY: dict[type[ast.unaryop], str] = {
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
    ast.Not: "not",
}
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Is: "is",
    ast.IsNot: "is_not",
    ast.In: "in",
    ast.NotIn: "not_in",
}
QUIET = frozenset({"copy", "is", "is_not", "tuple", "list"})  # operations that raise nothing


class Values:
    """Lowers expressions into a flow; statements are lowered by its subclasses."""

    def __init__(
        self, flow: Flow, sites: ModuleSites, names: frozenset[str], *, first_site: int = 0
    ) -> None:
        self.flow = flow
        self.ends: Ends = []
        self._sites = sites
        self._first_site = first_site
        self._locals = names
        self._temporaries = 0
        self._rebinds = any(isinstance(each, ast.NamedExpr) for each in walked(flow.node))

    # -- growing the flow

    def emit(self, statement: Statement) -> int:
        """Add a statement that follows on the ends and is the new end; returns its number."""
        number = self.flow.add(statement)
        for source, side in self.ends:
            self.flow.connect(Edge(source, number, side))
        self.ends = [(number, None)]
        if may_raise(statement) or self._reads_risky(statement):
            self.raising(number)
        return number

    def _reads_risky(self, statement: Statement) -> bool:
        """Whether a statement reads a local to which nothing may have been assigned."""
        return any(name in self.flow.risky for name in operands_of(statement))

    def raising(self, number: int) -> None:
        """Note that an exception may leave this statement."""
        raise NotImplementedError  # abstract: each subclass has its own

    def site(self, node: ast.AST, link: int | None = None) -> int:
        """The number of a condition; `link` picks a part of a chained comparison."""
        return self._first_site + self._sites.of(node, link)

    def temporary(self) -> str:
        """A name that no variable and no other temporary has."""
        self._temporaries += 1
        return f"%{self._temporaries}"

    def assign(self, line: int, operation: str, *args: Operand) -> str:
        """Emit an operation whose result is a new temporary; returns its name."""
        target = self.temporary()
        self.emit(Assign(line, target, operation, args))
        return target

    # -- values

    def value(self, node: ast.expr) -> Operand:
        """Emit what computes an expression; returns the operand that has its value."""
        line = node.lineno
        match node:
            case ast.Constant(value=value):
                return Constant(value)
            case ast.Name(id=name):
                return self._name(name, line)
            case ast.BinOp(left=left, op=op, right=right):
                a = self.held(left)
                return self.assign(line, BINARY[type(op)], a, self.value(right))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return Constant(-value)
            case ast.UnaryOp(op=op, operand=operand):
                return self.assign(line, UNARY[type(op)], self.value(operand))
            case ast.Compare(ops=[op], comparators=[right], left=left):
                a = self.held(left)
                return self.assign(line, COMPARE[type(op)], a, self.value(right))
            case ast.Compare():
                return self._chain(node)
            case ast.BoolOp():
                return self._connective(node)
            case ast.IfExp():
                return self._ternary(node)
            case ast.NamedExpr(target=bound, value=inner):
                found = self.value(inner)
                self.emit(Assign(line, bound.id, "copy", (found,)))
                return bound.id
            case ast.Attribute(value=base, attr=name):
                dotted = self._dotted(node)
                if dotted is not None:
                    return self.assign(line, "global", Constant(dotted))
                return self.assign(line, "getattr", self.value(base), Constant(name))
            case ast.Subscript(value=base, slice=index) if not isinstance(index, ast.Slice):
                container = self.held(base)
                return self.assign(line, "getitem", container, self.value(index))
            case ast.Tuple(elts=parts) | ast.List(elts=parts) if not _starred(parts):
                operation = "tuple" if isinstance(node, ast.Tuple) else "list"
                return self.assign(line, operation, *[self.held(part) for part in parts])
            case ast.Call():
                return self._call(node)
            case ast.Await() | ast.Yield() | ast.YieldFrom():
                target = self.temporary()
                inner_value = node.value
                reads = () if inner_value is None else self.reads(inner_value)
                rebound = sorted(written_names(node) & self._locals)
                self.emit(Opaque(line, (target, *rebound), reads, ast.unparse(node)))
                return target
            case _:
                target = self.temporary()
                # The names it binds are shared from here on: when and how often it binds them is
                # not followed.
                below = ast.walk(node)
                binding = [each.target for each in below if isinstance(each, ast.NamedExpr)]
                self.flow.share(frozenset([each.id for each in binding]))
                self.emit(Compute(line, target, node, self.reads(node)))
                return target

    def held(self, node: ast.expr) -> Operand:
        """The value of an expression, copied where what is evaluated after it could rebind it."""
        return self._kept(node) if self._rebinds else self.value(node)

    def _kept(self, node: ast.expr) -> Operand:
        """The value of an expression, copied if it is that of a local."""
        found = self.value(node)
        if isinstance(found, str) and not found.startswith("%"):
            return self.assign(node.lineno, "copy", found)
        return found

    def reads(self, node: ast.AST) -> tuple[str, ...]:
        """The locals that an expression or statement uses."""
        return tuple(sorted(free_names(node) & self._locals))

    def _name(self, name: str, line: int) -> Operand:
        if name in self.flow.risky:  # reading it may raise, also where nothing comes of its value
            return self.assign(line, "copy", name)
        if name in self._locals:
            return name
        return self.assign(line, "global", Constant(name))

    def _dotted(self, node: ast.expr) -> str | None:
        """`math.pi` as text where `math` is no local; None for any other expression."""
        match node:
            case ast.Name(id=name) if name not in self._locals:
                return name
            case ast.Attribute(value=base, attr=attribute):
                found = self._dotted(base)
                return None if found is None else f"{found}.{attribute}"
            case _:
                return None

    def _call(self, node: ast.Call) -> Operand:
        callee = self._dotted(node.func)
        function: Operand | None = None
        receiver: Operand | None = None
        method = ""
        if callee is None:
            if isinstance(node.func, ast.Attribute):
                receiver, method = self.held(node.func.value), node.func.attr
                function = self.assign(node.lineno, "getattr", receiver, Constant(method))
            else:
                function = self.held(node.func)
        args, plain = [], True
        for each in node.args:
            plain = plain and not isinstance(each, ast.Starred)
            args.append(self.held(each.value if isinstance(each, ast.Starred) else each))
        keywords = []
        for keyword in node.keywords:
            plain = plain and keyword.arg is not None
            keywords.append((keyword.arg or "**", self.held(keyword.value)))
        target = self.temporary()
        given = (tuple(args), tuple(keywords), function, plain, receiver, method)
        self.emit(Call(node.lineno, target, callee, *given))
        return target

    def _connective(self, node: ast.BoolOp) -> Operand:
        """`a and b` as a value: that of the first operand that decides."""
        target, stop = self.temporary(), isinstance(node.op, ast.Or)
        done: Ends = []
        for operand in node.values[:-1]:
            found = self.value(operand)
            self.emit(Assign(operand.lineno, target, "copy", (found,)))
            site = self.site(operand)
            branch = self.emit(Branch(operand.lineno, target, site, ast.unparse(operand)))
            done.append((branch, stop))
            self.ends = [(branch, not stop)]
        last = node.values[-1]
        self.emit(Assign(last.lineno, target, "copy", (self.value(last),)))
        self.ends += done
        return target

    def _chain(self, node: ast.Compare) -> Operand:
        """`a < b < c` as a value."""
        target = self.temporary()
        done: Ends = []
        left = self.held(node.left)
        for link, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            b = self.held(right)
            self.emit(Assign(node.lineno, target, COMPARE[type(op)], (left, b)))
            if link < len(node.ops) - 1:
                site = self.site(node, link)
                branch = self.emit(Branch(node.lineno, target, site, ast.unparse(node)))
                done.append((branch, False))
                self.ends = [(branch, True)]
            left = b
        self.ends += done
        return target

    def _ternary(self, node: ast.IfExp) -> Operand:
        target = self.temporary()
        true, false = self.condition(node.test)
        done: Ends = []
        for ends, arm in ((true, node.body), (false, node.orelse)):
            self.ends = ends
            if ends:
                self.emit(Assign(arm.lineno, target, "copy", (self.value(arm),)))
                done += self.ends
        self.ends = done
        return target

    # -- conditions

    def condition(self, test: ast.expr) -> tuple[Ends, Ends]:
        """The ends where a condition is true, and those where it is false."""
        match test:
            case ast.BoolOp(op=op, values=values):
                stop = isinstance(op, ast.Or)
                decided: Ends = []
                for operand in values[:-1]:
                    true, false = self.condition(operand)
                    decided += true if stop else false
                    self.ends = false if stop else true
                true, false = self.condition(values[-1])
                return (true + decided, false) if stop else (true, false + decided)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                true, false = self.condition(operand)
                return false, true
            case ast.Compare(ops=ops) if len(ops) > 1:
                return self._chained_condition(test)
            case ast.Constant(value=value):
                ends, self.ends = self.ends, []
                return (ends, []) if value else ([], ends)
            case _:
                if not self.ends:
                    return [], []
                found = self.value(test)
                site = self.site(test)
                return self._decide(Branch(test.lineno, found, site, ast.unparse(test)))

    def _chained_condition(self, test: ast.Compare) -> tuple[Ends, Ends]:
        failed: Ends = []
        left = self.held(test.left)
        for link, (op, right) in enumerate(zip(test.ops, test.comparators, strict=True)):
            b = self.held(right)
            found = self.assign(test.lineno, COMPARE[type(op)], left, b)
            site = self.site(test, link)
            true, false = self._decide(Branch(test.lineno, found, site, ast.unparse(test)))
            failed += false
            self.ends, left = true, b
        return self.ends, failed

    def _decide(self, branch: Branch) -> tuple[Ends, Ends]:
        number = self.emit(branch)
        self.ends = []
        return [(number, True)], [(number, False)]


def may_raise(statement: Statement) -> bool:
    """Whether an exception that nobody wrote down may leave a statement."""
    match statement:
        case Assign(operation=operation):
            return operation not in QUIET
        case Compute() | Call() | Opaque() | Store():
            return True
        case Branch(operand=operand):
            return not isinstance(operand, Constant)
        case _:
            return False


def operands_of(statement: Statement) -> tuple[str, ...]:
    """The locals and temporaries that a statement reads."""
    found: tuple[Operand | None, ...]
    match statement:
        case Assign(args=args):
            found = args
        case Call(args=args, keywords=keywords, function=function):
            found = (*args, *[operand for _, operand in keywords], function)
        case Branch(operand=operand) | Return(operand=operand):
            found = (operand,)
        case Store(base=base):
            found = (base,)
        case Compute(reads=reads) | Opaque(reads=reads):
            found = reads
        case Mark() | Raise() | Caught():
            found = ()
        case _:
            assert_never(statement)
    return tuple([each for each in found if isinstance(each, str)])


def perhaps_read(flow: Flow) -> frozenset[str]:
    """The locals that an expression taken as a whole may read or not."""
    wholes = [each for each in flow.statements if isinstance(each, Compute)]
    return frozenset([name for each in wholes for name in each.reads])


def _starred(parts: list[ast.expr]) -> bool:
    return any(isinstance(part, ast.Starred) for part in parts)
