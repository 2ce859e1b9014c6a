"""Calls of the standard library that depend on their argument, found by trying them.

For every public function of a list of modules, and for the operators and protocols of built-in
kinds, a few ways of calling it with one argument from a small domain; kept are those whose result
differs from one value of the domain to another. Such a call may be silent only if what it gives
still carries the argument.
"""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MOST = 5000  # elements of an iterator that are looked at
DOMAINS: dict[str, list[Any]] = {
    "int": [0, 1, 2, 3, 5, 8, -1, 12, 100],
    "str": ["", "a", "b", "ab", "7", "A b", "1,2", "%d"],
    "list[int]": [[], [1], [2, 1], [3, 3, 3], [0, 5]],
    "float": [0.0, 1.5, 2.0, -3.25],
    "bool": [False, True],
    "bytes": [b"", b"a", b"ab", b"7"],
}
MODULES = [
    "builtins",
    "math",
    "cmath",
    "operator",
    "itertools",
    "functools",
    "collections",
    "string",
    "textwrap",
    "calendar",
    "datetime",
    "statistics",
    "bisect",
    "heapq",
    "re",
    "json",
    "base64",
    "binascii",
    "html",
    "urllib.parse",
    "shlex",
    "fnmatch",
    "difflib",
    "unicodedata",
    "struct",
    "zlib",
    "colorsys",
    "fractions",
    "decimal",
    "copy",
    "pprint",
    "reprlib",
    "ipaddress",
    "keyword",
    "ast",
    "csv",
    "io",
    "types",
    "array",
    "enum",
    "numbers",
    "posixpath",
    "ntpath",
    "quopri",
    "codecs",
    "stringprep",
    "hashlib",
    "hmac",
    "uuid",
    "pickle",
    "marshal",
    "bz2",
    "lzma",
    "plistlib",
    "configparser",
    "graphlib",
    "contextlib",
    "dataclasses",
    "typing",
    "abc",
    "linecache",
    "tokenize",
    "token",
    "glob",
    "mimetypes",
    "email.utils",
    "http.cookies",
    "html.entities",
    "xml.sax.saxutils",
    "gettext",
    "optparse",
    "getopt",
    "argparse",
    "sched",
    "queue",
    "zoneinfo",
    "tomllib",
    "traceback",
    "inspect",
    "dis",
]
# They end the process, wait, read the terminal or have no end; what reads the world has its tests.
LEFT_OUT = frozenset(
    [
        "breakpoint",
        "exit",
        "quit",
        "input",
        "open",
        "exec",
        "eval",
        "compile",
        "help",
        "print",
        "cycle",
        "count",
        "repeat",
        "globals",
        "locals",
        "vars",
        "dir",
        "id",
        "copyright",
        "credits",
        "license",
        "__import__",
        "memoryview",
        "interact",
        "factorial",
        "perm",
        "comb",
        "getaddresses",
        "classify_class_attrs",
        "getuserbyid",
        "wrap_file",
        "read_file",
        "main",
        "test",
        "unregister_archive_format",
        *("FileIO", "OpenWrapper", "open_code", "TextIOWrapper", "BufferedReader"),
        *("BufferedWriter", "BufferedRandom", "BufferedRWPair", "BZ2File", "LZMAFile"),
        "namedtuple",
        "new_class",
        "NamedTuple",
        "TypedDict",
        "NewType",
        "make_dataclass",
        "prepare_class",
    ]
)
WAYS = (
    "{f}({x})",
    "{f}({x}, 2)",
    "{f}(7, {x})",
    "{f}('a-b a', {x})",
    "{f}({x}, 'ab')",
    "{f}([5, 3, 1], {x})",
    "{f}({x}, [3, 1, 2])",
    "{f}(2, {x}, 5)",
    "{f}('a', 'b', {x})",
    "{f}('b', lambda m: str({x}), 'abc')",
    "{f}(lambda each: each == {x}, [1, 2, 3])",
    "{f}([{x}, 1])",
    "{f}(({x}, 2))",
    "{f}({{'a': {x}}})",
    "{f}(2024, 1, {x})",
    "{f}(2024, {x}, 1)",
)
PROTOCOLS = (
    "{x} in {o}",
    "{o}[{x}]",
    "{o} * {x}",
    "{x} * {o}",
    "{o} + {x}",
    "{x} + {o}",
    "{o} - {x}",
    "{o} / {x}",
    "{o} // {x}",
    "{o} % {x}",
    "{x} % {o}",
    "{o} == {x}",
    "{x} == {o}",
    "{o} < {x}",
    "{o} ** {x}",
    "{o} >> {x}",
    "{o} | {x}",
    "{o}[:{x}]",
    "{o}[{x}:]",
    "{o}[::{x}]",
    "{o}[{x} > 1]",
    "divmod({o}, {x})",
    "format({o}, str({x}))",
)
OBJECTS = (
    "'abc'",
    "b'abc'",
    "[1, 2, 3]",
    "(1, 2, 3)",
    "{1: 2, 3: 4}",
    "{1, 2, 3}",
    "frozenset([1, 2])",
    "range(5)",
    "deque([1, 2, 3])",
    "deque([1, 2, 3], 2)",
    "UserList([1, 2, 3])",
    "UserString('abc')",
    "UserDict({1: 2})",
    "ChainMap({1: 2}, {3: 4})",
    "Counter([1, 1, 2])",
    "OrderedDict({1: 2})",
    "defaultdict(int, {1: 2})",
    "bytearray(b'abc')",
    "memoryview(b'abc')",
    "array('i', [1, 2, 3])",
    "timedelta(hours=1)",
    "date(2024, 1, 2)",
    "datetime(2024, 1, 2)",
    "Decimal('1.5')",
    "Fraction(3, 2)",
    "2.5",
    "(1+2j)",
    "True",
    "7",
    "None",
    "calendar.month_name",
    "calendar.day_abbr",
    "string.Template('$a')",
    "PurePosixPath('a/b')",
    "IPv4Address('10.0.0.1')",
    "IPv4Network('10.0.0.0/29')",
    "MappingProxyType({1: 2})",
    "'%d'",
    "'{}'",
    "re.compile('a')",
    "types.SimpleNamespace(a=1)",
)
METHODS = (
    "{o}.{m}({x})",
    "{o}.{m}({x}, 2)",
    "{o}.{m}(1, {x})",
    "{o}.{m}('b', {x})",
    "{o}.{m}({x}, 'x')",
    "{o}.{m}([{x}])",
)
SHAPED = (
    "range({x}).{a}",
    "range(0, 20, {x} or 4).{a}",
    "slice({x}).{a}",
    "slice(1, {x}, 2).{a}",
    "deque([1], {x} if {x} > 0 else 1).{a}",
    "partial(round, {x}).{a}",
    "date(2024, 1, 1 + abs({x}) % 28).{a}",
    "timedelta(days={x}).{a}",
    "Fraction({x}, 3).{a}",
    "Decimal({x}).{a}",
    "complex({x}, 2).{a}",
    "types.SimpleNamespace(a={x}).{a}",
    "OSError({x}, 'b').{a}",
    "UnicodeDecodeError('utf8', b'abcdef', {x}, 6, 'r').{a}",
    "ValueError({x}).{a}",
)
SHAPED_ENDS = [
    "args",
    "real",
    "imag",
    "start",
    "stop",
    "step",
    "maxlen",
    "keywords",
    "day",
    "days",
    "seconds",
    "numerator",
    "denominator",
    "a",
    "errno",
    "__class__",
    "indices(5)",
    "index(2)",
    "count(1)",
    "__len__()",
    "__contains__(3)",
    "weekday()",
    "as_tuple()",
    "is_integer()",
    "bit_length()",
    "total_seconds()",
    "isoformat()",
    "__hash__()",
    "__repr__()",
    "__str__()",
    "__doc__",
    "start.real",
    "__reduce__()",
]
STATEMENTS = (
    "out = []\nfor number, name in enumerate('ab', {x}):\n    out.append(number)\nreturn out",
    "out = []\nfor number in itertools.count({x}):\n    out.append(number)\n    break\nreturn out",
    "out = io.StringIO()\nprint({x}, file=out)\nreturn out.getvalue()",
    "out = io.StringIO()\nout.write(str({x}))\nreturn out.getvalue()",
    "out = []\nout += [{x}]\nreturn out[0] == 1",
    "def inner():\n    return {x}\nreturn list(map(lambda each: each + inner(), [1, 2]))",
    "class Own(int):\n    pass\nreturn Own({x}) == 2",
    "class Own(UserList):\n    pass\nreturn Own([1, 2, 3])[{x}]",
    "class Own(dict):\n    pass\nown = Own()\nown[{x}] = 1\nreturn 1 in own",
    "class Own(list):\n    pass\nown = Own([1, {x}])\nreturn own[1] == 2",
    "class Own(enum.Enum):\n    A = 1\n    B = 2\nreturn Own({x}).name",
    "@dataclass\nclass Own:\n    a: int\nreturn Own({x}) == Own(2)",
    "class Own(NamedTuple):\n    a: int\nreturn Own({x}).a == 2",
    "held = types.SimpleNamespace()\nheld.a = {x}\nreturn copy.copy(held).a",
    "held = [[{x}]]\nreturn copy.deepcopy(held)[0][0]",
    "@functools.lru_cache\ndef inner(each):\n    return each * 2\nreturn inner({x})",
    "@functools.singledispatch\ndef inner(each):\n    return each * 2\nreturn inner({x})",
    "match {x}:\n    case 1:\n        return 'one'\n    case _:\n        return 'other'",
    "match [{x}, 2]:\n    case [1, y]:\n        return y\n    case _:\n        return 'other'",
    "match {{'a': {x}}}:\n    case {{'a': 1}}:\n        return 1\n    case _:\n        return 'other'",
    "a, *b = [1, {x}, 3]\nreturn b",
    "first, second = str({x}).rjust(2)[:2]\nreturn first",
    "return sorted([3, {x}, 2])",
    "return max([3, {x}, 2], key=lambda each: -each)",
    "return f'{{{x}:>5}}|{{{x}!r}}'",
    "return '%5s|%s' % ({x}, 1)",
    "return '{{:>5}}'.format({x})",
    "return [each for each in range(3) if each == {x}]",
    "return {{each: {x} for each in range(2)}}",
    "return any(each == {x} for each in (1, 2))",
    "it = iter([{x}, 2])\nreturn next(it) == 1",
    "def steps():\n    got = yield {x}\n    yield got\ng = steps()\nreturn next(g) == 1",
    "return list(zip([1, 2], [{x}, 3]))[0][1] == 1",
    "return functools.reduce(lambda a, b: a + b, [1, {x}])",
    "return functools.partial(lambda a, b: a == b, {x})(1)",
    "return operator.itemgetter({x} > 1)([5, 6])",
    "return operator.methodcaller('count', {x})([1, 2])",
    "return operator.attrgetter('a')(types.SimpleNamespace(a={x}))",
    "return (lambda *a, **k: len(a) + k['b'])(*[1, 2], **{{'b': {x}}})",
    "return 'NY'[{x} > 3]",
    "return ({x} > 2) is True",
    "return str({x}).zfill(4)",
    "return 12345 if {x} == 5 else 3",
    "try:\n    raise KeyError({x})\nexcept KeyError as error:\n    return error.args[0] == 1",
    "try:\n    return [1, 2, 3].index({x})\nexcept ValueError:\n    return 'none'",
    "try:\n    raise OSError({x}, 'x')\nexcept FileNotFoundError:\n    return 'missing'\nexcept OSError:\n    return 'other'",
    "with contextlib.nullcontext({x}) as each:\n    return each == 1",
    "return list(itertools.islice(itertools.count(10), {x} if {x} > 0 else 1))",
    "return [*range({x})]",
    "return len(range({x}, 20))",
    "return round(12345, -{x})",
    "return isinstance({x}, bool)",
    "return bool({x})",
    "return 5 in range({x})",
    "return {x} in range(2, 9, 3)",
    "return setattr(types.SimpleNamespace(), 'a', {x})",
    "held = types.SimpleNamespace()\nsetattr(held, 'a', {x})\nreturn getattr(held, 'a') == 1",
    "held = [0] * 3\nheld[{x} % 3] = 1\nreturn held",
    "held = {{}}\nheld.setdefault('a', []).append({x})\nreturn held['a'][0] == 1",
    "del_me = [1, 2, 3]\ndel del_me[{x} % 3]\nreturn del_me",
    "return heapq.nsmallest({x} % 3, [3, 1, 2])",
    "return [ord(each) for each in str({x})]",
    "return [c.upper() for c in str({x})]",
    "return ''.join(['a', str({x})])",
    "return re.sub('b', lambda m: str({x}), 'abc')",
    "return re.split(',', str({x}))",
    "return tuple(reversed([1, {x}]))",
    "return hash({x}) == 1",
    "return 1 if {x} else 2",
    "return not {x}",
    "return [1, 2] == [1, {x}]",
    "return (1, {x}) < (1, 2)",
    "return -1 if {x} != {x} else {x} == 5",
)
PRELUDE = """
import argparse, array, ast, base64, bisect, calendar, cmath, collections, contextlib, copy, datetime, enum
import difflib, functools, heapq, html, io, itertools, json, math, operator, re, string, struct, textwrap, types
from array import array
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from ipaddress import IPv4Address, IPv4Network
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple
"""


