"""Report that a run comes to a handler of exceptions, or to the end of a `try` block."""

from __future__ import annotations

import ast
from collections.abc import Callable, MutableSequence
from typing import Any

from symcrete.instrument.naming import call
from symcrete.program.source.sites import ModuleSites, last_of


def place_hooks(covered: MutableSequence[int]) -> tuple[Callable[..., Any], ...]:
    """The hooks `reached(site)` and `passing(site, value)`, which gives the value; they mark the
    place in `covered`.
    """

    def reached(site: int) -> None:
        covered[site + 1] = 1

    def passing(site: int, value: Any) -> Any:
        covered[site + 1] = 1
        return value

    return reached, passing


def mark_places(node: ast.Try | ast.TryStar, sites: ModuleSites) -> None:
    """Put the hooks into a `try` statement whose blocks are rewritten already."""
    for handler in node.handlers:
        handler.body.insert(0, _reached(handler, sites.of(handler)))
    last = last_of(node.body)
    if not node.handlers or last is None:
        return
    number = sites.of(node)
    if isinstance(last, ast.Return) and last.value is not None:
        _pass_value(last, last.value, number)
    else:
        node.body.append(_reached(last, number))


def _pass_value(node: ast.Return, value: ast.expr, number: int) -> None:
    node.value = call(value, "passing", ast.Constant(2 * number), value)


def _reached(place: ast.AST, number: int) -> ast.stmt:
    return ast.copy_location(ast.Expr(call(place, "reached", ast.Constant(2 * number))), place)
