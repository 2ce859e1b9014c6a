"""Control flow inside expressions: `and`, `or`, ternaries, chained comparisons, comprehensions."""

from __future__ import annotations

import ast

from symcrete.program.graph.frames import End, Ends, Growth

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Expressions(Growth):
    """Adds the points that evaluating an expression passes; statements are built on top of it."""

    def condition(self, test: ast.expr, ends: Ends) -> tuple[Ends, Ends]:
        """The ends where a condition is true, and those where it is false."""
        match test:
            case ast.BoolOp(op=op, values=values):
                decided: Ends = []
                for value in values:
                    true, false = self.condition(value, ends)
                    decided = decided + (false if isinstance(op, ast.And) else true)
                    ends = true if isinstance(op, ast.And) else false
                return (ends, decided) if isinstance(op, ast.And) else (decided, ends)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                true, false = self.condition(operand, ends)
                return false, true
            case ast.Constant(value=value):
                ends = [End(self.point("statement", test, ends, quiet=True))]
                return (ends, []) if value else ([], ends)
            case ast.Compare(ops=ops) if len(ops) > 1:
                return self._chain(test, ends, len(ops))
            case _:
                return self.decide(test, test, self.value(test, ends))

    def _chain(self, node: ast.Compare, ends: Ends, asked: int) -> tuple[Ends, Ends]:
        """The ends of `a < b < c` where it holds and where it fails; the first `asked` links
        decide.
        """
        false: Ends = []
        ends = self.value(node.left, ends)
        for link, operand in enumerate(node.comparators):
            ends = [End(self.point("evaluation", operand, self.value(operand, ends), calls=()))]
            if link < asked:
                ends, no = self.decide(node, node, ends, link)
                false = false + no
        return ends, false

    def value(self, node: ast.expr, ends: Ends) -> Ends:
        """The ends after an expression is evaluated; conditions in it become points of their
        own.
        """
        if not branches(node):
            if isinstance(node, ast.Name | ast.Constant | ast.Lambda):
                return ends
            return [End(self.point("evaluation", node, ends, calls=calls(node)))]
        match node:
            case ast.BoolOp(op=op, values=[*tested, last]):
                done: Ends = []
                for operand in tested:
                    true, false = self.decide(operand, operand, self.value(operand, ends))
                    done = done + (false if isinstance(op, ast.And) else true)
                    ends = true if isinstance(op, ast.And) else false
                return done + self.value(last, ends)
            case ast.IfExp():
                true, false = self.condition(node.test, ends)
                return self.value(node.body, true) + self.value(node.orelse, false)
            case ast.Compare(ops=ops) if len(ops) > 1:
                true, false = self._chain(node, ends, len(ops) - 1)
                return true + false
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._comprehension(node, ends)
        for part in parts(node):
            ends = self.value(part, ends)
        if isinstance(node, ast.Call):
            ends = [End(self.point("evaluation", node, ends, calls=(node.func,)))]
        return ends

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, ends: Ends
    ) -> Ends:
        lazy = isinstance(node, ast.GeneratorExp)
        done: Ends = []
        heads: list[int] = []
        for generator in node.generators:
            ends = self.value(generator.iter, ends)
            if lazy and not heads:
                ends = [End(self.point("evaluation", node, ends))]
                done = done + ends  # it may be that no element is ever asked for
            head = self.point("evaluation", generator.target, ends)
            ends, finished = self.decide(generator, generator.target, [End(head)])
            if heads:
                self.connect(finished, heads[-1])
            else:
                done = done + finished
            heads.append(head)
            for test in generator.ifs:
                ends, refused = self.condition(test, ends)
                self.connect(refused, head)
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            ends = self.value(part, ends)
        if lazy:
            ends = [End(self.point("evaluation", parts[0], ends))]
            done = done + ends  # or no further one
        self.connect(ends, heads[-1])
        return done


def branches(node: ast.AST) -> bool:
    """Whether evaluating a node passes a condition."""
    match node:
        case ast.BoolOp() | ast.IfExp():
            return True
        case ast.Compare(ops=ops) if len(ops) > 1:
            return True
        case ast.Lambda(args=args):
            return branches(args)  # its body is a graph of its own
    if isinstance(node, _COMPREHENSIONS):
        return True
    return any(branches(child) for child in ast.iter_child_nodes(node))


def calls(node: ast.AST) -> tuple[ast.AST, ...]:
    """The callees in an expression or statement that does not branch."""
    found: list[ast.AST] = []

    def collect(here: ast.AST) -> None:
        if isinstance(here, ast.Lambda):
            return
        for child in ast.iter_child_nodes(here):
            collect(child)
        if isinstance(here, ast.Call):
            found.append(here.func)

    collect(node)
    return tuple(found)


def parts(node: ast.AST) -> list[ast.expr]:
    """The expressions inside, in the order of evaluation."""
    match node:
        case ast.Assign():
            children: list[ast.AST | None] = [node.value, *node.targets]
        case ast.AnnAssign():
            children = [node.value, node.target]
        case ast.Dict():
            children = [part for pair in zip(node.keys, node.values, strict=True) for part in pair]
        case ast.Lambda():
            children = [*node.args.defaults, *node.args.kw_defaults]
        case _:
            children = list(ast.iter_child_nodes(node))
    found: list[ast.expr] = []
    for child in children:
        if isinstance(child, ast.expr):
            found.append(child)
        elif child is not None:
            found += parts(child)  # keywords and the like
    return found