@dataclass(frozen=True)
class Call:
    """A function of one parameter `x`, as text."""

    kind: str  # the parameter's type
    imports: str
    body: str

    @property
    def source(self) -> str:
        lines = "\n".join("    " + line for line in self.body.split("\n"))
        return f"{PRELUDE}{self.imports}\ndef operation(x: {self.kind}):\n{lines}\n"


def candidates() -> Iterator[Call]:
    """Every call that is tried, whether it depends on its argument or not."""
    for kind in DOMAINS:
        for body in STATEMENTS:
            yield Call(kind, "", body.format(x="x"))
        for one in OBJECTS:
            for way in PROTOCOLS:
                yield Call(kind, "", "return " + way.format(o=one, x="x"))
        for shaped in SHAPED:
            for end in SHAPED_ENDS:
                yield Call(kind, "", "return " + shaped.format(x="x", a=end))
    for kind in ("int", "str"):
        for one in OBJECTS:
            value = eval(one, _names())
            for name in dir(value):
                if name.startswith("_") or not callable(getattr(value, name)):
                    continue
                for way in METHODS:
                    body = way.format(o=one, m=name, x="x")
                    yield Call(kind, "", "return " + body)
    for module in MODULES:
        for name in _public(module):
            for kind in DOMAINS:
                for way in WAYS:
                    spelled = name if module == "builtins" else f"{module}.{name}"
                    body = "return " + way.format(f=spelled, x="x")
                    yield Call(kind, f"import {module}", body)


