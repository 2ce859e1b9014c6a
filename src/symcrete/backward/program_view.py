"""The program as the backward search sees it: flows, what names mean, who calls whom."""

from __future__ import annotations

import ast
import builtins
import enum
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from symcrete.program.lowering.bodies import lowered
from symcrete.program.lowering.three_address import Call, Flow
from symcrete.program.source.mangling import with_mangled_names

_IMMUTABLE = (int, float, bool, str, bytes, type(None), complex, frozenset, range, enum.Enum)
_FIXED = (type, FunctionType, ModuleType, type(len), type(str.join))


class Program:
    """Flows are lowered when they are asked for; only files that `follow` picks are entered."""

    def __init__(self, namespace: dict[str, Any], file: str, follow: Callable[[str], bool]) -> None:
        self.file = file
        self._follow = follow
        self._flows: dict[str, dict[str, Flow]] = {}
        self._namespaces: dict[str, dict[str, Any]] = {file: namespace}
        self._rebound: dict[str, frozenset[str]] = {}

    def flows(self, file: str | None = None) -> dict[str, Flow]:
        file = file or self.file
        if file not in self._flows:
            try:
                tree = with_mangled_names(ast.parse(Path(file).read_bytes(), file))
            except (OSError, SyntaxError, ValueError):
                self._flows[file] = {}
            else:
                self._flows[file] = lowered(tree, file)
                self._rebound[file] = _rebound(tree)
        return self._flows[file]

    def namespace(self, flow: Flow) -> dict[str, Any]:
        return self._namespaces[flow.file]

    def resolve(self, flow: Flow, dotted: str) -> tuple[bool, Any]:
        """Whether a name that is not local always means the same unchanging value, and which."""
        first, *rest = dotted.split(".")
        scope = flow.scope
        if "." in scope and self._is_enclosed(flow, first):
            return False, None
        namespace = self.namespace(flow)
        if first in self._rebound.get(flow.file, ()):
            return False, None
        if first in namespace:
            value = namespace[first]
        elif hasattr(builtins, first):
            value = getattr(builtins, first)
        else:
            return False, None
        for name in rest:
            if not isinstance(value, ModuleType | type) or not hasattr(value, name):
                return False, None
            owner, value = value, getattr(value, name)
            fixed = isinstance(owner, ModuleType) or isinstance(value, enum.Enum)
            if not fixed and not isinstance(value, FunctionType):
                return False, None
        return _is_fixed(value), value

    def callee(self, flow: Flow, call: Call) -> Flow | None:
        """The flow that a call enters, if it is one to be followed."""
        if call.callee is None or not call.plain:
            return None
        known, value = self.resolve(flow, call.callee)
        if not known or not isinstance(value, FunctionType):
            return None
        return self.flow_of(value)

    def flow_of(self, function: FunctionType) -> Flow | None:
        file = function.__code__.co_filename
        if not (file == self.file or self._follow(file)):
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
        """Every call of a function that the text of its module shows."""
        found = []
        for flow in self.flows(callee.file).values():
            for number, statement in enumerate(flow.statements):
                if isinstance(statement, Call) and self.callee(flow, statement) is callee:
                    found.append((flow, number))
        return found

    def is_called_only_by_name(self, callee: Flow) -> bool:
        """Whether no use of the name is anything but a call that is followed."""
        calls = len(self.callers(callee))
        name = callee.scope.rpartition(".")[2]
        tree = ast.parse(Path(callee.file).read_bytes())
        uses = sum(
            (isinstance(node, ast.Name) and node.id == name)
            or (isinstance(node, ast.Attribute) and node.attr == name)
            for node in ast.walk(tree)
        )
        return uses == calls

    def _is_enclosed(self, flow: Flow, name: str) -> bool:
        """Whether a name belongs to a function around this one."""
        flows = self.flows(flow.file)
        scope = flow.scope.rpartition(".")[0]
        while scope:
            outer = flows.get(scope)
            if outer is not None:
                return True  # a closure: the names around it are not followed
            scope = scope.rpartition(".")[0]
        return False


def _is_fixed(value: Any) -> bool:
    if type(value) is tuple:
        return all(_is_fixed(part) for part in value)
    return isinstance(value, (*_IMMUTABLE, *_FIXED))


def _rebound(tree: ast.Module) -> frozenset[str]:
    """Globals that some function assigns."""
    return frozenset(
        name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names
    )
