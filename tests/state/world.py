"""Functions that read the world: every branch is covered, by inputs that set what they read."""

from tests.state.case import Case

WORLD = [
    Case(
        9,
        "environment variable",
        """
        import os

        def f(n: int) -> int:
            if os.environ.get("SHOP") == "1":
                return n
            return 0
        """,
    ),
    Case(
        0,
        "environment variables, all ways to read them",
        """
        import os
        from os import environ, getenv

        def f(n: int) -> str:
            if "DEBUG" in environ:
                return environ["DEBUG"].upper()
            if int(getenv("LEVEL", "0")) > 3:
                return "high"
            try:
                return os.environ["HOME"] + "/shop"
            except KeyError:
                return "homeless"
        """,
    ),
    Case(
        10,
        "day of the week",
        """
        import datetime

        def f(n: int) -> int:
            if datetime.date.today().weekday() == 6:
                return n
            return 0
        """,
    ),
    Case(
        10,
        "seconds since 1970",
        """
        from time import time

        def f() -> str:
            if time() > 2e9:
                return "late"
            return "early"
        """,
    ),
    Case(
        0,
        "time that passes between two reads, and a pause",
        """
        import time

        def f() -> str:
            start = time.monotonic()
            time.sleep(1000)
            if time.monotonic() - start > 30:
                return "slow"
            return "fast"
        """,
    ),
    Case(
        10,
        "chance",
        """
        import random
        import secrets

        def f() -> str:
            if random.random() > 0.5:
                return "half"
            if random.randint(1, 6) == 6 and random.randint(1, 6) == 5:
                return "eleven"
            if secrets.randbelow(1000) == 777:
                return "luck"
            return random.choice(["x", "y"])
        """,
    ),
    Case(
        10,
        "command line",
        """
        import sys

        def f() -> int:
            if len(sys.argv) < 2:
                return 2
            if sys.argv[1] == "--version":
                return 0
            return 1
        """,
    ),
    Case(
        0,
        "command line by argparse",
        """
        import argparse

        def f() -> str:
            parser = argparse.ArgumentParser()
            parser.add_argument("--level", type=int, default=0)
            parser.add_argument("--quiet", action="store_true")
            options = parser.parse_args()
            if options.quiet:
                return "quiet"
            if options.level > 3:
                return "high"
            return "low"
        """,
    ),
    Case(
        10,
        "platform",
        """
        import os
        import platform
        import sys

        def f() -> str:
            if sys.platform == "win32":
                return "windows"
            if os.name == "nt" or platform.system() == "Darwin":
                return "other"
            if sys.platform.startswith("aix"):
                return "aix"
            return "posix"
        """,
    ),
    Case(
        10,
        "answer of the user",
        """
        import sys

        def f() -> str:
            if input("sure? ") == "y":
                return sys.stdin.readline().strip() + "!"
            for line in sys.stdin:
                if line.startswith("quit"):
                    return "bye"
            return "no"
        """,
    ),
    Case(
        0,
        "all of standard input",
        """
        import sys

        def f() -> int:
            words = sys.stdin.read().split()
            if "stop" in words:
                return 1
            return 0
        """,
    ),
    Case(
        6,
        "cache that an earlier call has filled",
        """
        _cache: dict[int, int] = {}

        def f(x: int) -> int:
            if x in _cache:
                return _cache[x]
            _cache[x] = x * x
            return _cache[x]
        """,
    ),
    Case(
        0,
        "name that only a call binds",
        """
        def f(x: int) -> str:
            global _names
            try:
                _names
            except NameError:
                _names = {1: "one"}
                return "new"
            if x in _names:
                return _names[x]
            return "many"
        """,
    ),
    Case(
        0,
        "name that another function binds",
        """
        def start(size: int) -> None:
            global _size
            _size = size

        def f(x: int) -> int:
            if x > 5:
                return _size
            return 0
        """,
    ),
    Case(
        0,
        "cached function that reads what the import took from the system",
        """
        import functools
        import os

        DEBUG = os.environ.get("DEBUG") == "1"

        @functools.lru_cache(maxsize=8)
        def f(name: str) -> int:
            if DEBUG:
                return 2
            if name == "auto":
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "attributes of a class that its body took from the environment",
        """
        import os

        class Config:
            token = os.environ.get("TOKEN")
            tries = int(os.environ.get("TRIES", "3"))

            def may_try(self, n: int) -> bool:
                return n < self.tries

        def f(n: int) -> int:
            if Config.token is None:
                return 0
            if Config().may_try(n):
                return 1
            return 2
        """,
    ),
    Case(
        0,
        "process that takes longer than is waited for",
        """
        import subprocess

        def f(text: str) -> str:
            process = subprocess.Popen(["cat"], stdout=subprocess.PIPE, text=True)
            late = False
            try:
                out, _ = process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                process.kill()
                out, _ = process.communicate()
                late = True
            if late:
                return "late"
            try:
                process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                late = True
            return out if late else "done"
        """,
    ),
    Case(
        0,
        "no terminal",
        """
        import os

        def f() -> int:
            columns = None
            try:
                columns = os.get_terminal_size().columns
            except OSError:
                pass
            if columns is None:
                return 80
            return 40 if columns < 40 else columns
        """,
    ),
    Case(
        0,
        "choices with weights",
        """
        import random

        def f() -> str:
            (colour,) = random.choices(["red", "green"], weights=[9, 1])
            if colour == "green":
                return "rare"
            if random.choices("ab", [1, 2], k=2) == ["b", "b"]:
                return "both"
            return "usual"
        """,
    ),
    Case(
        0,
        "loggers that others have set up",
        """
        import logging

        def f(loud: bool) -> int:
            log = logging.getLogger("shop")
            if not log.handlers:
                log.addHandler(logging.StreamHandler())
            if log.disabled:
                return 1
            for handler in logging.getLogger().handlers:
                if isinstance(handler, logging.NullHandler):
                    return 2
            log.setLevel(logging.DEBUG if loud else logging.INFO)
            return 0
        """,
    ),
    Case(
        7,
        "counter and singleton",
        """
        _calls = 0
        _store = None

        def f() -> str:
            global _calls, _store
            _calls += 1
            if _store is None:
                _store = ["goods"]
                return "opened"
            if _calls == 3:
                return "third"
            return "open"
        """,
    ),
    Case(
        8,
        "setter, and a flag without one",
        """
        FAST = False
        _mode = "plain"

        def set_mode(mode: str) -> None:
            global _mode
            if mode == "bad":
                raise ValueError(mode)
            _mode = mode

        def f(n: int) -> str:
            if FAST and n > 3:
                return "fast"
            if _mode == "fancy":
                return "fancy"
            return _mode
        """,
    ),
    Case(
        0,
        "list that two earlier calls have filled",
        """
        _log: list[str] = []

        def note(text: str) -> None:
            _log.append(text)

        def f() -> str:
            if len(_log) == 2 and _log[-1] == "end":
                return "over"
            return "on"
        """,
    ),
    Case(
        10,
        "file that is there, and what is in it",
        """
        import os

        def f() -> str:
            if not os.path.exists("app.conf"):
                return "default"
            with open("app.conf") as file:
                for line in file:
                    if line.startswith("debug="):
                        return "debug"
            return "plain"
        """,
    ),
    Case(
        10,
        "file by its path",
        """
        from pathlib import Path

        def f() -> str:
            folder = Path("data")
            if (folder / "new").is_dir():
                return "folder"
            try:
                text = (folder / "words.txt").read_text()
            except FileNotFoundError:
                return "missing"
            if "secret" in text:
                return "secret"
            return text
        """,
    ),
    Case(
        10,
        "files by absolute paths and below the home folder",
        """
        import os
        from pathlib import Path

        def f() -> str:
            if os.path.exists("/etc/shop.conf"):
                with open("/etc/shop.conf") as file:
                    if file.readline().startswith("debug"):
                        return "debug"
            if (Path.home() / ".shop").is_dir():
                return str(Path.home() / ".shop")
            return "plain"
        """,
    ),
    Case(
        10,
        "what is in folders",
        """
        import os

        def f() -> str:
            for name in os.listdir("data"):
                if name.endswith(".py") and os.path.getsize("data/" + name) > 3:
                    return name
            return "none"
        """,
    ),
    Case(
        10,
        "what is below folders",
        """
        import glob
        import os

        def f() -> str:
            for top, folders, names in os.walk("src"):
                if ".git" in folders:
                    return top
            if glob.glob("*.log"):
                return "logs"
            return "none"
        """,
    ),
    Case(
        10,
        "when a file was changed, and whether it may be used",
        """
        import os

        def f() -> str:
            if not os.access("app.conf", os.W_OK):
                return "locked"
            if os.path.getmtime("app.conf") > 1e9:
                return "new"
            if os.stat("app.conf").st_mode & 0o100:
                return "program"
            return "old"
        """,
    ),
    Case(
        10,
        "files that are written",
        """
        import json
        from pathlib import Path

        def f(n: int) -> bool:
            path = Path("out") / "data.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            if n > 3:
                path.write_text(json.dumps({"n": n}))
            with open("log.txt", "a") as log:
                log.write("done")
            if path.exists():
                return True
            return False
        """,
    ),
    Case(
        5,
        "closure, decorator and partial that are returned",
        """
        import functools

        def f(n: int):
            def bounded(function):
                @functools.wraps(function)
                def wrapper(x: int) -> int:
                    if x > n:
                        return n
                    return function(x)

                return wrapper

            return bounded
        """,
    ),
    Case(
        5,
        "functions in a tuple that is returned",
        """
        def f(n: int):
            value = n

            def get() -> int:
                if value == 77:
                    return -1
                return value

            def put(x: int) -> None:
                nonlocal value
                value = x

            return get, put
        """,
    ),
    Case(
        12,
        "random object that the module made",
        """
        import random

        rng = random.Random()

        def f() -> str:
            if rng.randint(1, 1000) == 777:
                return "luck"
            return "-"
        """,
    ),
    Case(
        6,
        "generator that is sent and thrown something",
        """
        def f(limit: int):
            total = 0
            try:
                while total < limit:
                    got = yield total
                    if got == 7:
                        return
                    total += 1
            except KeyError:
                if limit == 42:
                    yield -1
        """,
    ),
    Case(
        6,
        "context that is left by an exception",
        """
        from contextlib import contextmanager

        @contextmanager
        def f(n: int):
            if n < 0:
                raise ValueError("negative")
            try:
                yield n
            except KeyError:
                if n > 3:
                    raise
        """,
    ),
    Case(
        0,
        "functions given to map",
        """
        def f(xs: list[int]):
            def key(x: int) -> int:
                if x == 77:
                    return 1
                return 0

            return map(key, xs)
        """,
    ),
    Case(
        12,
        "random objects, orders and identifiers",
        """
        import random
        import secrets
        import uuid

        def f() -> str:
            rng = random.Random()
            if rng.randint(1, 6) == 6:
                return "six"
            cards = ["a", "b", "c"]
            random.shuffle(cards)
            if cards[0] == "c":
                return "shuffled"
            if uuid.uuid4().int % 1000 == 777:
                return "lucky"
            if secrets.token_hex(2) == "beef":
                return "beef"
            return "-"
        """,
    ),
    Case(
        14,
        "processes and servers",
        """
        import subprocess
        from urllib.error import HTTPError
        from urllib.request import urlopen

        def f() -> str:
            try:
                done = subprocess.run(["git", "status"], capture_output=True, text=True)
            except FileNotFoundError:
                return "no git"
            if done.returncode != 0:
                return "failed"
            if done.stdout.startswith("clean"):
                return "clean"
            try:
                with urlopen("http://shop.example") as answer:
                    if answer.status == 204:
                        return "empty"
            except HTTPError as error:
                if error.code == 404:
                    return "missing"
                return "error"
            return "other"
        """,
    ),
    Case(
        15,
        "working directory, user, host, locale and logging level",
        """
        import getpass
        import locale
        import logging
        import os
        import socket

        log = logging.getLogger(__name__)

        def f() -> str:
            if os.getcwd().endswith("/build"):
                return "build"
            if getpass.getuser() == "root":
                return "root"
            if socket.gethostname().startswith("db"):
                return "database"
            if locale.getlocale()[0] is None:
                return "C"
            if log.isEnabledFor(logging.DEBUG):
                return "debug"
            return os.path.expanduser("~/shop")
        """,
    ),
    Case(
        16,
        "database",
        """
        import sqlite3

        def f(n: int) -> str:
            shop = sqlite3.connect("shop.db")
            shop.execute("create table goods (price int)")
            for price in range(min(n, 5)):
                shop.execute("insert into goods values (?)", (price,))
            if shop.execute("select count(*) from goods").fetchone()[0] > 2:
                return "many"
            return "few"
        """,
    ),
    Case(
        0,
        "line of standard input with its end",
        """
        import sys


        def f(n: int) -> int:
            if sys.stdin.readline() == "yes\\n":
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "singleton kept in a class attribute",
        """
        class Shop:
            _instance = None

            def __new__(cls):
                if cls._instance is None:
                    cls._instance = super().__new__(cls)
                return cls._instance

        def f() -> str:
            if Shop._instance is None:
                return "none yet"
            return "there"
        """,
    ),
    Case(
        0,
        "registry of a class",
        """
        class Registry:
            handlers: dict[str, int] = {}

            @classmethod
            def register(cls, name: str, number: int) -> None:
                cls.handlers[name] = number

        def f(name: str) -> int:
            if name in Registry.handlers:
                return Registry.handlers[name]
            return -1
        """,
    ),
    Case(
        0,
        "pool that objects of a class fill",
        """
        class Pool:
            free: list[int] = []

            def give(self, number: int) -> None:
                Pool.free.append(number)

        def f() -> str:
            if Pool.free:
                return "some"
            return "none"
        """,
    ),
    Case(
        0,
        "what a cached function does the first time only",
        """
        import functools

        _log: list[int] = []

        @functools.lru_cache(maxsize=None)
        def cached(n: int) -> int:
            _log.append(n)
            return n + 1

        def f(on: bool) -> int:
            if len(_log) == 1:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "what a cached function that is called does the first time only",
        """
        import functools

        _log: list[int] = []

        @functools.lru_cache(maxsize=None)
        def cached(n: int) -> int:
            _log.append(n)
            return n + 1

        def f(n: int) -> int:
            cached(n)
            if len(_log) == 2:
                return 1
            return 0
        """,
    ),
    Case(
        0,
        "hits of a cache",
        """
        import functools

        @functools.lru_cache(maxsize=None)
        def slow(n: int) -> int:
            return n * 2

        def f() -> bool:
            if slow.cache_info().hits > 0:
                return True
            return False
        """,
    ),
    Case(
        8,
        "settings object",
        """
        class Settings:
            def __init__(self) -> None:
                self.mode = "dev"
                self.limit = 10

        settings = Settings()

        def f(n: int) -> bool:
            if settings.mode == "prod" and n > settings.limit:
                return False
            return True
        """,
    ),
    Case(
        8,
        "flag of a class",
        """
        class Config:
            debug = False

        def f() -> str:
            if Config.debug:
                return "all"
            return "nothing"
        """,
    ),
    Case(
        0,
        "time of the day as a calendar tells it",
        """
        import time

        def f() -> str:
            if time.localtime().tm_hour == 3:
                return "night"
            if time.strftime("%m") == "12":
                return "winter"
            return "day"
        """,
    ),
    Case(
        0,
        "interpreter and terminal",
        """
        import sys

        def f() -> str:
            if sys.version_info < (3, 8):
                return "old"
            if sys.stdout.isatty():
                return "seen"
            if sys.getrecursionlimit() < 500:
                return "shallow"
            return "plain"
        """,
    ),
    Case(
        0,
        "socket",
        """
        import socket

        def f(host: str) -> str:
            with socket.socket() as connection:
                try:
                    connection.connect((host, 7))
                    answer = connection.recv(9)
                except TimeoutError:
                    return "late"
                except OSError:
                    return "down"
            if answer == b"pong":
                return "ok"
            return "odd"
        """,
    ),
    Case(
        0,
        "lines that a process writes",
        """
        import subprocess

        def f() -> int:
            process = subprocess.Popen(["x"], stdout=subprocess.PIPE, text=True)
            errors = 0
            for line in process.stdout:
                if line.startswith("E"):
                    errors += 1
            if process.wait() == 3:
                return -1
            return errors
        """,
    ),
    Case(
        0,
        "rows of a database",
        """
        import sqlite3

        def f() -> str:
            database = sqlite3.connect("users.db")
            row = database.execute("SELECT name FROM users").fetchone()
            if row is None:
                return "nobody"
            return "somebody"
        """,
    ),
    Case(
        0,
        "all environment variables",
        """
        import os

        def f() -> list[str]:
            found = []
            for name, value in os.environ.items():
                if name.endswith("_proxy") and value:
                    found.append(value)
            return found
        """,
    ),
    Case(
        0,
        "a folder of the user, found by the import",
        """
        import os
        from pathlib import Path

        def cache_folder() -> Path:
            return Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()

        CONFIG = Path("~/.shoprc").expanduser()
        CACHE = cache_folder()

        def f() -> str:
            if CONFIG.exists():
                return CONFIG.read_text()
            if (CACHE / "shop").is_dir():
                return "cached"
            return str(CACHE)
        """,
    ),
    Case(
        0,
        "a variable whose name is given, and a folder that may be there",
        """
        import os

        def f(name: str, folder: str) -> str:
            if os.environ.get(name) is not None:
                return "set"
            try:
                os.mkdir(folder)
            except FileExistsError:
                if not os.path.isdir(folder):
                    raise
                return "there"
            return "made"
        """,
    ),
    Case(
        0,
        "a lock that is waited for, a password, and bytes of standard input",
        """
        import getpass
        import os
        import sys
        import time

        def f(patience: float) -> str:
            start = time.monotonic()
            while os.path.exists("lock"):
                if time.monotonic() - start > patience:
                    raise TimeoutError("locked")
                time.sleep(0.5)
            if getpass.getpass() != getpass.getpass("again: "):
                return "not the same"
            if sys.stdin.buffer.read(2) == b"PK":
                return "zip"
            return "text"
        """,
    ),
]
