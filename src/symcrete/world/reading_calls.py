"""Which library functions read nothing but what they are given.

Any other function that is neither rewritten nor modelled may look at the clock, a file, the
environment or what earlier calls left behind: what it gives is part of no proof. What has a row in
`sources.py` is an input, and no loss.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from symcrete.world.sources import accounted_for

_MODULES = frozenset(
    [
        "builtins",
        "math",
        "cmath",
        "_operator",
        "operator",
        "itertools",
        "functools",
        "_functools",
        "collections",
        "_collections",
        "_collections_abc",
        "collections.abc",
        "re",
        "_sre",
        "json",
        "json.decoder",
        "json.encoder",
        "_json",
        "string",
        "_string",
        "textwrap",
        "calendar",
        "datetime",
        "_datetime",
        "_pydatetime",
        "decimal",
        "_decimal",
        "_pydecimal",
        "fractions",
        "numbers",
        "statistics",
        "_statistics",
        "bisect",
        "_bisect",
        "heapq",
        "_heapq",
        "copy",
        "copyreg",
        "struct",
        "_struct",
        "binascii",
        "base64",
        "hashlib",
        "_hashlib",
        "_sha1",
        "_sha2",
        "_md5",
        "_sha3",
        "_blake2",
        "hmac",
        "zlib",
        "html",
        "html.parser",
        "html.entities",
        "urllib.parse",
        "unicodedata",
        "enum",
        "dataclasses",
        "typing",
        "types",
        "_types",
        "abc",
        "_abc",
        "contextlib",
        "difflib",
        "shlex",
        "fnmatch",
        "ntpath",
        "pathlib._pure",
        "colorsys",
        "array",
        "pprint",
        "reprlib",
        "keyword",
        "ast",
        "_ast",
        "token",
        "graphlib",
        "ipaddress",
        "uuid",
        "codecs",
        "_codecs",
        "csv",
        "_csv",
        "quopri",
        "stringprep",
        "bz2",
        "lzma",
        "configparser",
        "tomllib",
        "xml.sax.saxutils",
        "email.utils",
        "zoneinfo",
        "sre_compile",
        "sre_parse",
        "re._parser",
        "re._compiler",
        "posixpath",
        "genericpath",
        "argparse",
        "symtable",
        "joint_traces",  # `oracle/traces.py`, in programs that compare others
    ]
)
# Functions of these modules that do read something.
_READING = frozenset(
    [
        *("input", "open", "id", "breakpoint", "__import__", "exec", "eval", "compile", "vars"),
        *("globals", "locals", "dir", "hash", "__hash__"),
        *("today", "now", "utcnow", "fromtimestamp", "astimezone", "timestamp", "localtime"),
        *("getcontext", "localcontext", "setcontext", "exists", "isfile", "isdir", "islink"),
        *("lexists", "ismount", "getsize", "getmtime", "getatime", "getctime", "samefile"),
        *(
            "abspath",
            "realpath",
            "expanduser",
            "expandvars",
            "relpath",
            "uuid1",
            "uuid4",
            "getnode",
        ),
        *(
            "cache_info",
            "cache_clear",
            "parse_args",
            "parse_known_args",
            "formatdate",
            "make_msgid",
        ),
        *("firstweekday", "setfirstweekday", "registry", "register", "lookup", "get_cache_token"),
        # what csv, calendar and decimal are set to
        *("field_size_limit", "get_dialect", "list_dialects", "formatmonth", "formatyear"),
        *("formatweekday", "formatweekheader", "formatmonthname", "prmonth", "pryear", "strftime"),
        *("redirect_stdout", "redirect_stderr", "chdir", "read", "available_timezones"),
    ]
)
# Functions that read something, of modules where another of the same name may read nothing: files,
# and the hash functions that a system has.
_READING_OF = frozenset([("bz2", "BZ2File"), ("lzma", "LZMAFile"), ("hashlib", "__hash_new")])
# Functions of other modules that read nothing, or whose result says nothing.
_SILENT = frozenset(
    [
        ("sys", "exit"),
        ("sys", "intern"),
        ("time", "sleep"),
        ("time", "strptime"),
        ("_thread", "allocate_lock"),
        ("_io", "StringIO"),
        ("_io", "BytesIO"),
        # Strategies of Hypothesis: they say what is drawn, and draw nothing yet.
        *[
            (f"hypothesis.strategies._internal.{module}", name)
            for module, names in {
                "numbers": "integers floats",
                "core": "text binary lists sets frozensets dictionaries fixed_dictionaries "
                "sampled_from booleans characters from_regex",
                "misc": "just none",
                "strategies": "one_of map filter",
                "lazy": "map filter",
                "collections": "tuples",
                "datetime": "dates times datetimes timedeltas",
            }.items()
            for name in names.split()
        ],
        *[
            ("logging", name)
            for name in [
                "debug",
                "info",
                "warning",
                "error",
                "critical",
                "exception",
                "log",
                "getLogger",
            ]
        ],
    ]
)
# Classes none of whose methods reads anything.
_SILENT_OWNERS = frozenset([("_io", "StringIO"), ("_io", "BytesIO"), ("pathlib", "PurePosixPath")])
_SILENT_OWNERS |= frozenset([("pathlib", "PureWindowsPath"), ("pathlib", "PurePath")])


def reads_the_world(function: Any) -> bool:
    """Whether what a foreign function gives may depend on more than what it is given."""
    name = getattr(function, "__name__", "")
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, ModuleType):
        kind = owner if isinstance(owner, type) else type(owner)
        module = kind.__module__
        if (module, kind.__name__) in _SILENT_OWNERS:
            return False
    else:
        module = getattr(function, "__module__", None) or type(function).__module__
    if module in _MODULES:
        return name in _READING or (module, name) in _READING_OF
    return (module, name) not in _SILENT


def reads_the_world_as(module: str, name: str) -> bool:
    """Whether an attribute of a library module that is no function may differ from run to run."""
    if (module, name) in accounted_for():
        return False
    if module == "sys":
        return name not in _FIXED_OF_SYS
    if module in ("os", "os.path", "posixpath"):
        return name not in _FIXED_OF_OS
    if module == "time" and name in _OF_THE_TIME_ZONE:
        return True
    if module == "calendar" and name in _OF_THE_LOCALE:
        return True
    return module not in _MODULES and module.partition(".")[0] not in _ATTRIBUTES_OF


_OF_THE_TIME_ZONE = frozenset({"timezone", "altzone", "daylight", "tzname"})
_OF_THE_LOCALE = frozenset({"day_name", "day_abbr", "month_name", "month_abbr"})
_FIXED_OF_SYS = frozenset(
    [
        "maxsize",
        "maxunicode",
        "float_info",
        "int_info",
        "hash_info",
        "byteorder",
        "implementation",
        "thread_info",
    ]
)
_FIXED_OF_OS = frozenset(
    ["sep", "linesep", "pathsep", "curdir", "pardir", "extsep", "devnull", "path", "PathLike"]
)
# Packages whose attributes are constants, but for those named above.
_ATTRIBUTES_OF = frozenset(
    ["logging", "time", "errno", "signal", "stat", "socket", "http", "io", "token", "resource"]
)
