"""One function on the page: its source, its inputs, its graph, its paths, its time."""

from __future__ import annotations

import contextlib
import re
from html import escape
from pathlib import Path

from symcrete.errors import SymcreteError
from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.program.source.module import source_of_file
from symcrete.program.source.target import Target
from symcrete.report.formats.graph import COLOURS, draw
from symcrete.report.formats.remarks import shown_path
from symcrete.report.formats.svg import FAINT, FILLS, svg
from symcrete.report.page.before_after import Share
from symcrete.report.page.charts import spent, timeline
from symcrete.report.page.path_tree import path_tree
from symcrete.report.page.source_view import source_view
from symcrete.run.use import Ending

MOST_BOXES = 160  # of a graph that is drawn: laying out more takes seconds, and nobody reads it
MOST_SHOWN_INPUTS = 400  # shown of one function; JSON has all
# Colours of the pictures, and the variables of the page's style that replace them, so that pictures
# follow the light and the dark theme. No colour is in two of these tables.
_INKS = {"#ffffff": "paper", "#212121": "ink", "#9a9a9a": "faint", FAINT: "line"}
_INKS |= {fill: f"{state}-fill" for state, fill in FILLS.items()}
_INKS |= {colour: state for state, colour in COLOURS.items()}


def function_view(number: int, target: TargetReport, before: Share | None = None) -> str:
    """The section of one function; `before`: what is known of earlier tests."""
    name = f"f{number}"
    parts = [f"<section class='function' id='{name}'>", _heading(target, before)]
    if target.error:
        parts.append(f"<pre class='failure'>{escape(target.error)}</pre>")
    else:
        shown = target.inputs[:MOST_SHOWN_INPUTS]
        parts += [
            source_view(target, shown),
            "<h3>Inputs</h3>",
            _inputs(name, target, shown),
            _implicit(target),
            _notes(target),
            _pictures(name, target),
        ]
    parts.append("</section>\n")
    return "".join(parts)


def called(target: TargetReport) -> str:
    """The function as its file names it; `Cart.total.fset` sets a property."""
    if target.kind == "setter":
        return f"{target.scope}.fset"
    return target.scope or target.target


def _heading(target: TargetReport, before: Share | None) -> str:
    branches, conditions = target.branches, target.conditions
    place = escape(shown_path(target.file)) if target.file else ""
    told = [
        f"{branches.covered} of {branches.total} branches",
        f"{conditions.covered} of {conditions.total} conditions",
    ]
    told += [f"{branches.infeasible} infeasible"] if branches.infeasible else []
    told += [f"{branches.open} open"] if branches.open else []
    if before is not None and before.total:
        told.append(f"your tests {before.before}, with these inputs {before.after}")
    told += [f"{target.runs} runs", f"{target.seconds:.2f} s"]
    return (
        f"<h2><span class='name'>{escape(called(target))}</span> "
        f"<span class='status {target.status}'>{target.status}</span></h2>"
        f"<p class='told'><span class='file'>{place}</span> · {' · '.join(told)}</p>"
    )


def result_of(found: FoundInput) -> str:
    """What an input did, in a few words."""
    if found.outcome == Ending.RETURNED:
        return found.returned or f"an object of {found.result_type}"
    if found.outcome == Ending.RAISED:
        return f"raises {found.raised}"
    return f"{found.outcome}: {found.reason}" if found.reason else found.outcome


def _inputs(name: str, target: TargetReport, shown: tuple[FoundInput, ...]) -> str:
    if not shown:
        return "<p class='quiet'>None was found.</p>"
    rows = [_input(name, number, each) for number, each in enumerate(shown)]
    more = len(target.inputs) - len(shown)
    rest = f"<p class='quiet'>… and {more} more, which JSON has.</p>" if more > 0 else ""
    return (
        "<div class='wide'><table class='inputs'><thead><tr><th class='number'>#</th>"
        "<th>input</th><th>result</th><th>newly covers</th><th>path condition</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>{rest}"
    )


def _input(name: str, number: int, found: FoundInput) -> str:
    situation = "".join(
        f"<div class='situation'>{escape(each)}</div>"
        for each in [*found.told_situation, *found.setup]
    )
    given = ", ".join(f"{key}={text}" for key, text in found.args.items())
    covers = "".join(
        f"<span class='pill covered'>{spot.line}: {escape(spot.text or spot.kind)}</span> "
        for spot in found.covers
    )
    left_out = found.conditions_left_out
    path = found.path_condition or ("" if left_out else "always")
    hidden = f" <span class='quiet'>and {left_out} more conditions</span>" if left_out else ""
    untested = f"<div class='quiet'>no test: {escape(found.untested)}</div>"
    kind = "returned" if found.outcome == Ending.RETURNED else "raised"
    return (
        f"<tr id='{name}-i{number}' data-input='{number}'><td class='number'>{number + 1}</td>"
        f"<td><code>{escape(given) or '()'}</code>{situation}</td>"
        f"<td class='{kind}'><code>{escape(result_of(found))}</code>"
        f"{untested if found.untested else ''}</td><td>{covers}</td>"
        f"<td><code class='path'>{escape(path)}</code>{hidden}</td></tr>"
    )


def _implicit(target: TargetReport) -> str:
    found = [
        f"<li>line {each.line}: {escape(each.kind)} "
        f"<span class='{'covered' if each.covered else 'quiet'}'>"
        f"{'an input raises it' if each.covered else 'no input found'}</span></li>"
        for each in target.implicit
    ]
    return f"<h3>Hidden errors</h3><ul>{''.join(found)}</ul>" if found else ""


def _notes(target: TargetReport) -> str:
    found = "".join(f"<li>{escape(note)}</li>" for note in target.notes)
    return f"<h3>Notes</h3><ul>{found}</ul>" if found else ""


def _pictures(name: str, target: TargetReport) -> str:
    rows = (
        ("Control flow", _graph(name, target), True),
        ("Paths", path_tree(name, target), True),
        ("Coverage over time", timeline(target), False),
        ("Where the time went", spent(target), False),
    )
    return "".join(
        f"<details{' open=' + chr(39) + 'open' + chr(39) if is_open else ''}>"
        f"<summary>{title}</summary><div class='wide picture'>{picture}</div></details>"
        for title, picture, is_open in rows
        if picture
    )


def _graph(name: str, target: TargetReport) -> str:
    """The control-flow graph in the colours of the page; nothing where the code cannot be read."""
    with contextlib.suppress(SymcreteError, OSError, LookupError, ValueError):
        source = source_of_file(Path(target.file))
        drawing = draw(Target(source, target.scope, target.target), target)
        if len(drawing.boxes) <= MOST_BOXES:
            picture = svg(drawing)
            for colour, ink in _INKS.items():
                picture = picture.replace(f'"{colour}"', f'"var(--{ink})"')
            # A browser does not draw an arrowhead that is defined in a hidden picture, so each
            # picture defines its own, under names that no other has.
            picture = re.sub(r'id="(\w+)"', rf'id="{name}-\1"', picture)
            return re.sub(r"url\(#(\w+)\)", rf"url(#{name}-\1)", picture)
        return f"<p class='quiet'>{len(drawing.boxes)} boxes are too many for a picture.</p>"
    return ""
