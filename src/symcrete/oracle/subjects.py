"""What the text of a function tells without importing it: how it is called, what it declares."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from symcrete.explore.findings import FoundInput, Status, TargetReport
from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target

_WORD = re.compile(r"\w+")
_NAMES = re.compile(r"[A-Z_a-z][\w.]*")
_ONLY_NAMES = re.compile(r"[A-Z_a-z][\w.]*(\s*(,|\bor\b)\s*[A-Z_a-z][\w.]*)*")
_SPHINX = re.compile(r":(?:raises?|except|exception)\s+([^:]+):")
_HEADING = re.compile(r"Raises:?")
# "Raises ValueError if ...", "raise a `KeyError` or OSError"; not "does not raise ValueError"
_RAISED = r"[\w.]*(?:Error|Exception|Exit|Interrupt|Iteration|Warning)\b"
_SENTENCE = re.compile(
    r"(?<!not )(?<!ever )(?<!n't )(?<!nor )(?<!without )(?<!instead of )(?<!rather than )"
    rf"\b[Rr]ais(?:es?|ing) ((?:{_RAISED}|(?:an?|the|or)\b|:\w+:|[\s,`~])+)"
)
_BOUND = ("staticmethod", "classmethod")


def node_of(target: Target) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The definition of a target; None if its name is made in another way."""
    for scope, node in functions(target.source.tree()):
        if scope == target.scope and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return node
    return None


def annotated(target: Target) -> int:
    """How many parameters of a function have a declared type."""
    node = node_of(target)
    if node is None:
        return 0
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return sum(each.annotation is not None for each in every)


def parameters(target: Target) -> int:
    """How many parameters a caller gives a value for; the object of a method is none of them."""
    node = node_of(target)
    if node is None:
        return 0
    given = node.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    bound = "." in target.scope and "staticmethod" not in set(_decorators(node))
    return len(every) - bound


def defaults_apart(first: Target, second: Target) -> str:
    """Why calls that leave out arguments may differ, although those that give all do not; "" if
    they do not.
    """
    for position, known in _other_defaults(first, second):
        return f"the default of parameter {position} {'is' if known else 'may be'} another one"
    return ""


def parameters_before_other_defaults(first: Target, second: Target) -> int | None:
    """How many arguments a call gives by position that leaves out the first parameter whose default
    may differ between the functions; None if no such parameter has a default in both.
    """
    with_default = set(_defaults(first)) & set(_defaults(second))
    apart = [each for each, _ in _other_defaults(first, second)]
    found = [each for each in apart if isinstance(each, int) and each in with_default]
    return min(found) - 1 if found else None


def _other_defaults(first: Target, second: Target) -> Iterator[tuple[int | str, bool]]:
    """The parameters whose defaults are not known to be the same, and whether they are known not to
    be.
    """
    one, other = _defaults(first), _defaults(second)
    for position in {**one, **other}:
        mine, theirs = one.get(position), other.get(position)
        if mine is None or theirs is None or ast.dump(mine) != ast.dump(theirs):
            yield position, True
            continue
        constant = all(isinstance(each, ast.Constant) for each in _leaves(mine))
        if not constant and first.source.file != second.source.file:
            yield position, False


def _leaves(node: ast.AST) -> list[ast.AST]:
    """The constants, names and calls in an expression; the expression itself if it has none."""
    parts = [
        each for each in ast.walk(node) if isinstance(each, ast.Constant | ast.Name | ast.Call)
    ]
    return list(parts) or [node]


def _defaults(target: Target) -> dict[int | str, ast.expr]:
    """The defaults of a function's parameters, by position from 1; those of parameters that are
    given by keyword only, by name.
    """
    node = node_of(target)
    if node is None:
        return {}
    given = node.args
    last = len(given.posonlyargs) + len(given.args)
    found: dict[int | str, ast.expr] = {}
    for position, each in enumerate(given.defaults, last - len(given.defaults) + 1):
        found[position] = each
    for name, default in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if default is not None:
            found[name.arg] = default
    return found


