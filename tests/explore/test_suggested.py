"""Inputs that a run speaks for."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from tests.explore.exploring import assert_covers_all, explore
from tests.values.running import run, tracked

from symcrete.explore.loop.suggested import MOST_SUGGESTED, suggested
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import documents_among, note_document
from symcrete.run.trace import Trace
from symcrete.run.use import Ending
from symcrete.values.library import noted_readers


def traced(assignment: dict[str, int]) -> Trace:
    return Trace(assignment, (), (), 0, Ending.RETURNED, None, (), 0, 0.0)


def test_a_text_that_was_read_as_json_gets_every_document_once() -> None:
    note_document("body of suggested")
    pool, known = Pool(documents={"json": ("{}", "[1]")}), set[str]()
    trace = traced({"len(body of suggested)": 0, "n": 3})

    first, second = suggested(trace, pool, known), suggested(trace, pool, known)

    assert [each["len(body of suggested)"] for each in first] == [2, 3]
    assert first[0]["body of suggested[0]"] == ord("{")
    assert [each["n"] for each in first] == [3, 3]
    assert second == []


def test_only_so_many_are_tried() -> None:
    note_document("another body of suggested")
    pool = Pool(documents={"json": [f"[{number}]" for number in range(100)]})

    found = suggested(traced({"len(another body of suggested)": 0}), pool, set())

    assert len(found) == MOST_SUGGESTED


def test_a_document_with_many_keys_is_found_in_few_runs(tmp_path: Path) -> None:
    report = explore(
        """
        import json

        def f(text: str) -> str:
            data = json.loads(text)
            if data["shop"]["state"] == "open" and data["shop"]["hours"][0] > 7:
                return "open"
            return "closed"
        """,
        tmp_path,
        max_runs=60,
    )

    assert_covers_all(report)


READING = {
    "an address": """
        from urllib.parse import urlparse

        def f(url: str) -> int:
            return 1 if urlparse(url).port == 8443 else 2
    """,
    "a host": """
        import ipaddress

        def f(host: str) -> bool:
            address = ipaddress.ip_address(host)
            return address.version == 6 or (address.is_private and address.is_loopback)
    """,
    "what is encoded": """
        import base64

        def f(text: str) -> int:
            return 1 if base64.b64decode(text).startswith(b"key:") else 2
    """,
    "words of a command": """
        import shlex

        def f(line: str) -> int:
            words = shlex.split(line)
            return 1 if words[:1] == ["rm"] and "-rf" in words else 2
    """,
    "a time of day": """
        import datetime

        def f(text: str) -> int:
            return 1 if datetime.datetime.strptime(text, "%I %p").hour > 12 else 2
    """,
}


@pytest.mark.parametrize("program", READING.values(), ids=READING)
def test_what_a_function_of_the_library_reads_is_found_in_few_runs(
    program: str, tmp_path: Path
) -> None:
    assert_covers_all(explore(program, tmp_path, max_runs=120))


def test_it_is_remembered_which_input_a_function_of_the_library_reads() -> None:
    with run() as record:
        text, given = tracked(str, "ab", "read of suggested")
        noted_readers.reading(base64.b16decode, text.upper())
        noted_readers.note_reader(text[1:], "shlex.split")

    assert documents_among(given) == [("read of suggested", "shlex.split")]
    assert record.losses


def test_a_text_that_only_an_earlier_run_read_gets_none() -> None:
    note_document("an earlier body")
    pool, known = Pool(documents={"json": ("{}",)}), set[str]()

    first = suggested(traced({"len(an earlier body)": 0}), pool, known)
    second = suggested(traced({"len(an earlier body)": 0}), pool, set[str]())

    assert (len(first), second) == (1, [])
