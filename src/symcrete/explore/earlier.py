"""Which functions of a program may be called before a target, since it reads what they change."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.rewritten import ImportedProgram
from symcrete.inputs.shapes.arguments import arguments_of
from symcrete.program.source.target import Target
from symcrete.run.history import Earlier, History
from symcrete.run.module_reads import changes_of, late_of

# functions that are tried: each is one more side of the first branches of every run; chosen, not
# measured
MOST_EARLIER_FUNCTIONS = 4


def history_of(imported: ImportedProgram, target: Target, types: Mapping[str, str]) -> History:
    """The functions of the target's module that change what the target, or what it calls, reads."""
    module = imported.module
    if not isinstance(vars(module).get(target.scope.partition(".")[0]), FunctionType | type):
        return History()
    facts = imported.rewritten.facts.get(str(module.__file__))
    if facts is None:
        return History()
    reaching = _reaching(module, target.scope)
    names = {
        read.name
        for read in imported.rewritten.reads
        if read.kind == "name" and read.file == facts.file and read.scope in reaching
    }
    scopes = dict.fromkeys([each.scope for name in names for each in changes_of(facts, name)])
    changing = sorted(scopes, key=lambda scope: (scope == target.scope, scope))
    found: list[Earlier] = []
    for scope in changing:
        function = vars(module).get(scope)
        public = isinstance(function, FunctionType) and not scope.startswith("_")
        if public and len(found) < MOST_EARLIER_FUNCTIONS:
            try:
                known = types if scope == target.scope else {}
                made = arguments_of(function, known, scope)  # type: ignore[arg-type]
            except SymcreteError:
                continue
            found.append(Earlier(target.source.module, scope, function, made))  # type: ignore[arg-type]
    changed = [late_of(module, name, free=False) for name in sorted(names & vars(module).keys())]
    noted = [late for late in changed if late is not None and changes_of(facts, _last(late.root))]
    return History(tuple(found), tuple(noted) if found else ())


def _last(root: str) -> str:
    return root.rpartition(".")[2]


def _reaching(module: ModuleType, scope: str) -> set[str]:
    """The functions of a module that a function names, and those that they name."""
    found, ahead = {scope}, [scope]
    while ahead:
        function: Any = module
        for part in ahead.pop().split("."):
            function = getattr(function, part, None)
        code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
        for name in code.co_names if code is not None else ():
            if isinstance(vars(module).get(name), FunctionType) and name not in found:
                found.add(name)
                ahead.append(name)
    return found
