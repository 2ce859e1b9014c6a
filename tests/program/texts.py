"""Small programs as graphs."""

from __future__ import annotations

import ast
import textwrap

from symcrete.program.graph.cfg import Cfg
from symcrete.program.graph.icfg import ProgramGraph
from symcrete.program.graph.statements import control_flow_graphs
from symcrete.program.source.sites import ModuleSites, Outcome, SiteTable


class Program:
    """A text, its sites and its graphs; outcomes are asked for by the text of their condition."""

    def __init__(self, text: str) -> None:
        self.text = textwrap.dedent(text).strip("\n") + "\n"
        self.sites = SiteTable()
        tree = ast.parse(self.text)
        self.numbered = ModuleSites(tree, "program.py", self.sites)
        self.graphs = control_flow_graphs(tree, self.numbered)

    def cfg(self, scope: str) -> Cfg:
        (found,) = [each for each in self.graphs if each.scope == scope]
        return found

    def graph(self, scope: str) -> ProgramGraph:
        return ProgramGraph(self.graphs, self.cfg(scope), self.sites)

    def outcome(self, text: str, side: bool) -> Outcome:
        (number,) = [site.number for site in self.sites.sites if site.text == text]
        return number, side


def arcs(text: str, scope: str = "f") -> set[tuple[int, int]]:
    """Between lines; arcs from a line to itself say nothing."""
    return {(a, b) for a, b in Program(text).cfg(scope).arcs() if a != b}
