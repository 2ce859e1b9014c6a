"""Slices between blanks are shown as the methods that people write."""

from __future__ import annotations

import pytest

from symcrete.explore.confirm.stripped_text import with_strips

LEAD = "len(s) - len(s.lstrip())"


@pytest.mark.parametrize(
    ("made", "written"),
    [
        (f"s[({LEAD}):len(s)] == 'a'", "s.lstrip() == 'a'"),
        (f"s[({LEAD}):(({LEAD}) + len(s[{LEAD}:len(s)].rstrip()))] == 'a'", "s.strip() == 'a'"),
        (f"s.upper()[({LEAD}):len(s)] == 'A'", "s.lstrip().upper() == 'A'"),
        ("not s[0:len(s.rstrip())] == 'a'", "not s.rstrip() == 'a'"),
        (f"t[({LEAD}):len(s)] == 'a'", None),
        ("s[1:len(s)]  == 'a'", None),
        ("s.strip()  == 'a'", None),
    ],
)
def test_a_slice_between_blanks_is_a_strip(made: str, written: str | None) -> None:
    assert with_strips(made) == (written or made)
