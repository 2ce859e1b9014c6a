"""Entry points to parsers of the standard library, for search strategies to compare on.

Each takes text and lets the library's own Python code read it; what it makes of the text does not
matter. The library modules themselves are what is covered.
"""

from __future__ import annotations

import argparse
import configparser
import html.parser
import json.decoder
import json.scanner
import shlex
import urllib.parse


def json_value(text: str) -> None:
    """The Python half of `json`, in the place of `expat`."""
    decoder = json.decoder.JSONDecoder()
    decoder.parse_string = json.decoder.py_scanstring
    decoder.scan_once = json.scanner.py_make_scanner(decoder)
    decoder.decode(text)


class Characters:
    """A stream of text, in Python so that the text can be followed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def read(self, count: int) -> str:
        start = self.position
        self.position += count
        return self.text[start : self.position]

    def readline(self) -> str:
        start = self.position
        while self.position < len(self.text):
            self.position += 1
            if self.text[self.position - 1] == "\n":
                break
        return self.text[start : self.position]


def shell(text: str, posix: bool, operators: bool, only_spaces: bool) -> None:
    """As a shell reads a line: its own quoting rules, operators, or words between spaces."""
    lexer = shlex.shlex(Characters(text), posix=posix, punctuation_chars=operators)
    lexer.whitespace_split = only_spaces
    list(lexer)


def settings(text: str) -> None:
    configparser.RawConfigParser().read_file(text.split("\n"))


def address(text: str) -> None:
    parts = urllib.parse.urlsplit(text)
    _ = parts.hostname, parts.port, parts.username
    urllib.parse.parse_qsl(parts.query, strict_parsing=True)


class Pages(html.parser.HTMLParser):
    """Reads markup and keeps nothing of it."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass


def markup(text: str, complete: bool) -> None:
    """HTML as it comes, or to its end."""
    reader = Pages()
    reader.feed(text)
    if complete:
        reader.close()


def command_line(text: str) -> None:
    """Options of every kind that `argparse` knows, in one line."""
    parser = argparse.ArgumentParser(prog="tool", exit_on_error=False, allow_abbrev=True)
    parser.add_argument("-v", "--verbose", action="count", default=0)
    parser.add_argument("-n", "--number", type=int, choices=range(10))
    parser.add_argument("--name", nargs="+")
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--fast", action="store_true")
    group.add_argument("--slow", action=argparse.BooleanOptionalAction)
    parser.add_argument("files", nargs="*")
    parser.parse_known_args(text.split(" "))
