"""What `reach` is asked for: lines, sides of branches, exceptions, changed lines."""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
from collections.abc import Collection
from pathlib import Path

from symcrete.errors import BadOption, NothingToAnalyse, TargetNotFound
from symcrete.explore.reach.reached import Goal
from symcrete.program.source.module import Source, source_of_file, source_of_module, walked
from symcrete.program.source.place import place_of
from symcrete.program.source.sites import functions


def goal_at(text: str) -> Goal:
    """The goal of a line, given as `file.py:42` or `package.module:42`."""
    file, _, number = text.rpartition(":")
    if not file or not number.isdigit():
        raise BadOption(f"a line is given as file.py:42, not {text!r}")
    source = _source(file)
    return Goal(place_of(source, int(number), file), text)


def goal_of_branch(file: str, text: str) -> Goal:
    """The goal of one side of a branch, given as `42:true`."""
    number, _, side = text.partition(":")
    if not number.isdigit() or side not in ("true", "false"):
        raise BadOption(f"a branch is given as --branch 42:true or 42:false, not {text!r}")
    source = _source(file)
    place = place_of(source, int(number), file)
    kinds = (ast.If, ast.While, ast.For, ast.match_case)
    lines = {_line(node) for node in walked(source.tree()) if isinstance(node, kinds)}
    if place.line not in lines:
        raise TargetNotFound(f"line {number} of {file} holds no branch ({place.text})")
    return Goal(place, f"{file}:{number}", side=side == "true")


def _line(node: ast.AST) -> int:
    return node.pattern.lineno if isinstance(node, ast.match_case) else getattr(node, "lineno", 0)


def goals_of_error(text: str, error: str) -> list[Goal]:
    """The goals for an exception: the lines of `file.py`, `file.py::func` or line `file.py:42`
    that raise it, or where an operation may.
    """
    file, line, scope = text, 0, ""
    if "::" in text:
        file, _, scope = text.partition("::")
    elif text.rpartition(":")[2].isdigit():
        file, _, number = text.rpartition(":")
        line = int(number)
    source = _source(file)
    nodes = [
        each
        for name, node in functions(source.tree())
        if not scope or name == scope or name.startswith(scope + ".")
        for statement in node.body
        for each in ast.walk(statement)
        if line in (0, getattr(each, "lineno", 0))
    ]
    derived = derived_errors(error, source.tree())
    kinds = derived | {error}
    found = [each for each in nodes if _raises(each, kinds)]
    found = found or [each for each in nodes if any(_may_raise(each, kind) for kind in kinds)]
    if line or kinds & _OF_CALLS:
        found = found or [each for each in nodes if isinstance(each, ast.Call)]
    if line and error in _OF_NAMES:  # in a whole module that would be nearly every line
        found = [each for each in nodes if isinstance(each, ast.Name | ast.Call)]
    if not found and line:
        raise TargetNotFound(f"no `raise {error}` at {text}, and no operation that could raise it")
    if not found:
        raise TargetNotFound(
            f"no `raise {error}` in {text}; if a call may raise it, give the line, as {file}:42"
        )
    return [
        Goal(place_of(source, number, file), f"{file}:{number}", error=error, derived=derived)
        for number in sorted({getattr(each, "lineno", 0) for each in found})
    ]


# Operations that raise without being told to.
_MAY_RAISE: dict[str, tuple[type[ast.AST], ...]] = {
    "ZeroDivisionError": (ast.BinOp, ast.AugAssign),
    "IndexError": (ast.Subscript,),
    "KeyError": (ast.Subscript,),
    "AttributeError": (ast.Attribute,),
    "ValueError": (ast.Call,),
    "TypeError": (ast.BinOp, ast.Compare, ast.Call, ast.Subscript),
    "OverflowError": (ast.BinOp,),
}
# Errors that a call may raise where no operation does; of other errors only the calls of a named
# line count.
_OF_CALLS = frozenset({"ZeroDivisionError", "IndexError", "KeyError", "OverflowError"})
_OF_NAMES = frozenset({"NameError", "UnboundLocalError"})  # errors that reading a name may raise