def named_alike(first: Target, second: Target) -> bool:
    """Whether the parameters of two functions go by the same names, in the same order."""
    names = []
    for target in (first, second):
        node = node_of(target)
        given = node.args if node is not None else ast.arguments([], [], None, [], [], None, [])
        names.append(([each.arg for each in given.posonlyargs], [each.arg for each in given.args]))
    return names[0] == names[1]


def announced(target: Target) -> tuple[str, ...]:
    """Names of the exceptions that the documentation of a function says it raises.

    Known are `:raises ValueError:`, a part "Raises" with a line for each exception, and sentences
    such as "Raises ValueError if it is negative".
    """
    node = node_of(target)
    text = (ast.get_docstring(node) if node is not None else None) or ""
    found = [name for line in _SPHINX.findall(text) for name in _NAMES.findall(line)]
    for sentence in _SENTENCE.findall(" ".join(text.split())):
        found += re.findall(_RAISED, sentence)
    for entry in _entries(text.splitlines()):
        head = entry.partition(":")[0].strip()
        if _ONLY_NAMES.fullmatch(head):
            found += [name for name in _NAMES.findall(head) if name != "or"]
    return tuple(dict.fromkeys([name.rpartition(".")[2] for name in found]))


def _entries(lines: list[str]) -> Iterator[str]:
    """The first lines of the entries of a part "Raises", as Google and NumPy write it."""
    headings = [number for number, line in enumerate(lines) if _HEADING.fullmatch(line.strip())]
    for start in headings:
        numpy = start + 1 < len(lines) and set(lines[start + 1].strip()) == {"-"}
        part = lines[start + 1 + numpy :]
        within = _indent(next((line for line in part if line.strip()), ""))
        # The first line of a documentation has no indentation to compare with.
        if not numpy and start > 0 and within <= _indent(lines[start]):
            continue
        for number, line in enumerate(part):
            after = part[number + 1].strip() if number + 1 < len(part) else ""
            if line.strip() and (_indent(line) < within or (numpy and set(after) == {"-"})):
                break  # the next part
            if line.strip() and _indent(line) == within:
                yield line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def declared(target: Target) -> set[str]:
    """The names in the declared types of a function's parameters."""
    node = node_of(target)
    found: set[str] = set()
    for each in ast.walk(node.args) if node is not None else ():
        if isinstance(each, ast.arg) and each.annotation is not None:
            found |= set(_WORD.findall(ast.unparse(each.annotation)))
    return found


def report_of(target: Target, inputs: tuple[FoundInput, ...]) -> TargetReport:
    """A report of inputs that were found for a function in another way than by exploring it."""
    source = target.source
    return TargetReport(
        target=target.label,
        status=Status.COVERED,
        inputs=inputs,
        module=source.module,
        root=str(source.root),
        scope=target.called,
        kind=kind_of(target),
        is_method=is_method(target),
        file=str(source.file),
    )


def kind_of(target: Target) -> str:
    """How a function is called: as a function, generator, coroutine, asyncgen, property, setter."""
    node = node_of(target)
    if target.called.endswith(".fset"):
        return "setter"
    if node is None or target.name:
        return "function"
    decorators = set(_decorators(node))
    if "property" in decorators or "cached_property" in decorators:
        return "property"
    if decorators & {"contextmanager", "asynccontextmanager"}:
        return "function"
    yields = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in _own(node))
    if isinstance(node, ast.AsyncFunctionDef):
        return "asyncgen" if yields else "coroutine"
    return "generator" if yields else "function"


def is_method(target: Target) -> bool:
    """Whether the first argument is the object that the function is called on."""
    node = node_of(target)
    if node is None or not target.is_method or target.scope.endswith("__new__"):
        return False
    return not set(_decorators(node)) & set(_BOUND)


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for each in node.decorator_list:
        named = each.func if isinstance(each, ast.Call) else each
        yield named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is inside a function and not inside a function in it."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield each
            yield from _own(each)
