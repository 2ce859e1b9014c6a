"""Texts that mean something: an address, a date, a number of a form that functions of the library
read.

Such a text is hardly found by chance, and where the function that reads it is not followed, no
branch tells its form. Which are worth a draw is told by the functions that a program calls, and by
the names of its parameters.
"""

from __future__ import annotations

import ast

from symcrete.program.source.module import walked

_ADDRESSES = (
    "http://user:pass@example.com:8080/a/b.html;p?q=1&r=a+b#f",
    "https://example.com",
    "//example.com/x",
    "file:///tmp/a.txt",
)
_IP_ADDRESSES = ("192.168.1.1", "192.168.1.0/24", "::1")
_HOSTS = ("example.com", "example.com:8080", "localhost")
_DATES = ("2024-02-29", "2024-02-29T12:30:45+01:00", "12:30:45", "20240229", "2024-2-9")
_PATHS = ("a/b.txt", "/a/b", "a.tar.gz")
_TYPES = ("text/html; charset=utf-8", "application/json")
_MAILS = ("someone@example.com",)
_NUMBERS = ("1.5", "-2", "1e3")
_MARKUP = ("<p>a</p>", '<a href="b">c</a>')

# By the function that reads the text.
_READ_BY: dict[str, tuple[str, ...]] = {
    "urlparse": _ADDRESSES,
    "urlsplit": _ADDRESSES,
    "urljoin": _ADDRESSES,
    "urlunparse": _ADDRESSES,
    "inet_aton": _IP_ADDRESSES,
    "inet_pton": _IP_ADDRESSES,
    "ip_address": _IP_ADDRESSES,
    "ip_network": _IP_ADDRESSES,
    "IPv4Address": _IP_ADDRESSES,
    "IPv6Address": _IP_ADDRESSES,
    "fromisoformat": _DATES,
    "strptime": (*_DATES, "%Y-%m-%d"),
    "parsedate": ("Thu, 29 Feb 2024 12:30:45 GMT",),
    "parsedate_tz": ("Thu, 29 Feb 2024 12:30:45 GMT",),
    "parsedate_to_datetime": ("Thu, 29 Feb 2024 12:30:45 GMT",),
    "UUID": ("12345678-1234-5678-1234-567812345678",),
    "b64decode": ("YWJj",),
    "unhexlify": ("616263",),
    "fromhex": ("616263",),
    "Decimal": _NUMBERS,
    "Fraction": ("1/3", "1.5"),
    "literal_eval": ("[1, 'a']", "{'a': 1}"),
    "HTMLParser": _MARKUP,
}
# By the name of a parameter, without what comes before its last `_`.
_MEANT_BY: dict[str, tuple[str, ...]] = {
    "url": _ADDRESSES,
    "uri": _ADDRESSES,
    "href": _ADDRESSES,
    "email": _MAILS,
    "ip": _IP_ADDRESSES,
    "cidr": _IP_ADDRESSES,
    "host": _HOSTS,
    "hostname": _HOSTS,
    "domain": _HOSTS,
    "date": _DATES[:1],
    "path": _PATHS,
    "filename": _PATHS,
    "mimetype": _TYPES,
    "type": _TYPES,
    "html": _MARKUP,
    "markup": _MARKUP,
    "color": ("#ff0000", "red"),
    "locale": ("en_US",),
    "language": ("en", "de"),
    "version": ("1.2.3",),
    "sql": ("select a, b from c where d = 1",),
    "encoding": ("utf-8", "ascii"),
    "charset": ("utf-8", "ascii"),
}


def known_texts(tree: ast.AST) -> list[str]:
    """Texts that fit what a program calls, or how it names its parameters."""
    found: dict[str, None] = {}
    for node in walked(tree):
        if type(node) is ast.arg:
            found |= dict.fromkeys(_MEANT_BY.get(node.arg.rpartition("_")[2], ()))
        elif type(node) is ast.Call:
            match node.func:
                case ast.Name(id=called) | ast.Attribute(attr=called):
                    found |= dict.fromkeys(_READ_BY.get(called, ()))
    return list(found)
