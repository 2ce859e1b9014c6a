"""Operations of the three-address form as terms, traces as conditions, and what a solver is told."""

import math

import pytest

from symcrete.backward.abstraction import plainest, understood, without_applications
from symcrete.backward.meaning import Interpretation
from symcrete.backward.python_operators import PYTHON, Raises, foldable, folded, guarded
from symcrete.backward.trace_statements import (
    Apply,
    Change,
    Entry,
    Fit,
    Hidden,
    Input,
    Let,
    Sees,
    Trace,
    Wrote,
    entries,
)
from symcrete.backward.transfer import Transfer, as_term, expressible
from symcrete.program.lowering.three_address import Constant
from symcrete.terms.evaluate import all_hold
from symcrete.terms.term import FALSE, TRUE, Sort, Term, const, var

X, Y = var("x", Sort.INT), var("y", Sort.INT)
THING = var("thing", Sort.OBJECT)


def trace(*given: Entry) -> Trace:
    found: Trace = None
    for entry in reversed(given):
        found = (entry, found)
    return found


def conditions(*given: Entry, hopeful: bool = False) -> list[Term]:
    interpretation = Interpretation(
        lambda symbol: Sort.OBJECT, {"x": X, "thing": THING}, hopeful=hopeful
    )
    return [term for _, term in interpretation.meaning(trace(*given)).conditions]


@pytest.mark.parametrize("operation", ["add", "sub", "mul", "floordiv", "mod", "lt", "eq", "iadd"])
@pytest.mark.parametrize(("a", "b"), [(7, 2), (-7, 2), (0, -3)])
def test_an_operation_on_ints_is_what_python_computes(operation: str, a: int, b: int) -> None:
    term = as_term(Transfer().apply(operation, [X, Y]))
    expected = as_term(Transfer().apply("eq", [term, const(PYTHON[operation](a, b))]))

    assert expressible(term)
    assert all_hold([expected], {"x": a, "y": b})


def test_a_division_says_what_must_hold_for_it_to_go_well() -> None:
    transfer = Transfer()

    transfer.apply("floordiv", [X, Y])

    assert not all_hold(transfer.goes_well, {"y": 0})
    assert all_hold(transfer.goes_well, {"y": 1})


def test_constants_are_folded_and_their_errors_close_the_path() -> None:
    assert Transfer().apply("mul", [const(6), const(7)]) is const(42)
    with pytest.raises(Raises, match="ZeroDivisionError"):
        Transfer().apply("mod", [const(6), const(0)])


def test_what_would_fill_the_memory_is_not_folded() -> None:
    assert foldable("lshift", [1, 3])
    assert not foldable("lshift", [1, 10**9])
    assert folded("add", [1, 2]) == 3


def test_an_int_may_be_a_bool_and_is_never_none() -> None:
    assert Transfer().apply("is", [X, const(None)]) is FALSE
    assert Transfer().apply("is", [X, const(True)]) is not FALSE


def test_a_hint_is_believed_only_by_who_hopes() -> None:
    strict = Transfer().apply("hint", [THING, const("int")])
    hoped = Transfer(hopeful=True).apply("hint", [THING, const("int")])

    assert as_term(strict).sort is Sort.OBJECT
    assert as_term(hoped).sort is Sort.INT
    assert Transfer(hopeful=True).apply("hint", [X, const("float")]) is X


def test_errors_of_the_program_mean_that_a_condition_does_not_hold() -> None:
    with pytest.raises(ValueError, match="ZeroDivisionError in code of the program"):
        guarded(lambda: 1 // 0)()


def test_the_conditions_of_a_trace_are_over_the_inputs() -> None:
    found = conditions(
        Input("x_1", "x"),
        Let("%1", "add", ("x_1", Constant(1)), 1),
        Let("%2", "gt", ("%1", Constant(5)), 1),
        Fit("%2", True, 1, "x + 1 > 5"),
    )

    assert all_hold(found, {"x": 5})
    assert not all_hold(found, {"x": 4})


def test_two_reads_with_a_write_between_them_are_two_unknowns() -> None:
    first = Apply("n", len, "len", ("thing_1",), 1)
    again = Apply("m", len, "len", ("thing_1",), 3)
    same = Let("%1", "ne", ("n", "m"), 4)
    differ = Fit("%1", True, 4, "n != m")

    silent = conditions(Input("thing_1", "thing"), first, again, same, differ)
    written = conditions(Input("thing_1", "thing"), first, Wrote(None, 2), again, same, differ)

    assert silent == [FALSE]
    assert written != [FALSE]


def test_results_that_see_themselves_are_never_the_same() -> None:
    made = [Let(name, "list", (), 1, Sees.ITSELF, makes=True) for name in ("a", "b")]
    sizes = [Apply(f"len_{each.symbol}", len, "len", (each.symbol,), 2) for each in made]
    same = Let("%1", "ne", ("len_a", "len_b"), 3)

    assert conditions(*made, *sizes, same, Fit("%1", True, 3, "")) != [FALSE]


def test_hidden_values_and_skipped_conditions_are_told() -> None:
    fit = Fit("h", True, 2, "h")
    given = trace(Hidden("h", "the weather"), fit, Change(fit))

    meaning = Interpretation(lambda symbol: Sort.OBJECT, {}).meaning(given)

    assert meaning.hidden == ["the weather"]
    assert meaning.skipped == {fit}
    assert [type(each) for each in entries(given)] == [Hidden, Fit, Change]


def test_applications_become_variables_within_what_is_known_of_them() -> None:
    u = var("u", Sort.FLOAT)
    transfer = Transfer()
    interpretation = Interpretation(lambda symbol: Sort.FLOAT, {"u": u})
    meaning = interpretation.meaning(
        trace(
            Input("u_1", "u"),
            Apply("s", math.sin, "math.sin", ("u_1",), 1),
            Let("%1", "gt", ("s", Constant(2.0)), 1),
            Fit("%1", True, 1, "sin(u) > 2"),
        )
    )

    terms, complete = understood([term for _, term in meaning.conditions])

    assert not complete
    assert len(terms) == 2  # the range of the sine, and the condition
    assert transfer.truth(TRUE) is TRUE
    assert without_applications({"u": 1.0, "`math.sin(u)`": 2.0}) == {"u": 1.0}
    assert plainest([meaning.conditions[-1][1]]) == {"u": 0.0}
