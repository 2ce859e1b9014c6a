"""The network: nothing is sent; what a server answers, or that it does not, is an input."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from symcrete.inputs.draw.text import BytesShape
from symcrete.inputs.shapes.shape import IntShape
from symcrete.world.outside.answered import Calls, by_function, mocked, text_of
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
_GOOD = IntShape(200, 299)  # others are raised by urllib
_BODY = BytesShape()
_OPENED = "urllib.request.urlopen"
_ERRORS = {
    "refused": 'URLError("refused")',
    "not found": 'HTTPError("", 404, "Not Found", None, None)',
    "broken": 'HTTPError("", 500, "Internal Server Error", None, None)',
    "late": "TimeoutError()",
}
_IMPORTS = (
    "import io",
    "from urllib.error import HTTPError, URLError",
    "from urllib.response import addinfourl",
)


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    yield Instead("urllib.request", "urlopen", _asked(ask))


def _asked(ask: Asking) -> Callable[..., Any]:
    calls = Calls(ask, _OPENED, _NAME)

    def asked(*args: Any, **options: Any) -> Any:
        if not ask.running:
            return original("urllib.request", "urlopen")(*args, **options)
        ask.lose("answers of servers, of which only status and content are inputs")
        return _opened(calls)

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


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for function, calls in by_function(answers).items():
        yield from mocked(function, calls, _ERRORS, _told_opened, _IMPORTS, targets)


def _told_opened(parts: Mapping[str, Answer]) -> str:
    content, status = text_of(parts, "content", 'b""'), text_of(parts, "status", "200")
    return f'addinfourl(io.BytesIO({content}), {{}}, "", {status})'


NETWORK = Source(
    name=_NAME,
    what="`urllib.request.urlopen`",
    stand_ins=_stand_ins,
    shown=_shown,
)
