"""The lines that coverage.py leaves out are left out here too."""

import ast
from pathlib import Path

import coverage

from symcrete.explore.project.choosing import NO_COVER
from symcrete.explore.project.excluded_lines import excluded_lines

TEXT = """\
def f(a, b):
    if a:
        return 1
    else:  # pragma: no cover
        b = 2
        b = 3
    for x in a:  # pragma: no cover
        b = x
    try:
        b = 1
    except ValueError:  # pragma: no cover
        raise
    b = [
        1,  # pragma: no cover
        2,
    ]
    match b:
        case 1:  # pragma: no cover
            return 3
        case 2:
            return 4
    return b


class C:  # pragma: no cover
    def m(self):
        return 1


@dec  # pragma: no cover
def g():
    return 1
"""


def test_a_pragma_leaves_out_its_statement_or_the_block_that_it_begins(tmp_path: Path) -> None:
    file = tmp_path / "m.py"
    file.write_text(TEXT)

    found = excluded_lines(ast.parse(TEXT), TEXT, [NO_COVER])

    _, statements, excluded, _, _ = coverage.Coverage(data_file=None).analysis2(str(file))
    code = set(statements) | set(excluded)
    assert found & code == set(excluded) & code


def test_a_text_without_pragma_has_no_excluded_lines() -> None:
    assert excluded_lines(ast.parse("x = 1\n"), "x = 1\n", [NO_COVER]) == set()
