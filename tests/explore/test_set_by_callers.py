"""What a proof takes for granted about the interpreter is told with it."""

from pathlib import Path
from typing import Any

import pytest
from tests.explore.exploring import explore
from tests.explore.test_reach import reach_here

from symcrete.explore.proof import set_by_callers as about
from symcrete.explore.reach.reached import Unreachable

DERIVED = "no argument is of a class derived from its declared one, known subtypes aside"
SIZES = "numbers have the size and byte order that they have on this machine"
CONTEXT = "the context of decimal is the one that it sets itself"
FIRST_DAY = "the first day of the week in calendar is the one that it begins with"
ZONES = "the time zones are those that are known on this machine"
CASES = "upper and lower case differ in names of files, as they do on this machine"
ROWS = [
    ("from decimal import Decimal", "Decimal(1) / Decimal(3) == Decimal(2)", CONTEXT),
    ("import decimal as d", "d.Decimal(1) / 3 == 2", CONTEXT),
    ("from decimal import Decimal\nTHIRD = Decimal(1)", "THIRD / 3 == 2", CONTEXT),
    ("import calendar", "calendar.monthcalendar(2024, 2)[0][0] == 1", FIRST_DAY),
    ("import fnmatch", "fnmatch.fnmatch('A', 'a')", CASES),
    ("from zoneinfo import ZoneInfo", "ZoneInfo('UTC').key == 'X'", ZONES),
    ("import struct", "struct.calcsize('l') == 4", SIZES),
    ("from array import array", "array('l').itemsize == 4", SIZES),
    ("", "__name__ == '__main__'", "the module is imported by its own name, not run as a script"),
    ("", "not __debug__", "Python runs without -O"),
    ("", "f.__doc__ is not None", "Python runs without -OO"),
    ("def g(n: int) -> int:\n    assert n > 1\n    return n", "g(n) < 0", "Python runs without -O"),
    ("", "f'{1234:n}' == '1,234'", "no locale is set"),
    ("", "'{:n}'.format(1234) == '1,234'", "no locale is set"),
    (
        "from datetime import datetime",
        'datetime.strptime("24 May", "%y %B").month == 4',
        "no locale is set",
    ),
]


@pytest.mark.parametrize(("head", "test", "expected"), ROWS)
def test_what_a_caller_may_have_set_is_told(
    head: str, test: str, expected: str, tmp_path: Path
) -> None:
    report = explore(
        f"{head}\ndef f(n: int) -> bool:\n    return True if {test} else False", tmp_path
    )

    assert report.infeasible
    assert all(expected in spot.assumes for spot in report.infeasible)


THIRD = "decimal.Decimal(1) / decimal.Decimal(3) == decimal.Decimal(2)"
FIRST = "calendar.monthcalendar(2024, 2)[0][0] == 1"
OWN = "CTX = decimal.getcontext()\nclass Own"


@pytest.mark.parametrize(
    ("test", "setter", "reason"),
    [
        (
            THIRD,
            "decimal.getcontext().prec = n",
            "depends on the context of decimal, which `g` sets",
        ),
        (
            THIRD,
            "with decimal.localcontext() as c:\n        c.prec = 3\n        return f(n)",
            "depends on the context of decimal, which `g` sets",
        ),
        (
            FIRST,
            "calendar.setfirstweekday(n)",
            "depends on the first day of the week in calendar, which `g` sets",
        ),
        ("f'{1234:n}' == '1,234'", "locale.setlocale(0)", "depends on the locale, which `g` sets"),
    ],
)
def test_what_the_program_sets_itself_is_not_taken_for_granted(
    test: str, setter: str, reason: str, tmp_path: Path
) -> None:
    report = explore(
        "import calendar, decimal, locale\n"
        f"def g(n: int):\n    {setter}\n"
        f"def f(n: int) -> bool:\n    return True if {test} else False",
        tmp_path,
    )

    assert report.infeasible == ()
    assert [spot.reason for spot in report.open] == [reason]


