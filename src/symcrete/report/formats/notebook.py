"""The report as the table that a notebook shows."""

from __future__ import annotations

from html import escape

from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.notation import several
from symcrete.run.use import Ending

_HEAD = "<tr><th>input</th><th>result</th><th>newly covers</th></tr>"
_STYLE = """<style>
.symcrete td, .symcrete th { text-align: left; vertical-align: top; padding: .2rem .9rem .2rem 0; }
.symcrete td { font-family: ui-monospace, monospace; font-size: 13px; }
.symcrete .raised { color: #b3261e; } .symcrete .open { color: #b35900; }
.symcrete .done { color: #00796b; }
</style>"""


def table(report: Report) -> str:
    """A fragment of a page: for each function its coverage and its inputs."""
    inside = "\n".join(_target(each) for each in report.targets)
    return f"{_STYLE}\n<div class='symcrete'>{inside}</div>"


def _target(target: TargetReport) -> str:
    parts = [f"<h4>{escape(target.target)}</h4>"]
    if target.error:
        return "\n".join([*parts, f"<p class='open'>{escape(target.error)}</p>"])
    done = "done" if target.branches.open == 0 else "open"
    parts.append(
        f"<p><span class='{done}'>{target.branches.covered} of {target.branches.total} branches"
        f"</span>, {target.conditions.covered} of {target.conditions.total} conditions, "
        f"{several(target.runs, 'run')}, {target.seconds:.2f} s</p>"
    )
    parts.append(f"<table>{_HEAD}")
    parts += [_row(each) for each in target.inputs]
    parts.append("</table>")
    parts += [
        f"<p class='open'>open: line {spot.line}, <code>{escape(spot.text)}</code>: "
        f"{escape(spot.reason)}</p>"
        for spot in target.open
    ]
    parts += [
        f"<p>infeasible: line {spot.line}, <code>{escape(spot.text)}</code> "
        f"({escape(spot.proof)}{escape(''.join(f', assuming that {a}' for a in spot.assumes))})</p>"
        for spot in target.infeasible
    ]
    return "\n".join(parts)


def _row(found: FoundInput) -> str:
    given = ", ".join(f"{name}={text}" for name, text in found.args.items())
    call = "; ".join([*found.told_situation, *found.setup, given])
    if found.outcome == Ending.RETURNED:
        result = found.returned or found.result_type
    else:
        result = found.raised or f"{found.outcome}: {found.reason}"
    kind = "returned" if found.outcome == Ending.RETURNED else "raised"
    covers = ", ".join(f"{spot.line}: {spot.text}" for spot in found.covers)
    cells = (
        f"<td>{escape(call)}</td><td class='{kind}'>{escape(result)}</td><td>{escape(covers)}</td>"
    )
    return f"<tr>{cells}</tr>"
