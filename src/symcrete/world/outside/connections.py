"""Connections of `http.client`: nothing is sent; what a server answers, or that it does not, is an
input. The certificates that this machine trusts are not read.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import BytesShape
from symcrete.inputs.shapes.shape import IntShape
from symcrete.world.outside.answered import ERROR, Calls, Parts, by_function, mocked
from symcrete.world.outside.network import (
    WITHOUT_BODY,
    Headers,
    Opened,
    made_by_response,
    told_as_sent,
)
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    InsteadOfMethod,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_NAME = "http connections"
_MODULE = "http.client"
_OVER_TLS = "HTTPSConnection"
_CLASSES = ("HTTPConnection", _OVER_TLS)
_OWNER = "http.client.HTTPConnection"  # has the methods of both
_OF_MACHINE = ("get_ca_certs", "cert_store_stats")  # methods that tell its certificates
_STATUS = IntShape(200, 599)
_ERRORS = {
    "refused": "ConnectionRefusedError()",
    "late": "TimeoutError()",
    "ended": 'http.client.RemoteDisconnected("")',
}
# Errors of a method: before there is a connection, and after.
_FAILING = {"request": ("refused", "late"), "getresponse": ("ended", "late")}
_IMPORTS = ("import http.client", "import io")
# What the library notes on a connection: whether a request waits for its answer, how it was made,
# and an answer after which the connection stays open and takes no request until all is read.
_STATE, _METHOD, _KEPT = "_HTTPConnection__state", "_method", "_HTTPConnection__response"
_IDLE, _SENT = "Idle", "Request-sent"


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    if ask.mentions("ssl"):
        yield Instead("ssl", "create_default_context", _trusting_none(ask))
        for name in _OF_MACHINE:
            yield InsteadOfMethod("ssl", "SSLContext", name, _certificates(ask, name))
    # Importing it takes as long as a small exploration.
    if _MODULE not in sys.modules and not any(ask.mentions(kind) for kind in _CLASSES):
        return
    yield Instead(_MODULE, _OVER_TLS, _made(ask))
    for kind in _CLASSES:
        by = _method(ask, "request", _send, _sent)
        yield InsteadOfMethod(_MODULE, kind, "request", by)
        by = _method(ask, "getresponse", _await, _answered)
        yield InsteadOfMethod(_MODULE, kind, "getresponse", by)


def _made(ask: Asking) -> Callable[..., Any]:
    """Stands in for the class of connections that trust what this machine does: to read that takes
    30 ms (`time.perf_counter` around `HTTPSConnection("a")`).
    """

    def made(*args: Any, **options: Any) -> Any:
        if ask.running and options.get("context") is None:
            options["context"] = _trusting_none(ask)()
        return original(_MODULE, _OVER_TLS)(*args, **options)

    return made


def _trusting_none(ask: Asking) -> Callable[..., Any]:
    """Stands in for what makes the context that trusts what this machine does."""

    def create_default_context(*args: Any, **options: Any) -> Any:
        if args or options or not ask.running:
            return original("ssl", "create_default_context")(*args, **options)
        return original("ssl", "SSLContext")(original("ssl", "PROTOCOL_TLS_CLIENT"))

    return create_default_context


def _certificates(ask: Asking, name: str) -> Callable[..., Any]:
    def told(context: Any, *args: Any, **options: Any) -> Any:
        if ask.running:
            raise AssumptionFailed("the certificates that this machine trusts are no input")
        return getattr(context, name)(*args, **options)

    return told


def _method(
    ask: Asking, name: str, begin: Callable[..., None], answer: Callable[[Any, Parts], Any]
) -> Callable[..., Any]:
    calls = Calls(ask, f"{_OWNER}.{name}", _NAME)

    def asked(connection: Any, *args: Any, **options: Any) -> Any:
        if not ask.running:
            return getattr(type(connection), name)(connection, *args, **options)
        ask.lose("answers of servers, of which only status, headers and content are inputs")
        begin(ask, connection, *args, **options)
        parts = calls.next(_FAILING[name])
        if parts.error == "ended":
            connection.close()  # as the library does then, and for no other of these errors
        if parts.error:
            raise eval(_ERRORS[parts.error], {"http": importlib.import_module("http")})
        return answer(connection, parts)

    return asked


# A test has mocks in the place of these methods, which never refuse. So a run in which the library
# would refuse the call is none.


def _send(ask: Asking, connection: Any, method: Any = "", *_: Any, **options: Any) -> None:
    """Note that a request was sent, which it is even if nobody answers."""
    if getattr(connection, _STATE, _IDLE) != _IDLE:
        raise AssumptionFailed("the library sends no request before the last one is answered")

    def forget() -> None:
        setattr(connection, _STATE, _IDLE)
        setattr(connection, _KEPT, None)

    ask.afterwards(forget)
    setattr(connection, _STATE, _SENT)
    setattr(connection, _METHOD, method)


def _sent(connection: Any, parts: Parts) -> None:
    """A request gives nothing."""


def _await(ask: Asking, connection: Any) -> None:
    kept = getattr(connection, _KEPT, None)
    if getattr(connection, _STATE, _IDLE) != _SENT:
        raise AssumptionFailed("the library has no answer where no request was sent")
    if kept is not None and not kept.isclosed():
        raise AssumptionFailed("the library reads no answer before the last one was read")


def _answered(connection: Any, parts: Parts) -> Any:
    """The answer of the server. One that has no content leaves the connection open, any other ends
    with it.
    """
    setattr(connection, _STATE, _IDLE)
    is_head = getattr(connection, _METHOD, None) == "HEAD"
    response = _Response(parts)
    if is_head and response.has_content():
        raise AssumptionFailed("an answer to HEAD has no content")
    stays = is_head or parts.plain(response.status) in WITHOUT_BODY
    setattr(connection, _KEPT, response if stays else None)
    return response


class _Response(Opened):
    """What `getresponse` gives; its content has terms."""

    def __init__(self, parts: Parts) -> None:
        status = parts.value("status", _STATUS)
        content = parts.value("content", BytesShape())
        super().__init__(parts, status, content, _Headers(parts))
        self._sent_content = content
        self.as_sent()
        self.msg = self.headers

    def has_content(self) -> bool:
        """Whether the server sent any."""
        return bool(self._sent_content)


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
        told = told_as_sent if of_responses else lambda parts: "None"
        for each in mocked(function, calls, _ERRORS, told, _IMPORTS, targets):
            if of_responses and not all(call[ERROR].value for call in calls):
                yield made_by_response(each)
            elif any(call[ERROR].value == "ended" for call in calls):
                yield each
            else:
                line = each.line.removeprefix("\n".join(_IMPORTS) + "\n")
                yield Setting(each.source, each.value, line)


CONNECTIONS = Source(
    name=_NAME,
    what="`HTTPConnection` and `HTTPSConnection` of `http.client`",
    stand_ins=_stand_ins,
    shown=_shown,
)
