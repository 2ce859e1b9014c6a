"""The network: nothing is sent; what a server answers, or that it does not, is an input."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from symcrete.inputs.draw.text import BytesShape
from symcrete.inputs.shapes.shape import IntShape
from symcrete.world.outside.answered import Calls, by_function, mocked
from symcrete.world.source import (
    Answer,
    Asking,
    Instead,
    Setting,
    Source,
    StandIn,
    Targets,
    original,
)

_NAME = "network"
_STATUS = IntShape(200, 599)
_GOOD = IntShape(200, 299)  # others are raised by urllib
_BODY = BytesShape()
_OPENED = "urllib.request.urlopen"
_ERRORS = {
    "refused": 'URLError("refused")',
    "not found": 'HTTPError("", 404, "Not Found", None, None)',
    "broken": 'HTTPError("", 500, "Internal Server Error", None, None)',
    "late": "TimeoutError()",
}
_REQUESTS = ("get", "post", "put", "patch", "delete", "head", "request")
_OF_REQUESTS = {"refused": "ConnectionError()", "late": "Timeout()"}


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    yield Instead("urllib.request", "urlopen", _function(ask, "urllib.request", "urlopen", _opened))
    if "requests" in sys.modules:
        for name in _REQUESTS:
            yield Instead("requests", name, _function(ask, "requests", name, _answered))


def _function(
    ask: Asking, module: str, name: str, answer: Callable[[Calls], Any]
) -> Callable[..., Any]:
    calls = Calls(ask, f"{module}.{name}", _NAME)

    def asked(*args: Any, **options: Any) -> Any:
        if not ask.running:
            return original(module, name)(*args, **options)
        ask.lose("answers of servers, of which only status and content are inputs")
        return answer(calls)

    return asked


class Opened:
    """What `urlopen` gives; its content has terms."""

    headers: Mapping[str, str] = {}
    reason = "OK"
    url = ""

    def __init__(self, status: Any, body: Any) -> None:
        self.status = self.code = status
        self._body = body

    def read(self, size: int | None = -1, /) -> Any:
        if size is not None and size >= 0:
            found, self._body = self._body[:size], self._body[size:]
            return found
        found, self._body = self._body, b""
        return found

    def getcode(self) -> Any:
        return self.status

    def info(self) -> Mapping[str, str]:
        return self.headers

    def geturl(self) -> str:
        return self.url

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _opened(calls: Calls) -> Opened:
    answer = calls.next(_ERRORS)
    if answer.error:
        names = vars(importlib.import_module("urllib.error"))
        raise eval(_ERRORS[answer.error], dict(names))
    return Opened(answer.value("status", _GOOD), answer.value("content", _BODY))


def _answered(calls: Calls) -> Any:
    """A response of `requests` as that library makes it."""
    answer = calls.next(_OF_REQUESTS)
    requests = importlib.import_module("requests")
    if answer.error:
        raise eval(_OF_REQUESTS[answer.error], dict(vars(requests)))
    made = requests.Response()
    made.status_code = answer.value("status", _STATUS)
    made.raw = io.BytesIO(bytes(answer.value("content", _BODY)))
    made.encoding = "utf-8"
    return made


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for function, calls in by_function(answers).items():
        if function == _OPENED:
            needs = [
                "import io",
                "from urllib.error import HTTPError, URLError",
                "from urllib.response import addinfourl",
            ]
            yield from mocked(function, calls, _ERRORS, _told_opened, needs, targets)
        else:
            needs = ["import io", "from requests import ConnectionError, Response, Timeout"]
            for each in mocked(function, calls, _OF_REQUESTS, _told_response, needs, targets):
                yield Setting(each.source, each.value, _with_maker(each.line))


def _told_opened(parts: Mapping[str, Answer]) -> str:
    return f'addinfourl(io.BytesIO({parts["content"].text}), {{}}, "", {parts["status"].text})'


def _told_response(parts: Mapping[str, Answer]) -> str:
    return f"response({parts['status'].text}, {parts['content'].text})"


_MAKER = """
def response(status, content):
    made = Response()
    made.status_code, made.raw, made.encoding = status, io.BytesIO(content), "utf-8"
    return made

"""


def _with_maker(line: str) -> str:
    if "response(" not in line:
        return line
    head, _, last = line.rpartition("\n\n")
    return f"{head}\n{_MAKER}{last}"


NETWORK = Source(
    name=_NAME,
    what="`urllib.request.urlopen`, `requests.get` and the like",
    stand_ins=_stand_ins,
    shown=_shown,
)