def _may_raise(node: ast.AST, error: str) -> bool:
    match node:
        case ast.BinOp(op=op, right=divisor) | ast.AugAssign(op=op, value=divisor) if (
            error == "ZeroDivisionError"
        ):
            divides = isinstance(op, ast.Div | ast.FloorDiv | ast.Mod)
            text = isinstance(node, ast.BinOp) and _is_text(node.left)
            if isinstance(op, ast.Pow):  # of zero, where the exponent is negative
                return not isinstance(divisor, ast.Constant)
            return (
                divides and not text and not (isinstance(divisor, ast.Constant) and divisor.value)
            )
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if error == "ValueError":
            return isinstance(op, ast.LShift | ast.RShift)  # by a negative number
        case ast.Tuple(ctx=ast.Store()) | ast.List(ctx=ast.Store()):
            return error in ("ValueError", "TypeError")  # `a, b = xs`
        case _:
            return isinstance(node, _MAY_RAISE.get(error, ()))


def _is_text(node: ast.expr) -> bool:
    """Whether the left operand is a text: `"%s" % x` divides nothing."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def derived_errors(error: str, tree: ast.Module) -> frozenset[str]:
    """The names of the exceptions that are of this one's kind: built-in ones, and those whose
    classes the module defines.
    """
    above = getattr(builtins, error, None)
    names = {error}
    if isinstance(above, type) and issubclass(above, BaseException):
        known = [each for each in vars(builtins).values() if isinstance(each, type)]
        names |= {each.__name__ for each in known if issubclass(each, above)}
    classes = [each for each in walked(tree) if isinstance(each, ast.ClassDef)]
    for _ in classes:  # each round finds those that the one before it was above of
        found = {each.name for each in classes for base in each.bases if _last_name(base) in names}
        if found <= names:
            break
        names |= found
    return frozenset(names - {error})


def _last_name(node: ast.expr) -> str:
    return ast.unparse(node).rpartition(".")[2]


def _raises(node: ast.AST, errors: Collection[str]) -> bool:
    if isinstance(node, ast.Assert):
        return "AssertionError" in errors
    if not isinstance(node, ast.Raise) or node.exc is None:
        return False
    called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return _last_name(called) in errors


def goals_of_diff(revision: str, folder: Path) -> list[Goal]:
    """A goal for each changed line, since a git revision, that runs inside a function."""
    found: list[Goal] = []
    for file, numbers in changed_lines(revision, folder).items():
        path = folder / file
        if not path.exists() or Path(file).name.startswith("test_"):
            continue
        source = source_of_file(path)
        seen: set[int] = set()
        for number in numbers:
            try:
                place = place_of(source, number, file)
            except TargetNotFound:
                continue  # a comment, a blank line, or code outside functions
            if place.line not in seen:
                seen.add(place.line)
                found.append(Goal(place, f"{file}:{place.line}"))
    if not found:
        raise NothingToAnalyse(f"no line that runs inside a function has changed since {revision}")
    return found


def changed_lines(revision: str, folder: Path) -> dict[str, list[int]]:
    """The numbers of the lines added or changed, by file relative to the folder."""
    command = ["git", "diff", "-U0", "--no-color", "--relative", revision, "--", "*.py"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise BadOption(f"git cannot be run: {error}") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["git diff failed"]
        raise BadOption(f"--diff {revision}: {lines[0]}")
    found: dict[str, list[int]] = {}
    current: list[int] = []
    for line in done.stdout.splitlines():
        if line.startswith("+++ b/"):
            current = found.setdefault(line[len("+++ b/") :], [])
        elif line.startswith("@@"):
            match = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
            if match:
                first, count = int(match[1]), int(match[2] or 1)
                current += range(first, first + count)
    return found


def _source(file: str) -> Source:
    if file.endswith(".py") or "/" in file or Path(file).exists():
        return source_of_file(Path(file))
    return source_of_module(file)
