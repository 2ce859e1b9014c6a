"""Examples of docstrings are run confined; a wrong one is a failure of its function."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from symcrete.explore.options import Options
from symcrete.oracle.docstring_examples import run_examples
from symcrete.oracle.docstring_run import wrong_examples
from symcrete.oracle.failing import check
from symcrete.oracle.verdicts import WrongExample
from symcrete.program.source.target import Target, targets_of
from symcrete.report.judged.check_text import told_check

PROGRAM = '''\
def half(x: int) -> int:
    """The half.

    >>> half(4)
    2
    >>> half(5)
    3
    >>> half("a")
    Traceback (most recent call last):
        ...
    TypeError: bad
    """
    return x // 2


def right(x: int) -> int:
    """One more.

    >>> y = 2
    >>> right(y)
    3
    >>> right(x)
    Traceback (most recent call last):
    NameError: name 'x' is not defined
    """
    return x + 1


def told(x: int) -> str:
    """In words.

    >>> told(12)
    'so ... much'
    """
    return f"so very very {'much' if x else 'little'}"


class Cart:
    """A cart.

    >>> Cart(3).n
    4
    """

    def __init__(self, n: int) -> None:
        self.n = n


def only_there(s: str) -> int:
    """Fails where a search would not look.

    >>> only_there("xylophone")
    1
    """
    import hashlib

    digest = hashlib.md5(s.encode()).hexdigest()
    return 1 // (digest != "45af7e81c39df4e6eba3b09e18ab4112")
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "shop.py"
    found.write_text(PROGRAM)
    return found


def target(file: Path, scope: str) -> Target:
    return next(each for each in targets_of(str(file)) if each.scope == scope)


def test_a_wrong_example_is_told_with_its_line_and_what_it_gives(file: Path) -> None:
    found = run_examples(target(file, "half"), file.parent / "made", Options())

    assert found.wrong == (
        WrongExample(6, "half(5)", "3", "2"),
        WrongExample(
            8,
            'half("a")',
            "TypeError: bad",
            "TypeError: unsupported operand type(s) for //: 'str' and 'int'",
        ),
    )


def test_a_constructor_has_the_examples_of_its_class(file: Path) -> None:
    found = run_examples(target(file, "Cart.__init__"), file.parent / "made", Options())

    assert found.wrong == (WrongExample(41, "Cart(3).n", "4", "3"),)


def test_examples_are_compared_as_the_project_has_set_up_pytest(file: Path) -> None:
    before = run_examples(target(file, "told"), file.parent / "made", Options())
    configured = '[tool.pytest.ini_options]\ndoctest_optionflags = "ELLIPSIS"\n'
    (file.parent / "pyproject.toml").write_text(configured)

    after = run_examples(target(file, "told"), file.parent / "made", Options())

    assert len(before.wrong) == 1
    assert after.wrong == ()


def test_right_examples_leave_a_proof_as_it_is(file: Path) -> None:
    found = check(target(file, "right"), Options(budget=5.0))

    assert (found.verdict, found.examples) == ("holds", ())


def test_a_wrong_example_fails_its_function(file: Path) -> None:
    found = check(target(file, "half"), Options(budget=2.0))

    assert found.verdict == "fails"
    assert [each["kind"] for each in found.as_json()["failures"]] == ["example", "example"]
    assert told_check(found)[1:4] == [
        "  half(5)  (example, line 6)",
        "    expected 3",
        "    got      2",
    ]


def test_a_search_begins_with_the_calls_of_examples(file: Path) -> None:
    found = check(target(file, "only_there"), Options(max_runs=2))

    assert [each.found.args for each in found.failures] == [{"s": '"xylophone"'}]


def test_examples_that_nobody_may_run_are_doubted(tmp_path: Path) -> None:
    text = '''
        def fetch(x: int) -> int:
            """
            >>> import os; os._exit(3)
            """
            return x
    '''
    (tmp_path / "shop.py").write_text(textwrap.dedent(text))

    found = check(target(tmp_path / "shop.py", "fetch"), Options(budget=3.0))

    assert found.verdict == "undecided"
    assert "its examples could not be run" in found.reason


def test_an_unreadable_example_is_doubted(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text('def f(x: int) -> int:\n    """\n    >>>f(1)\n    """\n')

    found = run_examples(target(tmp_path / "shop.py", "f"), tmp_path / "made", Options())

    assert found.doubtful.startswith("its examples cannot be read")


def test_the_runner_tells_nothing_of_examples_that_are_right() -> None:
    module = type(pytest)("some")

    assert wrong_examples(module, ">>> 1 + 1\n2\n", ("NO_SUCH_FLAG",)) == []
