"""The report as one page that needs nothing else: a table of functions, then each of them.

Everything is in the text of the page; its script only sorts, searches, selects and lights up what
belongs together, so that the page can be read without it.
"""

from __future__ import annotations

import os
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import TextIO

from symcrete import VERSION
from symcrete.explore.findings import Report, Tally, TargetReport
from symcrete.report.formats.remarks import shown_path
from symcrete.report.page.before_after import Earlier, Share, earlier
from symcrete.report.page.function_view import called, function_view

KEYS = (
    ("j, k", "next and previous function"),
    ("Enter", "open the function that is marked"),
    ("/", "search"),
    ("o, Esc", "back to the overview"),
    ("t", "light or dark"),
    ("?", "these keys"),
)


class Page:
    """Writes the page. `data` is a file of coverage.py's with what the project's own tests cover;
    without it that of the working folder, if there is one.
    """

    def __init__(self, data: str = "") -> None:
        self._data = data

    def emit(self, report: Report, out: TextIO) -> None:
        before = earlier(report, self._data)
        style, script = _part("page.css"), _part("page.js")
        out.write("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'/>")
        out.write("<meta name='viewport' content='width=device-width, initial-scale=1'/>")
        out.write("<link rel='icon' href='data:,'/>")
        out.write(f"<title>Symcrete: {escape(_title(report))}</title>")
        out.write(f"<style>{style}</style></head>\n<body>\n")
        out.write(_header(report))
        out.write("<main>\n")
        out.write(_overview(report, before))
        for number, target in enumerate(report.targets):
            out.write(function_view(number, target, before.of([target])))
        out.write("</main>\n")
        out.write(_help())
        out.write(f"<script>{script}</script>\n</body></html>\n")


def _part(name: str) -> str:
    return (files("symcrete.report.page") / name).read_text(encoding="utf-8")


def _title(report: Report) -> str:
    if len(report.targets) == 1:
        return report.targets[0].target
    places = {os.path.dirname(shown_path(each.file)) for each in report.targets if each.file}
    relative = [each for each in places if not each.startswith("/")]
    common = os.path.commonpath(places) if places and len(relative) in (0, len(places)) else ""
    return f"{common or 'project'}, {len(report.targets)} functions"


def _header(report: Report) -> str:
    return (
        "<header><a class='brand' href='#overview'>Symcrete</a>"
        f"<span class='what'>{escape(_title(report))}</span>"
        "<input id='search' type='search' placeholder='search functions  /' "
        "aria-label='search functions'/>"
        "<button id='theme' title='light or dark (t)' aria-label='light or dark'>◐</button>"
        "<button id='keys' title='keys (?)' aria-label='keys'>?</button></header>\n"
    )


def _help() -> str:
    rows = "".join(f"<tr><td><kbd>{key}</kbd></td><td>{what}</td></tr>" for key, what in KEYS)
    return f"<dialog id='help'><h2>Keys</h2><table>{rows}</table></dialog>\n"


def _sum(targets: list[TargetReport]) -> Tally:
    tallies = [each.branches for each in targets]
    return Tally(
        sum(each.total for each in tallies),
        sum(each.covered for each in tallies),
        sum(each.infeasible for each in tallies),
    )


def _overview(report: Report, before: Earlier) -> str:
    targets = list(report.targets)
    branches = _sum(targets)
    inputs = sum(len(each.inputs) for each in targets)
    hidden = sum(error.covered for each in targets for error in each.implicit)
    stats = [
        (f"{len(targets)}", "functions" if len(targets) != 1 else "function", ""),
        (f"{branches.covered}/{branches.total}", "branches covered", "covered"),
        (f"{branches.infeasible}", "proved infeasible", "infeasible"),
        (f"{branches.open}", "open", "open"),
        (f"{inputs}", "inputs", ""),
        (f"{hidden}", "hidden errors", "error"),
    ]
    share = before.of(targets)
    if share is not None:
        told = "branches covered by your tests, and after"
        stats.append(
            (f"{_percent(share.before, share)} → {_percent(share.after, share)}", told, "")
        )
    cells = "".join(
        f"<li class='{kind}'><b>{number}</b> {what}</li>" for number, what, kind in stats
    )
    parts = [
        "<section id='overview'>",
        f"<ul class='stats'>{cells}</ul>",
        bar(branches),
        _modules(targets, before),
        "<h2>Functions</h2><div class='wide'><table class='sortable' id='functions'><thead><tr>",
        "<th>function</th><th>file</th><th>result</th><th class='number'>branches</th>"
        "<th class='number'>open</th><th class='number'>dead</th><th class='number'>inputs</th>"
        "<th class='number'>errors</th><th class='number'>seconds</th>"
        f"{_earlier_heads(before)}</tr></thead><tbody>",
        *[_function_row(number, each, before) for number, each in enumerate(targets)],
        "</tbody></table></div>",
        "<p class='none' hidden='hidden'>No function matches.</p>",
        f"<p class='made'>symcrete {VERSION}, seed {report.seed}</p></section>\n",
    ]
    return "".join(parts)


