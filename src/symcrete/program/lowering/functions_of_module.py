"""The functions of a module in three-address form, each when it is asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from symcrete.program.lowering.bodies import Lowering
from symcrete.program.lowering.three_address import Flow
from symcrete.program.source.sites import ModuleSites, SiteTable, functions


def lowered(tree: ast.Module, file: str, *, first_site: int = 0) -> Mapping[str, Flow]:
    """Every function of a module by its scope; sites are numbered from `first_site`."""
    return _Flows(tree, file, first_site)


class _Flows(Mapping[str, Flow]):
    """The functions of a module, each lowered when it is first asked for: most questions are about
    few of them.
    """

    def __init__(self, tree: ast.Module, file: str, first_site: int) -> None:
        self._file, self._first_site = file, first_site
        self._sites = ModuleSites(tree, file, SiteTable())
        self._nodes = dict(functions(tree))
        self._known: dict[str, Flow] = {}

    def __getitem__(self, scope: str) -> Flow:
        if scope not in self._known:
            node = self._nodes[scope]
            lowering = Lowering(self._file, scope, node, self._sites, self._first_site)
            self._known[scope] = lowering.run()
        return self._known[scope]

    def __contains__(self, scope: object) -> bool:
        return scope in self._nodes

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)
