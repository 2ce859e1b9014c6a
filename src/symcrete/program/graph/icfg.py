"""The inter-procedural control-flow graph: the functions of a program, joined where they call.

Its nodes are the points of all functions, and between them one node for each edge where a point can
go on in more than one way: so that a branch can be asked for dominators and distances like a point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from symcrete.program.graph.calls import CallGraph, imported_modules, is_module
from symcrete.program.graph.cfg import EXIT, GRAPH_ENTRY, RAISED, Cfg, Edge
from symcrete.program.graph.control_dependence import control_dependence
from symcrete.program.graph.dominators import DominatorTree, reverse_postorder
from symcrete.program.graph.statements import graphs_of_module
from symcrete.program.source.module import parsed
from symcrete.program.source.sites import ModuleSites, Outcome, SiteTable


class ProgramGraph:
    """The graph of all functions that a target may lead to."""

    def __init__(self, graphs: list[Cfg], entry: Cfg, sites: SiteTable) -> None:
        self.graphs = graphs
        self.entry = entry
        self._sites = sites
        self._base: dict[Cfg, int] = {}  # the node of a graph's first point
        self._split: dict[tuple[int, Edge], int] = {}  # nodes of edges, by base and edge
        self._nodes: dict[Outcome, int | None] = {}  # found so far
        self.after: list[list[int]] = []  # within functions
        self.weighs = bytearray()  # 1 where a node is a branch
        for graph in graphs:
            self._base[graph] = len(self.after)
            self.after += [[] for _ in graph.points]
            self.weighs.extend(bytes(len(graph.points)))
        for graph in graphs:
            self._join(graph)
        self.root = self._base[entry]
        self.calls, self.returns = self._call_edges()

    def node(self, outcome: Outcome) -> int | None:
        """Where an outcome is in the graph; None for conditions outside the rewritten functions."""
        if outcome not in self._nodes:
            self._nodes[outcome] = self._implicit(outcome)
        return self._nodes[outcome]

    def at_line(self, file: str, line: int) -> list[int]:
        """The nodes of the points whose statement begins at a line of a file."""
        return [
            self._base[graph] + point.number
            for graph in self.graphs
            if graph.file == file
            for point in graph.points
            if point.line == line and point.number > RAISED
        ]

    def dominates(self, a: Outcome, b: Outcome, *, across_calls: bool = False) -> bool:
        """Whether every path from the target's entry to the branch b passes the branch a before.

        Across calls, a may also be a branch of a function that has returned before b.
        """
        first, second = self.node(a), self.node(b)
        if first is None or second is None:
            return False
        tree = self.dominators_across_calls if across_calls else self.dominators
        return tree.strictly_dominates(first, second)

    @cached_property
    def dominators(self) -> DominatorTree:
        """The dominators where a call leads both into its callee and past it; callees have no way
        back, so a path that has returned from a call is one that went past it.
        """
        after = [[*within, *calls] for within, calls in zip(self.after, self.calls, strict=True)]
        reached = set(reverse_postorder(after, self.root))
        strays = [self._base[g] for g in self.graphs if self._base[g] not in reached]
        after[self.root] += strays  # called in ways that the text does not show
        return DominatorTree(after, self.root)

    @cached_property
    def dominators_across_calls(self) -> DominatorTree:
        """The dominators where a call leads into its callees, whose ends lead back to any of their
        callers. A call leads past its callees only where the text shows none, or does not show how
        they are left.
        """
        within = zip(self.after, self.calls, self.returns, strict=True)
        after = [[*(calls or here), *returns] for here, calls, returns in within]
        reached = set(reverse_postorder(after, self.root))
        for node, (here, calls) in enumerate(zip(self.after, self.calls, strict=True)):
            if node in reached and calls and not reached.intersection(here):
                after[node] += here  # what it calls does not return as the text has it
        strays = [self._base[g] for g in self.graphs if self._base[g] not in reached]
        after[self.root] += strays
        return DominatorTree(after, self.root)

    @cached_property
    def dependents(self) -> dict[Outcome, int]:
        """How many statements run because of an outcome, directly or not, in callees too."""
        direct: dict[Outcome, int] = {}
        leads: dict[Outcome, set[Outcome]] = {}
        for graph in self.graphs:
            for outcome, points in control_dependence(graph).items():
                direct[outcome] = 0
                leads[outcome] = set()
                for number in points:
                    self._depend(graph, number, outcome, direct, leads)
        return {outcome: bits.bit_count() for outcome, bits in _closure(direct, leads).items()}

    def _depend(
        self,
        graph: Cfg,
        number: int,
        outcome: Outcome,
        direct: dict[Outcome, int],
        leads: dict[Outcome, set[Outcome]],
    ) -> None:
        """Add to an outcome what runs because a point does: to `direct` the bits of statements, its
        own and those of callees, to `leads` the outcomes of its condition and of callees.
        """
        point = graph.points[number]
        here = self._base[graph] + number
        direct[outcome] |= (point.kind == "statement") << here
        if point.site is not None:
            leads[outcome] |= {(point.site, False), (point.site, True)}
        for callee in self.calls[here]:
            direct[outcome] |= self._bodies[callee][0]
            leads[outcome] |= self._bodies[callee][1]

    @cached_property
    def _bodies(self) -> dict[int, tuple[int, set[Outcome]]]:
        """For the entry node of each function, its statements as bits and its outcomes."""
        found = {}
        for graph in self.graphs:
            base = self._base[graph]
            bits = sum(1 << base + p.number for p in graph.points if p.kind == "statement")
            found[base] = (bits, set(graph.branches))
        return found

    def _join(self, graph: Cfg) -> None:
        base = self._base[graph]
        for edge in graph.edges():
            source, target = base + edge.source, base + edge.target
            if len(graph.after[edge.source]) == 1:
                self.after[source].append(target)
                continue
            between = len(self.after)
            self.after.append([target])
            self.after[source].append(between)
            self.weighs.append(edge.outcome is not None or edge.implicit)
            self._split[base, edge] = between
            if edge.outcome is not None:
                self._nodes[edge.outcome] = between

    def _call_edges(self) -> tuple[list[list[int]], list[list[int]]]:
        """From each node to the entries of what it calls, and from ends back to after the call."""
        resolved = CallGraph(self.graphs)
        calls: list[list[int]] = [[] for _ in self.after]
        returns: list[list[int]] = [[] for _ in self.after]
        for graph in self.graphs:
            for point in graph.points:
                here = self._base[graph] + point.number
                for called in point.calls:
                    for callee in resolved.callees(graph, called):
                        entry = self._base[callee]
                        calls[here].append(entry + GRAPH_ENTRY)
                        for target in self.after[here]:
                            returns[entry + (RAISED if self.weighs[target] else EXIT)].append(
                                target
                            )
        return calls, returns

    def _implicit(self, outcome: Outcome) -> int | None:
        """The node for an outcome of an operation that may raise: its error is the implicit edge of
        the point, its success the other one.
        """
        number, goes_well = outcome
        site = self._sites[number]
        for graph in self._around(site.file, site.scope):
            point = graph.covering(site.line, site.column)
            if point is None:
                continue
            for edge in graph.after[point.number]:
                if edge.implicit != goes_well:
                    return self._split.get((self._base[graph], edge))
        return None

    def _around(self, file: str, scope: str) -> Iterable[Cfg]:
        """The graph of the function around a scope: comprehensions have scopes of their own but run
        in a function.
        """
        names = [part for part in scope.split(".") if part not in _INLINED]
        wanted = ".".join(names)
        return (each for each in self.graphs if each.file == file and each.scope == wanted)


_INLINED = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


def _closure(direct: dict[Outcome, int], leads: dict[Outcome, set[Outcome]]) -> dict[Outcome, int]:
    """Each outcome's own statements and those of every outcome it leads to, as bits of an int."""
    total = dict(direct)
    led_by: dict[Outcome, list[Outcome]] = {}
    for outcome, targets in leads.items():
        for target in targets:
            led_by.setdefault(target, []).append(outcome)
    ahead = list(total)
    waiting = set(ahead)
    while ahead:
        outcome = ahead.pop()
        waiting.discard(outcome)
        for source in led_by.get(outcome, []):
            grown = total[source] | total[outcome]
            if grown != total[source]:
                total[source] = grown
                if source not in waiting:
                    waiting.add(source)
                    ahead.append(source)
    return total


def program_graph(
    files: Mapping[str, ModuleSites], sites: SiteTable, file: str, scope: str
) -> ProgramGraph:
    """The graph around one function: its module, and the rewritten modules that it imports."""
    graphs: list[Cfg] = []
    ahead, seen = [file], {file}
    while ahead:
        here = ahead.pop()
        tree = parsed(here)
        # Rewriting changed the tree that was numbered; the same text gets the same numbers again.
        graphs += graphs_of_module(tree, here, files[here].first)
        modules = imported_modules(tree)
        for other in files:
            if other not in seen and any(is_module(other, module) for module in modules):
                seen.add(other)
                ahead.append(other)
    entry = CallGraph(graphs).named(file, scope)
    assert entry is not None, f"{scope} is defined in {file}, or it could not have been a target"
    return ProgramGraph(graphs, entry, sites)
