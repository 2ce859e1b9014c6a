"""The smallest program about which the same kind of false claim is made."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.truth.programs import Program

MOST_TRIES = 300  # of smaller programs


def shrunk(program: Program, is_wrong: Callable[[Program], bool]) -> Program:
    """Take away statements, one after the other, as long as the claim stays false."""
    tries = MOST_TRIES
    smaller = True
    while smaller and tries > 0:
        smaller = False
        for text in _without_one(program.text):
            tries -= 1
            candidate = replace(program, text=text)
            if _works(candidate, is_wrong):
                program, smaller = candidate, True
                break
            if tries == 0:
                break
    return program


def _works(program: Program, is_wrong: Callable[[Program], bool]) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(program.text, "shrunk", "exec")
            return is_wrong(program)
    except Exception:
        return False


def _without_one(text: str) -> Iterator[str]:
    """The program without one of its statements, the last first; or with a block instead of its `if`."""
    count = len(_bodies(ast.parse(text)))
    for index in reversed(range(count)):
        tree = ast.parse(text)
        body, position = _bodies(tree)[index]
        statement = body[position]
        inner = getattr(statement, "body", [])
        del body[position]
        if not body:
            body.append(ast.Pass())
        if not isinstance(statement, ast.Pass):
            yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        if inner and not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            body[position:position] = inner
            yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _bodies(tree: ast.Module) -> list[tuple[list[ast.stmt], int]]:
    """Every statement, as the body it is in and its position; the function itself stays."""
    found = []
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            body = getattr(node, name, None)
            if isinstance(body, list):
                found += [
                    (body, position)
                    for position, each in enumerate(body)
                    if not (isinstance(each, ast.FunctionDef) and each.name == "f")
                    and not isinstance(each, ast.ImportFrom)
                ]
    return found
