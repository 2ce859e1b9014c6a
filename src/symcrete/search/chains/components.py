"""The loops of a graph, and an order in which their states can be eliminated cheaply.

Graphs are successor lists over the integers 0..n-1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heappush


def strongly_connected(successors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The strongly connected components, every component after those it can reach (Tarjan)."""
    unseen = -1
    low = [unseen] * len(successors)
    done = [False] * len(successors)
    components: list[list[int]] = []
    clock = 0
    for root in range(len(successors)):
        if low[root] != unseen:
            continue
        index: dict[int, int] = {}
        open_states: list[int] = []
        work = [(root, 0)]
        while work:
            state, position = work.pop()
            if position == 0:
                low[state] = index[state] = clock
                clock += 1
                open_states.append(state)
            following = successors[state]
            while position < len(following):
                target = following[position]
                position += 1
                if low[target] == unseen:
                    work.append((state, position))
                    work.append((target, 0))
                    break
                if not done[target]:
                    low[state] = min(low[state], index[target])
            else:
                if low[state] == index[state]:
                    components.append(_close(open_states, state, done))
                if work:
                    parent = work[-1][0]
                    if not done[state]:
                        low[parent] = min(low[parent], low[state])
    return components


def _close(open_states: list[int], head: int, done: list[bool]) -> list[int]:
    component = []
    while True:
        state = open_states.pop()
        done[state] = True
        component.append(state)
        if state == head:
            return component


def elimination_order(
    members: Collection[int], successors: Sequence[Sequence[int]]
) -> tuple[list[int], list[list[int]]]:
    """Members in minimum-degree order, and for each the later members it is then linked to.

    Control flow graphs are nearly trees, so that few links appear. Among states of equal degree
    the one with the shallowest history goes first: a loop of n states then makes a chain of
    eliminations of length log n rather than n, and a change touches only such a chain.
    """
    inside = set(members)
    linked: dict[int, set[int]] = {state: set() for state in members}
    for state in members:
        for target in successors[state]:
            if target in inside and target != state:
                linked[state].add(target)
                linked[target].add(state)
    depth = dict.fromkeys(members, 0)
    heap = [(len(linked[state]), 0, state) for state in members]
    heapify(heap)
    order: list[int] = []
    later: dict[int, set[int]] = {}
    while heap:
        degree, history, state = heappop(heap)
        if state in later or degree != len(linked[state]) or history != depth[state]:
            continue
        neighbours = linked.pop(state)
        order.append(state)
        later[state] = neighbours
        for neighbour in neighbours:
            links = linked[neighbour]
            links |= neighbours
            links -= {state, neighbour}
            depth[neighbour] = max(depth[neighbour], history + 1)
            heappush(heap, (len(links), depth[neighbour], neighbour))
    position = {state: place for place, state in enumerate(order)}
    return order, [sorted(later[state], key=position.__getitem__) for state in order]
