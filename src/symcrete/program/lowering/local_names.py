"""Names in three-address form: which are local, which a statement binds, what a handler catches."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from symcrete.program.lowering.three_address import Constant

EVERYTHING = ("BaseException",)  # what a handler catches that names no class


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of functions, lambdas and classes inside it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(
            child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
        ):
            yield from own_nodes(child)


def suspends(node: ast.AST) -> bool:
    return isinstance(node, ast.Yield | ast.YieldFrom | ast.Await)


def local_names(
    node: ast.FunctionDef | ast.AsyncFunctionDef,
) -> tuple[frozenset[str], frozenset[str]]:
    """The names that are local, and the names that other functions may rebind: locals that are
    `nonlocal` in an inner one, and those that are `global` or `nonlocal` here.
    """
    outside: set[str] = set()
    found = set(parameter_names(node.args))
    for part in (node.args.vararg, node.args.kwarg):
        if part is not None:
            found.add(part.arg)
    shared: set[str] = set()
    for each in own_nodes(node):
        match each:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                outside |= set(names)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                for inner in ast.walk(each):
                    if isinstance(inner, ast.Nonlocal):
                        shared |= set(inner.names)
            case _:
                pass
    for statement in node.body:
        found |= written_names(statement)
    return frozenset(found - outside), frozenset(shared | outside)


def written_names(node: ast.AST) -> set[str]:
    """The names that a statement or a target binds in its own scope."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name} | _written_outside(node)
        case ast.Lambda():
            return _written_outside(node)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            # Only `:=` binds outside of a comprehension.
            inside = [each for each in ast.walk(node) if isinstance(each, ast.NamedExpr)]
            return {each.target.id for each in inside}
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return {name}
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {(alias.asname or alias.name).partition(".")[0] for alias in names}
        case _:
            pass
    found: set[str] = set()
    match node:
        case ast.ExceptHandler(name=str() as name):
            found.add(name)
        case ast.MatchAs() | ast.MatchStar() | ast.MatchMapping():
            found |= captured_names(node)
        case _:
            pass
    for child in ast.iter_child_nodes(node):
        found |= written_names(child)
    return found


def _written_outside(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda,
) -> set[str]:
    """The names that defaults, decorators and bases of a definition bind, by `:=`."""
    body = set(node.body) if isinstance(node.body, list) else {node.body}
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if child not in body:
            found |= written_names(child)
    return found


def free_names(node: ast.AST, bound: frozenset[str] = frozenset()) -> set[str]:
    """The names that an expression or statement mentions, without those that its own lambdas and
    comprehensions bind.
    """
    match node:
        case ast.Name(id=name):
            return {name} - bound
        case ast.Lambda(args=args, body=body):
            held = {each.arg for each in ast.walk(args) if isinstance(each, ast.arg)}
            defaults = [*args.defaults, *[each for each in args.kw_defaults if each is not None]]
            found = [free_names(each, bound) for each in defaults]
            return set().union(free_names(body, bound | held), *found)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            targets = [free_names(each.target) for each in node.generators]
            inner = bound.union(*targets)
            # What the first `for` goes through is evaluated outside of the comprehension.
            first = node.generators[0].iter
            parts = [each for each in ast.iter_child_nodes(node) if each is not node.generators[0]]
            parts += node.generators[0].ifs
            found = [free_names(each, inner) for each in parts]
            return set().union(free_names(first, bound), *found)
        case _:
            return set().union(*[free_names(each, bound) for each in ast.iter_child_nodes(node)])


def captured_names(pattern: ast.AST) -> set[str]:
    """The names that a pattern of a `case` binds."""
    found: set[str] = set()
    for each in ast.walk(pattern):
        if isinstance(each, ast.MatchAs | ast.MatchStar) and each.name:
            found.add(each.name)
        elif isinstance(each, ast.MatchMapping) and each.rest:
            found.add(each.rest)
    return found


def parameter_names(args: ast.arguments) -> tuple[str, ...]:
    """The names of parameters, in order, without those of `*args` and `**kwargs`."""
    return tuple([each.arg for each in [*args.posonlyargs, *args.args, *args.kwonlyargs]])


def default_values(args: ast.arguments) -> dict[str, Constant | None]:
    """The defaults of the parameters that have one, by name; None for one that is no constant."""
    positional = [each.arg for each in [*args.posonlyargs, *args.args]]
    pairs = list(
        zip(positional[len(positional) - len(args.defaults) :], args.defaults, strict=True)
    )
    pairs += [(a.arg, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d]
    return {name: _constant(node) for name, node in pairs}


def _constant(node: ast.expr) -> Constant | None:
    match node:
        case ast.Constant(value=value):
            return Constant(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return Constant(-value)
        case _:
            return None


def caught_classes(node: ast.expr | None, local: Collection[str] = ()) -> tuple[str, ...]:
    """The classes that a handler names, as text; "?" where only a run can tell, as of a local."""
    match node:
        case None:
            return EVERYTHING
        case ast.Tuple(elts=parts):
            return tuple([name for part in parts for name in caught_classes(part, local)])
        case ast.Name(id=name):
            return ("?" if name in local else name,)
        case ast.Attribute():
            text = ast.unparse(node)
            return ("?" if text.partition(".")[0] in local else text,)
        case _:
            return ("?",)
