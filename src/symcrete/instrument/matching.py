"""Report which `case` of a `match` was taken.

The patterns stay Python's own; comparing a tracked value with a literal inside one reports itself.
Entering a case says that its pattern matched and that those above it did not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from symcrete.instrument.naming import call, hook
from symcrete.program.source.sites import ModuleSites, is_irrefutable


def case_hooks(
    covered: bytearray, matched_cases: set[int]
) -> tuple[Callable[[int], bool], Callable[..., None]]:
    """The hooks `matched` and `no_case`; `matched_cases` has those whose guards are being asked."""

    def matched(site: int) -> bool:
        covered[site + 1] = 1
        matched_cases.add(site)
        return True

    def no_case(sites: tuple[int, ...], taken: int = -1) -> None:
        matched_cases.discard(taken)  # the next time, another case may be taken
        for site in sites:
            if site in matched_cases:
                matched_cases.discard(site)  # its guard said no
            else:
                covered[site] = 1

    return matched, no_case


def rewrite_match(node: ast.Match, sites: ModuleSites) -> ast.Match:
    """The `match` with hooks that report its cases; bodies and guards must be rewritten already."""
    above: list[ast.expr] = []
    closed = False
    for case in node.cases:
        closed = case.guard is None and is_irrefutable(case.pattern)
        place = case.pattern
        failed = ast.Tuple(list(above), ast.Load())
        if closed:
            case.body.insert(0, _do(place, "no_case", failed))
            continue
        site = ast.Constant(2 * sites.of(case))
        matched = call(place, "matched", site)
        if case.guard is not None:
            case.guard = ast.copy_location(ast.BoolOp(ast.And(), [matched, case.guard]), case.guard)
        else:
            case.guard = matched
        case.body.insert(0, _do(place, "no_case", failed, site))
        above.append(site)
    if not closed:
        failed = ast.Tuple(list(above), ast.Load())
        wildcard = ast.MatchAs()
        last = ast.match_case(wildcard, None, [_do(node, "no_case", failed)])
        node.cases.append(last)
        for each in ast.walk(last):
            ast.copy_location(each, node)
    return node


def _do(place: ast.AST, name: str, *args: ast.expr) -> ast.stmt:
    return ast.copy_location(ast.Expr(call(place, name, *args)), place)


class TruthPatterns(ast.NodeTransformer):
    """Replaces `True` and `False` in a pattern by the classes of `instrument/singletons.py`."""

    def visit_MatchSingleton(self, node: ast.MatchSingleton) -> ast.pattern:
        if node.value is None:
            return node
        asking = hook(node, "is_true" if node.value else "is_false")
        return ast.copy_location(ast.MatchClass(asking, [], [], []), node)
