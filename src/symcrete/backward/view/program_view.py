"""The program as the backward search sees it: flows, what names mean, who calls whom."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from symcrete.backward.view.module_texts import program_text
from symcrete.backward.view.steady_globals import Constants
from symcrete.program.lowering.functions_of_module import lowered
from symcrete.program.lowering.three_address import Call, Flow
from symcrete.program.source.mangling import with_mangled_names
from symcrete.program.source.module import SHARED_TREES, parsed, walked


@functools.lru_cache(maxsize=SHARED_TREES)
def _flows_of(tree: ast.Module, file: str) -> Mapping[str, Flow]:
    """The functions of a module by scope, remembered: lowering takes longer than many a search.

    Its names are mangled in a tree of its own, since the one given is only read.
    """
    return lowered(with_mangled_names(ast.parse(Path(file).read_bytes(), file)), file)


class Program:
    """The functions of a program as flows, lowered when they are asked for; only those of `file`
    and `files` are entered.
    """

    def __init__(self, namespace: dict[str, Any], file: str, files: Collection[str]) -> None:
        self.file = file
        self._files = tuple(dict.fromkeys([file, *files]))
        self._flows: dict[str, Mapping[str, Flow]] = {}
        self._namespaces: dict[str, dict[str, Any]] = {file: namespace}
        self._callers: dict[Flow, list[tuple[Flow, int]]] = {}
        self.text = program_text(self._files)
        self.constants = Constants(self.text)

    def flows(self, file: str | None = None) -> Mapping[str, Flow]:
        """The functions of a file by scope; none if it cannot be read."""
        file = file or self.file
        if file not in self._flows:
            try:
                self._flows[file] = _flows_of(parsed(file), file)
            except (OSError, SyntaxError, ValueError):
                self._flows[file] = {}
        return self._flows[file]

    def namespace(self, flow: Flow) -> dict[str, Any]:
        """The globals of the module that a function belongs to."""
        return self.namespace_of(flow.file)

    def namespace_of(self, file: str) -> dict[str, Any]:
        """The globals of a module of the program; none if it is not loaded."""
        if file not in self._namespaces:
            found = [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == file]
            self._namespaces[file] = vars(found[0]) if found else {}
        return self._namespaces[file]

    def resolve(self, flow: Flow, dotted: str) -> tuple[bool, Any]:
        """Whether a name that is not local always means the same unchanging value, and which."""
        if "." in flow.scope and self._is_enclosed(flow):
            return False, None
        return self.constants.resolve(flow.file, self.namespace(flow), dotted)

    def callee(self, flow: Flow, call: Call) -> Flow | None:
        """The flow that a call enters; None if it is not one to be followed."""
        if call.callee is None or not call.plain:
            return None
        known, value = self.resolve(flow, call.callee)
        if not known or not isinstance(value, FunctionType):
            return None
        return self.flow_of(value)

    def flow_of(self, function: FunctionType) -> Flow | None:
        """The flow of a function; None if it is not one to be followed."""
        file = function.__code__.co_filename
        if file not in self._files:
            return None
        found = self.flows(file).get(function.__qualname__)
        if (
            found is None
            or not found.plain
            or found.node.lineno != function.__code__.co_firstlineno
        ):
            return None
        self._namespaces.setdefault(file, function.__globals__)
        arguments = found.node.args
        return None if arguments.vararg or arguments.kwarg else found

    def callers(self, callee: Flow) -> list[tuple[Flow, int]]:
        """Every call of a function that the text of the program shows."""
        if callee not in self._callers:
            name = callee.node.name
            self._callers[callee] = [
                (flow, number)
                for file in self._files
                for flow in self.flows(file).values()
                for number, statement in enumerate(flow.statements)
                if isinstance(statement, Call)
                and (statement.callee or "").endswith(name)
                and self.callee(flow, statement) is callee
            ]
        return self._callers[callee]

    def is_called_only_by_name(self, callee: Flow) -> bool:
        """Whether every mention of the function's name is a call that is followed."""
        name = callee.node.name
        calls = {id(flow.statements[number]) for flow, number in self.callers(callee)}
        mentions = 0
        for tree in self.text.trees.values():
            for node in walked(tree):
                mentions += name in (getattr(node, "id", None), getattr(node, "attr", None))
                mentions += isinstance(node, ast.Constant) and node.value == name
                mentions += isinstance(node, ast.alias) and name in (node.asname, node.name)
        return mentions == len(calls) and not self.text.rewrites

    def reachable(self, entry: Flow) -> set[Flow]:
        """The functions that calls lead to from an entry point, itself included."""
        found: set[Flow] = set()
        todo = [entry]
        while todo:
            flow = todo.pop()
            if flow in found:
                continue
            found.add(flow)
            for statement in flow.statements:
                inner = self.callee(flow, statement) if isinstance(statement, Call) else None
                if inner is not None:
                    todo.append(inner)
        return found

    def leads_back_to(self, entry: Flow) -> bool:
        """Whether calls lead from an entry point to a call of itself."""
        callers = {flow for flow, _ in self.callers(entry)}
        return bool(callers and callers & self.reachable(entry))

    def _is_enclosed(self, flow: Flow) -> bool:
        """Whether a function is inside another one, whose names are not followed."""
        flows = self.flows(flow.file)
        scope = flow.scope.rpartition(".")[0]
        while scope:
            if scope in flows:
                return True
            scope = scope.rpartition(".")[0]
        return False
