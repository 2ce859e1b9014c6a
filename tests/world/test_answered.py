"""Processes, servers and databases: nothing real happens, and what they answer is an input."""

import contextlib
import http.client
import itertools
import socket
import subprocess
from collections.abc import Callable, Sequence
from typing import Any
from unittest.mock import Mock
from urllib.error import HTTPError, URLError

import pytest
import requests
from tests.world.asking import Answers

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import BytesShape
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import ChoiceShape, IntShape
from symcrete.world.outside.answered import Calls, by_function
from symcrete.world.outside.connections import CONNECTIONS
from symcrete.world.outside.databases import DATABASES
from symcrete.world.outside.http_clients import HTTP_CLIENTS
from symcrete.world.outside.network import NETWORK
from symcrete.world.outside.processes import PROCESSES
from symcrete.world.outside.sockets import SOCKETS
from symcrete.world.source import Answer, Instead, Source


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


def test_a_process_that_takes_longer_than_is_waited_for_has_ended_the_second_time() -> None:
    late = {
        "subprocess.Popen__communicate takes longer": True,
        "subprocess.Popen__wait takes longer": True,
    }
    process = calls(PROCESSES, **late)["Popen"](["x"])

    for method in (process.communicate, process.wait):
        with pytest.raises(subprocess.TimeoutExpired):
            method(timeout=3)
    assert process.communicate(timeout=3) == (None, None)
    assert process.wait(timeout=3) == 0
    assert process.wait() == 0


def test_a_process_that_was_waited_for_without_a_time_has_ended() -> None:
    process = calls(PROCESSES, **{"subprocess.Popen__wait takes longer": True})["Popen"](["x"])

    assert process.wait() == 0
    assert process.wait(timeout=3) == 0


def test_a_process_is_sent_its_input_by_name() -> None:
    process = calls(PROCESSES)["Popen"](["x"], stdout=subprocess.PIPE)

    assert process.communicate(input=b"abc", timeout=3) == (b"", None)


def test_a_process_has_output_where_somebody_asks_for_it() -> None:
    run = calls(PROCESSES)["run"]

    assert run(["x"]).stdout is None
    assert run(["x"], capture_output=True).stdout == b""
    assert run(["x"], capture_output=True, text=True).stderr == ""


@pytest.mark.parametrize(
    ("error", "kind"), [("refused", URLError), ("failed", HTTPError), ("late", TimeoutError)]
)
def test_a_server_may_fail(error: str, kind: type[Exception]) -> None:
    urlopen = calls(NETWORK, **{"urllib.request.urlopen__error": error})["urlopen"]

    with pytest.raises(kind):
        urlopen("http://shop.example")


def test_a_database_is_an_empty_one_in_memory() -> None:
    connection = calls(DATABASES)["connect"]("/nowhere/shop.db")

    assert connection.execute("select count(*) from sqlite_master").fetchone() == (0,)


def test_a_database_has_the_table_that_many_rows_are_put_into() -> None:
    connection = calls(DATABASES)["connect"]("/nowhere/shop.db")

    connection.executemany("insert into goods (name, price) values (?, ?)", [("a", 1), ("b", 2)])

    found = connection.execute("select name from goods where price = 2").fetchall()
    assert found[-1] == ("b",)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("refused", ConnectionRefusedError),
        ("late", TimeoutError),
        ("unknown", socket.gaierror),
    ],
)
def test_a_server_may_not_be_reached(error: str, kind: type[Exception]) -> None:
    made = calls(SOCKETS, **{"socket.socket__connect": error})["socket"]()

    with pytest.raises(kind):
        made.connect(("shop.example", 7))


def test_what_a_socket_receives_is_another_input_at_every_call() -> None:
    given = {"socket.socket__recv": b"a", "socket.socket__recv@2": b"b"}
    made = calls(SOCKETS, **given)["socket"]()

    assert [made.recv(9), made.recv(9), made.send(b"xyz")] == [b"a", b"b", 3]


def test_a_socket_receives_no_more_than_is_asked_for() -> None:
    asked = Answers()
    (made,) = [each.by for each in SOCKETS.stand_ins(asked) if each.name == "socket"]  # type: ignore[union-attr]

    socket: Any = made
    socket().recv(2)

    received = asked.asked[-1].shape
    assert isinstance(received, ChoiceShape)
    assert received.choices[0] == BytesShape(most=2)


def test_the_status_of_a_command_can_be_an_exit_code_times_256() -> None:
    asked = Answers()
    (system,) = [each.by for each in PROCESSES.stand_ins(asked) if each.name == "system"]  # type: ignore[union-attr]

    system("ls")

    assert asked.asked[-1].shape == IntShape(0, 255 << 8)


