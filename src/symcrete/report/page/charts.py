"""How coverage grew while a function was explored, and what the time was spent on."""

from __future__ import annotations

from symcrete.explore.findings import TargetReport

CHART_WIDTH, CHART_HEIGHT, AXIS, FOOT, HEAD = 560.0, 150.0, 40.0, 24.0, 12.0  # pixels


def timeline(target: TargetReport) -> str:
    """Conditions covered by runs of the exploration, over its seconds; nothing without data."""
    total = target.conditions.total
    if not target.timeline or not total:
        return ""
    seconds = max(target.seconds, target.timeline[-1][0], 0.001)
    across, up = (CHART_WIDTH - AXIS) / seconds, (CHART_HEIGHT - FOOT - HEAD) / total
    floor = CHART_HEIGHT - FOOT
    covered, way = 0, f"M{AXIS:.1f} {floor:.1f}"
    for moment, gained in target.timeline:
        covered = min(total, covered + gained)
        way += f" H{AXIS + moment * across:.1f} V{floor - covered * up:.1f}"
    way += f" H{CHART_WIDTH:.1f}"
    top = floor - total * up
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="{CHART_WIDTH:.0f}" '
        f'height="{CHART_HEIGHT:.0f}" viewBox="0 0 {CHART_WIDTH:.0f} {CHART_HEIGHT:.0f}" '
        'font-size="11">'
        f'<path d="M{AXIS} {floor} H{CHART_WIDTH}" stroke="var(--line)"/>'
        f'<path d="M{AXIS} {top:.1f} H{CHART_WIDTH}" stroke="var(--line)" '
        'stroke-dasharray="3 3"/>'
        f'<path d="{way} V{floor} H{AXIS} Z" fill="var(--covered-fill)"/>'
        f'<path d="{way}" fill="none" stroke="var(--covered)" stroke-width="2"/>'
        f'<text x="{AXIS - 6}" y="{top + 4:.1f}" text-anchor="end" '
        f'fill="var(--faint)">{total}'
        "</text>"
        f'<text x="{AXIS - 6}" y="{floor}" text-anchor="end" fill="var(--faint)">0</text>'
        f'<text x="{AXIS}" y="{CHART_HEIGHT - 6}" fill="var(--faint)">0 s</text>'
        f'<text x="{CHART_WIDTH}" y="{CHART_HEIGHT - 6}" text-anchor="end" '
        f'fill="var(--faint)">{seconds:.2f} s'
        "</text></svg><p class='quiet'>Conditions covered while it was explored, before inputs "
        "were replayed.</p>"
    )


def spent(target: TargetReport) -> str:
    """A bar that shows how the time was shared between running, solving and the rest, with a legend
    in seconds; nothing where no time was measured.
    """
    if target.seconds <= 0:
        return ""
    rest = max(0.0, target.seconds - target.seconds_running - target.seconds_solving)
    parts = (
        ("running the function", target.seconds_running, "covered"),
        ("solving", target.seconds_solving, "open"),
        ("starting, choosing, replaying", rest, "infeasible"),
    )
    whole = sum(seconds for _, seconds, _ in parts) or 1.0
    pieces = "".join(
        f"<i class='{ink}' style='width:{100 * seconds / whole:.2f}%'></i>"
        for _, seconds, ink in parts
    )
    words = "".join(
        f"<li class='{ink}'><b>{seconds:.2f} s</b> {what}</li>" for what, seconds, ink in parts
    )
    calls = target.solver.get("calls", 0)
    return (
        f"<div class='bar tall'>{pieces}</div><ul class='legend'>{words}</ul>"
        f"<p class='quiet'>{target.runs} runs, {calls} calls of a solver.</p>"
    )
