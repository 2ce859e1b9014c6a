"""Conditions that a documentation states: taken from the text, asked in the search, proved."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from symcrete.explore.options import Options
from symcrete.oracle.documented import Condition, documented, parameters_of
from symcrete.oracle.failing import check
from symcrete.oracle.verdicts import Checked
from symcrete.program.source.target import Target, targets_of
from symcrete.report.judged.test_text import with_calls

PROGRAM = '''
    LIMIT = 100

    def half(x: int) -> int:
        """The half.

        pre: x >= 0
        post: __return__ * 2 <= x
        """
        return 26 if x == 51 else x // 2

    def clamp(x: int) -> int:
        """
        post:
            0 <= __return__
            __return__ <= LIMIT

        More words: these are none.
        """
        return max(0, min(x, LIMIT))

    def old(x: int) -> int:
        """post: __return__ > __old__.x"""
        return x

    def first(*numbers: int) -> int:
        """post: __return__ > 0"""
        return numbers[0]

    class Account:
        """An account.

        inv: self.balance >= 0
        """

        def __init__(self, balance: int) -> None:
            self.balance = balance if balance > 0 else 0

        def withdraw(self, amount: int) -> None:
            """pre: amount > 0"""
            if amount <= self.balance + 10:
                self.balance -= amount

    class Savings(Account):
        def spend(self, amount: int) -> None:
            self.balance -= amount

        def withdraw(self, amount: int) -> None:
            self.balance -= 1

    class Bank:
        class Till:
            """inv: this.coins >= 0"""

            def __init__(this, coins: int) -> None:
                this.coins = coins

            def take(this, amount: int) -> None:
                this.coins -= amount

    class Pair:
        @classmethod
        def of(cls, x: int, y: int = 3) -> int:
            """
            pre: y > 0
            post: __return__ >= x
            """
            return x + y

    def prose(x: int) -> int:
        """
        pre: x is not too small
        post: __return__ > 0
        """
        return x

    def both(x: int) -> float:
        """
        pre: x > 0
        post: __return__ > 3
        post: __return__ < __old__.x
        """
        return 2 / x
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("documented") / "stated.py"
    file.write_text(textwrap.dedent(PROGRAM))
    return file


def target(file: Path, name: str) -> Target:
    return targets_of(f"{file}::{name}")[0]


def checked(file: Path, name: str) -> Checked:
    return check(target(file, name), Options(budget=6.0))


def test_conditions_are_read_with_their_lines(file: Path) -> None:
    found = documented(target(file, "half"))

    assert found.before == (Condition("pre", 7, "x >= 0"),)
    assert found.after == (Condition("post", 8, "__return__ * 2 <= x"),)


def test_a_block_has_a_condition_in_each_line(file: Path) -> None:
    found = documented(target(file, "clamp"))

    assert [each.text for each in found.after] == ["0 <= __return__", "__return__ <= LIMIT"]
    program = found.program(parameters_of(target(file, "clamp")))
    assert "return result <= first_module.LIMIT" in program


def test_what_cannot_be_asked_is_said(file: Path) -> None:
    assert "__old__" in documented(target(file, "old")).not_asked
    assert checked(file, "old").verdict == "undecided"
    assert "as it takes *numbers" in documented(target(file, "first")).not_asked


def test_a_broken_promise_is_solved_for(file: Path) -> None:
    found = checked(file, "half")

    assert found.verdict == "fails"
    assert found.failures[0].found.args == {"x": "51"}
    assert (found.failures[0].kind, found.failures[0].line) == ("contract", 8)
    shown = with_calls(found, found.report)
    assert (shown.failures[0].call, shown.failures[0].test) == ("half(51)", "")
    assert not shown.report.inputs


def test_a_promise_that_is_kept_is_proved(file: Path) -> None:
    assert checked(file, "clamp").verdict == "holds"
    assert checked(file, "Account.__init__").verdict == "holds"
    assert checked(file, "Pair.of").verdict == "holds"


def test_a_method_that_breaks_the_invariant_of_its_class_fails(file: Path) -> None:
    found = checked(file, "Account.withdraw")

    assert found.failures[0].kind == "invariant"
    assert found.failures[0].found.covers[0].text == "breaks inv: self.balance >= 0"


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("Savings.spend", "self.balance >= 0"),
        ("Bank.Till.take", "this.coins >= 0"),
        ("Bank.Till.__init__", "__return__.coins >= 0"),
    ],
)
def test_invariants_of_nested_and_base_classes_are_asked_whatever_self_is_called(
    name: str, call: str, file: Path
) -> None:
    found = checked(file, name)

    assert found.verdict == "fails"
    assert found.failures[0].kind == "invariant"
    assert found.failures[0].found.covers[0].text == f"breaks inv: {call}"


def test_conditions_that_are_inherited_and_not_asked_are_told(tmp_path: Path, file: Path) -> None:
    overriding = documented(target(file, "Savings.withdraw"))
    assert "conditions of Account.withdraw, which it overrides" in overriding.not_asked
    (tmp_path / "base.py").write_text('class Base:\n    """inv: self.v > 0"""\n')
    derived = tmp_path / "derived.py"
    derived.write_text(
        "from base import Base\n\n\nclass Derived(Base):\n"
        "    def __init__(self, v: int) -> None:\n        self.v = v\n"
    )

    told = documented(target(derived, "Derived.__init__")).not_asked

    assert told == "invariants of Base, of another module, are not asked"


def test_nothing_fails_by_a_precondition_that_is_no_python(file: Path) -> None:
    found = checked(file, "prose")

    assert found.verdict == "undecided"
    assert "a `pre:` is no Python" in found.reason


def test_conditions_beside_one_with_old_are_asked(file: Path) -> None:
    found = documented(target(file, "both"))

    assert [each.text for each in (*found.before, *found.after)] == ["x > 0", "__return__ > 3"]
    assert "__old__" in found.not_asked