def test_a_response_of_a_client_is_one_of_its_library() -> None:
    asked = Answers({"requests.get()#1.status": 404, "requests.get()#1.content": "[1]"})
    by = {
        (each.module, each.name): each.by
        for each in HTTP_CLIENTS.stand_ins(asked)
        if isinstance(each, Instead)
    }

    found = by["requests", "get"]("http://shop.example")

    assert isinstance(found, requests.Response)
    assert [found.status_code, found.text, found.json()] == [404, "[1]", [1]]


def test_an_answer_of_a_connection_is_shown_as_the_server_sends_it() -> None:
    function = "http.client.HTTPConnection.getresponse"
    answers = [
        Answer(f"{function}()#1.error", "", '""'),
        Answer(f"{function}()#1.status", 503, "503"),
        Answer(f"{function}()#1.header retry-after", "7", '"7"'),
        Answer(f"{function}()#1.header via", None, "None"),
        Answer(f"{function}()#1.content", b"no", 'b"no"'),
        Answer(f"{function}()#2.error", "ended", '"ended"'),
    ]

    (line,) = [
        each.line for each in CONNECTIONS.shown(answers, lambda module, name: [f"{module}.{name}"])
    ]

    assert r'response(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\n\r\nno")' in line
    assert 'http.client.RemoteDisconnected("")' in line


def answered(asked: Answers) -> Any:
    """What `getresponse` gives in a run."""
    by: dict[str, Any] = {each.name: each.by for each in CONNECTIONS.stand_ins(asked)}  # type: ignore[union-attr]
    connection = http.client.HTTPConnection("")
    by["request"](connection, "GET", "/")
    return by["getresponse"](connection)


_CONNECTION = "http.client.HTTPConnection"
# What the library refuses: which methods are called, and what the input says.
_REFUSED: dict[str, tuple[Sequence[str], dict[str, Any]]] = {
    "an answer without a request": (("getresponse",), {}),
    "a second request": (("request", "request"), {}),
    "a second answer": (("request", "getresponse", "getresponse"), {}),
    "a request again after an error": (
        ("request", "request"),
        {f"{_CONNECTION}.request()#1.error": "refused"},
    ),
    "an answer while the last one is not read": (
        ("request", "getresponse", "request", "getresponse"),
        {f"{_CONNECTION}.getresponse()#1.status": 204},
    ),
    "content for HEAD": (
        ("head", "getresponse"),
        {f"{_CONNECTION}.getresponse()#1.content": b"a"},
    ),
}
_POSSIBLE: dict[str, tuple[Sequence[str], dict[str, Any]]] = {
    "one after the other": (("request", "getresponse", "request", "getresponse"), {}),
    "closed between": (("request", "close", "request"), {}),
    "closed by the library": (
        ("request", "getresponse", "request", "getresponse"),
        {f"{_CONNECTION}.getresponse()#1.error": "ended"},
    ),
    "late, then there": (
        ("request", "getresponse", "getresponse"),
        {f"{_CONNECTION}.getresponse()#1.error": "late"},
    ),
    "HEAD": (("head", "getresponse", "close", "request", "getresponse"), {}),
}


def after(steps: Sequence[str], given: dict[str, Any], asked: Answers | None = None) -> Any:
    """A connection on which a run has called these methods, whatever errors they raised."""
    asked = asked or Answers(given)
    by: dict[str, Any] = {each.name: each.by for each in CONNECTIONS.stand_ins(asked)}  # type: ignore[union-attr]
    connection = http.client.HTTPConnection("")
    calls: dict[str, Callable[[], Any]] = {
        "request": lambda: by["request"](connection, "GET", "/"),
        "head": lambda: by["request"](connection, method="HEAD", url="/"),
        "getresponse": lambda: by["getresponse"](connection),
        "close": connection.close,
    }
    for step in steps:
        with contextlib.suppress(OSError):
            calls[step]()
    return connection


@pytest.mark.parametrize(("steps", "given"), _REFUSED.values(), ids=list(_REFUSED))
def test_what_a_connection_refuses_is_no_run(steps: Sequence[str], given: dict[str, Any]) -> None:
    with pytest.raises(AssumptionFailed, match=r"the library|HEAD"):
        after(steps, given)


@pytest.mark.parametrize(("steps", "given"), _POSSIBLE.values(), ids=list(_POSSIBLE))
def test_what_a_connection_does_is_a_run(steps: Sequence[str], given: dict[str, Any]) -> None:
    after(steps, given)


def test_a_connection_is_as_before_after_a_run() -> None:
    asked = Answers()
    connection = after(["request"], {}, asked)

    for each in asked.ended:
        each()

    assert vars(connection)["_HTTPConnection__state"] == "Idle"


