"""Why a branch that nothing covered is open, in the user's words."""

from __future__ import annotations

import ast

from symcrete.errors import EitherWay
from symcrete.explore.findings import NOT_TRACKED
from symcrete.explore.loop.loop import Explored
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.explore.proof.standing import Standing, scope_at
from symcrete.explore.proof.told_call import nearest_loss, told_loss
from symcrete.inputs.shapes.arguments import BLANK
from symcrete.notation import several
from symcrete.program.source.sites import Outcome
from symcrete.run.trace import Loss
from symcrete.tree.tree import Node, Side


class OpenReasons:
    """Tells why branches are open in an exploration whose tree is not exhausted."""

    def __init__(self, found: Explored, standing: Standing) -> None:
        self._found, self._standing = found, standing

    def of(self, missing: list[Outcome]) -> dict[Outcome, str]:
        """A reason for each outcome."""
        at_site: dict[Outcome, list[Node]] = {}
        wanted = {site for site, _ in missing}
        root = self._found.progress.tree.root
        stack = [root] if root else []
        while stack:
            node = stack.pop()
            if node.site in wanted:
                for side in (False, True):
                    at_site.setdefault((node.site, side), []).append(node)
            stack += [child for child in node.children if child is not None]
        return {each: self._reason(each, at_site.get(each, [])) for each in missing}

    def _reason(self, outcome: Outcome, nodes: list[Node]) -> str:
        site, side = outcome
        progress = self._found.progress
        if progress.entered == 0 and progress.unbuilt:
            return progress.unbuilt
        for node in nodes:
            if node.state[side] is Side.UNKNOWN:
                return node.reasons[side]
        for node in nodes:
            if node.state[side] is Side.DIVERGED:
                return "an input was found for it, but the run took another path" + self._lost(site)
        if not nodes and self._found.parts.coverage.has(site, not side):
            hangs_on = self._unmade(outcome) or self._standing.state_before(outcome)
            return hangs_on or self._without_proof(outcome, NOT_TRACKED)
        if nodes and all(node.state[side] is Side.INFEASIBLE for node in nodes):
            rest = "; other paths may lead there" if progress.tree.open_sides else ""
            tried = f"impossible on the {several(len(nodes), 'path')} tried"
            return self._without_proof(outcome, tried, rest)
        where = self._found.parts.coverage.sites[site]
        if not nodes and (where.file, where.line, EitherWay.WHY) in progress.losses:
            return "inputs come here, but do not say whether equal values are one object"
        if not nodes:
            inner = self._standing.escape(outcome)
            return inner or "no input found that comes to this condition" + self._lost(site)
        return "budget spent before it was tried"

    def _without_proof(self, outcome: Outcome, said: str, rest: str = "") -> str:
        """A sentence, with what was lost on the way to a condition. Where that is only that an
        object was made without its constructor, it is instead what keeps the other objects from a
        proof: only because there is none was such an object tried.
        """
        lost = self._lost(outcome[0])
        against = self._standing.against(outcome) if lost.endswith(BLANK) else ""
        return against or said + lost + rest

    def _unmade(self, outcome: Outcome) -> str:
        """The sentence for `isinstance(x, C)` of a parameter that was no `C`; "" for others."""
        number, side = outcome
        site, parts = self._found.parts.coverage.sites[number], self._found.parts
        names = {each.name for each in parts.arguments.parameters}
        asked = _class_asked_for(site.text)
        if not side or asked is None or site.scope != parts.target.scope:
            return ""
        if asked[0] not in names or asked[1] in names:  # a class that is an argument may be any
            return ""
        return f"no `{asked[1]}` was made for `{asked[0]}`"

    def _lost(self, site: int) -> str:
        """What took the term of a value before a condition, as the rest of a sentence; empty if
        nothing did.
        """
        progress = self._found.progress
        for how in progress.refuted:
            return f"; {how}"
        where, standing = self._found.parts.coverage.sites[site], self._standing
        places = {each: _place_of(self._found, each) for each in progress.losses}
        losses = [each for each in places if not standing.turns_off(places[each], where)]
        before = [each for each in losses if standing.concerns(places[each], where)]
        chosen = before or losses
        return f"; {told_loss(*nearest_loss(chosen, where.file, where.line))}" if chosen else ""


def _place_of(found: Explored, loss: Loss) -> Obstacle:
    file, line, _ = loss
    return Obstacle("", file, line, scope_at(found.parts, file, line))


def _class_asked_for(text: str) -> tuple[str, str] | None:
    """The variable and the class of `isinstance(x, C)`; None for other conditions."""
    try:
        condition = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):  # a `for` and a `case` are no expressions
        return None
    match condition:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]):
            return name, ast.unparse(kind)
    return None
