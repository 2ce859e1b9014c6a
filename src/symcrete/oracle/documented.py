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
from pathlib import Path

from symcrete.oracle.subjects import node_of
from symcrete.program.source.module import parsed
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
    public = is_constructor or not node.name.startswith("_")
    given = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
    classes = list(_classes(target)) if "." in target.scope else []
    decorators = [ast.unparse(each) for each in node.decorator_list]
    bound = any(each in ("staticmethod", "classmethod") for each in decorators)
    invariants: list[Condition] = []
    if public and given and not bound:
        invariants = [each for one in classes for each in _invariants(one, given[0])]
    found = [*own, *invariants]
    inherited = _overridden(node.name, classes[1:]) if not is_constructor else ""
    if inherited:
        return Documented(not_asked=f"conditions of {inherited}, which it overrides, are not asked")
    elsewhere = _stated_elsewhere(target, classes)
    if elsewhere and public and given and not bound:
        return Documented(not_asked=f"invariants of {elsewhere}, of another module, are not asked")
    if not found:
        return Documented()
    if any(each not in _PLAIN_DECORATORS for each in decorators):
        return Documented(not_asked="its documented conditions are not asked, as it is decorated")
    spread = node.args.vararg or node.args.kwarg
    if spread:
        taken = f"{'*' if node.args.vararg else '**'}{spread.arg}"
        return Documented(not_asked=f"its documented conditions are not asked, as it takes {taken}")
    if any(each.kind == "pre" and not _is_expression(each.text) for each in own):
        return Documented(
            not_asked="its documented conditions are not asked: a `pre:` is no Python"
        )
    old = any(_OLD in each.text for each in found)
    not_asked = f"documented conditions with {_OLD} are not asked" if old else ""
    own = [each for each in own if _OLD not in each.text]
    invariants = [each for each in invariants if _OLD not in each.text]
    before = [each for each in own if each.kind == "pre"]
    before += [] if is_constructor else invariants
    after = [each for each in own if each.kind == "post"] + invariants
    if is_constructor:
        after = [Condition(e.kind, e.line, _renamed(e.text, {given[0]}, _RESULT[0])) for e in after]
    return Documented(tuple(before), tuple(after), not_asked)


def parameters_of(target: Target) -> tuple[str, ...]:
    """The names of a function's parameters."""
    node = node_of(target)
    if node is None:
        return ()
    every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return tuple([each.arg for each in every])


def _classes(target: Target) -> Iterator[ast.ClassDef]:
    """The class that a target is a method of, then those of its file that it is derived from."""
    defined = dict(_defined(target.source.tree().body, ""))
    waiting, seen = [target.scope.rpartition(".")[0]], set()
    while waiting:
        name = waiting.pop(0)
        # A base is looked up in the scopes around the class, the innermost first.
        around = [*range(name.count("."), -1, -1)]
        if name not in defined or name in seen:
            continue
        seen.add(name)
        yield defined[name]
        for base in [ast.unparse(each) for each in defined[name].bases]:
            outer = [".".join([*name.split(".")[:depth], base]) for depth in around]
            waiting += [each for each in outer if each in defined][:1]


def _defined(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """The classes of a module, by the name they are reached by."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _defined(node.body, f"{prefix}{node.name}.")


def _invariants(node: ast.ClassDef, name: str) -> Iterator[Condition]:
    """The invariants of a class, for a method that calls its object by this name."""
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    given = [[*each.args.posonlyargs, *each.args.args] for each in methods]
    names = {"self", *[each[0].arg for each in given if each]}
    for each in _stated(node):
        yield Condition(each.kind, each.line, _renamed(each.text, names, name))


def _stated_elsewhere(target: Target, classes: list[ast.ClassDef]) -> str:
    """A class of another file of the program that one of these is derived from and that states
    conditions; "" if there is none.
    """
    source = target.source
    bases = {ast.unparse(base).partition(".")[0] for each in classes for base in each.bases}
    for node in source.tree().body:
        for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            if (alias.asname or alias.name) not in bases:
                continue
            module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
            level = node.level if isinstance(node, ast.ImportFrom) else 0
            folder = source.file.parents[level - 1] if level else source.root
            file = folder.joinpath(*module.split(".")).with_suffix(".py")
            if module and file.is_file() and any(_stating(file)):
                return alias.asname or alias.name
    return ""


def _stating(file: Path) -> Iterator[ast.ClassDef]:
    """The classes of a file that state conditions."""
    try:
        body = parsed(str(file)).body
    except (OSError, SyntaxError, ValueError):
        return
    for _, node in _defined(body, ""):
        if any(_stated(node)):
            yield node


def _overridden(name: str, bases: list[ast.ClassDef]) -> str:
    """The method of one of these classes that has this name and states conditions; "" if none."""
    for base in bases:
        for node in base.body:
            if isinstance(node, ast.FunctionDef) and node.name == name and any(_stated(node)):
                return f"{base.name}.{name}"
    return ""


def _stated(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Iterator[Condition]:
    """The conditions in a documentation that are Python, and what is said to be one before a call
    and is not; a block has one in each of its lines.
    """
    match node.body[:1]:
        case [ast.Expr(value=ast.Constant(value=str() as documentation) as doc)]:
            first = doc.lineno
        case _:
            return
    kind, indent = "", 0
    for number, line in enumerate(documentation.splitlines(), first):
        found = _STATED.fullmatch(line)
        depth = len(line) - len(line.lstrip())
        if found:
            kind, indent = found[2], depth
            line = found[3]
        elif depth <= indent:
            kind = ""
        text = line.strip()
        if kind and text and (kind == "pre" or _is_expression(text)):
            yield Condition(kind, number, text)


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return bool(text)


def _renamed(text: str, names: set[str], name: str) -> str:
    """The condition with what goes by one of these names called by another one."""
    tree = ast.parse(text, mode="eval")
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id in names]
    if all(node.id == name for node in found):
        return text
    for node in found:
        node.id = name
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