def test_the_certificates_of_this_machine_are_not_read() -> None:
    asked = Answers(words=("ssl",))
    by: dict[str, Any] = {each.name: each.by for each in CONNECTIONS.stand_ins(asked)}  # type: ignore[union-attr]

    connection, context = by["HTTPSConnection"]("shop.example"), by["create_default_context"]()
    of_connection = vars(connection)["_context"]

    assert isinstance(connection, http.client.HTTPSConnection)
    assert context.get_ca_certs() == of_connection.get_ca_certs() == []
    with pytest.raises(AssumptionFailed, match="this machine trusts"):
        by["get_ca_certs"](context)


_READ: dict[str, Callable[[Any], Any]] = {
    "read": lambda answer: answer.read(),
    "read some": lambda answer: answer.read(2),
    "read nothing": lambda answer: answer.read(0),
    "a line": lambda answer: answer.readline(),
    "lines": lambda answer: answer.readlines(),
    "the first lines": lambda answer: answer.readlines(2),
    "iterate": list,
    "close": lambda answer: answer.close(),
    "headers": lambda answer: [answer.getheader("x"), answer.getheaders(), answer.getheader("y")],
    "no header": lambda answer: answer.getheader("not a token"),
}


@pytest.mark.parametrize("content", [b"", b"one\ntwo"])
@pytest.mark.parametrize("status", [200, 404, 299])
@pytest.mark.parametrize("steps", [(), *itertools.permutations(_READ, 2)])
def test_an_answer_of_a_connection_is_read_as_in_its_test(
    steps: Sequence[str], status: int, content: bytes
) -> None:
    root = "http.client.HTTPConnection.getresponse()#1"
    asked = Answers({f"{root}.status": status, f"{root}.content": content, f"{root}.header x": "1"})
    ours = answered(asked)
    done = [(_READ[step](ours), ours.isclosed(), ours.closed) for step in steps]
    answers = [Answer(each.root, found_by(asked, each), "") for each in asked.asked]
    answers = [Answer(each.root, each.value, repr(each.value)) for each in answers]
    made: dict[str, Any] = {"monkeypatch": Mock()}

    for setting in CONNECTIONS.shown(answers, lambda module, name: [f"{module}.{name}"]):
        exec(setting.line, made)
    theirs = made["monkeypatch"].setattr.call_args.args[1]()

    assert (ours.status, ours.reason, ours.version) == (status, theirs.reason, theirs.version)
    assert done == [(_READ[step](theirs), theirs.isclosed(), theirs.closed) for step in steps]


def found_by(asked: Answers, late: Late) -> Any:
    return asked.given.get(late.root, late.shape.plain(late.root, {}))


def test_a_test_makes_what_urlopen_gives_from_what_was_sent_if_it_is_asked_as_such() -> None:
    asked = Answers({"urllib.request.urlopen()#1.status": 201})
    (by,) = [each.by for each in NETWORK.stand_ins(asked)]  # type: ignore[union-attr]
    opened = by("http://shop.example")
    before = [each.root for each in asked.asked]

    reason = opened.reason
    answers = [Answer(each.root, found_by(asked, each), "") for each in asked.asked]
    answers = [Answer(each.root, each.value, repr(each.value)) for each in answers]
    lines = [
        "".join([each.line for each in NETWORK.shown(told, lambda *name: [".".join(name)])])
        for told in (answers[: len(before)], answers)
    ]

    assert reason == "Created"
    assert "addinfourl(io.BytesIO(b''), {}, \"\", 201)" in lines[0]
    assert 'response(b"HTTP/1.1 201 Created\\r\\n\\r\\n")' in lines[1]


@pytest.mark.parametrize(
    ("part", "value"), [("header content-length", "9"), ("content", b"more than there can be")]
)
def test_an_answer_that_the_library_would_read_otherwise_is_no_input(
    part: str, value: object
) -> None:
    function = "http.client.HTTPConnection.getresponse()#1"
    asked = Answers({f"{function}.status": 204, f"{function}.{part}": value})
    by: dict[str, Any] = {each.name: each.by for each in CONNECTIONS.stand_ins(asked)}  # type: ignore[union-attr]

    connection = http.client.HTTPConnection("")
    by["request"](connection, "GET", "/")

    with pytest.raises(AssumptionFailed):
        by["getresponse"](connection).getheader("Content-Length")


def test_a_run_that_was_cut_between_two_parts_of_an_answer_can_be_shown() -> None:
    cut = [Answer("requests.get()#1.error", "", '""')]

    (line,) = [
        each.line for each in HTTP_CLIENTS.shown(cut, lambda module, name: [f"{module}.{name}"])
    ]

    assert "response(200, " in line
