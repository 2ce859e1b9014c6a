"""Rewrite a module's syntax tree so that it reports its branches and keeps terms alive.

Only what Python's operators cannot intercept is rewritten: conditions, loops,
`and`/`or`/`not`/`is`/`in`, subscripts, calls, and operators whose left operand could swallow a
tracked right one (`2.5 * x` asks `float` first, which does not know our integers). Every name used
is a function of `hooks`, reached through `builtins`: the module's own namespace stays as it was. No
lambdas and no new variables: `locals()`, class bodies and comprehensions would see both.
"""

from __future__ import annotations

import ast
import copy
from typing import cast

from symcrete.instrument.matching import TruthPatterns
from symcrete.instrument.naming import call
from symcrete.instrument.reporting import COMPARISON_NAMES, ReportingConditions, at, do, site
from symcrete.program.source.module import locate
from symcrete.program.source.sites import ModuleSites
from symcrete.program.state.reads import MARK, ORIGIN, STORED
from symcrete.world.sources import read_as_inputs

# Built-ins that look at the frame of their caller, which must be the program's.
_FRAME_READERS = frozenset({"super", "locals", "globals", "vars", "dir", "eval", "exec"})
# Methods from which Python takes nothing but a plain number.
_PLAIN_RESULTS = frozenset({"__int__", "__index__", "__float__", "__complex__"})
_BINARY = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.MatMult: "matmul",
}
# Attributes that show what the callers of the target do: the exception that one of them handles
# while the target raises another, and their frames.
_OF_CALLERS = frozenset({"__context__", "f_back"})
# Attributes of loggers, which any code may have set up.
_OF_LOGGERS = frozenset({"level", "handlers", "disabled", "propagate", "filters"})
_IDENTITY = (ast.Is, ast.IsNot, ast.In, ast.NotIn)  # of which the left operand is not asked


def rewrite(tree: ast.Module, sites: ModuleSites) -> ast.Module:
    """The tree itself, changed in place, ready to be compiled."""
    result = _Rewriter(sites).visit(tree)
    locate(result)
    return cast(ast.Module, result)


