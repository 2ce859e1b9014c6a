"""What the project's own tests covered before, and what they cover together with the inputs found.

The first is read from the tests' data file of coverage.py, the second from that and the report. A
branch that both cover counts once.
"""

from __future__ import annotations

import contextlib
from dataclasses import field
from pathlib import Path

from symcrete.errors import SymcreteError
from symcrete.explore.cover.plan import branch_name, name_of, sites_of
from symcrete.explore.findings import Report, TargetReport
from symcrete.explore.project.choosing import excluding_patterns
from symcrete.explore.project.uncounted import CoverageData, without_excluded
from symcrete.program.source.module import source_of_file
from symcrete.program.source.target import Target
from symcrete.slotted import dataclass

OWN_DATA = ".coverage"  # where coverage.py puts what it measures


@dataclass(frozen=True, slots=True)
class Share:
    """How many branches of a function, or of several, the project's own tests cover (`before`), how
    many they cover together with the inputs found (`after`), and how many there are.
    """

    before: int
    after: int
    total: int

    def __add__(self, other: Share) -> Share:
        return Share(self.before + other.before, self.after + other.after, self.total + other.total)


@dataclass(frozen=True, slots=True)
class Earlier:
    """The shares of a report's targets, by label; empty where there is no data."""

    shares: dict[str, Share] = field(default_factory=dict)

    def of(self, targets: list[TargetReport]) -> Share | None:
        """The share of some targets together; None where nothing is known of any."""
        found = [self.shares[each.target] for each in targets if each.target in self.shares]
        return sum(found, Share(0, 0, 0)) if found else None


def earlier(report: Report, file: str = "") -> Earlier:
    """What the project's own tests cover of the targets of a report, and what the inputs add. The
    data is in the file that is named; without a name it is in `.coverage` of the working folder,
    and where that cannot be read there are no shares.
    """
    name = file or OWN_DATA
    if not file and not Path(name).is_file():
        return Earlier()
    try:
        data = CoverageData(name)
    except SymcreteError:
        if file:
            raise
        return Earlier()
    found: dict[str, Share] = {}
    for target in report.targets:
        with contextlib.suppress(SymcreteError, OSError, LookupError, SyntaxError):
            share = _share(target, data) if target.file and not target.error else None
            if share is not None:
                found[target.target] = share
    return Earlier(found)


def _share(report: TargetReport, data: CoverageData) -> Share | None:
    """The share of one target; None where its file has changed since it was measured."""
    source = source_of_file(Path(report.file))
    target = without_excluded(
        Target(source, report.scope, report.target), excluding_patterns(Path.cwd())
    )
    if data.changed_since([target]):
        return None
    covered = data.covered(target)
    sites = sites_of(source)
    own = sites.own(report.scope)
    numbers = {site.number: site for site in own}
    lacked = {spot.key for spot in (*report.open, *report.infeasible)}
    counted = [
        each
        for each in sites.own_branches(report.scope)
        if branch_name(each) not in target.uncounted
    ]
    found = {
        branch_name(each)
        for each in counted
        if any(
            name_of(numbers[number], side, own[0].number) not in lacked
            for number, side in each.outcomes
            if number in numbers
        )
    }
    names = {branch_name(each) for each in counted}
    return Share(len(covered & names), len((covered | found) & names), len(names))
