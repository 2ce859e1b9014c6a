"""What a function reads besides its arguments, as far as its text and that of its callees tells.

A search that ran every path of the function has seen one state of all this; it proves nothing
about the others. Whoever may be called is looked at, found by name alone.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from symcrete.backward.view.program_view import Program
from symcrete.program.lowering.three_address import Flow
from symcrete.program.source.module import walked
from symcrete.program.source.side_effects import FunctionNode
from symcrete.program.source.sites import functions
from symcrete.program.state.scopes import Scopes
from symcrete.program.state.uses import how_used

# Library modules whose functions and values differ from machine to machine or from run to run.
_OUTSIDE = frozenset(
    {"os", "sys", "time", "random", "secrets", "uuid", "socket", "subprocess", "platform", "gc"}
    | {"locale", "tempfile", "getpass", "pathlib", "shutil", "glob", "fileinput", "select"}
    | {"signal", "resource", "weakref", "inspect", "importlib", "urllib", "http", "requests"}
    | {"sqlite3", "logging", "warnings", "contextvars"}
)
_OUTSIDE_CALLS = frozenset({"open", "input", "id", "hash", "globals", "vars", "dir"})
_CLOCKS = frozenset({"now", "today", "utcnow"})
# Names of what starts tasks and threads.
_SCHEDULED = frozenset(
    {"gather", "create_task", "ensure_future", "TaskGroup", "wait", "as_completed", "submit"}
    | {"run_in_executor", "Thread", "Process", "Timer", "start_soon", "call_soon", "call_later"}
    | {"ThreadPoolExecutor", "ProcessPoolExecutor"}
)
_FIXED_DISPLAYS = (ast.Dict, ast.List, ast.Set, ast.Tuple)


def state_read(program: Program, entry: Flow) -> dict[str, None]:
    """Reasons in words why a run of the entry point may go otherwise in another state."""
    found: dict[str, None] = {}
    for file, node in _may_run(program, entry):
        own = _own_names(node)
        namespace = program.namespace_of(file)
        for each in walked(node):
            reason = _reason(program, file, namespace, own, each)
            if reason:
                found[f"{reason} (line {getattr(each, 'lineno', node.lineno)})"] = None
        if node is not entry.node:
            for name in _changing_defaults(node):
                found[f"depends on the default of {name} in {node.name}"] = None
    return found


def order_of_tasks(program: Program, entry: Flow) -> dict[str, None]:
    """The reason, in words, that tasks or threads may run in another order; empty if none are
    started.
    """
    for _, node in _may_run(program, entry):
        for each in walked(node):
            name = getattr(each, "attr", None) or getattr(each, "id", None)
            if name in _SCHEDULED and isinstance(each, ast.Attribute | ast.Name):
                return {f"depends on the order of tasks (`{name}` in line {each.lineno})": None}
    return {}


def _may_run(program: Program, entry: Flow) -> Iterator[tuple[str, FunctionNode]]:
    """The entry point and whatever it may call, found by name, each with its file."""
    everything = [each for file in program.text.trees for each in _with_outermost(program, file)]
    classes = {
        node.name
        for tree in program.text.trees.values()
        for node in walked(tree)
        if isinstance(node, ast.ClassDef)
    }
    todo: list[tuple[str, FunctionNode]] = [(entry.file, entry.node)]
    seen: set[tuple[str, int]] = {(entry.file, entry.node.lineno)}
    while todo:
        file, node = todo.pop()
        yield file, node
        names = {getattr(each, "attr", None) or getattr(each, "id", None) for each in walked(node)}
        makes = bool(names & classes)
        for where, scope, other in everything:  # a function inside another one comes with that one
            owner, _, name = scope.rpartition(".")
            special = makes and name.startswith("__") and owner.rpartition(".")[2] in names
            key = (where, other.lineno)
            if (name in names or special) and key not in seen:
                seen.add(key)
                todo.append((where, other))


def _with_outermost(program: Program, file: str) -> Iterator[tuple[str, str, FunctionNode]]:
    """The functions of a file by scope, each with the outermost function around it."""
    found = dict(functions(program.text.trees[file]))
    for scope in found:
        parts = scope.split(".")
        outer = next(
            ".".join(parts[:n]) for n in range(1, len(parts) + 1) if ".".join(parts[:n]) in found
        )
        yield file, scope, found[outer]


def _own_names(node: FunctionNode) -> set[str]:
    """Names that are local to the function or to one inside it."""
    found = {each.arg for each in walked(node) if isinstance(each, ast.arg)}
    shared = {name for each in walked(node) if isinstance(each, ast.Global) for name in each.names}
    for each in walked(node):
        match each:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found |= {name} if each is not node else set()
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add((other or name).partition(".")[0])
            case ast.ExceptHandler(name=str() as name):
                found.add(name)
            case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
                found.add(name)
            case _:
                pass
    return found - shared


def _reason(
    program: Program, file: str, namespace: dict[str, Any], own: set[str], node: ast.AST
) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in _OUTSIDE_CALLS and name not in own:
            return f"depends on what {name}() finds"
        case ast.Attribute(value=ast.Name(id=base), attr=attribute, ctx=ast.Load()):
            if base in own:
                return _of_attribute(program, attribute)
            return _of_dotted(program, file, namespace, base, attribute)
        case ast.Attribute(attr=attribute, ctx=ast.Load()):
            return _of_attribute(program, attribute)
        case ast.Name(id=name, ctx=ast.Load()) if name not in own:
            value = namespace.get(name)
            if name in program.text.replaced:
                return f"depends on the built-in {name}, which the program replaces"
            if isinstance(value, ModuleType) or (name not in namespace and hasattr(builtins, name)):
                return ""
            if program.constants.resolve(file, namespace, name)[0]:
                return ""
            if _is_code(value) and name not in program.text.rebound | program.text.stored:
                return "" if not program.text.rewrites else f"depends on the global {name}"
            if _is_only_looked_at(program, file, name):
                return ""
            return f"depends on the global {name}, which earlier calls may change"
        case _:
            return ""


def _is_code(value: Any) -> bool:
    return callable(value)


def _of_attribute(program: Program, attribute: str) -> str:
    """The reason why reading this attribute of an object may depend on state: a class holds it for
    all its objects and something stores it anew; else empty.
    """
    text = program.text
    shared = attribute in text.class_values and attribute in text.stored_anywhere
    return f"depends on the class attribute {attribute}" if shared else ""


def _of_dotted(
    program: Program, file: str, namespace: dict[str, Any], base: str, attribute: str
) -> str:
    value = namespace.get(base)
    if program.constants.resolve(file, namespace, f"{base}.{attribute}")[0]:
        outside = isinstance(value, ModuleType) and value.__name__.partition(".")[0] in _OUTSIDE
        return f"depends on {base}.{attribute}, which is not tracked" if outside else ""
    if isinstance(value, ModuleType):
        root = value.__name__.partition(".")[0]
        if root in _OUTSIDE or attribute in _CLOCKS:
            return f"depends on {base}.{attribute}, which is not tracked"
        held = getattr(value, attribute, None)
        if callable(held) and attribute not in program.text.stored:
            return ""
        return f"depends on {base}.{attribute}, which may be changed"
    if isinstance(value, type):
        if attribute in _CLOCKS:
            return f"depends on {base}.{attribute}, which is not tracked"
        if callable(getattr(value, attribute, None)) and attribute not in program.text.stored:
            return ""
        return f"depends on {base}.{attribute}, which may be changed"
    if callable(value):
        return f"depends on {base}.{attribute}, which may be changed"
    return ""  # the name alone is judged elsewhere


def _is_only_looked_at(program: Program, file: str, name: str) -> bool:
    """Whether a global is a table of constants that no text of the program can change."""
    if name in program.text.rebound | program.text.stored or program.text.rewrites:
        return False
    tree = program.text.trees.get(file)
    if tree is None:
        return False
    bound = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and name in {each.id for each in walked(node) if isinstance(each, ast.Name)}
        and node.value is not None
    ]
    if len(bound) != 1 or not _is_flat(bound[0]):
        return False
    return all(
        _leaves_as_it_is(program.text.scopes(each), node, name)
        for each, whole in program.text.trees.items()
        for node in walked(whole)
    )


def _leaves_as_it_is(scopes: Scopes, node: ast.AST, name: str) -> bool:
    """Whether a node that mentions a table only looks at it, by the judgement that `cover` uses,
    too.
    """
    match node:
        case ast.Name(id=mentioned, ctx=ast.Load()) | ast.Attribute(attr=mentioned):
            return mentioned != name or how_used(node, scopes) == "looked at"
        case ast.alias(name=imported, asname=other):
            return imported != name or other in (None, name)
        case _:
            return True


def _is_flat(node: ast.expr) -> bool:
    """Whether an expression is a display of constants, or of tuples of constants."""
    if not isinstance(node, _FIXED_DISPLAYS):
        return False
    plain = (ast.Constant, ast.Tuple, ast.expr_context, ast.unaryop, ast.UnaryOp)
    return all(isinstance(each, plain) for each in walked(node) if each is not node)


def _changing_defaults(node: FunctionNode) -> Iterator[str]:
    args = node.args
    positional = [*args.posonlyargs, *args.args]
    pairs = list(
        zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)
    )
    pairs += [
        (a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None
    ]
    for name, default in pairs:
        if isinstance(default, ast.List | ast.Dict | ast.Set | ast.Call | ast.ListComp):
            yield name.arg
