"""Documents that have what a program looks for in them."""

from __future__ import annotations

import ast
import json
import tomllib
from textwrap import dedent
from typing import Any

import pytest

from symcrete.inputs.draw.documents import documents, written_documents


def found(program: str) -> list[Any]:
    return [json.loads(each) for each in documents(ast.parse(dedent(program)))]


def test_a_document_has_the_keys_that_are_read_and_differs_in_one_place_at_a_time() -> None:
    made = found(
        """
        def f(answer):
            data = answer.json()
            if data["state"] == "open":
                return 1
            return data.get("count") > 10
        """
    )

    assert made[0] == {"state": "", "count": 0}
    assert {"state": "open", "count": 0} in made
    assert {"state": "", "count": 11} in made
    assert {"count": 0} in made


def test_what_a_program_goes_through_is_a_list_with_and_without_items() -> None:
    made = found(
        """
        import json

        def f(text):
            for number, item in enumerate(json.loads(text)["items"]):
                if item["status"]["phase"] in ("Running", "Done"):
                    return item
        """
    )

    assert made[0] == {"items": [{"status": {"phase": ""}}]}
    assert {"items": []} in made
    assert {"items": [{"status": {"phase": "Done"}}]} in made


def test_a_part_that_is_handed_to_another_function_is_looked_at_there() -> None:
    made = found(
        """
        import json

        def open_(shop):
            return shop["hours"]["from"] <= 8

        def f(file):
            data = json.load(file)
            return [each for each in data if open_(each)]
        """
    )

    assert [{"hours": {"from": 8}}] in made


@pytest.mark.parametrize(
    ("line", "document"),
    [
        ("'a' in json.loads(t)", {"a": 1}),
        ("isinstance(json.loads(t), list)", []),
        ("json.loads(t)['name'].startswith('x')", {"name": "x"}),
        ("(await json.loads(t))[0] == 3", [3]),
        ("'b' == json.loads(t)['a']", {"a": "b"}),
    ],
)
def test_a_use_tells_what_is_there(line: str, document: Any) -> None:
    assert document in found(f"import json\nasync def f(t):\n    return {line}\n")


def test_a_program_that_reads_no_document_asks_for_none() -> None:
    assert found("def f(data):\n    return data['a'] == 1\n") == []


def test_a_pattern_names_the_values_of_a_place() -> None:
    made = found(
        """
        import json

        def f(text):
            match json.loads(text)["kind"]:
                case "a" | "b":
                    return 1
        """
    )

    assert [each.get("kind") for each in made] == ["", "a", "b", None]


def test_lists_and_dicts_that_are_written_down_are_documents() -> None:
    tree = ast.parse("DEFAULTS = {'a': [1, 2]}\nOTHER = [x]\n")

    assert list(written_documents(tree)) == ['{"a": [1, 2]}', "[1, 2]"]


def test_the_options_that_a_parser_of_sections_is_asked_for_are_in_a_document() -> None:
    program = """
        def f():
            c = ConfigParser()
            c.read("app.ini")
            if c.has_section("log"):
                return 1
            if c.getboolean("server", "debug"):
                return 2
            return c["server"].get("name") == "x" or c.getint("server", "port") > 1024
        """

    made = documents(ast.parse(dedent(program)), "ini")

    assert made[0] == "[log]\n[server]\ndebug = 0\nname = \nport = 1024\n".replace("1024", "0")
    assert any("port = 1025" in each for each in made)
    assert any("debug = True" in each for each in made)
    assert any("name = x" in each for each in made)
    assert not any("app.ini" in each for each in made)


def test_a_table_has_the_columns_that_its_rows_are_asked_for() -> None:
    program = """
        def f(file):
            for row in csv.DictReader(file):
                if row["kind"] == "credit":
                    return int(row["amount"])
        """

    made = documents(ast.parse(dedent(program)), "csv")

    assert made[0] == "kind,amount\n,1\n"
    assert "kind,amount\ncredit,1\n" in made
    assert "" in made


def test_a_table_of_toml_has_the_keys_that_are_read() -> None:
    program = """
        def f(text):
            data = tomllib.loads(text)
            return data["tool"]["name"] == "shop" and data.get("level") > 3
        """

    made = documents(ast.parse(dedent(program)), "toml")

    assert tomllib.loads(made[0]) == {"tool": {"name": ""}, "level": 0}
    assert {"tool": {"name": "shop"}, "level": 0} in [tomllib.loads(each) for each in made]
