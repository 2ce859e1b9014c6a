"""What holds for every test: how a wrong proof ends, and what processes of a test inherit."""

import os

import pytest

# A proof of ours that the attack refutes is a failure of the test, not a note in its report.
os.environ["SYMCRETE_REFUTED"] = "raise"


@pytest.fixture(scope="session", autouse=True)
def _plain_pytest_in_tests() -> None:
    """The tests that we write need no plugins: Hypothesis' alone takes a second of every start.

    Set while tests run, and not before: the workers of xdist are plugins themselves.
    """
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
