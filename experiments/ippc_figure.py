"""IPPC's Figure 4 from the committed results: the fewer runs a call brings, the more IPPC gains."""

from __future__ import annotations

import json

from experiments.committed import FACTS, Result
from experiments.figures import draw_points
from experiments.ippc_tables import FIGURE_4

FURTHEST = 1.2  # runs for each call; a search that solves by closed forms alone makes no call


def figure_4(result: Result) -> str:
    """As SVG: points by subject and order, the paper's beside ours."""
    table = next(each for each in result.tables if each.title == FIGURE_4)
    groups: dict[str, dict[str, tuple[float, float]]] = {
        "paper": _printed(),
        "IPPC": {},
        "ours": {},
    }
    for name, _, order, share, *factors in table.rows:
        for tool, factor in zip(("IPPC", "ours"), factors, strict=True):
            if factor and float(share) <= FURTHEST:
                groups[tool][f"{name} {order}"] = float(share), float(factor)
    return draw_points(
        groups, across="runs for each call of DFS", up="times as fast as DFS, whole time"
    )


def _printed() -> dict[str, tuple[float, float]]:
    """The paper's points, from its Table 2: at each subject's largest iteration count."""
    rows = json.loads((FACTS / "ippc_table2.json").read_text())["table2"]
    largest = {row["uut"]: row for row in rows}
    return {
        name: (
            row["iterations"] / row["cs_calls"]["DFS"],
            row["time_s"]["DFS"] / row["time_s"]["IPPC"],
        )
        for name, row in largest.items()
        if row["cs_calls"].get("DFS") and row["time_s"].get("DFS") and row["time_s"].get("IPPC")
    }