@pytest.mark.parametrize(
    ("test", "head", "by"),
    [
        (THIRD, "CTX = decimal.getcontext()\ndef g(n: int):\n    CTX.prec = n", "g"),
        (THIRD, "CTX = decimal.getcontext()\ndef g(n: int):\n    setattr(CTX, 'prec', n)", "g"),
        (THIRD, "def g(n: int):\n    decimal.DefaultContext.prec = n", "g"),
        (
            THIRD,
            "from decimal import getcontext as own\ndef g(n: int):\n    own().traps[n] = True",
            "g",
        ),
        (THIRD, f"{OWN}:\n    def g(self, n: int):\n        self.ctx.prec = n", "Own.g"),
        (THIRD, f"{OWN}:\n    @staticmethod\n    def g(ctx):\n        ctx.prec = 9", "Own.g"),
        (
            THIRD,
            f"{OWN}:\n    def g(self):\n        self = CTX\n        self.prec = 9",
            "Own.g",
        ),
        (
            THIRD,
            f"{OWN}(decimal.Context):\n    def g(self, n: int):\n        self.prec = n",
            "Own.g",
        ),
        (
            THIRD,
            f"from decimal import Context as C\n{OWN}(C):\n    def g(self, n: int):\n"
            "        self.prec = n",
            "Own.g",
        ),
        (
            THIRD,
            f"Base = decimal.Context\n{OWN}(Base):\n    def g(self, n: int):\n"
            "        self.prec = n",
            "Own.g",
        ),
        (FIRST, "from calendar import setfirstweekday as on\ndef g(n: int):\n    on(n)", "g"),
        (FIRST, "on = calendar.setfirstweekday\ndef g(n: int):\n    on(n)", ".py"),
        (FIRST, "g = lambda n: calendar.setfirstweekday(n)", ".py"),
    ],
)
def test_what_sets_it_may_be_kept_under_another_name(
    test: str, head: str, by: str, tmp_path: Path
) -> None:
    report = explore(
        f"import calendar, decimal\n{head}\n"
        f"def f(n: int) -> bool:\n    return True if {test} else False",
        tmp_path,
    )

    assert report.infeasible == ()
    assert [spot.reason.endswith(f"{by}` sets") for spot in report.open] == [True]


@pytest.mark.parametrize(
    ("test", "head"),
    [
        (THIRD, "decimal.getcontext().prec = 9"),
        (THIRD, "class Own:\n    def g(self, n: int):\n        self.prec = n"),
        (THIRD, f"{OWN}:\n    def g(self, n: int):\n        self.prec = n"),
        (THIRD, f"{OWN}:\n    def g(self, n: int):\n        setattr(self, 'prec', n)"),
        (
            THIRD,
            f"{OWN}:\n    def __setattr__(self, name, value):\n"
            "        super().__setattr__(name, value)",
        ),
        (FIRST, "calendar.setfirstweekday(2)"),
        (FIRST, "from calendar import setfirstweekday as on\non(2)"),
    ],
)
def test_what_is_set_at_import_or_elsewhere_is_no_matter(
    test: str, head: str, tmp_path: Path
) -> None:
    report = explore(
        f"import calendar, decimal\n{head}\n"
        f"def f(n: int) -> bool:\n    return True if {test} else False",
        tmp_path,
    )

    assert report.infeasible


@pytest.mark.parametrize(
    ("tried", "error", "expected"),
    [
        ("n + 1", "KeyboardInterrupt", "nothing interrupts a call, and memory and stack suffice"),
        ("abs(n)", "RecursionError", "nothing interrupts a call, and memory and stack suffice"),
        ("import tomllib", "ImportError", "what can be imported here can be imported"),
    ],
)
def test_a_handler_that_no_input_comes_to_stands_on_what_is_around(
    tried: str, error: str, expected: str, tmp_path: Path
) -> None:
    source = f"""
    def f(n: int) -> int:
        try:
            {tried}
        except {error}:
            return 1  # here
        return 0
    """

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Unreachable)
    assert expected in verdict.assumes


def test_an_attribute_of_that_name_says_nothing_about_the_module(tmp_path: Path) -> None:
    source = """
    def f(n: int) -> bool:
        return True if f.__name__ == "f" and n > 3 and n < 2 else False
    """

    report = explore(source, tmp_path)

    assert all("script" not in each for spot in report.infeasible for each in spot.assumes)


def test_records_are_equal_to_those_of_their_own_class_only(tmp_path: Path) -> None:
    source = """
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class P:
        x: int

    def f(a: P, b: P) -> bool:
        return True if a.x == b.x and not a == b else False
    """

    report = explore(source, tmp_path)

    assert report.infeasible
    assert all(DERIVED in spot.assumes for spot in report.infeasible)


@pytest.mark.parametrize(
    ("value", "origin"), [(about, about.__name__), (3, "builtins"), (Path, "pathlib")]
)
def test_a_value_is_of_the_module_that_defines_it(value: Any, origin: str) -> None:
    assert about._origin(value) == origin
