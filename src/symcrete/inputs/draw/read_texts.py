"""Texts that a function of the library reads, made of the constants that a program mentions.

A program that decodes, parses or splits a text asks what came out of it: for its own constants. So
a constant is written as what is read: `b64decode` gives `b"key:"` if it is given `a2V5Og==`, the
address `http://example.com/?page=1` has the parameter `page`.
"""

from __future__ import annotations

import base64
import datetime
import functools
import importlib
import itertools
import re
import urllib.parse
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias, TypeVar

from symcrete.slotted import dataclass

T = TypeVar("T")

# How much is made for one reader; chosen, not measured.
MOST_TEXTS = 40
MOST_OF_A_KIND = 10  # constants of a kind: those given most often, nearest to what is explored
MOST_JOINED = 5  # constants of which each is joined with each other
LONGEST_READ = 200  # characters
LARGEST_PORT = 65_535
_WORD = re.compile(r"[\w.-]{1,40}")
_SCHEMES = frozenset({"http", "https", "ftp", "file", "ws", "wss"})


@dataclass(frozen=True, slots=True)
class Constants:
    """What a program mentions, nearest first."""

    texts: tuple[str, ...]
    blobs: tuple[bytes, ...]
    integers: tuple[int, ...]

    def as_bytes(self) -> Iterator[bytes]:
        """The bytes, then the texts encoded."""
        yield from self.blobs
        yield from [text.encode("utf-8", "replace") for text in self.texts]

    def words(self) -> list[str]:
        """The texts that are one short word, such as the name of a host or a parameter."""
        return [text for text in self.texts if _WORD.fullmatch(text)]


Making: TypeAlias = Callable[[Constants], Iterable[str]]


def _addresses(known: Constants) -> Iterator[str]:
    words = known.words()
    scheme = next((word for word in words if word in _SCHEMES), "http")
    other = "http" if scheme == "https" else "https"
    yield f"{scheme}://user:pass@example.com:8080/a/b.html;p?q=1&r=a+b#f"
    yield f"{scheme}://example.com"
    for number in known.integers:
        if 0 < number <= LARGEST_PORT:
            yield f"{scheme}://example.com:{number}/"
            yield f"{other}://example.com:{number}/"
    for word in words:
        yield f"{scheme}://{word}/"
        yield f"{scheme}://example.com/{word}"
        yield f"{scheme}://example.com/?{word}=1"
        yield f"{word}://example.com/"


def _queries(known: Constants) -> Iterator[str]:
    words = known.words()
    yield from [f"{word}=1" for word in words]
    yield from [f"{one}={two}" for one, two in itertools.permutations(words[:MOST_JOINED], 2)]


def _commands(known: Constants) -> Iterator[str]:
    shlex: Any = importlib.import_module("shlex")  # few programs need its patterns
    for one, two in itertools.permutations(known.texts[:MOST_JOINED], 2):
        yield shlex.join([one, two])
    yield from map(shlex.quote, known.texts)


def _encoded(encode: Callable[[Any], bytes]) -> Making:
    return lambda known: [encode(each).decode() for each in known.as_bytes()]


def _fixed(*texts: str) -> Making:
    return lambda known: texts


_HOSTS = ("192.168.1.1", "8.8.8.8", "::1", "10.0.0.1", "127.0.0.1", "2001:4860::8888", "224.0.0.1")
_NETWORKS = ("192.168.1.0/24", "10.0.0.0/8", "2001:db8::/32", "8.8.8.0/24")
_ZONES = ("UTC", "America/New_York", "Asia/Tokyo")
_ISO = ("2024-02-29T12:30:45+01:00", "2031-01-01T00:00:00Z", "2024-02-29", "2024-02-29T12:30:45.5")
_MAILED = ("Thu, 29 Feb 2024 12:30:45 GMT", "Sat, 01 Jan 2000 00:00:00 -0500")

# What makes the texts of a reader, by the reader's module and function, or by the name that a
# model gives it; several readers are parted by spaces.
_MAKING: dict[str, Making] = {
    "urllib.parse.urlparse urllib.parse.urlsplit": _addresses,
    "urllib.parse.parse_qs urllib.parse.parse_qsl": _queries,
    "urllib.parse.unquote": lambda known: map(urllib.parse.quote, known.texts),
    "urllib.parse.unquote_plus": lambda known: map(urllib.parse.quote_plus, known.texts),
    "shlex.split": _commands,
    "base64.b64decode base64.standard_b64decode": _encoded(base64.b64encode),
    "base64.urlsafe_b64decode": _encoded(base64.urlsafe_b64encode),
    "base64.b32decode": _encoded(base64.b32encode),
    "base64.b16decode": _encoded(base64.b16encode),
    "binascii.a2b_base64": _encoded(base64.b64encode),
    "binascii.unhexlify binascii.a2b_hex": lambda known: [b.hex() for b in known.as_bytes()],
    "ipaddress.ip_address": _fixed(*_HOSTS),
    "ipaddress.IPv4Address ipaddress.IPv6Address": _fixed(*_HOSTS),
    "ipaddress.ip_network ipaddress.ip_interface": _fixed(*_NETWORKS, *_HOSTS),
    "ipaddress.IPv4Network ipaddress.IPv6Network": _fixed(*_NETWORKS),
    "zoneinfo.ZoneInfo": _fixed(*_ZONES),
    "fromisoformat": _fixed(*_ISO),
    "email.utils.parsedate email.utils.parsedate_tz": _fixed(*_MAILED),
    "email.utils.parsedate_to_datetime": _fixed(*_MAILED),
}
READERS: dict[str, Making] = {
    name: making for names, making in _MAKING.items() for name in names.split()
}
# what the name of a reader with a format begins with; the rest is the format
STRPTIME = "strptime "
# Days and times to write in a format: of each half of a day, a year and a month, and odd ones.
_MOMENTS = (
    datetime.datetime(2024, 2, 29, 12, 30, 45, tzinfo=datetime.UTC),
    datetime.datetime(1969, 12, 31, 23, 59, 59, tzinfo=datetime.UTC),
    datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC),
    datetime.datetime(2031, 6, 15, 5, 0, 1, tzinfo=datetime.UTC),
    datetime.datetime(2023, 10, 9, 18, 15, tzinfo=datetime.UTC),
)


@functools.lru_cache(maxsize=64)  # asked for at every draw; chosen, not measured
def texts_read_by(
    reader: str, texts: tuple[str, ...], blobs: tuple[bytes, ...], integers: tuple[int, ...]
) -> tuple[str, ...]:
    """Texts that a reader takes, made of these constants; the more often a constant is given, the
    earlier its texts come.
    """
    if reader.startswith(STRPTIME):
        return tuple([each.strftime(reader.removeprefix(STRPTIME)) for each in _MOMENTS])
    making = READERS.get(reader)
    if making is None:
        return ()
    known = Constants(_nearest(texts), _nearest(blobs), _nearest(integers))
    made = dict.fromkeys([text for text in making(known) if len(text) <= LONGEST_READ])
    return tuple(made)[:MOST_TEXTS]


def _nearest(constants: tuple[T, ...]) -> tuple[T, ...]:
    """The constants that are given most often, each once, without empty texts."""
    counted = Counter(constants).most_common(MOST_OF_A_KIND)
    return tuple([each for each, _ in counted if each or each == 0])
