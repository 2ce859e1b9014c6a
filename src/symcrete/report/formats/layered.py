"""Place a directed graph in layers, so that it can be drawn without other programs.

The steps of Sugiyama, Tagawa and Toda: turn the arrows of cycles, put every node below those that
lead to it, order each layer by where its neighbours are, then push nodes under one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

from symcrete.slotted import dataclass

LAYER_SWEEPS = 12  # passes over all layers: further ones uncross hardly anything
GAP = 28.0  # pixels between neighbours in a layer
LAYER_GAP = 34.0  # pixels between layers, in which arrows bend
THREAD = 8.0  # pixels, the width of an arrow that passes a layer


@dataclass(slots=True)
class Placed:
    """Where everything is: centres of nodes, and for each edge the points it passes."""

    x: list[float]
    y: list[float]
    routes: list[list[tuple[float, float]]]
    width: float
    height: float


@dataclass(slots=True)
class _Layout:
    # width and height of each node; behind the graph's own come threads, one for each layer that a
    # long edge passes
    sizes: list[tuple[float, float]]
    layer: list[int]  # of each node, from 0 at the top
    above: list[list[int]] = field(default_factory=list)  # by node, its neighbours one layer up
    below: list[list[int]] = field(default_factory=list)  # by node, its neighbours one layer down
    rows: list[list[int]] = field(default_factory=list)  # by layer, its nodes from the left
    x: list[float] = field(default_factory=list)  # the centre of each node


def place(sizes: Sequence[tuple[float, float]], edges: Sequence[tuple[int, int]]) -> Placed:
    """Where to draw the nodes and edges of a graph. `sizes` are width and height of the nodes;
    edges are pairs of their numbers; node 0 is drawn at the top.
    """
    down = _downward(len(sizes), edges)
    layout = _Layout(list(sizes), _layers(len(sizes), down))
    threads = _threads(layout, down)
    _order(layout)
    _align(layout)
    return _result(layout, len(sizes), edges, down, threads)


def _downward(count: int, edges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The edges, turned round where they would close a cycle; one that leads from a node to itself
    stays as it is.
    """
    leaving: list[list[int]] = [[] for _ in range(count)]
    for source, target in edges:
        leaving[source].append(target)
    done, finished = [0] * count, []  # 0 new, 1 on the way, 2 done
    for root in range(count):
        stack = [(root, iter(leaving[root]))] if not done[root] else []
        if stack:
            done[root] = 1
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if not done[target]:
                    done[target] = 1
                    stack.append((target, iter(leaving[target])))
                    break
            else:
                done[node] = 2
                finished.append(node)
                stack.pop()
    rank = {node: place for place, node in enumerate(reversed(finished))}
    return [(a, b) if rank[a] <= rank[b] else (b, a) for a, b in edges]


