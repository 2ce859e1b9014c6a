"""Tests that Symcrete writes are laid out as `ruff format` would."""

import io

from symcrete.explore.findings import FoundInput, Report, Status, TargetReport
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.pytest_file import PytestFile
from symcrete.run.use import Ending

expression = Layout().expression
LONG = '"' + "long text " * 4 + '"'


def emitted(args: dict[str, str], returned: str, scope: str = "order") -> list[str]:
    found = FoundInput(args, Ending.RETURNED, returned, None, covers=(), path_condition="")
    target = TargetReport(
        f"shop.py::{scope}",
        Status.COVERED,
        inputs=(found,),
        module="shop",
        root=".",
        scope=scope,
        is_method="." in scope,
    )
    out = io.StringIO()
    PytestFile().emit(Report((target,)), out)
    text = out.getvalue()
    return text[text.index("def test") :].splitlines()


def test_what_fits_stays_on_its_line() -> None:
    assert expression("[1, 2, 3]", 4, before="x = ") == ["    x = [1, 2, 3]"]


def test_the_brackets_of_what_is_too_long_are_opened_as_far_as_needed() -> None:
    text = f'Item([{LONG}, {LONG}], {{"a": 1}}, key=(1, 2))'

    assert expression(text, 0, before="x = ") == [
        "x = Item(",
        "    [",
        f"        {LONG},",
        f"        {LONG},",
        "    ],",
        '    {"a": 1},',
        "    key=(1, 2),",
        ")",
    ]


def test_the_values_of_a_dictionary_are_opened_behind_their_keys() -> None:
    text = f'{{"key": [{LONG}, {LONG}], "other": 2}}'

    assert expression(text, 0) == [
        "{",
        '    "key": [',
        f"        {LONG},",
        f"        {LONG},",
        "    ],",
        '    "other": 2,',
        "}",
    ]


def test_a_dictionary_that_is_asked_at_once_is_opened_too() -> None:
    lines = Layout(40).expression('lambda key: {"first": "a text", "second": 7}[key]')

    assert lines == ["lambda key: {", '    "first": "a text",', '    "second": 7,', "}[key]"]


def test_a_long_call_is_made_before_its_result_is_looked_at() -> None:
    lines = emitted({"items": f"[{LONG}, {LONG}]", "count": "3"}, "True")

    assert lines == [
        "def test_order():",
        "    result = order(",
        "        [",
        f"            {LONG},",
        f"            {LONG},",
        "        ],",
        "        3,",
        "    )",
        "",
        "    assert result is True",
    ]


def test_an_object_that_takes_long_to_write_is_made_before_the_call() -> None:
    lines = emitted({"self": f"Shop({LONG}, {LONG})", "n": "3"}, "4", "Shop.order")

    assert lines == [
        "def test_shop_order():",
        "    shop = Shop(",
        f"        {LONG},",
        f"        {LONG},",
        "    )",
        "    assert shop.order(3) == 4",
    ]


def test_a_text_that_no_bracket_can_shorten_stays_whole() -> None:
    text = '"' + "x" * 200 + '"'

    assert emitted({"s": text}, "None") == [
        "def test_order():",
        "    result = order(",
        f"        {text},",
        "    )",
        "",
        "    assert result is None",
    ]


def test_a_name_too_long_for_the_line_stands_above_what_it_names() -> None:
    name = "a_name_that_takes_most_of_the_line_by_itself_already_as_only_very_few_do"

    assert expression(f"f(key=({name} := make_it({LONG}, {LONG})))") == [
        "f(",
        "    key=(",
        f"        {name}",
        "        := make_it(",
        f"            {LONG},",
        f"            {LONG},",
        "        )",
        "    ),",
        ")",
    ]


def test_a_long_statement_before_the_call_is_broken_too() -> None:
    statement = f"same_item = Item({LONG}, {LONG})"
    found = FoundInput({"a": "same_item"}, Ending.RETURNED, "0", None, (), "", setup=(statement,))
    target = TargetReport("shop.py::f", Status.COVERED, inputs=(found,), module="shop", scope="f")
    out = io.StringIO()

    PytestFile().emit(Report((target,)), out)

    assert f"    same_item = Item(\n        {LONG},\n        {LONG},\n    )\n" in out.getvalue()


def test_the_only_parameter_of_a_long_function_has_a_comma_as_formatters_put_it() -> None:
    layout = Layout(30)
    before = "def test_a_name_that_is_long("

    assert layout.laid_out(before, ["monkeypatch"], "):") == [before, "    monkeypatch,", "):"]
    assert layout.laid_out(before, ["a", "b"], "):") == [before, "    a, b", "):"]
    assert layout.laid_out(before, [], "):") == [f"{before}):"]
