"""Documents that have what a program looks for in them."""

from __future__ import annotations

import ast
import json
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