def _layers(count: int, down: list[tuple[int, int]]) -> list[int]:
    """The layer of each node, below those of all nodes that lead to it."""
    waiting = [0] * count
    leaving: list[list[int]] = [[] for _ in range(count)]
    for source, target in down:
        if source != target:
            leaving[source].append(target)
            waiting[target] += 1
    layer = [0] * count
    ahead = [node for node in range(count) if not waiting[node]]
    for node in ahead:
        for target in leaving[node]:
            layer[target] = max(layer[target], layer[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ahead.append(target)
    return layer


def _threads(layout: _Layout, down: list[tuple[int, int]]) -> list[list[int]]:
    """For each edge its nodes from top to bottom, with one thread in each layer between."""
    layout.above = [[] for _ in layout.sizes]
    layout.below = [[] for _ in layout.sizes]
    threads: list[list[int]] = []
    for source, target in down:
        chain = [source]
        for between in range(layout.layer[source] + 1, layout.layer[target]):
            chain.append(len(layout.sizes))
            layout.sizes.append((THREAD, 0.0))
            layout.layer.append(between)
            layout.above.append([])
            layout.below.append([])
        chain.append(target)
        for a, b in pairwise(chain):
            if a != b:
                layout.below[a].append(b)
                layout.above[b].append(a)
        threads.append(chain)
    layout.rows = [[] for _ in range(max(layout.layer, default=0) + 1)]
    for node, layer in enumerate(layout.layer):
        layout.rows[layer].append(node)
    return threads


def _order(layout: _Layout) -> None:
    """Order each layer so that few edges cross. Sweeps down and up move each node to the mean place
    of its neighbours; the order with the fewest crossings is kept.
    """
    best, fewest = [row.copy() for row in layout.rows], _crossings(layout)
    for sweep in range(LAYER_SWEEPS):
        downward = sweep % 2 == 0
        rows = layout.rows[1:] if downward else layout.rows[-2::-1]
        neighbours = layout.above if downward else layout.below
        position = {node: place for row in layout.rows for place, node in enumerate(row)}
        for row in rows:
            wish = {
                node: _mean([position[n] for n in neighbours[node]], position[node]) for node in row
            }
            row.sort(key=lambda node: wish[node])
            position.update({node: place for place, node in enumerate(row)})
        crossings = _crossings(layout)
        if crossings < fewest:
            best, fewest = [row.copy() for row in layout.rows], crossings
    layout.rows = best


def _mean(places: list[int], otherwise: float) -> float:
    return sum(places) / len(places) if places else otherwise


def _crossings(layout: _Layout) -> int:
    position = {node: place for row in layout.rows for place, node in enumerate(row)}
    total = 0
    for row in layout.rows:
        ends = [sorted(position[n] for n in layout.below[node]) for node in row]
        flat: list[int] = []
        for targets in ends:
            total += sum(1 for target in targets for earlier in flat if earlier > target)
            flat += targets
    return total


def _align(layout: _Layout) -> None:
    """Pull each node under the middle of its neighbours, as far as the row leaves room."""
    layout.x = [0.0] * len(layout.sizes)
    for row in layout.rows:
        _spread(layout, row, dict.fromkeys(row, 0.0))
    for sweep in range(LAYER_SWEEPS):
        downward = sweep % 2 == 0
        rows = layout.rows if downward else list(reversed(layout.rows))
        neighbours = layout.above if downward else layout.below
        for row in rows:
            wish = {}
            for node in row:
                near = sorted(layout.x[each] for each in neighbours[node])
                middle = (near[(len(near) - 1) // 2] + near[len(near) // 2]) / 2 if near else None
                wish[node] = layout.x[node] if middle is None else middle
            _spread(layout, row, wish)


def _spread(layout: _Layout, row: list[int], wish: dict[int, float]) -> None:
    """Place the nodes of a row as near to the wished places as they can be without overlapping: the
    mean of pushing them apart to the right and to the left.
    """
    right: dict[int, float] = {}
    edge = float("-inf")
    for node in row:
        half = layout.sizes[node][0] / 2
        right[node] = max(wish[node], edge + half)
        edge = right[node] + half + GAP
    left: dict[int, float] = {}
    edge = float("inf")
    for node in reversed(row):
        half = layout.sizes[node][0] / 2
        left[node] = min(wish[node], edge - half)
        edge = left[node] - half - GAP
    for node in row:
        layout.x[node] = (right[node] + left[node]) / 2


def _result(
    layout: _Layout,
    count: int,
    edges: Sequence[tuple[int, int]],
    down: list[tuple[int, int]],
    threads: list[list[int]],
) -> Placed:
    top, y = 0.0, [0.0] * len(layout.sizes)
    for row in layout.rows:
        tallest = max((layout.sizes[node][1] for node in row), default=0.0)
        for node in row:
            y[node] = top + tallest / 2
        top += tallest + LAYER_GAP
    left = min((layout.x[n] - layout.sizes[n][0] / 2 for n in range(len(layout.x))), default=0.0)
    x = [each - left for each in layout.x]
    width = max((x[n] + layout.sizes[n][0] / 2 for n in range(len(x))), default=0.0)
    routes = []
    for edge, turned, chain in zip(edges, down, threads, strict=True):
        points = [(x[node], y[node]) for node in chain]
        routes.append(points if edge == turned else points[::-1])
    return Placed(x[:count], y[:count], routes, width, max(0.0, top - LAYER_GAP))
