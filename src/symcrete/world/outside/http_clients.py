"""Libraries that ask servers, where the program uses them: `requests` and `httpx`.

Nothing is sent; a response is one of the library's own, made of the status and content of the
input.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import IntShape
from symcrete.slotted import dataclass
from symcrete.world.outside.answered import Calls, Parts, by_function, mocked, text_of
from symcrete.world.outside.network import header, headers_of
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

_NAME = "http clients"
_STATUS = IntShape(200, 599)
_METHODS = ("get", "post", "put", "patch", "delete", "head", "request")


@dataclass(frozen=True, slots=True)
class Library:
    """What differs between the libraries."""

    module: str
    sender: str  # the class whose objects send requests one after another
    errors: Mapping[str, str]  # expressions, by what the input calls them
    response: str  # the expression of a response, of its status and content
    maker: str = ""  # statements of a test that the expression needs
    maker_with_headers: str = ""  # the same, where the run found some headers


_REQUESTS = Library(
    "requests",
    "Session",
    {"refused": "requests.ConnectionError()", "late": "requests.Timeout()"},
    "response({status}, {content})",
    """def response(status, content):
    made = requests.Response()
    made.status_code, made.raw, made.encoding = status, io.BytesIO(content.encode()), "utf-8"
    return made

""",
    """def response(status, content, headers):
    made = requests.Response()
    made.status_code, made.raw, made.encoding = status, io.BytesIO(content.encode()), "utf-8"
    made.headers.update(headers)
    return made

""",
)
_HTTPX = Library(
    "httpx",
    "Client",
    {"refused": 'httpx.ConnectError("")', "late": 'httpx.ReadTimeout("")'},
    'httpx.Response({status}, text={content}, request=httpx.Request("GET", "http://a"))',
)
_LIBRARIES = {each.module: each for each in (_REQUESTS, _HTTPX)}


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    for library in _LIBRARIES.values():
        if library.module in sys.modules:
            for name in _METHODS:
                yield Instead(library.module, name, _function(ask, library, name))
                by = _method(ask, library, name)
                yield InsteadOfMethod(library.module, library.sender, name, by)


def _function(ask: Asking, library: Library, name: str) -> Callable[..., Any]:
    calls = Calls(ask, f"{library.module}.{name}", _NAME)

    def asked(*args: Any, **options: Any) -> Any:
        if not ask.running:
            return original(library.module, name)(*args, **options)
        return _answer(ask, calls, library)

    return asked


def _method(ask: Asking, library: Library, name: str) -> Callable[..., Any]:
    calls = Calls(ask, f"{library.module}.{library.sender}.{name}", _NAME)

    def asked(sender: Any, *args: Any, **options: Any) -> Any:
        if not ask.running:
            return getattr(type(sender), name)(sender, *args, **options)
        return _answer(ask, calls, library)

    return asked


def _answer(ask: Asking, calls: Calls, library: Library) -> Any:
    ask.lose("answers of servers, of which only status, headers and content are inputs")
    parts = calls.next(library.errors)
    module: Any = importlib.import_module(library.module)
    if parts.error:
        raise eval(library.errors[parts.error], {library.module: module})
    status, content = parts.value("status", _STATUS), parts.value("content", StrShape())
    plain = str(ask.plain(content)).encode()
    kind = _with_terms(ask, module.Response, content)
    if library is _HTTPX:
        made = kind(status, content=plain, request=module.Request("GET", "http://a"))
        made.status_code = status
        return made
    made = kind()
    made.__setstate__(
        {
            "status_code": status,
            "_content": plain,
            "encoding": "utf-8",
            "headers": _headers(type(made.headers), parts),
        }
    )
    return made


def _headers(kind: Any, answer: Parts) -> Any:
    """Headers of a response of `requests`: each is an input when it is asked for."""

    def found(headers: Any, name: Any) -> Any:
        key = str.__str__(name).lower()
        if key not in headers._store:
            value = header(answer, key)
            if value is not None:
                headers._store[key] = (key.title(), value)
        return kind.__getitem__(headers, key)

    # `get` and `in` ask this one, too.
    return type(kind.__name__, (kind,), {"__getitem__": found})()


def _with_terms(ask: Asking, kind: Any, text: Any) -> Any:
    """A class of responses whose text, and what is read from it, depend on the input."""

    def read(response: Any, **options: Any) -> Any:
        return ask.callee(json.loads)(text)

    return type(kind.__name__, (kind,), {"text": text, "json": read})


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for function, calls in by_function(answers).items():
        library = _LIBRARIES[function.partition(".")[0]]
        imports = [f"import {library.module}"]
        with_headers = bool(library.maker_with_headers) and any(map(headers_of, calls))
        told = _told(library, with_headers=with_headers)
        if library.maker and any(not each["error"].value for each in calls):
            imports.append("import io")
        for each in mocked(function, calls, library.errors, told, imports, targets):
            line, value = each.line, literal(each.value) if library.maker else each.value
            if library.maker and "import io" in imports:
                head, _, last = line.rpartition("\n\n")
                maker = library.maker_with_headers if with_headers else library.maker
                line = f"{head}\n\n{maker}{last}"
            yield Setting(each.source, value, line)


def _told(library: Library, *, with_headers: bool) -> Callable[[Mapping[str, Answer]], str]:
    def told(parts: Mapping[str, Answer]) -> str:
        status, content = text_of(parts, "status", "200"), text_of(parts, "content", '""')
        if with_headers:
            content += f", {literal(headers_of(parts))}"
        return library.response.format(status=status, content=content)

    return told


HTTP_CLIENTS = Source(
    name=_NAME,
    what="`requests.get`, `httpx.get` and the like, `Session` and `Client`",
    stand_ins=_stand_ins,
    shown=_shown,
)
