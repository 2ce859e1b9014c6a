"""Texts get the quotes of the project's formatter where that changes nothing else."""

from __future__ import annotations

import pytest

from symcrete.report.tests.layout import single_quoted


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('x = "a"\n', "x = 'a'\n"),
        ('x = "it\'s"\n', 'x = "it\'s"\n'),
        ('x = "say \\"a\\""\n', "x = 'say \"a\"'\n"),
        ('x = b"a" + r"\\d"\n', "x = b'a' + r'\\d'\n"),
        ('"""Words."""\nf("a", "b")\n', '"""Words."""\nf(\'a\', \'b\')\n'),
    ],
)
def test_quotes_are_single_where_the_text_has_none(source: str, expected: str) -> None:
    assert single_quoted(source) == expected
