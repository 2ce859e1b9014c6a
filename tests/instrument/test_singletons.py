"""`case True` and `case False` hold for tracked truths as they do for plain ones."""

from __future__ import annotations

import ast

import pytest

from symcrete.instrument.matching import TruthPatterns
from symcrete.instrument.naming import PREFIX
from symcrete.instrument.singletons import SINGLETONS, IsFalse, IsTrue
from symcrete.terms.term import Sort, var
from symcrete.values.tracking.truth import truth

MATCHING = """
match value:
    case True:
        found = "true"
    case False:
        found = "false"
    case None:
        found = "none"
    case _:
        found = "other"
"""


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (True, "true"),
        (False, "false"),
        (None, "none"),
        (1, "other"),
        (0, "other"),
        (truth(True, var("t", Sort.BOOL)), "true"),
        (truth(False, var("t", Sort.BOOL)), "false"),
    ],
    ids=["True", "False", "None", "1", "0", "tracked true", "tracked false"],
)
def test_a_rewritten_pattern_takes_the_case_that_the_value_stands_for(
    value: object, found: str
) -> None:
    tree = TruthPatterns().visit(ast.parse(MATCHING))
    names: dict[str, object] = {PREFIX + name: kind for name, kind in SINGLETONS.items()}

    exec(
        compile(ast.fix_missing_locations(tree), "matching", "exec"),
        names | {"value": value},
        names,
    )

    assert names["found"] == found


def test_a_pattern_of_none_is_left_as_it_is() -> None:
    tree = TruthPatterns().visit(ast.parse("match v:\n    case None:\n        pass\n"))

    assert "case None" in ast.unparse(tree)


def test_a_truth_is_an_instance_of_one_of_the_classes_and_a_number_of_none() -> None:
    assert isinstance(True, IsTrue)
    assert not isinstance(True, IsFalse)
    assert not isinstance(1, IsTrue)
