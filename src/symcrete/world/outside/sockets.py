"""Sockets: nothing is sent; whether a server can be reached, and what comes back, are inputs."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from symcrete.inputs.draw.text import BytesShape, StrShape
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.containers import SequenceShape
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, IntShape, Shape, TupleShape
from symcrete.world.files.opened import Opened
from symcrete.world.outside.answered import ERROR, Calls, Parts, by_function, mocked
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

_NAME = "sockets"
_ERRORS = {
    "refused": "ConnectionRefusedError()",
    "late": "TimeoutError()",
    "unknown": "socket.gaierror()",
}
_REACHED = ChoiceShape(tuple([ConstantShape(each) for each in ("", *_ERRORS)]))
_PORT = 9  # of both ends: that of the service which discards all it is sent
_CONNECTION_REFUSED = 111  # the system's number of "connection refused"
_CODE = ChoiceShape((ConstantShape(0), ConstantShape(_CONNECTION_REFUSED)))
_ADDRESS = ChoiceShape(
    tuple([ConstantShape(each) for each in ("127.0.0.1", "192.0.2.1", "10.0.0.1")])
)
_HOST = TupleShape((StrShape(), SequenceShape(StrShape()), SequenceShape(_ADDRESS)))
_PLACE = TupleShape(  # family, type, protocol, name; address and port
    (
        ChoiceShape((ConstantShape(2), ConstantShape(10))),
        ConstantShape(1),
        ConstantShape(6),
        ConstantShape(""),
        TupleShape((_ADDRESS, IntShape(0, 65_535))),
    )
)
# Functions that ask for the address or the name of a host, which may be unknown.
_LOOKED_UP: dict[str, Shape] = {
    "gethostbyname": _ADDRESS,
    "gethostbyname_ex": _HOST,
    "gethostbyaddr": _HOST,
    "getaddrinfo": SequenceShape(_PLACE, least=1),
}
_MADE = ("socket.socket", "socket.create_connection")


def _raised(error: str) -> BaseException:
    made: BaseException = eval(_ERRORS[error], {"socket": socket})
    return made


class Socket:
    """What stands for a socket in a run."""

    family, type, proto = socket.AF_INET, socket.SOCK_STREAM, 0

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._counts: dict[str, int] = {}

    def _numbered(self, name: str) -> str:
        """The part for another call of a method: `recv`, `recv@2`, ..."""
        count = self._counts[name] = self._counts.get(name, 0) + 1
        return name if count == 1 else f"{name}@{count}"

    def connect(self, address: Any, /) -> None:
        error = self._parts.value(self._numbered("connect"), _REACHED)
        if error:
            raise _raised(error)

    def connect_ex(self, address: Any, /) -> Any:
        return self._parts.value(self._numbered("connect_ex"), _CODE)

    def recv(self, size: int = -1, *_: Any) -> Any:
        # A size that depends on the input cannot bound the shape of another input.
        bytes_of_it = BytesShape(most=size if type(size) is int and size >= 0 else None)
        shape = ChoiceShape((bytes_of_it, ConstantShape("late")))  # or the key of an error
        found = self._parts.value(self._numbered("recv"), shape)
        if isinstance(found, str):
            raise _raised(found)
        return found

    def recvfrom(self, size: int, *_: Any) -> Any:
        return self.recv(size), ("127.0.0.1", _PORT)

    def send(self, data: Any, *_: Any) -> int:
        return len(data)

    def sendto(self, data: Any, *_: Any) -> int:
        return len(data)

    def makefile(self, mode: str = "r", *_: Any, **options: Any) -> Opened:
        found = self.recv()
        return Opened("", found if "b" in mode else found.decode())

    def accept(self) -> tuple[Socket, tuple[str, int]]:
        return self, ("127.0.0.1", _PORT)

    def fileno(self) -> int:
        return 9  # a number that is no standard stream

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", _PORT

    def _nothing(self, *_: Any, **options: Any) -> None:
        """A method that only sends, or sets something."""

    sendall = bind = listen = settimeout = setblocking = setsockopt = shutdown = close = _nothing

    def __enter__(self) -> Socket:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""


def _stand_ins(ask: Asking) -> Iterable[StandIn]:
    yield Instead("socket", "socket", _asked(ask, "socket", _made))
    yield Instead("socket", "create_connection", _asked(ask, "create_connection", _connected))
    for name, shape in _LOOKED_UP.items():
        yield Instead("socket", name, _asked(ask, name, _looking_up(shape)))


def _asked(ask: Asking, name: str, answer: Callable[[Calls], Any]) -> Callable[..., Any]:
    calls = Calls(ask, f"socket.{name}", _NAME)

    def asked(*args: Any, **options: Any) -> Any:
        if not ask.running:
            return original("socket", name)(*args, **options)
        ask.lose("answers of servers, of which only the commonest are inputs")
        return answer(calls)

    return asked


def _made(calls: Calls) -> Socket:
    return Socket(calls.next(()))


def _connected(calls: Calls) -> Socket:
    parts = calls.next(_ERRORS)
    if parts.error:
        raise _raised(parts.error)
    return Socket(parts)


def _looking_up(shape: Shape) -> Callable[[Calls], Any]:
    def answer(calls: Calls) -> Any:
        parts = calls.next(["unknown"])
        if parts.error:
            raise _raised(parts.error)
        return parts.value("result", shape)

    return answer


def _shown(answers: Sequence[Answer], targets: Targets) -> Iterable[Setting]:
    for function, calls in by_function(answers).items():
        texts = [each.text for call in calls for part, each in call.items() if part != ERROR]
        values = [str(each.value) for call in calls for each in call.values()]
        needs = ["import socket"] if "unknown" in values else []
        if function not in _MADE:
            yield from mocked(
                function, calls, _ERRORS, lambda parts: parts["result"].text, needs, targets
            )
            continue
        yield from _told_sockets(function, calls, needs, ", ".join(texts), targets)


def _told_sockets(
    function: str,
    calls: Sequence[Mapping[str, Answer]],
    needs: Sequence[str],
    value: str,
    targets: Targets,
) -> Iterable[Setting]:
    """Statements that put mocks in the place of sockets: one after another, as they are made."""
    lines, names = [], []
    for number, call in enumerate(calls):
        if call[ERROR].value:
            names.append(_ERRORS[call[ERROR].value])
            continue
        name = "connection" if len(calls) == 1 else f"connection_{number + 1}"
        names.append(name)
        lines.append(f"{name} = MagicMock()")
        lines.append(f"{name}.__enter__.return_value = {name}")
        lines += [
            f"{name}.{method}.side_effect = [{', '.join(texts)}]"
            for method, texts in _methods(call)
        ]
    module, _, last = function.rpartition(".")
    head = "\n".join([*needs, "from unittest.mock import MagicMock, Mock", ""])
    for target in targets(module, last):
        put = f"monkeypatch.setattr({literal(target)}, Mock(side_effect=[{', '.join(names)}]))"
        yield Setting(f"{function}()", value, "\n".join([head, *lines, put]))


def _methods(call: Mapping[str, Answer]) -> Iterable[tuple[str, list[str]]]:
    """For each method of a socket that was asked: what it gives or raises, as text."""
    found: dict[str, list[str]] = {}
    for part, each in call.items():
        method = part.partition("@")[0]
        if method in ("connect", "recv", "connect_ex"):
            is_error = isinstance(each.value, str) and each.value in _ERRORS
            plain = "None" if method == "connect" else each.text
            found.setdefault(method, []).append(_ERRORS[each.value] if is_error else plain)
    return found.items()


SOCKETS = Source(
    name=_NAME,
    what="`socket.socket`, `create_connection`, `gethostbyname`, `getaddrinfo`",
    stand_ins=_stand_ins,
    shown=_shown,
)
