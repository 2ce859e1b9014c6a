"""Named tuples are inputs: made by their own constructor where they have one."""

from pathlib import Path

from tests.explore.exploring import assert_covers_all, explore


def test_the_constructor_of_a_named_tuple_is_followed(tmp_path: Path) -> None:
    program = """
        from collections import namedtuple

        class Span(namedtuple("SpanBase", ["begin", "end", "data"])):
            def __new__(cls, begin, length, data=None):
                return super().__new__(cls, begin, begin + length, data)
            def f(self):
                if self.end == 1234 and self.begin == 1000:
                    return self.data.upper() if self.data else "none"
                return ""
        """

    report = explore(program, tmp_path, name="Span.f", budget=10.0)

    assert_covers_all(report)
    assert 'Span(1000, 234, "a")' in {found.args["self"] for found in report.inputs}


def test_fields_without_a_type_are_not_only_numbers(tmp_path: Path) -> None:
    program = """
        from collections import namedtuple

        Row = namedtuple("Row", "name price")

        def f(row: Row):
            if row.name.startswith("ab"):
                return 1
            return 0
        """

    report = explore(program, tmp_path, budget=10.0)

    assert_covers_all(report)
    assert any('Row("ab' in found.args["row"] for found in report.inputs)
