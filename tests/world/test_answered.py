"""Processes, servers and databases: nothing real happens, and what they answer is an input."""

import subprocess
from typing import Any
from urllib.error import HTTPError, URLError

import pytest
from tests.world.asking import Answers

from symcrete.world.outside.answered import Calls, by_function
from symcrete.world.outside.databases import DATABASES
from symcrete.world.outside.network import NETWORK
from symcrete.world.outside.processes import PROCESSES
from symcrete.world.source import Answer, Source


def calls(source: Source, **given: Any) -> dict[str, Any]:
    asked = Answers({name.replace("__", "()#1."): value for name, value in given.items()})
    return {each.name: each.by for each in source.stand_ins(asked)}  # type: ignore[union-attr]


def test_each_call_is_an_input_of_its_own() -> None:
    asked = Answers()
    made = Calls(asked, "os.system", "processes")

    made.next(())
    made.next(())

    assert [each.root for each in asked.asked] == ["os.system()#1.error", "os.system()#2.error"]


def test_answers_are_told_call_by_call() -> None:
    roots = ["f()#1.error", "f()#1.code", "f()#2.error"]

    found = by_function([Answer(each, 0, "0") for each in roots])

    assert [sorted(each) for each in found["f"]] == [["code", "error"], ["error"]]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("missing", FileNotFoundError),
        ("failed", subprocess.CalledProcessError),
        ("late", subprocess.TimeoutExpired),
    ],
)
def test_a_process_may_fail(error: str, kind: type[Exception]) -> None:
    run = calls(PROCESSES, **{"subprocess.run__error": error})["run"]

    with pytest.raises(kind):
        run(["x"], check=True, timeout=3)


def test_a_process_has_output_where_somebody_asks_for_it() -> None:
    run = calls(PROCESSES)["run"]

    assert run(["x"]).stdout is None
    assert run(["x"], capture_output=True).stdout == b""
    assert run(["x"], capture_output=True, text=True).stderr == ""


@pytest.mark.parametrize(
    ("error", "kind"), [("refused", URLError), ("not found", HTTPError), ("late", TimeoutError)]
)
def test_a_server_may_fail(error: str, kind: type[Exception]) -> None:
    urlopen = calls(NETWORK, **{"urllib.request.urlopen__error": error})["urlopen"]

    with pytest.raises(kind):
        urlopen("http://shop.example")


def test_a_database_is_an_empty_one_in_memory() -> None:
    connection = calls(DATABASES)["connect"]("/nowhere/shop.db")

    assert connection.execute("select count(*) from sqlite_master").fetchone() == (0,)
