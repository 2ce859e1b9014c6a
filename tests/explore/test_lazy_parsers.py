"""Lazy expansion reaches code behind parsers where plain search, given more runs, does not."""

import pytest
from benchmarks.lazy_parsers import PARSERS, search

BY_NAME = {parser.name: parser for parser in PARSERS}


@pytest.mark.parametrize(
    ("name", "most_runs"), [("cards", 800), ("query form", 600), ("JSON words", 1000)]
)
def test_lazy_search_covers_what_lies_behind_the_parser(name, most_runs):
    """On an idle machine this takes about 1 s; plain search does not get there in 10 s."""
    lazy = search(BY_NAME[name], lazy=True, max_runs=most_runs)
    plain = search(BY_NAME[name], lazy=False, max_runs=4 * most_runs)

    assert lazy.conditions.open == 0
    assert sum(found.outcome == "returned" for found in lazy.inputs) >= 3
    assert plain.conditions.open > 0


def test_a_callee_whose_branches_an_earlier_call_decided_is_not_refuted_for_good():
    """Of INI settings `[client]` was said to be infeasible once a line had not begun with `[`."""
    lazy = search(BY_NAME["INI settings"], lazy=True, max_runs=400)

    assert lazy.conditions.infeasible == lazy.conditions.open == 0


def test_what_was_seen_of_a_callee_elsewhere_in_a_text_does_not_pass_for_what_it_does_here():
    lazy = search(BY_NAME["SQL condition"], lazy=True, max_runs=100)

    assert any(found.outcome == "returned" for found in lazy.inputs)


def test_a_callee_that_takes_what_other_calls_return_is_followed_unless_it_was_named():
    lazy = search(BY_NAME["SQL condition"], lazy=True, max_runs=300)

    assert any("instead of abstracted: token: takes what" in note for note in lazy.notes)
