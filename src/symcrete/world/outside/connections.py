"""Connections of `http.client`: nothing is sent; what a server answers, or that it does not, is an
input.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import BytesShape
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import IntShape
from symcrete.world.outside.answered import ERROR, Calls, Parts, by_function, mocked, text_of
from symcrete.world.outside.network import Headers, Opened, headers_of
from symcrete.world.source import (
    Answer,
    Asking,
    InsteadOfMethod,
    Setting,
    Source,
    StandIn,
    Targets,
)

_NAME = "http connections"
_MODULE = "http.client"
_CLASSES = ("HTTPConnection", "HTTPSConnection")
_OWNER = "http.client.HTTPConnection"  # has the methods of both
_STATUS = IntShape(200, 599)
_WITHOUT_BODY = (204, 304)  # answers with these end after their headers
_ERRORS = {
    "refused": "ConnectionRefusedError()",
    "late": "TimeoutError()",
    "ended": 'http.client.RemoteDisconnected("")',
}
# Errors of a method: before there is a connection, and after.
_FAILING = {"request": ("refused", "late"), "getresponse": ("ended", "late")}
_IMPORTS = ("import http.client", "import io")
_MAKER = """def response(raw):
    made = http.client.HTTPResponse(Mock(makefile=lambda mode: io.BytesIO(raw)))
    made.begin()
    return made

"""


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    # Importing it takes as long as a small exploration.
    if _MODULE not in sys.modules and not any(ask.mentions(kind) for kind in _CLASSES):
        return
    for kind in _CLASSES:
        yield InsteadOfMethod(_MODULE, kind, "request", _method(ask, "request", _sent))
        by = _method(ask, "getresponse", _Response)
        yield InsteadOfMethod(_MODULE, kind, "getresponse", by)


def _method(ask: Asking, name: str, answer: Callable[[Parts], Any]) -> Callable[..., Any]:
    calls = Calls(ask, f"{_OWNER}.{name}", _NAME)

    def asked(connection: Any, *args: Any, **options: Any) -> Any:
        if not ask.running:
            return getattr(type(connection), name)(connection, *args, **options)
        ask.lose("answers of servers, of which only status, headers and content are inputs")
        parts = calls.next(_FAILING[name])
        if parts.error:
            raise eval(_ERRORS[parts.error], {"http": importlib.import_module("http")})
        return answer(parts)

    return asked


def _sent(parts: Parts) -> None:
    """A request gives nothing."""


class _Response(Opened):
    """What `getresponse` gives; its content has terms."""

    version = 11  # as the library writes HTTP/1.1

    def __init__(self, parts: Parts) -> None:
        status = parts.value("status", _STATUS)
        content = parts.value("content", BytesShape())
        if status in _WITHOUT_BODY and content:
            raise AssumptionFailed("such an answer has no content")
        super().__init__(status, content, _Headers(parts))
        self.msg = self.headers

    def getheader(self, name: str, default: Any = None) -> Any:
        return self.headers.get(name, default)

    def isclosed(self) -> bool:
        return False


class _Headers(Headers):
    """Headers of an answer whose content ends with the connection."""

    def get(self, name: str, failobj: Any = None) -> Any:
        found = super().get(name)
        plain = str.__str__(name).lower()
        if found is not None and plain in ("content-length", "transfer-encoding"):
            raise AssumptionFailed("the library would read less than there is, or in parts")
        return failobj if found is None else found


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for function, calls in by_function(answers).items():
        of_responses = function.endswith("getresponse")
        told = _told if of_responses else lambda parts: "None"
        for each in mocked(function, calls, _ERRORS, told, _IMPORTS, targets):
            line, value = each.line, each.value
            if of_responses and not all(call[ERROR].value for call in calls):
                head, _, last = line.rpartition("\n\n")
                line, value = f"{head}\n\n{_MAKER}{last}", literal(value)
            elif not any(call[ERROR].value == "ended" for call in calls):
                line = line.removeprefix("\n".join(_IMPORTS) + "\n")
            yield Setting(each.source, value, line)


def _told(parts: Mapping[str, Answer]) -> str:
    """The expression of an answer, as the server sends it."""
    status = text_of(parts, "status", "200")
    lines = [f"HTTP/1.1 {status} OK", *[f"{k}: {v}" for k, v in headers_of(parts).items()]]
    content: bytes = parts["content"].value if "content" in parts else b""
    raw = "".join(f"{line}\r\n" for line in [*lines, ""]).encode() + content
    return f"response({literal(raw)})"


CONNECTIONS = Source(
    name=_NAME,
    what="`HTTPConnection` and `HTTPSConnection` of `http.client`",
    stand_ins=_stand_ins,
    shown=_shown,
)
