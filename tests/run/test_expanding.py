"""Calls followed or replaced by unknown results: what a run says of each."""

from __future__ import annotations

import builtins
from pathlib import Path

import pytest
from tests.run.running import Running, assert_holds, expanding

from symcrete.instrument.naming import PREFIX
from symcrete.run.callees.callees import Callees
from symcrete.run.callees.expanding import ExpandingRunner
from symcrete.run.callees.judge import Judge
from symcrete.run.trace import Trace

LEXER = """
    def size(n: int) -> int:
        if n > 100:
            return 3
        if n > 10:
            return 2
        return 1

    def f(n: int) -> str:
        if size(n) == 2:
            return "middle"
        if size(n + 1) + size(5) == 4:
            return "large"
        return "small"
"""


def names(trace: Trace) -> list[tuple[str, bool]]:
    return [(call.name, call.abstract) for call in trace.calls]


def test_a_plain_run_follows_every_call_and_names_it_by_its_occurrence(tmp_path: Path) -> None:
    with expanding(LEXER, tmp_path, "size") as (runner, _):
        trace = runner.run({"n": 500})

    # size(5) depends on no input: it is executed as ever.
    assert names(trace) == [("size#1", False), ("size#2", False)]
    assert not trace.abstract
    assert_holds(trace)


def test_an_abstracted_call_gives_the_result_that_the_assignment_names(tmp_path: Path) -> None:
    with expanding(LEXER, tmp_path, "size") as (runner, _):
        trace = runner.run_abstract({"n": 0, "size#1": 2})

    assert names(trace) == [("size#1", True)]
    assert trace.abstract
    assert [str(term) for term in trace.conditions] == ["size#1 == 2"]


def test_calls_to_be_followed_are_named_one_by_one(tmp_path: Path) -> None:
    with expanding(LEXER, tmp_path, "size") as (runner, _):
        trace = runner.run_abstract({"n": 500, "size#2": 1}, frozenset({"size#1"}))

    assert names(trace) == [("size#1", False), ("size#2", True)]


def test_a_followed_call_knows_its_own_part_of_the_path(tmp_path: Path) -> None:
    with expanding(LEXER, tmp_path, "size") as (runner, _):
        trace = runner.run({"n": 50})

    (call,) = trace.calls
    assert (call.start, call.end, len(call.passed), call.whole) == (0, 2, 2, True)
    assert call.raised is None


def test_a_condition_decided_before_belongs_to_the_call_that_meets_it_again(
    tmp_path: Path,
) -> None:
    program = """
        def sign(n: int) -> int:
            if n > 0:
                return 1
            if n < 0:
                return 3
            return 2

        def f(n: int) -> int:
            return sign(n) + sign(n)
    """
    with expanding(program, tmp_path, "sign") as (runner, _):
        trace = runner.run({"n": 4})

    first, second = trace.calls
    assert (first.start, first.end) == (0, 1)
    assert (second.start, second.end) == (1, 1)
    assert second.passed == first.passed
    assert second.key == first.key is not None


def test_calls_inside_a_call_are_named_after_it_and_can_be_followed_together(
    tmp_path: Path,
) -> None:
    program = """
        def inner(n: int) -> int:
            return 1 if n > 3 else 2

        def outer(n: int) -> int:
            return inner(n) + inner(n + 1)

        def f(n: int) -> bool:
            return outer(n) == 2
    """
    with expanding(program, tmp_path, "inner", "outer") as (runner, _):
        some = runner.run_abstract({"n": 0}, frozenset({"outer#1"}))
        both = runner.run_abstract({"n": 0}, frozenset({"outer#1", "outer#1."}))

    assert names(some) == [
        ("outer#1", False),
        ("outer#1.inner#1", True),
        ("outer#1.inner#2", True),
    ]
    assert not some.calls[0].whole
    assert not both.abstract


def test_a_call_whose_exception_may_be_caught_is_followed(tmp_path: Path) -> None:
    program = """
        def check(n: int) -> int:
            if n < 0:
                raise ValueError
            return n

        def f(n: int) -> int:
            try:
                return check(n)
            except ValueError:
                return 0
    """
    with expanding(program, tmp_path, "check") as (runner, callees):
        trace = runner.run_abstract({"n": -1})

    assert (trace.ending, trace.calls) == ("returned", ())
    assert callees.caught_calls == {"check"}


