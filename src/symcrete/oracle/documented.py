"""Conditions that a documentation states (PEP 316): `pre:` and `post:` of a function, `inv:` of a
class.

They are written as functions into the program that judges (`oracle/judged.py`), where they are
rewritten like everything else, so that a broken promise is a condition over the inputs.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from symcrete.oracle.subjects import node_of
from symcrete.program.source.target import Target
from symcrete.slotted import dataclass

_STATED = re.compile(r"(\s*)(pre|post|inv)\s*(?:\[[^\]]*\])?\s*:(.*)")
_OLD = "__old__"  # in a condition: what was there before the call
_RESULT = ("__return__", "_")  # in a condition: what the call returned
_PLAIN_DECORATORS = ("staticmethod", "classmethod", "property")
# How the functions are called that are written for conditions after a call; their line follows.
AFTER_LINE, INVARIANT_LINE = "documented_line_", "invariant_line_"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition, and where it stands."""

    kind: str  # pre, post, inv
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Documented:
    """What the documentation of a function, and of its class, promises."""

    before: tuple[Condition, ...] = ()
    after: tuple[Condition, ...] = ()
    not_asked: str = ""  # why some of it is not asked

    @property
    def lines(self) -> dict[int, Condition]:
        """The promises by their line."""
        return {each.line: each for each in self.after}

    def program(self, parameters: tuple[str, ...]) -> str:
        """The source of a function for each condition, and of BEFORE and AFTER, which list these
        functions with the names of what they take.
        """
        lines: list[str] = []
        listed: dict[str, list[str]] = {"BEFORE": [], "AFTER": []}
        for name, conditions in (("BEFORE", self.before), ("AFTER", self.after)):
            for number, each in enumerate(conditions):
                expression, taken = _expression(each, parameters)
                prefix = INVARIANT_LINE if each.kind == "inv" else AFTER_LINE
                called = f"{prefix}{each.line}" if name == "AFTER" else f"before_{number}"
                lines += [f"def {called}({', '.join(taken)}):", f"    return {expression}", ""]
                listed[name].append(f"({called}, {taken!r}),")
        lines += [f"{name} = ({' '.join(parts)})" for name, parts in listed.items()]
        return "\n".join(lines) + "\n"


def documented(target: Target) -> Documented:
    """What the documentation of a target, and of its class, says of calls: the conditions before
    and after, or why they are not asked.
    """
    node = node_of(target)
    if node is None:
        return Documented()
    own = list(_stated(node))
    is_constructor = node.name == "__init__"
    given = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    public = is_constructor or not node.name.startswith("_")
    invariants = list(_invariants(target)) if public and given[:1] == ["self"] else []
    found = [*own, *invariants]
    if not found:
        return Documented()
    decorators = [ast.unparse(each) for each in node.decorator_list]
    if any(each not in _PLAIN_DECORATORS for each in decorators):
        return Documented(not_asked="its documented conditions are not asked, as it is decorated")
    if node.args.vararg:
        taken = f"*{node.args.vararg.arg}"
        return Documented(not_asked=f"its documented conditions are not asked, as it takes {taken}")
    if any(_OLD in each.text for each in found):
        return Documented(not_asked=f"documented conditions with {_OLD} are not asked")
    before = [each for each in own if each.kind == "pre"]
    before += [] if is_constructor else invariants
    after = [each for each in own if each.kind == "post"] + invariants
    if is_constructor:
        after = [Condition(e.kind, e.line, _of_result(e.text)) for e in after]
    return Documented(tuple(before), tuple(after))


def parameters_of(target: Target) -> tuple[str, ...]:
    """The names of a function's parameters."""
    node = node_of(target)
    if node is None:
        return ()
    every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return tuple([each.arg for each in every])


def _invariants(target: Target) -> Iterator[Condition]:
    owner = target.scope.rpartition(".")[0]
    for node in ast.walk(target.source.tree()):
        if isinstance(node, ast.ClassDef) and node.name == owner:
            yield from _stated(node)


def _stated(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[Condition]:
    """The conditions in a documentation that are Python; a block has one in each of its lines."""
    match node.body[:1]:
        case [ast.Expr(value=ast.Constant(value=str() as text) as doc)]:
            first = doc.lineno
        case _:
            return
    kind, indent = "", 0
    for number, line in enumerate(text.splitlines(), first):
        found = _STATED.fullmatch(line)
        depth = len(line) - len(line.lstrip())
        if found:
            kind, indent = found[2], depth
            line = found[3]
        elif depth <= indent:
            kind = ""
        if kind and _is_expression(line.strip()):
            yield Condition(kind, number, line.strip())


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return bool(text)


def _of_result(text: str) -> str:
    """The condition of a constructor, or of its class, as one on the object that is returned."""
    tree = ast.parse(text, mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == "self":
            node.id = _RESULT[0]
    return ast.unparse(tree)


def _expression(condition: Condition, parameters: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The condition as source of the judging program, and the names of what it takes: parameters,
    and "result". Other names are looked up in the module of the function.
    """
    tree = ast.parse(condition.text, mode="eval")
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    taken: dict[str, None] = {}
    for node in names:
        if node.id in bound:
            continue
        if node.id in _RESULT and condition.kind != "pre":
            node.id = "result"
            taken["result"] = None
        elif node.id in parameters:
            taken[node.id] = None
        elif not hasattr(builtins, node.id):
            node.id = f"first_module.{node.id}"
    return ast.unparse(tree), tuple(taken)
