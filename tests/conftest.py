"""What holds for every test: how a wrong proof ends, what processes of a test inherit, what goes."""

import os
import sys
from collections.abc import Iterator

import pytest

# A proof of ours that the attack refutes is a failure of the test, not a note in its report.
os.environ["SYMCRETE_REFUTED"] = "raise"


@pytest.fixture(scope="session", autouse=True)
def _plain_pytest_in_tests() -> None:
    """The tests that we write need no plugins: Hypothesis' alone takes a second of every start.

    Set while tests run, and not before: the workers of xdist are plugins themselves.
    """
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"


@pytest.fixture(scope="module", autouse=True)
def _programs_go() -> Iterator[None]:
    """The programs that tests explored in this process go with the file of these tests.

    All of them together take gigabytes, and looking through those for garbage takes seconds of the
    time that a test is given.
    """
    yield
    loader = sys.modules.get("symcrete.instrument.loader")
    telling = sys.modules.get("symcrete.inputs.infer.telling")
    if loader is None or telling is None:
        return
    for name, module in list(sys.modules.items()):
        if isinstance(getattr(module, "__loader__", None), loader.ProgramLoader):
            del sys.modules[name]
    telling._told.cache_clear()