def test_a_followed_call_that_raises_says_what(tmp_path: Path) -> None:
    program = """
        def check(n: int) -> int:
            if n < 0:
                raise KeyError
            return n

        def f(n: int) -> int:
            return check(n)
    """
    with expanding(program, tmp_path, "check") as (runner, _):
        (call,) = runner.run({"n": -1}).calls

    assert (call.raised, call.result) == ("KeyError", None)


def test_an_observer_is_told_of_every_result_while_it_listens(tmp_path: Path) -> None:
    seen: list[tuple[str, object]] = []
    with expanding(LEXER, tmp_path, "size") as (runner, callees):
        with callees.observed_by(lambda callee, result: seen.append((callee.label, result))):
            runner.run({"n": 5})
        runner.run({"n": 5})

    assert seen == [("size", 1), ("size", 1), ("size", 1)]


def test_the_ordinary_hook_is_back_after_the_runs(tmp_path: Path) -> None:
    running = Running(LEXER, tmp_path)
    ordinary = getattr(builtins, PREFIX + "callee")
    callees = Callees(running.imported.record, Judge(("size",)))

    with ExpandingRunner(running.runner(), callees) as runner:
        runner.run({"n": 1})
        during = getattr(builtins, PREFIX + "callee")

    assert during == callees.hook
    assert getattr(builtins, PREFIX + "callee") is ordinary


JUDGED = """
    from collections.abc import Iterator

    SEEN = []

    def small(n: int) -> int:
        return n + 1

    def worth(n: int) -> int:
        for step in range(n):
            if step > 3 and n % 2:
                return step
        return 0

    def noted(n: int) -> int:
        SEEN.append(n)
        for step in range(n):
            if step > 3:
                return step
        return 0

    def many(n: int) -> Iterator[int]:
        yield n

    async def later(n: int) -> int:
        return n

    def objects(n: int) -> object:
        return object()

    def unannotated(n):
        return n

    def f(n: int) -> int:
        return n
"""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("small", "has too few conditions to pay"),
        ("worth", ""),
        ("many", "is a generator"),
        ("later", "is a coroutine"),
        ("objects", "returns a type whose values have no terms"),
        ("unannotated", "has no return annotation and was not seen to return"),
    ],
)
def test_a_function_is_abstracted_or_there_is_a_reason(tmp_path: Path, name: str, why: str) -> None:
    function = getattr(Running(JUDGED, tmp_path).imported.module, name)

    callee = Judge(())(function)

    assert (callee.label, callee.why_followed) == (name, why)
    assert callee.is_abstracted is (why == "")


def test_a_function_with_an_effect_is_followed_unless_it_was_asked_for(tmp_path: Path) -> None:
    function = Running(JUDGED, tmp_path).imported.module.noted

    assert "SEEN" in Judge(())(function).why_followed
    assert Judge(("noted",))(function).is_abstracted


def test_where_functions_are_named_others_are_followed(tmp_path: Path) -> None:
    module = Running(JUDGED, tmp_path).imported.module
    judge = Judge(("small",))

    assert judge(module.small).is_abstracted
    assert judge(module.worth).why_followed == "not asked for"
    assert (judge.decides, Judge(()).decides) == (False, True)


def test_a_function_without_annotation_is_abstracted_once_its_results_were_seen(
    tmp_path: Path,
) -> None:
    function = Running(JUDGED, tmp_path).imported.module.unannotated
    judge = Judge(("unannotated",))
    before = judge(function)

    assert judge.needs_observing(before)
    judge.observe(before, 3)
    after = judge(function)

    assert not judge.needs_observing(before)
    assert after.is_abstracted


def test_functions_to_be_followed_from_now_on_say_why(tmp_path: Path) -> None:
    function = Running(JUDGED, tmp_path).imported.module.worth
    judge = Judge(())

    assert judge.follow("worth", "its results are not as declared")
    assert not judge.follow("worth", "again")
    assert judge(function).why_followed == "its results are not as declared"
