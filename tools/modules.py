"""The modules of a source tree as the rules of the house see them: text, syntax tree, imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "symcrete"
CLOCKS = frozenset({"monotonic", "perf_counter", "time", "process_time", "thread_time"})


@dataclass(frozen=True, slots=True)
class Module:
    """One file of the package."""

    path: Path  # relative to the package's folder
    name: str  # "symcrete.solve.chain"
    text: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]  # of the tree; walking it anew for every rule takes seconds

    @property
    def is_init(self) -> bool:
        """Whether this file says what a folder is for."""
        return self.path.name == "__init__.py"

    @property
    def stage(self) -> str:
        """The folder right below the package that the file is in; empty at the top."""
        return self.path.parts[0] if len(self.path.parts) > 1 else ""

    @property
    def lines(self) -> int:
        """How long the file is."""
        return self.text.count("\n")


def modules_of(package: Path) -> list[Module]:
    """Every Python file below the package's folder, in order of path."""
    found = []
    for file in sorted(package.rglob("*.py")):
        path = file.relative_to(package)
        parts = [package.name, *path.with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = file.read_text()
        tree = ast.parse(text)
        found.append(Module(path, name, text, tree, tuple(ast.walk(tree))))
    return found


def imported(tree: ast.Module, names: Iterable[str], *, at_once: bool = False) -> set[str]:
    """The modules, among these names, that a file imports.

    at_once: only what is imported when the file itself is, which leaves out imports inside
    functions and those that only a type checker reads.
    """
    known = set(names)
    found: set[str] = set()
    for node in _executed_at_once(tree) if at_once else ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                found.update(alias.name for alias in aliases if alias.name in known)
            case ast.ImportFrom(module=str(module), names=aliases, level=0):
                inner = {f"{module}.{alias.name}" for alias in aliases} & known
                found |= inner or ({module} & known)
            case _:
                pass
    return found


def used(tree: ast.Module, names: Iterable[str]) -> set[str]:
    """The modules, among these names, of which a file not only imports something but also uses it.

    A name in an annotation does not count as used: it is never executed.
    """
    known, found = set(names), set[str]()
    modules: dict[str, set[str]] = {}  # by the name that the file has for it
    said: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    here = alias.asname or alias.name.partition(".")[0]
                    modules.setdefault(here, set()).add(alias.name)
            case ast.ImportFrom(module=str(module), names=aliases, level=0):
                for alias in aliases:
                    inner = f"{module}.{alias.name}"
                    here = alias.asname or alias.name
                    modules.setdefault(here, set()).add(inner if inner in known else module)
            case (
                ast.arg(annotation=ast.AST() as told)
                | ast.AnnAssign(annotation=told)
                | ast.FunctionDef(returns=ast.AST() as told)
                | ast.AsyncFunctionDef(returns=ast.AST() as told)
            ):
                said.update(map(id, ast.walk(told)))
            case _:
                pass
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in said:
            found |= modules.get(node.id, set())
    return found & known


def _executed_at_once(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                continue
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=orelse):
                waiting += orelse
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), orelse=orelse):
                waiting += orelse  # what is done when the file is executed, not imported
            case _:
                waiting += ast.iter_child_nodes(node)


def cycles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import one another in a circle, each group sorted by name.

    These are the strongly connected components with more than one module (Tarjan, 1972), or with
    one that imports itself.
    """
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    waiting: list[str] = []
    found: list[list[str]] = []

    def enter(name: str) -> None:
        index[name] = low[name] = len(index)
        waiting.append(name)

    for start in imports:
        if start in index:
            continue
        enter(start)
        work = [(start, iter(sorted(imports[start])))]
        while work:
            name, others = work[-1]
            for other in others:
                if other not in index:
                    enter(other)
                    work.append((other, iter(sorted(imports.get(other, ())))))
                    break
                if other in waiting:
                    low[name] = min(low[name], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == index[name]:
                    group = waiting[waiting.index(name) :]
                    del waiting[-len(group) :]
                    if len(group) > 1 or name in imports[name]:
                        found.append(sorted(group))
    return found


@dataclass(frozen=True, slots=True)
class Function:
    """One function or method and how many lines it spans, decorators aside."""

    module: Module
    name: str
    lines: int


def functions_of(module: Module) -> Iterator[Function]:
    """Every function of a module, nested ones too."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            last = node.end_lineno
            assert last is not None
            yield Function(module, node.name, last - node.lineno + 1)


def constants_of(module: Module) -> Iterator[tuple[str, str]]:
    """Module-level names in capitals whose value is a number, with the text of that value.

    `A, B = 1, 2` counts as two. A leading underscore is no part of the name: `_DEEPEST` and
    `DEEPEST` read alike.
    """
    for node in module.tree.body:
        for target, value in _assigned(node):
            if isinstance(target, ast.Name) and target.id.upper() == target.id and _number(value):
                yield target.id.lstrip("_"), ast.unparse(value)


