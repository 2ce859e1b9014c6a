"""The examples in docstrings: calls to start from, and what they tell of arguments."""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from symcrete.inputs.infer.records import constant_kind
from symcrete.program.source.module import SHARED_TREES, parsed, walked
from symcrete.slotted import dataclass

# calls of one function that are taken: each costs a run; chosen, not measured
MOST_EXAMPLE_CALLS = 8
LONGEST_MENTION = 300  # characters of a call in the midst of a text; chosen, not measured
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_MENTION = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\(")
LONGEST_DOCSTRING = 20_000  # characters; a longer one is a manual; chosen, not measured


@dataclass(frozen=True, slots=True)
class Example:
    """A call that a docstring shows, after the assignments that it needs."""

    before: tuple[ast.Assign, ...]
    call: ast.Call


@functools.lru_cache(maxsize=SHARED_TREES)
def shown_in(tree: ast.Module) -> tuple[ast.stmt, ...]:
    """The statements that the docstrings of a module show as examples, in the order of the text."""
    found: list[ast.stmt] = []
    for node in walked(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            text = ast.get_docstring(node) or ""
            if ">>>" in text and len(text) <= LONGEST_DOCSTRING:
                found += _statements(text)
    return tuple(found)


@functools.lru_cache(maxsize=SHARED_TREES)
def written_in(tree: ast.Module) -> dict[str, tuple[ast.Call, ...]]:
    """The calls with written out arguments that the docstrings of a module mention anywhere, as in
    ``shorten("ab", 1)``, by the name of the function.
    """
    defined = [node for node in walked(tree) if isinstance(node, _DEFINITIONS)]
    names = {each.name for each in defined}
    found: dict[str, dict[str, ast.Call]] = {}
    for node in (tree, *defined):
        text = ast.get_docstring(node) or ""
        for mention in _MENTION.finditer(text) if len(text) <= LONGEST_DOCSTRING else ():
            if mention[1] in names:
                call = _call_at(text[mention.start(1) :][:LONGEST_MENTION])
                if call is not None:
                    found.setdefault(mention[1], {}).setdefault(ast.dump(call), call)
    return {name: tuple(calls.values()) for name, calls in found.items()}


def _call_at(text: str) -> ast.Call | None:
    """The call that a text begins with; None if it is none, or its arguments are not written
    out.
    """
    for place, char in enumerate(text):
        if char != ")":
            continue
        try:
            call = ast.parse(text[: place + 1], mode="eval").body
        except (SyntaxError, ValueError):
            continue  # the bracket belongs to an argument
        if not isinstance(call, ast.Call) or not (call.args or call.keywords):
            return None
        given = [part for arg in (*call.args, *call.keywords) for part in ast.walk(arg)]
        made = {id(each.func) for each in given if isinstance(each, ast.Call)}
        named = [each for each in given if isinstance(each, ast.Name) and id(each) not in made]
        left_out = [each for each in given if isinstance(each, ast.Constant) and each.value is ...]
        return None if named or left_out else call
    return None


def examples_of(tree: ast.Module, scope: str) -> list[Example]:
    """The calls of a function, or of a method by its name, that docstrings of its module show."""
    *holder, name = scope.split(".")
    held: dict[str, ast.Assign] = {}
    found: dict[str, Example] = {}
    for statement in shown_in(tree):
        for call in ast.walk(statement):
            if isinstance(call, ast.Call) and _is_of(call.func, name, is_method=bool(holder)):
                before = _needed(call, held)
                found.setdefault(ast.dump(call), Example(before, call))
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            held[statement.targets[0].id] = statement
    for call in written_in(tree).get(name, ()) if not holder else ():
        found.setdefault(ast.dump(call), Example((), call))
    return list(found.values())[:MOST_EXAMPLE_CALLS]


def as_input(
    example: Example, function: Callable[..., Any], names: Mapping[str, Any]
) -> str | None:
    """An example as the text that `read_input` takes; None where it does not fit the function, or
    would call anything but classes.
    """
    call = example.call
    if not all(_is_harmless(each, names) for each in (*example.before, *call.args)):
        return None
    if any(not _is_harmless(each.value, names) or each.arg is None for each in call.keywords):
        return None
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    taken = list(inspect.signature(function).parameters.values())
    places = [p.name for p in taken if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    given = list(call.args)
    if isinstance(call.func, ast.Attribute) and places[:1] == ["self"]:
        if not _is_harmless(call.func.value, names):
            return None
        given.insert(0, call.func.value)
    if len(given) > len(places):
        return None
    parts = [f"{name}={ast.unparse(each)}" for name, each in zip(places, given, strict=False)]
    parts += [f"{each.arg}={ast.unparse(each.value)}" for each in call.keywords]
    return "".join([f"{ast.unparse(each)}; " for each in example.before]) + ", ".join(parts)


def kinds_in_examples(
    function: Callable[..., Any], parameter: str, names: Mapping[str, Any]
) -> list[Any]:
    """The types of what examples pass for a parameter."""
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    try:
        shown = examples_of(parsed(code.co_filename), function.__qualname__)
    except (OSError, SyntaxError, ValueError):
        return []
    places = [name for name in code.co_varnames[: code.co_argcount] if name not in ("self", "cls")]
    found: list[Any] = []
    for example in shown:
        passed = dict(zip(places, example.call.args, strict=False))
        passed |= {each.arg: each.value for each in example.call.keywords if each.arg}
        if parameter in passed:
            texts = {each.targets[0].id: each.value for each in example.before}  # type: ignore[attr-defined]
            value = passed[parameter]
            value = texts.get(value.id, value) if isinstance(value, ast.Name) else value
            found += constant_kind(value, names)
    return list(dict.fromkeys(found))


def _statements(text: str) -> list[ast.stmt]:
    if ">>>" not in text:
        return []
    import doctest  # it brings a debugger, and few docstrings have examples

    found: list[ast.stmt] = []
    try:
        shown = doctest.DocTestParser().get_examples(text)
    except ValueError:  # no blank after the prompt
        return []
    for each in shown:
        try:
            found += ast.parse(each.source).body
        except (SyntaxError, ValueError):
            continue
    return found


def _is_of(node: ast.expr, name: str, *, is_method: bool) -> bool:
    match node:
        case ast.Name(id=called):
            return called == name and not is_method
        case ast.Attribute(attr=called):
            return called == name
        case _:
            return False


def _needed(call: ast.Call, held: Mapping[str, ast.Assign]) -> tuple[ast.Assign, ...]:
    """The assignments of the names that a call mentions."""
    mentioned = dict.fromkeys([each.id for each in ast.walk(call) if isinstance(each, ast.Name)])
    return tuple([held[name] for name in mentioned if name in held])


def _is_harmless(node: ast.AST, names: Mapping[str, Any]) -> bool:
    """Whether evaluating a node calls nothing but classes that the module has names for."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call) and not isinstance(_meant(each.func, names), type):
            return False
        if isinstance(each, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr):
            return False
    return True


def _meant(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=name):
            return inspect.getattr_static(_meant(value, names), name, None)
        case _:
            return None
