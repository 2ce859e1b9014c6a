"""The least that can be said of a module: that it can be imported, and what it defines."""

from __future__ import annotations

import ast

from symcrete.errors import SymcreteError
from symcrete.explore.findings import TargetReport
from symcrete.program.source.module import parsed
from symcrete.program.source.target import targets_of
from symcrete.report.tests.cases import WrittenTest
from symcrete.report.tests.names import Bindings, Import

MODULE = "(module)"  # listed in place of a function: none has this name
MOST_DEFINED = 12  # functions and classes that the test names; chosen, not measured


def defining_test(module: str, file: str, bindings: Bindings) -> WrittenTest:
    """A test that a module can be imported and that its functions and classes can be called; it
    holds whatever they do.
    """
    imports = [bindings.bind(module, name) for name in defined(file)[:MOST_DEFINED]]
    name = f"test_{module.replace('.', '_').strip('_').lower()}_can_be_imported"
    if imports:
        body = [f"    assert callable({each.bound})" for each in imports]
    else:
        imports = [Import("importlib")]
        body = [f'    assert importlib.import_module("{module}").__name__ == "{module}"']
    lines = (f"def {name}():", *body)
    return WrittenTest(MODULE, name, lines, frozenset(imports), (("", 0),))


def defined(file: str) -> list[str]:
    """The functions and classes that the text of a module always defines, the public ones first."""
    try:
        body = parsed(file).body
    except (OSError, SyntaxError, ValueError):
        return []
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    # What a decorator makes of them need not be callable.
    plain = [node for node in body if isinstance(node, kinds) and not node.decorator_list]
    names = list(dict.fromkeys(node.name for node in plain))
    return sorted(names, key=lambda name: name.startswith("_"))


def is_whole(targets: list[TargetReport]) -> bool:
    """Whether all the functions of a module were explored, and not only some that were named."""
    try:
        every = targets_of(targets[0].file) if targets[0].file else []
    except SymcreteError:
        return False
    return {each.scope for each in every} <= {each.scope for each in targets}