def _names() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(PRELUDE, names)
    return names


def _public(module: str) -> Iterator[str]:
    held = importlib.import_module(module)
    for name in sorted(getattr(held, "__all__", None) or dir(held)):
        if name.startswith("_") or name in LEFT_OUT:
            continue
        found = getattr(held, name, None)
        if callable(found) and not (inspect.isclass(found) and issubclass(found, BaseException)):
            yield name


def outcome(function: Callable[[Any], Any], value: Any) -> Any:
    """What a call does, in a form that can be compared: its text, or the exception's class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = function(value)
            if hasattr(found, "__next__"):
                found = [each for each, _ in zip(found, range(MOST), strict=False)]
            return shown(found)
        except (Exception, SystemExit) as error:
            return Raised(type(error).__name__)


@dataclass(frozen=True)
class Raised:
    """An exception of this class."""

    name: str


def shown(value: Any) -> str | None:
    """The value as text; None where that has an address in it."""
    if isinstance(value, deque):
        value = list(value)
    if isinstance(value, set | frozenset):
        value = type(value).__name__, sorted(map(repr, value))  # their order is Python's own affair
    text = f"{type(value).__name__} {value!r}"
    return None if " at 0x" in text else text


def depends(call: Call) -> bool:
    """Whether the call returns, shows what it gives, and not always the same."""
    names: dict[str, Any] = {"__name__": "silent"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(call.source, "<silent>", "exec"), names)
    except (Exception, SystemExit):
        return False
    found = [outcome(names["operation"], _fresh(value)) for value in DOMAINS[call.kind]]
    if None in found or not any(isinstance(each, str) for each in found):
        return False
    again = [outcome(names["operation"], _fresh(value)) for value in DOMAINS[call.kind]]
    return len(set(found)) > 1 and again == found


def _fresh(value: Any) -> Any:
    return list(value) if type(value) is list else value
