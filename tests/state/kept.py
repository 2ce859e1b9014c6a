"""Functions whose branches depend on objects and classes that a program keeps."""

from tests.state.case import Case

KEPT = [
    Case(
        7,
        "hits that a function itself adds to",
        """
        from functools import lru_cache

        @lru_cache(maxsize=None)
        def cost(n: int) -> int:
            return n * 3

        def f(n: int) -> str:
            cost(n)
            if cost.cache_info().hits > 1:
                return "warm"
            return "cold"
        """,
    ),
    Case(
        7,
        "one object of a class, made by __new__",
        """
        class Config:
            _instance = None

            def __new__(cls):
                if cls._instance is None:
                    cls._instance = super().__new__(cls)
                    cls._instance.values = {}
                return cls._instance

            def set(self, key: str, value: int) -> None:
                self.values[key] = value

        def f(key: str) -> int:
            config = Config()
            if key in config.values:
                if config.values[key] > 5:
                    return 2
                return 1
            return 0
        """,
    ),
    Case(
        7,
        "one object of a class, kept by its metaclass",
        """
        class Meta(type):
            _made: dict = {}

            def __call__(cls, *args):
                if cls not in cls._made:
                    cls._made[cls] = super().__call__(*args)
                return cls._made[cls]

        class Log(metaclass=Meta):
            def __init__(self):
                self.lines = 0

            def write(self) -> None:
                self.lines += 1

        def f() -> str:
            if Log().lines > 1:
                return "written"
            return "empty"
        """,
    ),
    Case(
        7,
        "registry that subclasses enter",
        """
        class Plugin:
            known: dict = {}

            def __init_subclass__(cls, name: str = "", **rest):
                super().__init_subclass__(**rest)
                Plugin.known[name or cls.__name__] = cls

        class Csv(Plugin, name="csv"):
            pass

        def f(name: str) -> str:
            if name in Plugin.known:
                return "known"
            if len(Plugin.known) > 1:
                return "more"
            return "none"
        """,
    ),
]