class _Rewriter(ReportingConditions):
    def __init__(self, sites: ModuleSites) -> None:
        super().__init__(sites)
        self._function: list[str] = []
        self._derived: list[bool] = []  # of the classes around: whether they have bases

    # -- what is read besides arguments

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return _noted(node, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        # Objects of a class without bases keep what is stored as it is: `self` needs no hook.
        own = isinstance(node.value, ast.Name) and node.value.id == "self"
        sure = own and bool(self._derived) and not self._derived[-1]
        owner = self.expression(node.value)
        if isinstance(node.ctx, ast.Store) and not sure:
            owner = call(owner, "holder", owner, ast.Constant(node.attr))
        if node.attr in _OF_LOGGERS and isinstance(node.ctx, ast.Load) and not own:
            owner = call(owner, "of_logger", owner, ast.Constant(node.attr))
        node.value = owner
        noted = _noted(node, node)
        if node.attr in _OF_CALLERS and isinstance(node.ctx, ast.Load):
            return call(node, "of_callers", noted, ast.Constant(node.attr))
        return noted

    def visit_Yield(self, node: ast.Yield) -> ast.AST:
        node.value = node.value and self.expression(node.value)
        return _noted(node, node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.AST:
        # The read is noted before the inner generator begins, since it may never end.
        node.value = _noted(node, self.expression(node.value))
        return node

    # -- conditions

    def leaf(self, test: ast.expr, how: str) -> ast.expr:
        match test:
            case ast.Compare(left, [op], [right]) if not isinstance(op, _IDENTITY):
                operands = (self.expression(left), self.expression(right))
                how = f"{how}_{COMPARISON_NAMES[type(op)]}"
                return call(test, how, site(self._sites.of(test)), *operands)
            case _:
                return super().leaf(test, how)

    def visit_While(self, node: ast.While) -> ast.AST:
        endless = isinstance(node.test, ast.Constant)
        node.test = self.condition(node.test, "loop")
        self._block(node.body)
        self._block(node.orelse)
        if endless:
            node.body.insert(0, do(node, "tick"))
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return call(node, "not_", node.operand) if isinstance(node.op, ast.Not) else node

    # -- loops

    def iterated(self, node: ast.For | ast.AsyncFor, number: ast.expr) -> ast.expr:
        items = self.expression(node.iter)
        return call(items, "iterate", number, items) if isinstance(node, ast.For) else items

    def subject(self, node: ast.expr) -> ast.expr:
        return call(node, "subject", self.expression(node))

    def pattern(self, node: ast.pattern) -> ast.pattern:
        # `case True` asks whether a tracked bool is that object, which only a class can answer.
        pattern: ast.pattern = TruthPatterns().visit(node)
        return pattern

    # -- operators

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if len(node.ops) > 1:
            return self._chain(node, as_value=True)
        left, right, op = node.left, node.comparators[0], node.ops[0]
        native = _is_native(right) or _is_plain_int(left)
        if isinstance(op, _IDENTITY):
            native = isinstance(op, ast.Is | ast.IsNot) and _is_none(left, right)
        self.generic_visit(node)
        if native:
            return node
        return call(node, COMPARISON_NAMES[type(op)], node.left, node.comparators[0])

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        native = _is_native(node.right) or _is_plain_int(node.left)
        if isinstance(node.op, ast.Mod) and _is_template(node.left):
            native = False  # the values to be formatted may be a tuple
        self.generic_visit(node)
        return node if native else call(node, _BINARY[type(node.op)], node.left, node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        variable = getattr(node.target, STORED, None)
        if _is_native(node.value) and isinstance(node.target, ast.Name) and variable is None:
            return node
        if not _can_repeat(node.target):
            # The target must be evaluated once only: the operator stays Python's.
            self.generic_visit(node)
            node.value = call(node.value, "right", node.value)
            return node
        read = self.expression(_as_load(node.target))
        value = call(
            node, "i" + _BINARY[type(node.op)].rstrip("_"), read, self.expression(node.value)
        )
        if variable is not None:  # a name of the module: it was read, and is this run's own now
            delattr(node.target, MARK)
            value = call(node, "stored", ast.Constant(variable), value)
        return self.visit_rewritten_assign(at(node, ast.Assign([node.target], value)))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        node.value = self.expression(node.value)
        for target in node.targets:
            variable = getattr(target, STORED, None)
            if variable is not None:
                node.value = call(node.value, "stored", ast.Constant(variable), node.value)
        unpacked = any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)
        # What is written as a tuple or list has an order of its own.
        if unpacked and not isinstance(node.value, ast.Tuple | ast.List):
            node.value = call(node.value, "spread", node.value)
        return self.visit_rewritten_assign(node)

    def visit_rewritten_assign(self, node: ast.Assign) -> ast.AST:
        """Rewrite the targets of an assignment whose value is rewritten already."""
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Subscript):
            container, index = self.expression(target.value), self._index(target.slice)
            return do(node, "set_item", node.value, container, index)
        node.targets = [self.expression(each) for each in node.targets]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        constant = isinstance(node.slice, ast.Constant)
        node.value = self.expression(node.value)
        if isinstance(node.ctx, ast.Load):
            how = "constant_item" if constant else "item"
            return call(node, how, node.value, self._index(node.slice))
        node.value = call(node.value, "target", node.value)
        if not constant:
            node.slice = call(node.slice, "plain_index", self._index(node.slice))
        return node

    def _index(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Slice):
            parts = [
                self.expression(part) if part is not None else ast.Constant(None)
                for part in (node.lower, node.upper, node.step)
            ]
            return call(node, "slice_", *parts)
        if isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts):
            return at(node, ast.Tuple([self._index(e) for e in node.elts], ast.Load()))
        return self.expression(node)

    def visit_Delete(self, node: ast.Delete) -> ast.AST:
        if not all(isinstance(target, ast.Subscript) for target in node.targets):
            self.generic_visit(node)
            return node
        deleted: list[ast.expr] = []
        for target in node.targets:
            assert isinstance(target, ast.Subscript)
            container, index = self.expression(target.value), self._index(target.slice)
            deleted.append(call(target, "del_item", container, index))
        done = deleted[0] if len(deleted) == 1 else at(node, ast.Tuple(deleted, ast.Load()))
        return at(node, ast.Expr(done))

    # -- containers in the making: their keys may be tracked

    def visit_Set(self, node: ast.Set) -> ast.AST:
        constant = all(isinstance(each, ast.Constant) for each in node.elts)
        self.generic_visit(node)
        if constant:
            return node
        return call(node, "set_of", at(node, ast.List(node.elts, ast.Load())))

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """A dict display whose keys are not all constants, built part by part: `{k: v, **m,
        ...}`.
        """
        constant = all(isinstance(key, ast.Constant) for key in node.keys)
        self.generic_visit(node)
        if constant:
            return node
        made: ast.expr | None = None
        pairs: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                pairs.append(at(node, ast.Tuple([key, value], ast.Load())))
                continue
            made = call(node, "dict_with", self._with_pairs(node, made, pairs), value)
            pairs = []
        return self._with_pairs(node, made, pairs)

    def _with_pairs(self, node: ast.Dict, made: ast.expr | None, pairs: list[ast.expr]) -> ast.expr:
        if made is not None and not pairs:
            return made
        more = call(node, "dict_of", at(node, ast.List(pairs, ast.Load())))
        return more if made is None else call(node, "dict_with", made, more)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        self.generic_visit(node)
        element = call(node.elt, "hashable", node.elt)
        return call(node, "set_of", at(node, ast.ListComp(element, node.generators)))

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        key = call(node.key, "hashable", node.key)
        pair = at(node, ast.Tuple([key, node.value], ast.Load()))
        return call(node, "dict_of", at(node, ast.ListComp(pair, node.generators)))

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = call(node.value, "spread", node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        reads_frame = isinstance(node.func, ast.Name) and node.func.id in _FRAME_READERS
        self.generic_visit(node)
        if not reads_frame:
            node.func = call(node.func, "callee", node.func)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """An f-string whose fields are formatted one after the other, as Python does it, and then
        put together.
        """
        return call(node, "fstring", *[self.expression(part) for part in node.values])

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        value = self.expression(node.value)
        if node.format_spec is None and node.conversion == -1:
            return call(node, "shown", value)
        spec = ast.Constant("") if node.format_spec is None else self.expression(node.format_spec)
        return call(node, "formatted", value, ast.Constant(node.conversion), spec)

    # -- definitions

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._function.append(node.name)
        super().visit_FunctionDef(node)
        self._function.pop()
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._defaults(node.args)
        self._function.append("<lambda>")
        node.body = self.expression(node.body)
        self._function.pop()
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.decorator_list = [self.expression(each) for each in node.decorator_list]
        node.bases = [self.expression(each) for each in node.bases]
        self._function.append("")
        self._derived.append(bool(node.bases or node.keywords))
        self._block(node.body)
        self._derived.pop()
        self._function.pop()
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if node.value is None:
            return node
        node.value = self.expression(node.value)
        name = self._function[-1] if self._function else ""
        if name == "__bool__":
            node.value = call(node, "as_bool", node.value)
        elif name in _PLAIN_RESULTS:
            node.value = call(node, "as_plain", node.value)
        elif name == "__hash__":
            node.value = call(node, "as_hash", node.value)
        return node

    def visit_Try(self, node: ast.Try | ast.TryStar) -> ast.AST:
        catching_all = [
            handler
            for handler in node.handlers
            if handler.type is None or "BaseException" in ast.unparse(handler.type)
        ]
        super().visit_Try(node)
        for handler in catching_all:
            # A handler for everything would also catch the exception that ends a run.
            handler.body.insert(0, do(handler, "caught"))
        return node

    visit_TryStar = visit_Try


def _noted(node: ast.expr, value: ast.expr) -> ast.expr:
    """The value, with a hook that notes the read where it is of state that earlier calls may have
    changed.
    """
    number, variable = getattr(node, MARK, None), getattr(node, STORED, None)
    origin = getattr(node, ORIGIN, None)
    if number is None:
        return value
    if variable is not None:  # what this run has stored itself is no state
        return call(node, "read_again", ast.Constant(number), ast.Constant(variable), value)
    if origin is not None and origin in read_as_inputs():
        return call(node, "read_input", ast.Constant(".".join(origin)), value)
    return call(node, "read", ast.Constant(number), value)


def _is_native(node: ast.expr) -> bool:
    """Whether a right operand is a constant that lets a tracked left one decide; a complex one
    would take it for plain.
    """
    return isinstance(node, ast.Constant) and type(node.value) is not complex


def _is_plain_int(node: ast.expr) -> bool:
    """Whether a left operand is a constant that lets a tracked right one decide: `2 * x` asks x
    first, since its class is a subclass of int.
    """
    return isinstance(node, ast.Constant) and type(node.value) in (int, str, bytes)


def _is_template(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _is_none(*operands: ast.expr) -> bool:
    return any(isinstance(each, ast.Constant) and each.value is None for each in operands)


def _can_repeat(node: ast.expr) -> bool:
    """Whether evaluating the expression twice is the same as once."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=value):
            return _can_repeat(value)
        case ast.Subscript(value=value, slice=index):
            return _can_repeat(value) and _is_simple(index)
        case _:
            return False


def _is_simple(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.BinOp(left=left, right=right):
            return _is_simple(left) and _is_simple(right)
        case ast.UnaryOp(operand=operand):
            return _is_simple(operand)
        case ast.Attribute(value=value):
            return _is_simple(value)
        case _:
            return False


def _as_load(node: ast.expr) -> ast.expr:
    read = copy.deepcopy(node)
    read.ctx = ast.Load()  # type: ignore[attr-defined]
    return read
