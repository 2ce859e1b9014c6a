"""Statements that set the world in a test: imports go to the top, long lines are broken."""

import pytest

from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import Bindings, Import
from symcrete.report.tests.situated import imported_above, laid_out


def test_imports_go_to_the_top_of_the_file() -> None:
    text = "import os\nfrom unittest.mock import Mock\n\nf(os, Mock)"

    found, left = imported_above(text, Bindings())

    assert found == [Import("os"), Import("unittest.mock", "Mock")]
    assert left == "f(os, Mock)"


def test_an_import_of_a_name_that_means_something_else_stays_where_it_is() -> None:
    bindings = Bindings([Import("shop", "os")])

    assert imported_above("import os\nos.f()", bindings) == ([], "import os\nos.f()")


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_definition_stands_by_itself_and_long_calls_are_broken(kind: str) -> None:
    statements = ["f(1)", f"{kind} g():\n    pass\n\nh(g)", "k(aaaaaaaaaaaa, bbbbbbbbbbbbb)"]

    lines = laid_out(statements, Layout(30))

    assert lines[:6] == ["    f(1)", "", f"    {kind} g():", "        pass", "", "    h(g)"]
    assert lines[6] == "    k(" and lines[-1] == "    )"
