"""Entries into functions of the standard library, with the types their documentation gives.

Every tool is given these same functions; what counts are the branches of the library function that
each one leads to, which `benchmarks.stdlib` names.
"""

from __future__ import annotations

import ast
import calendar
import colorsys
import configparser
import csv
import difflib
import email._parseaddr
import email.utils
import fnmatch
import fractions
import html
import ipaddress
import json.decoder
import json.scanner
import posixpath
import re
import re._parser
import shlex
import statistics
import string
import textwrap
import tokenize
import urllib.parse
from collections.abc import Iterable
from typing import Any


def split_words(s: str, comments: bool, posix: bool) -> list[str]:
    return shlex.split(s, comments=comments, posix=posix)


def split_url(url: str, scheme: str, allow_fragments: bool) -> Any:
    return urllib.parse.urlsplit(url, scheme, allow_fragments)


def join_urls(base: str, url: str) -> str:
    return urllib.parse.urljoin(base, url)


def parse_query(qs: str, keep_blank_values: bool, strict_parsing: bool) -> list[tuple[str, str]]:
    return urllib.parse.parse_qsl(qs, keep_blank_values, strict_parsing)


def unquote_bytes(s: str) -> bytes:
    return urllib.parse.unquote_to_bytes(s)


def address_of_4(s: str) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(s)


def address_of_6(s: str) -> ipaddress.IPv6Address:
    return ipaddress.IPv6Address(s)


def summarised(first: int, last: int) -> list[Any]:
    low, high = ipaddress.IPv4Address(first), ipaddress.IPv4Address(last)
    return list(ipaddress.summarize_address_range(low, high))


def translated_pattern(pattern: str) -> str:
    return fnmatch.translate(pattern)


def relative_path(path: str, start: str) -> str:
    return posixpath.relpath(path, start)


def common_path(paths: list[str]) -> str:
    return posixpath.commonpath(paths)


def expanded_variables(path: str) -> str:
    return posixpath.expandvars(path)


def dedented(text: str) -> str:
    return textwrap.dedent(text)


def wrapped(text: str, width: int, break_long_words: bool, max_lines: int | None) -> list[str]:
    wrapper = textwrap.TextWrapper(
        width=width, break_long_words=break_long_words, max_lines=max_lines
    )
    return wrapper.wrap(text)


def json_string(s: str, strict: bool) -> tuple[str, int]:
    return json.decoder.py_scanstring(s, 0, strict)


def json_value(s: str) -> Any:
    decoder = json.decoder.JSONDecoder()
    decoder.parse_string = json.decoder.py_scanstring
    return json.scanner.py_make_scanner(decoder)(s, 0)


def json_object(s: str) -> Any:
    decoder = json.decoder.JSONDecoder()
    decoder.parse_string = json.decoder.py_scanstring
    decoder.scan_once = json.scanner.py_make_scanner(decoder)
    return decoder.decode(s)


def settings(text: str) -> dict[str, dict[str, str]]:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return {name: dict(parser[name]) for name in parser.sections()}


def unescaped(s: str) -> str:
    return html.unescape(s)


def parsed_date(data: str) -> Any:
    return email._parseaddr._parsedate_tz(data)


def address_pair(address: str) -> tuple[str, str]:
    return email.utils.parseaddr(address)


def weekday_of(year: int, month: int) -> tuple[int, int]:
    return calendar.monthrange(year, month)


def month_days(first: int, year: int, month: int) -> list[tuple[int, int]]:
    return list(calendar.Calendar(first).itermonthdays2(year, month))


def fraction_of(s: str) -> fractions.Fraction:
    return fractions.Fraction(s)


def near_fraction(numerator: int, denominator: int, limit: int) -> fractions.Fraction:
    return fractions.Fraction(numerator, denominator).limit_denominator(limit)


def quantiles_of(data: list[int], n: int, inclusive: bool) -> list[float]:
    return statistics.quantiles(data, n=n, method="inclusive" if inclusive else "exclusive")


def median_grouped_of(data: list[int], interval: int) -> float:
    return statistics.median_grouped(data, interval)


def to_hls(r: float, g: float, b: float) -> tuple[float, float, float]:
    return colorsys.rgb_to_hls(r, g, b)


def from_hsv(h: float, s: float, v: float) -> Any:
    return colorsys.hsv_to_rgb(h, s, v)


def guessed_quotes(data: str) -> Any:
    return csv.Sniffer()._guess_quote_and_delimiter(data, None)


def guessed_delimiter(data: str) -> Any:
    return csv.Sniffer()._guess_delimiter(data, None)


def formatted(template: str, args: list[int], kwargs: dict[str, int]) -> str:
    return string.Formatter().vformat(template, args, kwargs)


def substituted(template: str, values: dict[str, int]) -> str:
    return string.Template(template).safe_substitute(values)


def operations(a: str, b: str) -> list[Any]:
    return difflib.SequenceMatcher(None, a, b).get_opcodes()


def longest_match(a: str, b: str) -> Any:
    return difflib.SequenceMatcher(None, a, b, autojunk=False).find_longest_match()


def literal(s: str) -> Any:
    return ast.literal_eval(s)


def pattern(s: str) -> Any:
    return re._parser.parse(s)


def replacement(s: str) -> Any:
    return re._parser.parse_template(s, re.compile("(a)(?P<n>b)"))


def encoding_name(name: str) -> str:
    return tokenize._get_normal_name(name)


def detected_encoding(lines: list[bytes]) -> tuple[str, list[bytes]]:
    return tokenize.detect_encoding(iter(lines).__next__)


def untokenized(tokens: Iterable[tuple[int, str]]) -> str:
    return tokenize.untokenize(tokens)
