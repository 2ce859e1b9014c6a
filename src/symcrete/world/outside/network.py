"""The network: nothing is sent; what a server answers, or that it does not, is an input."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from email.message import Message
from typing import Any

from symcrete.errors import AssumptionFailed
from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, IntShape
from symcrete.world.files.opened import Opened as Content
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
_TOKEN = re.compile(r"[-!#$%&'*+.^_`|~0-9A-Za-z]+")  # RFC 9110, 5.6.2: the name of a header
WITHOUT_BODY = (204, 304)  # answers with these end after their headers
_AS_SENT = "as sent"  # the part that says that a test makes the answer from what a server sends
_MAKER = """def response(raw):
    made = http.client.HTTPResponse(Mock(makefile=lambda mode: io.BytesIO(raw)))
    made.begin()
    return made

"""
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
    """What `urlopen` gives, and `getresponse` of a connection; its content has terms."""

    url = ""
    version = 11  # as the library writes HTTP/1.1

    def __init__(self, answer: Parts, status: Any, body: Any, headers: Headers) -> None:
        self.status = self.code = status
        self.headers = headers
        self._answer = answer
        self._body = body
        self._content = Content("", body)
        self._is_read = False  # to its end, in one go
        self._read: list[Any] = []  # in parts: there was no more once one is empty

    # -- only what a connection gives has these, also where `urlopen` gives it

    @property
    def reason(self) -> str:
        self.as_sent()
        return reason_of(self._answer.plain(self.status))

    def getheader(self, name: str, default: Any = None) -> Any:
        self.as_sent()
        return self.headers.get(name, default)

    def getheaders(self) -> list[tuple[str, Any]]:
        self.as_sent()
        return self.headers.items()

    def isclosed(self) -> bool:
        """Whether the connection is, as it is when all is read and the library has noticed."""
        self.as_sent()
        is_read = self._is_read or any(not each for each in self._read)
        return is_read or self.closed

    def as_sent(self) -> None:
        """Have the test make this answer from what a server sends."""
        self._answer.value(_AS_SENT, ConstantShape(None))
        if self._body and any(self.status == each for each in WITHOUT_BODY):
            raise AssumptionFailed("such an answer has no content")

    # -- files have these, too

    @property
    def closed(self) -> bool:
        return self._content.closed

    def read(self, size: int | None = -1, /) -> Any:
        if self._is_gone():
            return b""
        found = self._content.read(size)
        if size is None or size < 0:
            self._is_read = True
        elif size > 0:
            self._read.append(found)
        return found

    def readline(self, size: int | None = -1, /) -> Any:
        if self._is_gone():
            return b""
        found = self._content.readline(size)
        if size != 0:
            self._read.append(found)
        return found

    def readlines(self, hint: int | None = -1, /) -> list[Any]:
        found, size = [], 0
        for line in self:
            found.append(line)
            size += len(line)
            if hint is not None and 0 < hint < size:
                break
        return found

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def _is_gone(self) -> bool:
        if self.closed:
            self.as_sent()  # which reads as empty then
        return self.closed

    def getcode(self) -> Any:
        return self.status

    def info(self) -> Message:
        return self.headers

    def geturl(self) -> str:
        return self.url

    def close(self) -> None:
        self._content.close()

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def reason_of(status: int) -> str:
    """The words that a server sends with a status; none for one that nobody has given any."""
    words: Mapping[int, str] = importlib.import_module("http.client").responses
    return words.get(status, "")


def header(answer: Parts, name: str) -> Any:
    """What an answer has for a header; None if it is not there, or none can have this name."""
    if not _TOKEN.fullmatch(str.__str__(name)):
        return None
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
    """The headers of an answer: each is an input when it is asked for. Once somebody asks for all
    of them, there are no others than those found until then.
    """

    def __init__(self, answer: Parts) -> None:
        super().__init__()
        self._answer = answer
        self._found: dict[str, Any] = {}  # those asked for, by their names in lower case
        self._are_all = False

    def get(self, name: str, failobj: Any = None) -> Any:
        key = str.__str__(name).lower()
        if key not in self._found and not self._are_all:
            self._found[key] = header(self._answer, key)
        found = self._found.get(key)
        return failobj if found is None else found

    def items(self) -> list[tuple[str, Any]]:
        self._are_all = True
        return [(key.title(), each) for key, each in self._found.items() if each is not None]

    def keys(self) -> list[str]:
        return [name for name, _ in self.items()]

    def values(self) -> list[Any]:
        return [value for _, value in self.items()]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.items())

    def get_all(self, name: str, failobj: Any = None) -> Any:
        found = self.get(name)
        return failobj if found is None else [found]

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
            raise errors.HTTPError("", code, "", headers, Content("", content))
        raise eval(_ERRORS[answer.error], dict(vars(errors)))
    status, content = answer.value("status", _GOOD), answer.value("content", _BODY)
    return Opened(answer, status, content, Headers(answer))


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for function, calls in by_function(answers).items():
        texts = [_told_headers(each) for each in calls]
        named = [
            {**each, "headers": Answer("headers", None, text)}
            for each, text in zip(calls, texts, strict=True)
        ]
        imports = _IMPORTS if all(text == "{}" for text in texts) else (*_IMPORTS, _PARSED)
        if not any(_AS_SENT in each for each in calls):
            yield from mocked(function, named, _ERRORS, _told_opened, imports, targets)
            continue
        imports = (*imports, "import http.client")
        for each in mocked(function, named, _ERRORS, _told_opened, imports, targets):
            yield made_by_response(each)


def _told_headers(parts: Mapping[str, Answer]) -> str:
    """The expression of the headers that the run asked for and found."""
    if not any(name.startswith(HEADER) for name in parts):
        return "{}"
    joined = "\n".join([f"{name}: {value}" for name, value in headers_of(parts).items()])
    return f"message_from_string({literal(joined)})"


def made_by_response(setting: Setting) -> Setting:
    """The setting, with the function `response` that its last statement calls."""
    head, _, last = setting.line.rpartition("\n\n")
    return Setting(setting.source, literal(setting.value), f"{head}\n\n{_MAKER}{last}")


def told_as_sent(parts: Mapping[str, Answer]) -> str:
    """The expression of an answer, as the server sends it."""
    status = int(text_of(parts, "status", "200"))
    lines = [f"HTTP/1.1 {status} {reason_of(status)}"]
    lines += [f"{name}: {value}" for name, value in headers_of(parts).items()]
    content: bytes = parts["content"].value if "content" in parts else b""
    raw = "".join(f"{line}\r\n" for line in [*lines, ""]).encode() + content
    return f"response({literal(raw)})"


def _told_opened(parts: Mapping[str, Answer]) -> str:
    if _AS_SENT in parts:
        return told_as_sent(parts)
    content, status = text_of(parts, "content", 'b""'), text_of(parts, "status", "200")
    return f'addinfourl(io.BytesIO({content}), {parts["headers"].text}, "", {status})'


NETWORK = Source(
    name=_NAME,
    what="`urllib.request.urlopen`",
    stand_ins=_stand_ins,
    shown=_shown,
)
