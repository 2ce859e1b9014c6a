"""Tests of pytest's style told as methods of `unittest.TestCase`."""

from __future__ import annotations

import textwrap
import unittest
from pathlib import Path

import pytest

from symcrete import cli
from symcrete.explore.findings import FoundInput, Report, Status, TargetReport
from symcrete.report.tests import kept
from symcrete.report.tests.cases import WrittenTest
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import Import
from symcrete.report.tests.unittest_style import NoUnittest, as_classes, methods_of
from symcrete.report.trial.trial import Candidates, Conditions, Verdicts
from symcrete.run.use import Ending


def written(text: str, scope: str = "shop.price", *imports: Import) -> WrittenTest:
    lines = textwrap.dedent(text).strip().splitlines()
    name = next(line for line in lines if line.startswith("def ")).split("(")[0][4:]
    return WrittenTest(scope, name, tuple(lines), frozenset(imports), (("", 0),))


def method(text: str) -> str:
    (found,) = as_classes([written(text)], Layout())
    return textwrap.dedent("\n".join(found.lines[1:]))


def test_a_class_has_all_tests_of_a_function() -> None:
    one = written("def test_price():\n    assert price(1) == 2", "price", Import("shop", "price"))
    other = written(
        "def test_price_raises():\n    with pytest.raises(KeyError):\n        price(2)",
        "price",
        Import("pytest"),
    )

    (found,) = as_classes([one, other], Layout())

    assert found.name == "TestPrice"
    assert found.text == textwrap.dedent("""\
        class TestPrice(unittest.TestCase):
            def test_price(self):
                self.assertEqual(price(1), 2)

            def test_price_raises(self):
                with self.assertRaises(KeyError):
                    price(2)""")
    assert found.imports == {Import("shop", "price"), Import("unittest")}
    assert methods_of([found], [one, other]) == {
        "TestPrice::test_price": one,
        "TestPrice::test_price_raises": other,
    }


def test_two_functions_whose_classes_would_have_one_name_have_two() -> None:
    tests = [
        written(f"def test_{number}():\n    assert {scope}(1) == 2", scope)
        for number, scope in enumerate(("a_b", "A.b", "aB"))
    ]

    classes = as_classes(tests, Layout(), {"TestAB2"})

    assert [each.name for each in classes] == ["TestAB", "TestAB3", "TestAB4"]
    assert methods_of(classes, tests) == {
        "TestAB::test_0": tests[0],
        "TestAB3::test_1": tests[1],
        "TestAB4::test_2": tests[2],
    }


def test_cases_are_sub_tests() -> None:
    found = method("""
        @pytest.mark.parametrize(
            ("a", "expected"),
            [
                pytest.param(1, 2, id="a > 0"),
                pytest.param(0, (1,), id="a <= 0"),
            ],
        )
        def test_price(a, expected):
            assert price(a) == expected
    """)

    assert found == textwrap.dedent("""\
        def test_price(self):
            for case, a, expected in [
                ("a > 0", 1, 2),
                ("a <= 0", 0, (1,)),
            ]:
                with self.subTest(case):
                    self.assertEqual(price(a), expected)""")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("assert f(1) is None", "self.assertIsNone(f(1))"),
        ("assert f(1) is True", "self.assertIs(f(1), True)"),
        ("assert not f(1)", "self.assertFalse(f(1))"),
        ("assert math.isnan(f(1))", "self.assertTrue(math.isnan(f(1)))"),
        ('monkeypatch.setattr("a.b", 1)', 'self.enterContext(mock.patch("a.b", 1))'),
        ("monkeypatch.setattr(a, 'b', 1)", "self.enterContext(mock.patch.object(a, 'b', 1))"),
        (
            'monkeypatch.setenv("A", "1")',
            'self.enterContext(mock.patch.dict(os.environ, {"A": "1"}))',
        ),
        ("monkeypatch.setitem(d, 1, 2)", "self.enterContext(mock.patch.dict(d, {1: 2}))"),
        ("monkeypatch.chdir(tmp_path)", "self.enterContext(contextlib.chdir(tmp_path))"),
        ("x = [\n    1,\n]", "x = [1]"),
        ("del x", "del x"),
    ],
)
def test_statements_without_pytest(line: str, expected: str) -> None:
    body = textwrap.indent(line, "    ")

    assert method(f"def test_f():\n{body}").splitlines()[1].strip() == expected


def test_what_is_printed_and_logged_is_caught() -> None:
    found = method("""
        def test_f(capsys, caplog, tmp_path):
            caplog.set_level(logging.INFO)
            f()

            assert capsys.readouterr().out == "x"
            assert caplog.record_tuples == []
    """)

    assert found == textwrap.dedent("""\
        def test_f(self):
            tmp_path = Path(self.enterContext(tempfile.TemporaryDirectory()))
            printed = self.enterContext(contextlib.redirect_stdout(io.StringIO()))
            logs = self.enterContext(self.assertLogs(level=logging.INFO))
            f()

            self.assertEqual(printed.getvalue(), "x")
            self.assertEqual(
                [(log.name, log.levelno, log.getMessage()) for log in logs.records], []
            )""")


def test_what_only_pytest_has_is_refused() -> None:
    with pytest.raises(NoUnittest, match="syspath_prepend"):
        method("def test_f(monkeypatch):\n    monkeypatch.syspath_prepend(1)")


def test_a_project_without_pytest_gets_tests_that_unittest_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = "import os\ndef price(n: int) -> int:\n    if n > 3:\n        print(n)\n"
    program += (
        "    if os.environ.get('SHOP') == '1':\n        raise ValueError('no')\n    return n\n"
    )
    (tmp_path / "shop_of_units.py").write_text(program)
    (tmp_path / "pyproject.toml").write_text('[tool.symcrete]\nstyle = "unittest"\n')

    code = cli.main(["cover", "shop_of_units.py", "-o", "tests", "-q", "--budget", "5s"])

    text = (tmp_path / "tests" / "test_shop_of_units.py").read_text()
    assert code == 0
    assert "pytest" not in text
    assert "Make them again: symcrete cover shop_of_units.py -o tests --style unittest" in text
    found = unittest.TestLoader().discover(str(tmp_path / "tests"))
    outcome = unittest.TextTestRunner(verbosity=0).run(found)
    assert outcome.testsRun >= 3
    assert outcome.wasSuccessful()
    again = cli.main(["cover", "shop_of_units.py", "-o", "tests", "-q", "--budget", "5s"])
    assert again == 0
    assert (tmp_path / "tests" / "test_shop_of_units.py").read_text() == text


def test_tests_that_were_not_seen_to_hold_as_methods_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "shop.py"
    program.write_text("def f(x):\n    return x\n\n\ndef g(x):\n    return x\n")
    made = [
        TargetReport(
            f"shop.py::{name}",
            Status.COMPLETE,
            inputs=(FoundInput({"x": "1"}, Ending.RETURNED, "1", None, (), ""),),
            module="shop",
            root=str(tmp_path),
            scope=name,
            file=str(program),
        )
        for name in ("f", "g")
    ]

    def tried(candidates: Candidates, conditions: Conditions) -> Verdicts:
        failed = [(*each, "") for each in candidates.tests if "::test_g" in each[1]]
        return Verdicts(failed=dict.fromkeys(failed, "it does not hold"))

    monkeypatch.setattr(kept, "tried", tried)
    monkeypatch.setattr(kept, "MOST_TRIAL_ROUNDS", 1)
    outcome = kept.keep_tests(Report(tuple(made)), kept.Wanted(tmp_path, style="unittest"))

    assert not outcome.written and "do not hold together" in outcome.unwritten[0][0]
