"""What a function does with a parameter says whether a list and a tuple are alike to it."""

import ast

import pytest

from symcrete.program.source.parameter_uses import INDEXED, SEARCHED, WHOLE, uses


def used(body: str) -> set[str]:
    node = ast.parse(f"def f(self, xs):\n    {body}").body[0]
    return set(uses(node, lambda name: name == "helper"))


@pytest.mark.parametrize(
    "body",
    [
        "for x in xs: pass",
        "return [x for x in xs]",
        "return len(xs) + sum(xs)",
        "if xs: pass",
        "return not xs",
        "a, *b = xs",
        "print(*xs)",
        "yield from xs",
        "return helper(xs)",
        "self.kept = 3",
        "xs = []",
    ],
)
def test_going_through_a_collection_tells_no_kind_from_another(body: str) -> None:
    assert used(body) == set()


@pytest.mark.parametrize(
    "body",
    [
        "return xs == (1,)",
        "return xs + xs",
        "return xs[1:]",
        "return repr(xs)",
        "return xs.index(1)",
        "ys = xs",
        "return {xs: 1}",
        "return unknown(xs)",
    ],
)
def test_what_is_used_as_it_is_may_tell_its_kind(body: str) -> None:
    assert used(body) == {WHOLE}


def test_an_index_and_a_search_are_told_apart_from_the_rest() -> None:
    assert used("return xs[0]") == {INDEXED}
    assert used("return 3 in xs") == {SEARCHED}
