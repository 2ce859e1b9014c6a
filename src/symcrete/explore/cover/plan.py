"""What there is to cover in a target: known from its text alone, before anything has run.

Outcomes have names that mean the same in every process that reads the same text.
"""

from __future__ import annotations

from dataclasses import replace

from symcrete.errors import SymcreteError
from symcrete.explore.findings import Spot
from symcrete.program.source.module import Source, parsed
from symcrete.program.source.sites import Branch, ModuleSites, Outcome, Site, numbered
from symcrete.program.source.target import Target, counted
from symcrete.program.source.wording import wording
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """The conditions of a target with both their sides, and its branches."""

    conditions: tuple[Spot, ...] = ()  # in the order of the text, each with its name
    branches: tuple[frozenset[str], ...] = ()  # names of outcomes, each of which implies the branch


def plan_of(target: Target, within: str = "") -> Plan:
    """The plan of a target; an empty one where its text cannot be read."""
    try:
        file, scope = counted(target.source, target.scope, within)
        sites = numbered(parsed(file), file)
    except (SymcreteError, OSError, SyntaxError, ValueError, RecursionError):
        return Plan()
    uncounted = frozenset[str]() if within else target.uncounted
    return plan_for(*counting(sites.own(scope), sites.own_branches(scope), uncounted))


def sites_of(source: Source) -> ModuleSites:
    """The numbered conditions of a module."""
    return numbered(source.tree(), str(source.file))


def counting(
    own: list[Site], branches: list[Branch], uncounted: frozenset[str]
) -> tuple[list[Site], list[Branch]]:
    """The conditions without the sides, and the branches without those, that `uncounted` names."""
    if not uncounted or not own:
        return own, branches
    first = own[0].number
    sites = []
    for site in own:
        sides = [side for side in site.sides if name_of(site, side, first) not in uncounted]
        sites.append(replace(site, sides=tuple(sides)))
    return sites, [branch for branch in branches if branch_name(branch) not in uncounted]


def plan_for(own: list[Site], branches: list[Branch]) -> Plan:
    """The plan of these conditions and branches, which are all of one target."""
    first = own[0].number if own else 0
    spots = [_spot(site, side, first) for site in own for side in site.sides]
    return Plan(tuple(spots), tuple([_names(branch.outcomes, first) for branch in branches]))


def _spot(site: Site, side: bool, first: int) -> Spot:
    name = name_of(site, side, first)
    return Spot(site.line, site.column, side, wording(site, side), key=name)


def name_of(site: Site, side: bool, first: int) -> str:
    """The name of an outcome; `first` is the number of the target's first condition."""
    if site.implicit:
        return f"{site.kind}@{site.line}:{site.column}"
    return _name(site.number, side, first)


def branch_name(branch: Branch) -> str:
    """The name of a branch, which no outcome has."""
    return f"{branch.line}:{branch.column}{'+' if branch.side else '-'}"


def _name(number: int, side: bool, first: int) -> str:
    return f"{number - first}{'+' if side else '-'}"


def _names(outcomes: frozenset[Outcome], first: int) -> frozenset[str]:
    return frozenset([_name(number, side, first) for number, side in outcomes])
