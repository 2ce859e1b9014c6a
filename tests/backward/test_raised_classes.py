"""Which class a `raise` raises, by what its text says."""

from pathlib import Path

import pytest
from tests.backward.searching import program_of

from symcrete.backward.view.raised_classes import RaisedClasses
from symcrete.program.lowering.three_address import Raise

SOURCE = """
class Late(ValueError):
    pass

def f(n: int) -> None:
    {statement}
"""


@pytest.mark.parametrize(
    ("statement", "as_written"),
    [
        ("raise Late", True),
        ("raise Late(n)", True),
        ("raise OSError('gone')", True),
        ("raise OSError(n, 'gone')", False),
        ("raise Late(code=n)", False),
        ("raise Late(*[n])", False),
        ("raise UnicodeDecodeError('bad')", False),
        ("raise BaseExceptionGroup('both', [Late(n)])", False),
        ("raise errors[n]", False),
    ],
)
def test_some_classes_refuse_arguments_or_choose_another_class(
    statement: str, as_written: bool, tmp_path: Path
) -> None:
    file = tmp_path / "raising.py"
    file.write_text(SOURCE.format(statement=statement), encoding="utf-8")
    program = program_of(file)
    flow = program.flows()["f"]
    (raised,) = [each for each in flow.statements if isinstance(each, Raise)]

    assert RaisedClasses(program).is_as_written(flow, raised) is as_written


def test_a_class_is_one_of_those_above_it(tmp_path: Path) -> None:
    file = tmp_path / "raising.py"
    file.write_text(SOURCE.format(statement="pass"), encoding="utf-8")
    program = program_of(file)
    flow = program.flows()["f"]
    classes = RaisedClasses(program)

    assert classes.is_one_of(flow, "Late", ("KeyError", "ValueError")) is True
    assert classes.is_one_of(flow, "Late", ("KeyError",)) is False
    assert classes.is_one_of(flow, "Late", ("?",)) is None
    assert classes.is_one_of(flow, None, ("KeyError",)) is None
