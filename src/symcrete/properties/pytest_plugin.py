"""The pytest plugin: tests made by `symcrete.forall` among all others.

It is loaded by every run of pytest where symcrete is installed, so it imports nothing but what
decorating a test needs.
"""

from __future__ import annotations

import inspect
from types import MethodType
from typing import Any

import pytest

_MARK = "symcrete_property"  # as `properties.forall` has it, which only those who use it import


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the command line."""
    group = parser.getgroup("symcrete")
    group.addoption(
        "--symcrete-budget",
        metavar="10s",
        help="wall clock for each @symcrete.forall test (default 2s, or what the test says)",
    )
    group.addoption(
        "--symcrete-no-keep",
        action="store_true",
        help="neither read nor write inputs of @symcrete.forall tests in .symcrete",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> None:
    """Take fixtures and the names of `parametrize` out of the inputs of a `forall` test, before
    pytest reads its signature.
    """
    # Pytest asks about every name of a module, also objects that answer to any attribute.
    # Their own attributes are not asked for: a proxy may raise anything (`flask.request`).
    is_method = type(obj) in (MethodType, staticmethod, classmethod)
    known = inspect.getattr_static(obj.__func__ if is_method else obj, _MARK, None)
    if known is None:
        return
    from symcrete.properties.forall import provide, session

    config = collector.config
    kept = None if config.getoption("--symcrete-no-keep") else config.rootpath / ".symcrete"
    session.begin(config.getoption("--symcrete-budget"), None if kept is None else str(kept))
    fixtures = collector.session._fixturemanager
    given = [each for each in known.inputs if fixtures.getfixturedefs(each, collector)]
    for mark in [*getattr(obj, "pytestmark", ()), *collector.iter_markers("parametrize")]:
        if mark.name == "parametrize":
            names = mark.args[0] if mark.args else mark.kwargs["argnames"]
            given += names.replace(",", " ").split() if isinstance(names, str) else list(names)
    provide(obj, given)
