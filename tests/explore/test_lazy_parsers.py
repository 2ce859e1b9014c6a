"""Lazy expansion reaches code behind parsers where plain search, given more runs, does not."""

import dataclasses
import sys

import pytest
from benchmarks.lazy_parsers import PARSERS, search

BY_NAME = {parser.name: parser for parser in PARSERS}


@pytest.mark.parametrize(
    ("name", "most_runs"),
    [("cards", 800), ("query form", 600), ("JSON words", 1000), ("token stream", 900)],
)
def test_lazy_search_covers_what_lies_behind_the_parser(name, most_runs):
    """On an idle machine this takes about 1 s; plain search does not get there in 10 s."""
    lazy = search(BY_NAME[name], lazy=True, lazy_alone=True, max_runs=most_runs)
    plain = search(BY_NAME[name], lazy=False, max_runs=4 * most_runs)

    assert lazy.conditions.open == 0
    assert sum(found.outcome == "returned" for found in lazy.inputs) >= 3
    assert plain.conditions.open > 0


def test_a_callee_whose_branches_an_earlier_call_decided_is_not_refuted_for_good():
    """Of INI settings `[client]` was said to be infeasible once a line had not begun with `[`."""
    lazy = search(BY_NAME["INI settings"], lazy=True, lazy_alone=True, max_runs=400)

    assert lazy.conditions.infeasible == lazy.conditions.open == 0


def test_what_was_seen_of_a_callee_elsewhere_in_a_text_does_not_pass_for_what_it_does_here():
    lazy = search(BY_NAME["SQL condition"], lazy=True, lazy_alone=True, max_runs=400, budget="60s")

    assert any(found.outcome == "returned" for found in lazy.inputs)


def test_a_way_known_through_a_callee_leaves_no_call_inside_it_unknown():
    """The ends of words stayed unknown, and the tokens after them began where nothing ended."""
    named = dataclasses.replace(BY_NAME["SQL condition"], callees="token, digits, letters")

    lazy = search(named, lazy=True, lazy_alone=True, max_runs=1500, budget="60s")

    assert lazy.conditions.covered >= 25
    assert lazy.conditions.infeasible == 0
    assert any(" 0 refuted" in note for note in lazy.notes)


def test_a_token_is_found_where_another_one_ended():
    lazy = search(BY_NAME["SQL condition"], lazy=True, lazy_alone=True, max_runs=1500, budget="60s")
    plain = search(BY_NAME["SQL condition"], lazy=False, max_runs=3000, budget="60s")

    assert lazy.conditions.covered > 24 >= plain.conditions.covered
    assert sum(found.outcome == "returned" for found in lazy.inputs) >= 2


def test_what_is_called_inside_calls_that_take_what_others_return_is_followed():
    lazy = search(BY_NAME["SQL condition"], lazy=True, lazy_alone=True, max_runs=600, budget="60s")

    assert any("instead of abstracted: match: takes what" in note for note in lazy.notes)
    assert any(note.startswith("abstracted: ") and "token" in note for note in lazy.notes)


def test_calls_that_take_what_others_return_are_followed_once_they_are_given_up(monkeypatch):
    monkeypatch.setattr("symcrete.explore.lazy.expansion.FIRST_PATIENCE", 5)

    lazy = search(BY_NAME["SQL condition"], lazy=True, lazy_alone=True, max_runs=600, budget="60s")

    assert any("instead of abstracted: token: takes what" in note for note in lazy.notes)


def test_a_module_of_a_package_that_is_imported_already_is_followed_where_it_is_asked_for():
    """`from json import decoder` gave the decoder that Python itself had imported."""
    before = sys.modules["json.decoder"]

    report = search(BY_NAME["Python's json"], lazy=True, lazy_alone=True, max_runs=8)

    assert any("JSONDecoder.raw_decode" in note for note in report.notes)
    assert sys.modules["json.decoder"] is before
