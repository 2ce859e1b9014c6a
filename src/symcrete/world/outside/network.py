"""The network: nothing is sent; what a server answers, or that it does not, is an input."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from email.message import Message
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, IntShape
from symcrete.world.outside.answered import Calls, Parts, by_function, mocked, text_of
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
_BAD = ChoiceShape((ConstantShape(404), IntShape(300, 599)))
_BODY = BytesShape()
HEADER = "header "  # the part of an answer that is the header of this name
_HEADER_VALUE = ChoiceShape((ConstantShape(None), StrShape(least=1, odd=False)))
_PARSED = "from email import message_from_string"
_OPENED = "urllib.request.urlopen"
_ERRORS = {
    "refused": 'URLError("refused")',
    "failed": 'HTTPError("", {code}, "", {headers}, io.BytesIO({content}))',
    "late": "TimeoutError()",
}
_IMPORTS = (
    "import io",
    "from urllib.error import HTTPError",
    "from urllib.error import URLError",
    "from urllib.response import addinfourl",
)


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    yield Instead("urllib.request", "urlopen", _asked(ask))


def _asked(ask: Asking) -> Callable[..., Any]:
    calls = Calls(ask, _OPENED, _NAME)

    def asked(*args: Any, **options: Any) -> Any:
        if not ask.running:
            return original("urllib.request", "urlopen")(*args, **options)
        ask.lose("answers of servers, of which only status, headers and content are inputs")
        return _opened(calls)

    return asked


class Opened:
    """What `urlopen` gives; its content has terms."""

    reason = "OK"
    url = ""

    def __init__(self, status: Any, body: Any, headers: Message) -> None:
        self.status = self.code = status
        self.headers = headers
        self._body = body

    def read(self, size: int | None = -1, /) -> Any:
        if size is not None and size >= 0:
            found, self._body = self._body[:size], self._body[size:]
            return found
        found, self._body = self._body, b""
        return found

    def getcode(self) -> Any:
        return self.status

    def info(self) -> Message:
        return self.headers

    def geturl(self) -> str:
        return self.url

    def close(self) -> None:
        """Nothing is open."""

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def header(answer: Parts, name: str) -> Any:
    """What an answer has for a header; None if it is not there."""
    found = answer.value(f"{HEADER}{str.__str__(name).lower()}", _HEADER_VALUE)
    if found is None:
        return None
    plain = str.__str__(found)
    if not plain.isascii() or not plain.isprintable() or plain != plain.strip():
        raise AssumptionFailed("a header is one line of plain text")
    return found


def headers_of(parts: Mapping[str, Answer]) -> dict[str, str]:
    """The headers that the run asked for and found, by their names as they are usually written."""
    asked = {name: each.value for name, each in parts.items() if name.startswith(HEADER)}
    return {name[len(HEADER) :].title(): value for name, value in asked.items() if value}


class Headers(Message):
    """The headers of an answer: each is an input when it is asked for."""

    def __init__(self, answer: Parts) -> None:
        super().__init__()
        self._answer = answer

    def get(self, name: str, failobj: Any = None) -> Any:
        found = header(self._answer, name)
        return failobj if found is None else found

    def __getitem__(self, name: str) -> Any:
        return self.get(name)

    def __contains__(self, name: object) -> bool:
        return self.get(str(name)) is not None


def _opened(calls: Calls) -> Opened:
    answer = calls.next(_ERRORS)
    if answer.error:
        errors: Any = importlib.import_module("urllib.error")
        if answer.error == "failed":
            code, content = answer.value("code", _BAD), answer.value("content", _BODY)
            headers = Headers(answer)
            raise errors.HTTPError("", code, "", headers, Opened(code, content, headers))
        raise eval(_ERRORS[answer.error], dict(vars(errors)))
    return Opened(answer.value("status", _GOOD), answer.value("content", _BODY), Headers(answer))


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for function, calls in by_function(answers).items():
        texts = [_told_headers(each) for each in calls]
        named = [
            {**each, "headers": Answer("headers", None, text)}
            for each, text in zip(calls, texts, strict=True)
        ]
        imports = _IMPORTS if all(text == "{}" for text in texts) else (*_IMPORTS, _PARSED)
        yield from mocked(function, named, _ERRORS, _told_opened, imports, targets)


def _told_headers(parts: Mapping[str, Answer]) -> str:
    """The expression of the headers that the run asked for and found."""
    if not any(name.startswith(HEADER) for name in parts):
        return "{}"
    joined = "\n".join([f"{name}: {value}" for name, value in headers_of(parts).items()])
    return f"message_from_string({literal(joined)})"


def _told_opened(parts: Mapping[str, Answer]) -> str:
    content, status = text_of(parts, "content", 'b""'), text_of(parts, "status", "200")
    return f'addinfourl(io.BytesIO({content}), {parts["headers"].text}, "", {status})'


NETWORK = Source(
    name=_NAME,
    what="`urllib.request.urlopen`",
    stand_ins=_stand_ins,
    shown=_shown,
)
