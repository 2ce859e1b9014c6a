"""Branches that depend on what ran before or on what is around the run (rows 6 to 10)."""

from tests.state.case import Case

HISTORY = [
    Case(
        6,
        "cache with the store at the end",
        """
        _cache: dict[int, int] = {}


        def f(x: int) -> int:
            if x in _cache:
                return _cache[x]
            _cache[x] = x * x
            return _cache[x]
        """,
        open="_cache",
    ),
    Case(
        7,
        "counter of calls",
        """
        _calls = 0


        def f() -> str:
            global _calls
            _calls += 1
            if _calls == 3:
                return "third"
            return "other"
        """,
        open="_calls",
    ),
    Case(
        7,
        "singleton",
        """
        class Store:
            pass


        _store = None


        def f() -> Store:
            global _store
            if _store is None:
                _store = Store()
            return _store
        """,
        open="_store",
    ),
    Case(
        0,
        "registry filled by a decorator",
        """
        HANDLERS = {}


        def handler(name: str):
            def register(function):
                HANDLERS[name] = function
                return function

            return register


        @handler("a")
        def on_a(x: int) -> int:
            return x + 1


        def f(name: str, x: int) -> int:
            found = HANDLERS.get(name)
            if found is None:
                return -1
            if name == "zz":
                return -2
            return found(x)
        """,
    ),
    Case(
        7,
        "hit of an lru cache",
        """
        from functools import lru_cache

        _misses: list[int] = []


        @lru_cache
        def square(x: int) -> int:
            _misses.append(x)
            return x * x


        def f(x: int) -> bool:
            before = len(_misses)
            square(x)
            if len(_misses) == before:
                return True
            return False
        """,
        open="_misses",
    ),
    Case(
        7,
        "mutable default",
        """
        def f(x: int, seen: list[int] = []) -> bool:
            if x in seen:
                return True
            seen.append(x)
            return False
        """,
    ),
    Case(
        0,
        "attribute of the function itself",
        """
        def f(x: int) -> str:
            f.calls += 1
            if f.calls > 2:
                return "many"
            return "few"


        f.calls = 0
        """,
        open="f.calls",
    ),
    Case(
        0,
        "iterator at module level",
        """
        import itertools

        _numbers = itertools.count()


        def f() -> str:
            if next(_numbers) == 2:
                return "third"
            return "other"
        """,
        open="_numbers",
    ),
    Case(
        0,
        "generator at module level",
        """
        def _numbers():
            yield 1
            yield 2


        _source = _numbers()


        def f() -> int:
            if next(_source, None) is None:
                return 0
            return 1
        """,
        open="_source",
    ),
    Case(
        0,
        "closure made at module level",
        """
        def _counter():
            count = 0

            def step() -> int:
                nonlocal count
                count += 1
                return count

            return step


        _step = _counter()


        def f() -> str:
            if _step() > 1:
                return "again"
            return "first"
        """,
        open="_step",
    ),
    Case(
        0,
        "registry that another function fills",
        """
        _handlers: dict[str, int] = {}


        def register(name: str) -> None:
            _handlers[name] = len(_handlers)


        def f(name: str) -> bool:
            if name in _handlers:
                return True
            return False
        """,
        open="_handlers",
    ),
    Case(
        0,
        "counter of a class",
        """
        class Job:
            made = 0

            def __init__(self) -> None:
                Job.made += 1


        def f() -> bool:
            Job()
            if Job.made > 2:
                return True
            return False
        """,
        open="Job.made",
    ),
    Case(
        0,
        "slot of an object at module level",
        """
        class Box:
            __slots__ = ("items",)

            def __init__(self) -> None:
                self.items: list[list[int]] = [[]]


        _box = Box()


        def f(x: int) -> int:
            if len(_box.items[0]) == 2:
                return 1
            _box.items[0].append(x)
            return 0
        """,
        open="_box",
    ),
    Case(
        8,
        "global with a setter beside it",
        """
        _debug = False


        def set_debug(on: bool) -> None:
            global _debug
            _debug = on


        def f(x: int) -> int:
            if _debug:
                return 1
            return 0
        """,
        open="_debug",
    ),
    Case(
        8,
        "attribute of a settings object",
        """
        class Settings:
            debug = False


        settings = Settings()


        def f(x: int) -> int:
            if settings.debug:
                return 1
            return 0
        """,
        open="settings",
    ),
    Case(
        8,
        "global without a setter",
        """
        DEBUG = False


        def f(x: int) -> int:
            if DEBUG:
                return 1
            return 0
        """,
        open="DEBUG",
    ),
    Case(
        9,
        "variable of the environment that is not set",
        """
        import os


        def f() -> int:
            if os.environ.get("SYMCRETE_SHOP_UNSET") == "1":
                return 1
            return 0
        """,
        open="os.environ",
    ),
    Case(
        9,
        "variable of the environment that is always set",
        """
        import os


        def f() -> int:
            if os.environ.get("PATH") == "1":
                return 1
            return 0
        """,
        open="os.environ",
    ),
    Case(
        0,
        "getenv with a default",
        """
        import os


        def f(x: int) -> int:
            if int(os.getenv("SYMCRETE_LEVEL", "0")) > x:
                return 1
            return 0
        """,
        open="getenv",
    ),
    Case(
        0,
        "whether the environment has a name",
        """
        import os


        def f() -> int:
            if "SYMCRETE_SHOP_UNSET" in os.environ:
                return 1
            return 0
        """,
        open="os.environ",
    ),
    Case(
        10,
        "day of the week",
        """
        from datetime import date


        def f() -> str:
            if date.today().weekday() == 6:
                return "closed"
            return "open"
        """,
        open="date.today",
    ),
    Case(
        10,
        "time",
        """
        import time


        def f() -> str:
            if time.time() > 2e9:
                return "late"
            return "early"
        """,
        open="time()",
    ),
    Case(
        10,
        "chance",
        """
        import random


        def f() -> str:
            if random.random() > 0.5:
                return "heads"
            return "tails"
        """,
        open="random",
    ),
    Case(
        10,
        "secret",
        """
        import secrets


        def f() -> str:
            if secrets.randbelow(2) == 1:
                return "heads"
            return "tails"
        """,
        open="randbelow",
    ),
    Case(
        10,
        "command line",
        """
        import sys


        def f() -> str:
            if sys.argv[1:] == ["-v"]:
                return "verbose"
            return "quiet"
        """,
        open="sys.argv",
    ),
    Case(
        10,
        "platform",
        """
        import sys


        def f() -> str:
            if sys.platform == "win32":
                return "nt"
            return "posix"
        """,
        open="sys.platform",
    ),
    Case(
        10,
        "existence of a file",
        """
        import os.path


        def f(name: str) -> int:
            if os.path.exists("settings.ini"):
                return 1
            return 0
        """,
        open="exists",
    ),
    Case(
        10,
        "contents of a file",
        """
        from pathlib import Path


        def f() -> int:
            try:
                text = Path("settings.ini").read_text()
            except OSError:
                return -1
            if text.startswith("[main]"):
                return 1
            return 0
        """,
        open="",
    ),
    Case(
        10,
        "standard input",
        """
        def f() -> int:
            if input("sure? ") == "y":
                return 1
            return 0
        """,
        open="",
    ),
    Case(
        0,
        "datetime of now",
        """
        from datetime import datetime


        def f() -> bool:
            if datetime.now().hour < 12:
                return True
            return False
        """,
        open="datetime.now",
    ),
    Case(
        0,
        "choice of a seeded generator at module level",
        """
        import random

        _random = random.Random(1)


        def f(x: int) -> bool:
            if _random.randint(0, 3) == x:
                return True
            return False
        """,
        open="",
    ),
    Case(
        0,
        "working directory",
        """
        import os


        def f() -> bool:
            if os.getcwd().endswith("build"):
                return True
            return False
        """,
        open="getcwd",
    ),
    Case(
        0,
        "level of a logger",
        """
        import logging

        log = logging.getLogger("shop")


        def f() -> bool:
            if log.isEnabledFor(logging.DEBUG):
                return True
            return False
        """,
        open="isEnabledFor",
    ),
    Case(
        0,
        "version of the interpreter",
        """
        import sys


        def f() -> bool:
            if sys.version_info >= (3, 99):
                return True
            return False
        """,
        open="",
    ),
    Case(
        0,
        "identity of an object",
        """
        def f(x: list[int]) -> bool:
            if id(x) % 64 == 0:
                return True
            return False
        """,
        open="",
    ),
    Case(
        0,
        "exit status of a process",
        """
        import subprocess


        def f() -> bool:
            done = subprocess.run(["true"], capture_output=True, check=False)
            if done.returncode == 3:
                return True
            return False
        """,
        open="",
    ),
    Case(
        0,
        "attribute of a function, read by getattr",
        """
        def f(n: int) -> int:
            calls = getattr(f, "calls", 0)
            f.calls = calls + 1
            if calls == 2:
                return 1
            return 0
        """,
        open="getattr(f, 'calls', 0)",
    ),
    Case(
        0,
        "attribute of a function, asked for by hasattr",
        """
        def f(n: int) -> int:
            if hasattr(f, "called"):
                return 1
            f.called = n
            return 0
        """,
        open="hasattr(f, 'called')",
    ),
    Case(
        0,
        "attribute of a function, read from its dict",
        """
        def f(n: int) -> int:
            if f.__dict__.get("last", 0) == 2:
                return 1
            f.last = n
            return 0
        """,
        open="f.__dict__",
    ),
    Case(
        0,
        "attribute of a class, by a name that is given",
        """
        class Known:
            made = 0


        def f(name: str) -> int:
            if getattr(Known, name, None) == 4:
                return 1
            Known.made += 1
            return 0
        """,
        open="getattr(Known, name, None)",
    ),
    Case(
        0,
        "attribute of a function, stored through its dict",
        """
        def f(n: int) -> int:
            if getattr(f, "last", 0) == 2:
                return 1
            f.__dict__["last"] = n
            return 0
        """,
        open="at program.py:4",
    ),
    Case(
        0,
        "attribute of a function, stored through vars",
        """
        def f(n: int) -> int:
            if getattr(f, "last", 0) == 2:
                return 1
            vars(f).update(last=n)
            return 0
        """,
        open="at program.py:4",
    ),
    Case(
        0,
        "mutable default of a lambda",
        """
        _count = lambda n, seen=[]: seen.append(n) or len(seen)


        def f(n: int) -> int:
            if _count(n) == 2:
                return 1
            return 0
        """,
        open="`seen`, a default value",
    ),
    Case(
        0,
        "attribute of a function, read by an attrgetter",
        """
        import operator


        def f(n: int) -> int:
            if operator.attrgetter("last")(f) == 2:
                return 1
            f.last = n
            return 0


        f.last = 0
        """,
        open="depends on `f`",
    ),
    Case(
        0,
        "attribute of a function, read by __getattribute__",
        """
        def f(n: int) -> int:
            if f.__getattribute__("last") == 2:
                return 1
            f.last = n
            return 0


        f.last = 0
        """,
        open="f.__getattribute__",
    ),
    Case(
        0,
        "attribute of a member of an enumeration",
        """
        import enum


        class Colour(enum.Enum):
            RED = 1


        def f(n: int) -> int:
            if getattr(Colour.RED, "last", 0) == 4:
                return 1
            Colour.RED.last = n
            return 0
        """,
        open="getattr(Colour.RED, 'last', 0)",
    ),
    Case(
        0,
        "defaults that are exchanged",
        """
        def _last(n: int = 0) -> int:
            return n


        def f(n: int) -> int:
            if _last() == 5:
                return 1
            _last.__defaults__ = (n,)
            return 0
        """,
        open="or a `__code__` at program.py:8",
    ),
    Case(
        0,
        "exception that a caller is handling",
        """
        import sys


        def f(n: int) -> int:
            if sys.exc_info()[0] is None:
                return n
            return -1
        """,
        open="exc_info()",
    ),
    Case(
        0,
        "limit that another module may set",
        """
        import csv


        def f(n: int) -> int:
            if csv.field_size_limit() == 131072:
                return n
            return -1
        """,
        open="field_size_limit()",
    ),
    Case(
        0,
        "moment by the time zone of the machine",
        """
        import time


        def f(n: int) -> int:
            if time.localtime(0).tm_hour == 0:
                return n
            return -1
        """,
        open="localtime(), by the time zone",
    ),
    Case(
        0,
        "name of a day in the language of the machine",
        """
        import calendar


        def f(n: int) -> int:
            if calendar.day_name[0] == "Montag":
                return n
            return -1
        """,
        open="day_name",
    ),
    Case(
        0,
        "address of an object in its text",
        """
        def f(n: int) -> int:
            if "7" in repr(object()):
                return n
            return -1
        """,
        open="the address of an object in its text",
    ),
    Case(
        0,
        "exception that a caller handles, as the context of another",
        """
        def f(n: int) -> int:
            try:
                raise KeyError(n)
            except KeyError as error:
                if error.__context__ is None:
                    return n
            return -1
        """,
        open=".__context__",
    ),
    Case(
        0,
        "frame of a caller, by way of a traceback",
        """
        def f(n: int) -> int:
            try:
                raise KeyError(n)
            except KeyError as error:
                if error.__traceback__.tb_frame.f_back.f_code.co_name == "main":
                    return n
            return -1
        """,
        open=".f_back",
    ),
    Case(
        0,
        "method of a list that is kept under a name",
        """
        _log: list[int] = []
        _note = _log.append


        def f(n: int) -> int:
            if len(_log) > 1:
                return 1
            _note(n)
            return 0
        """,
        open="_log",
    ),
    Case(
        0,
        "attribute of a library module, read by getattr",
        """
        import string


        def f(n: int) -> int:
            if getattr(string, "last", 0) == 5:
                return 1
            string.last = n
            return 0
        """,
        open="string.last",
    ),
    Case(
        0,
        "function that only some systems have",
        """
        import os


        def f(n: int) -> int:
            if getattr(os, "fork", None) is None:
                return 1
            return 0
        """,
        open="os.fork",
    ),
    Case(
        0,
        "name of the system, read by getattr",
        """
        import sys


        def f(n: int) -> int:
            if getattr(sys, "platform") == "win32":
                return 1
            return 0
        """,
        open="sys.platform",
    ),
    Case(
        0,
        "function that only some versions have",
        """
        import math


        def f(n: int) -> int:
            if hasattr(math, "cbrt"):
                return 1
            return 0
        """,
        open="math.cbrt",
    ),
]