def bar(tally: Tally) -> str:
    """Covered, infeasible and open as one coloured bar."""
    if not tally.total:
        return "<div class='bar'></div>"
    shares = (
        ("covered", tally.covered),
        ("infeasible", tally.infeasible),
        ("open", tally.open),
    )
    pieces = "".join(
        f"<i class='{state}' style='width:{100 * count / tally.total:.2f}%' "
        f"title='{count} {state}'></i>"
        for state, count in shares
        if count > 0
    )
    return f"<div class='bar'>{pieces}</div>"


def _percent(count: int, share: Share) -> str:
    return f"{100 * count // share.total} %" if share.total else "100 %"


def _earlier_heads(before: Earlier) -> str:
    """The heads of two more columns, where something is known of earlier tests."""
    if not before.shares:
        return ""
    return (
        "<th class='number' title='branches that your tests cover'>before</th>"
        "<th class='number' title='and those that they and these inputs cover'>after</th>"
    )


def _earlier_cells(targets: list[TargetReport], before: Earlier) -> str:
    if not before.shares:
        return ""
    share = before.of(targets)
    if share is None or not share.total:
        return "<td class='number quiet' data-sort='2'></td>" * 2
    return "".join(
        f"<td class='number' data-sort='{count / share.total:.4f}'>{count}/{share.total}</td>"
        for count in (share.before, share.after)
    )


def _modules(targets: list[TargetReport], before: Earlier) -> str:
    ordered = sorted(targets, key=lambda each: each.file)
    groups = [(file, list(group)) for file, group in groupby(ordered, key=lambda each: each.file)]
    if len(groups) < 2:
        return ""
    rows = []
    for file, group in groups:
        tally, shown = _sum(group), escape(shown_path(file))
        rows.append(
            f"<tr><td><button class='link' data-search='{shown}'>{shown}</button></td>"
            f"<td class='number'>{len(group)}</td>{_share(tally)}"
            f"<td class='number'>{tally.open}</td><td class='number'>{tally.infeasible}</td>"
            f"{_earlier_cells(group, before)}</tr>"
        )
    head = (
        "<th>module</th><th class='number'>functions</th><th class='number'>branches</th>"
        f"<th class='number'>open</th><th class='number'>dead</th>{_earlier_heads(before)}"
    )
    return (
        "<h2>Modules</h2><div class='wide'><table class='sortable' id='modules'><thead><tr>"
        f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _share(tally: Tally) -> str:
    """A cell with the coverage, which sorts by the share of what can be covered."""
    if not tally.total:
        return "<td class='number quiet' data-sort='1.0001'>none</td>"
    feasible = tally.total - tally.infeasible
    share = tally.covered / feasible if feasible else 1.0
    return (
        f"<td class='number' data-sort='{share:.4f}'><span class='share'>{bar(tally)}"
        f"<span>{tally.covered}/{tally.total}</span></span></td>"
    )


def _function_row(number: int, target: TargetReport, before: Earlier) -> str:
    hidden = sum(each.covered for each in target.implicit)
    place = escape(shown_path(target.file)) if target.file else ""
    name = escape(called(target))
    return (
        f"<tr data-function='f{number}'><td><a href='#f{number}'>{name}</a></td>"
        f"<td class='file'>{place}</td><td><span class='status {target.status}'>{target.status}"
        f"</span></td>{_share(target.branches)}"
        f"<td class='number'>{target.branches.open}</td>"
        f"<td class='number'>{target.branches.infeasible}</td>"
        f"<td class='number'>{len(target.inputs)}</td><td class='number'>{hidden}</td>"
        f"<td class='number'>{target.seconds:.2f}</td>{_earlier_cells([target], before)}</tr>"
    )
