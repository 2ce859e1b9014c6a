"""What lazy expansion remembers of the calls on an abstract path."""

from types import SimpleNamespace
from typing import Any

from symcrete.explore.lazy.call_chains import MOST_PATHS_GIVEN_UP, Chains
from symcrete.explore.lazy.callee_path import (
    CalleePath,
    conditions_of,
    decided_before,
    is_inside,
    not_decided,
    place_of,
)
from symcrete.explore.lazy.lemmas import Lemmas
from symcrete.run.trace import Called
from symcrete.terms import integers
from symcrete.terms.logic import negate
from symcrete.terms.term import Sort, Term, int_const, var


def at_most(name: str, value: int) -> Term:
    return integers.le(var(name, Sort.INT), int_const(value))


def call(name: str, key: Any = "same", **more: Any) -> Called:
    callee = SimpleNamespace(label=name.rpartition(".")[2].partition("#")[0])
    given: dict[str, Any] = {
        "abstract": True,
        "start": 0,
        "end": 0,
        "passed": (),
        "whole": False,
    } | more
    return Called(name, callee, key, **given)


def test_a_lemma_refutes_only_where_all_its_conditions_hold_and_all_its_calls_are_made() -> None:
    lemmas = Lemmas()
    low, high = at_most("r", 0), negate(at_most("r", 9))
    lemmas.learn(frozenset({low, high}), [call("lex#1")])

    assert lemmas.refuting((low, high, at_most("x", 1)), (call("lex#1"),)) is not None
    assert lemmas.refuting((low,), (call("lex#1"),)) is None
    assert lemmas.refuting((low, high), (call("lex#2"),)) is None
    assert lemmas.refuting((low, high), (call("lex#1", "other"),)) is None


def test_nothing_is_learned_of_a_call_whose_arguments_nobody_can_tell() -> None:
    lemmas = Lemmas()
    low = at_most("r", 0)
    lemmas.learn(frozenset({low}), [call("lex#1", None)])

    assert lemmas.refuting((low,), (call("lex#1", None),)) is None


def test_a_call_is_inside_another_by_its_name() -> None:
    assert is_inside("lex#1.peek#2", "lex#1") and is_inside("lex#1", "lex#1")
    assert not is_inside("lex#10", "lex#1")


def test_conditions_decided_before_a_call_are_no_branches_inside_it() -> None:
    low, other = at_most("x", 0), at_most("y", 5)
    passed = ((1, low), (3, other))

    fresh = not_decided(passed, {low: True})
    elsewhere = not_decided(passed, {low: False})

    assert fresh == ((3, other),) and elsewhere is None
    assert decided_before(passed, fresh) == (low,)
    assert decided_before(passed, passed) == ()


def test_the_conditions_of_a_call_are_those_that_held_each_once() -> None:
    low = at_most("x", 0)
    made = call("lex#1", passed=((0, low), (0, low)))

    assert conditions_of(made) == (negate(low),)


def test_a_path_with_abstract_calls_is_remembered_for_this_very_call() -> None:
    made, inner = call("lex#1", "key"), call("lex#1.peek#1")

    assert place_of(made, CalleePath((), 0)) == "key"
    assert place_of(made, CalleePath((), 0, inside=(inner,))) == ("lex#1", "key")


def test_calls_that_take_no_results_of_others_are_worth_abstracting() -> None:
    chains = Chains()
    for _ in range(MOST_PATHS_GIVEN_UP):
        chains.begin((call("lex#1", ()),))
        chains.is_searched(call("lex#1", ()))
        chains.end(given_up=True)

    assert chains.unpaying() == [] and chains.unpaying_inside() == []
