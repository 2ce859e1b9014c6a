"""The report as a page, and as the table a notebook shows."""

from __future__ import annotations

from html import escape
from typing import TextIO

from symcrete.explore.findings import FoundInput, Report, TargetReport

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; color: #1d2733; }
table { border-collapse: collapse; margin: .5rem 0 1.2rem; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; vertical-align: top; }
th { color: #66717f; font-weight: 500; border-bottom: 1px solid #d8dee6; }
td { font-family: ui-monospace, monospace; font-size: 13px; border-bottom: 1px solid #eef1f5; }
.raised { color: #b3261e; } .open { color: #9a6700; } .done { color: #1a7f37; }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .2rem; } p { margin: .2rem 0; color: #66717f; }
"""


class Html:
    def emit(self, report: Report, out: TextIO) -> None:
        out.write("<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>")
        out.write(f"<title>Symcrete</title><style>{_STYLE}</style></head>\n<body>\n")
        out.write("<h1>What Symcrete found</h1>\n")
        out.write(table(report))
        out.write("</body></html>\n")


def table(report: Report) -> str:
    return "\n".join(_target(each) for each in report.targets)


def _target(target: TargetReport) -> str:
    parts = [f"<h2>{escape(target.target)}</h2>"]
    if target.error:
        return "\n".join([*parts, f"<p class='open'>{escape(target.error)}</p>"])
    done = "done" if target.branches.open == 0 else "open"
    parts.append(
        f"<p><span class='{done}'>{target.branches.covered} of {target.branches.total} branches"
        f"</span>, {target.conditions.covered} of {target.conditions.total} conditions, "
        f"{target.runs} runs, {target.seconds:.2f} s</p>"
    )
    parts.append("<table><tr><th>input</th><th>result</th><th>newly covers</th></tr>")
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
    if found.outcome == "returned":
        result = found.returned or found.result_type
    else:
        result = found.raised or f"{found.outcome}: {found.reason}"
    kind = "returned" if found.outcome == "returned" else "raised"
    covers = ", ".join(f"{spot.line}: {spot.text}" for spot in found.covers)
    cells = (
        f"<td>{escape(call)}</td><td class='{kind}'>{escape(result)}</td><td>{escape(covers)}</td>"
    )
    return f"<tr>{cells}</tr>"