def unexplained_constants(module: Module) -> Iterator[tuple[int, str]]:
    """Numbers with a name in capitals that no comment says anything of, with their lines.

    The comment stands on the line, or above it with nothing but other lines of the same block
    between: a few numbers that belong together share one.
    """
    lines = module.text.splitlines()
    for node in module.tree.body:
        names = [
            target.id
            for target, value in _assigned(node)
            if isinstance(target, ast.Name) and target.id.upper() == target.id and _number(value)
        ]
        if not names or any("#" in each for each in lines[node.lineno - 1 : node.end_lineno]):
            continue
        above = node.lineno - 2
        while above >= 0 and lines[above].strip() and not lines[above].startswith("#"):
            above -= 1
        if above < 0 or not lines[above].startswith("#"):
            yield from ((node.lineno, name) for name in names)


def _assigned(node: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            yield from zip(names, values, strict=False)
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield target, value
        case _:
            pass


def _number(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.BinOp(left=left, right=right):
            return _number(left) and _number(right)
        case ast.UnaryOp(operand=operand):
            return _number(operand)
        case _:
            return False


def clock_reads(module: Module) -> list[int]:
    """The lines that read a clock of `time`, or import one by name so that reading it is hidden.

    A clock that is the default of a parameter or of a field is not read there: it is what is passed
    in unless the caller passes another one.
    """
    defaults: set[int] = set()
    for node in module.nodes:
        match node:
            case (
                ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args) | ast.Lambda(args=args)
            ):
                defaults.update(map(id, (*args.defaults, *args.kw_defaults)))
            case ast.ClassDef(body=body):
                defaults.update(id(each.value) for each in body if isinstance(each, ast.AnnAssign))
            case _:
                pass
    lines = []
    for node in module.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="time"), attr=name) if name in CLOCKS:
                if id(node) not in defaults:
                    lines.append(node.lineno)
            case ast.ImportFrom(module="time", names=aliases):
                if any(alias.name in CLOCKS for alias in aliases):
                    lines.append(node.lineno)
            case _:
                pass
    return lines


def untyped_messages(module: Module) -> list[int]:
    """The lines on which a module says `dict[str, Any]`, `Mapping[str, object]` or the like."""
    untyped = {f"{kind}[str, {of}]" for kind in ("dict", "Mapping") for of in ("Any", "object")}
    return [
        node.lineno
        for node in module.nodes
        if isinstance(node, ast.Subscript) and ast.unparse(node) in untyped
    ]


def longest(functions: Sequence[Function]) -> Function | None:
    """The function with the most lines."""
    return max(functions, key=lambda function: function.lines, default=None)


def private_overrides(modules: Sequence[Module]) -> Iterator[tuple[Module, int, str]]:
    """Methods by which a class replaces a private one of a class above it: module, line, name.

    Names with two underscores at both ends are Python's own, and meant to be replaced.
    """
    classes = {
        f"{module.name}.{node.name}": (module, node)
        for module in modules
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
    }

    def above(module: Module, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
        known = _imported_names(module.tree)
        for base in node.bases:
            name = ast.unparse(base).partition("[")[0]
            found = classes.get(known.get(name, f"{module.name}.{name}"))
            if found is not None:
                yield found[1]
                yield from above(*found)

    for module, node in classes.values():
        own = {each.name: each.lineno for each in node.body if isinstance(each, ast.FunctionDef)}
        private = {name for name in own if name.startswith("_") and not name.endswith("__")}
        if not private:
            continue
        for base in above(module, node):
            named = {each.name for each in base.body if isinstance(each, ast.FunctionDef)}
            yield from ((module, own[name], f"{node.name}.{name}") for name in private & named)


def writes_elsewhere(module: Module) -> Iterator[tuple[int, str]]:
    """Statements executed by importing the module that change what another module holds, with their
    lines.

    These are assignments to parts of an imported name, and calls of imported functions whose result
    is not used, unless the first argument is a class of this module, which they complete.
    """
    known = _imported_names(module.tree)
    own = {node.name for node in module.tree.body if isinstance(node, ast.ClassDef)}

    def is_theirs(node: ast.AST) -> bool:
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
        return isinstance(node, ast.Name) and node.id in known

    for node in _executed_at_once(module.tree):
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                stored = [each for each in targets if not isinstance(each, ast.Name)]
            case ast.AugAssign(target=target):
                stored = [target]
            case ast.Expr(value=ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[to, *_])):
                stored = [to]
            case ast.Expr(value=ast.Call(func=function, args=args)):
                completed = args and isinstance(args[0], ast.Name) and args[0].id in own
                stored = [] if completed else [function]
            case _:
                continue
        if any(is_theirs(each) for each in stored):
            yield node.lineno, ast.unparse(node)


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """Names that a file gets by importing, with the full name of what each stands for."""
    found: dict[str, str] = {}
    for node in _executed_at_once(tree):
        match node:
            case ast.Import(names=aliases):
                found.update(
                    (each.asname or each.name.split(".")[0], each.name) for each in aliases
                )
            case ast.ImportFrom(module=str(module), names=aliases):
                found.update(
                    (each.asname or each.name, f"{module}.{each.name}") for each in aliases
                )
            case _:
                pass
    return found
