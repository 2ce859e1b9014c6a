"""Rewritten code means what its author wrote."""

import asyncio
import doctest
import inspect
import textwrap
import traceback
import types
from pathlib import Path
from typing import Any

import pytest

from symcrete.instrument.hooks import Hooks
from symcrete.instrument.loader import Rewritten
from symcrete.values.tracking.recording import Recording, activate

PROGRAMS = {
    "closures and nonlocal": """
        def make():
            n = 0
            def step(by=1):
                nonlocal n
                n += by
                return n
            return step
        s = make()
        result = [s(), s(5), s()]
    """,
    "defaults, star arguments and keywords": """
        def f(a, b=2, *rest, c=3 if True else 4, **more):
            return a, b, rest, c, more
        result = [f(1), f(1, 5, 6, 7, c=0, z=9), f(*[1, 2], **{"c": 5, "k": 6})]
    """,
    "while, for, break, continue and else": """
        def f(n):
            out = []
            for i in range(n):
                if i == 2: continue
                if i == 5: break
                out.append(i)
            else:
                out.append("all")
            while n > 0:
                n -= 1
                if n == 1: break
            else:
                out.append("none")
            return out
        result = [f(n) for n in (0, 1, 3, 9)]
    """,
    "try, except, else and finally": """
        def f(x):
            log = []
            try:
                log.append(1 / x)
            except ZeroDivisionError as error:
                log.append(str(error))
            except (TypeError, ValueError):
                log.append("type")
                raise
            else:
                log.append("fine")
            finally:
                log.append("end")
            return log
        result = [f(0), f(2)]
    """,
    "except star": """
        def f():
            try:
                raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
            except* ValueError as group:
                kept = [type(e).__name__ for e in group.exceptions]
            except* TypeError:
                kept.append("T")
            return kept
        result = f()
    """,
    "with and context managers": """
        from contextlib import contextmanager, suppress
        @contextmanager
        def log(out):
            out.append("in")
            try: yield out
            finally: out.append("out")
        def f():
            out = []
            with log(out) as o, suppress(KeyError):
                o.append("body")
                {}["x"]
            return out
        result = f()
    """,
    "comprehensions and generators": """
        def f(xs):
            squares = [x * x for x in xs if x % 2 if x > 1]
            pairs = {(a, b): a * b for a in xs for b in range(a) if a != b}
            odd = {x for x in xs if x & 1}
            gen = (x for x in xs if x)
            return squares, pairs, odd, list(gen), sum(x for x in xs), any(x > 2 for x in xs)
        result = f([0, 1, 2, 3, 4])
    """,
    "generators with send and yield from": """
        def inner():
            got = yield 1
            yield got or "nothing"
            return "end"
        def outer():
            r = yield from inner()
            yield r
        g = outer()
        result = [next(g), g.send(7), next(g)]
    """,
    "ternaries and chained comparisons": """
        calls = []
        def v(x):
            calls.append(x)
            return x
        result = [1 if v(0) else 2, v(1) < v(2) < v(3), v(3) < v(2) < v(9), 1 < 2 > 1 != 5, calls]
    """,
    "and, or, not as values": """
        result = [0 or "a", "" or [] or None, 1 and 2 and 3, 1 and 0 and 3, not 0, not [1], (0 or 5) and 7]
        result += [None or (0 and 1), [] and 1, not (1 and 0 or 2)]
    """,
    "walrus": """
        def f(xs):
            out = [y for x in xs if (y := x * 2) > 2]
            while (n := len(out)) > 1:
                out.pop()
            return out, n, y
        result = f([1, 2, 3])
    """,
    "match": """
        class P:
            __match_args__ = ("x", "y")
            def __init__(self, x, y): self.x, self.y = x, y
        def f(v):
            match v:
                case 0 | 1: return "small"
                case int() if v > 100: return "large"
                case int(n): return n
                case [1, *rest]: return rest
                case {"k": k, **more}: return k, more
                case P(0, y=q): return q
                case "a" | None: return "odd"
                case (a, b) if a == b: return "pair"
            return "none"
        result = [f(x) for x in (0, 1, 500, 7, [1, 2, 3], {"k": 1, "z": 2}, P(0, 5), P(1, 5), "a", None, (2, 2), (2, 3))]
        result += [f(True), f(3.5)]
    """,
    "match of truths": """
        class Odd:
            def __eq__(self, other): return other.nothing
        def f(v):
            match v:
                case True | None: return "yes or none"
                case False: return "no"
                case [True, False]: return "both"
                case {"on": True as on}: return on
                case (_, False): return "second"
            return "other"
        values = (True, False, None, 1, 0, [True, False], (1, 0), {"on": True}, {"on": 1}, (Odd(), False))
        result = [f(each) for each in values] + [f(Odd())]
    """,
    "global": """
        counter = 0
        def f():
            global counter
            counter += 2
            return counter
        result = [f(), f(), counter]
    """,
    "decorators and classes": """
        import functools
        def twice(f):
            @functools.wraps(f)
            def g(*a): return f(f(*a))
            return g
        class A:
            scale = 3
            @twice
            def _f(x): return x * 2
            table = [i * 2 for i in range(3)]
            def __init__(self, x): self.x = x
            @property
            def double(self): return self.x * 2
            @classmethod
            def of(cls, x): return cls(x + 1)
            @staticmethod
            def plus(a, b): return a + b
        class B(A):
            def __init__(self, x):
                super().__init__(x)
                self.y = super().double
        result = [A._f(2), A.table, B(4).y, A.of(2).x, A.plus(1, 2), B.of(1).double]
    """,
    "name mangling": """
        class A:
            __secret = 1
            def __init__(self): self.__n = 0
            def bump(self, by):
                self.__n += by
                self.__n = self.__n + A.__secret
                return self.__n, sorted(vars(self))
        result = A().bump(4)
    """,
    "assert and del": """
        def f(x):
            d = {"a": 1, "b": 2}
            l = [1, 2, 3]
            del d["a"], l[x], x
            assert d, "gone"
            try:
                assert not l, f"left {l}"
            except AssertionError as e:
                return str(e), d
        result = f(1)
    """,
    "star expressions": """
        def f(*a): return a
        first, *middle, last = range(6)
        [p, [q, *r]] = [1, [2, 3, 4]]
        result = [first, middle, last, p, q, r, f(*[1], 2, *(3, 4)), [*range(2), *"ab"], {**{"a": 1}, "b": 2}]
    """,
    "recursion": """
        def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
        def deep(n): return 0 if not n else 1 + deep(n - 1)
        result = [fib(12), deep(400)]
    """,
    "locals and dir see no new names": """
        def f(a, b=2):
            c = a and b
            for i in range(2): pass
            d = [x for x in (1, 2) if 1 < x < 3]
            return sorted(locals())
        class C:
            v = 1 or 2
            names = sorted(n for n in locals() if not n.startswith("__"))
        result = [f(1), C.names, [n for n in globals() if "symcrete" in n]]
    """,
    "augmented assignment": """
        class Box:
            def __init__(self): self.v, self.log = 1, []
            def __iadd__(self, other): self.log.append(other); return self
        b = Box()
        c = b
        c += 5
        xs = [1, 2, 3]
        ys = xs
        ys += [4]
        d = {"k": [1]}
        d["k"] += [2]
        b.v *= 7
        xs[0] -= 10
        xs[-1] **= 2
        def idx(log=[]):
            log.append(1)
            return len(log) - 1
        xs[idx()] += 100
        result = [c is b, b.log, xs is ys, xs, d, b.v]
    """,
    "slices and subscripts": """
        class G:
            def __getitem__(self, key): return key
            def __class_getitem__(cls, item): return item
        xs = list(range(10))
        xs[2:4] = ["a"]
        del xs[5:]
        i = 1
        result = [xs, xs[i:], xs[:-i], xs[::2], G()[i, 2:3], G()[i:i + 1, ...], G[int], G()["k"], dict[str, int].__args__]
    """,
    "dunder methods": """
        class V:
            def __init__(self, n): self.n = n
            def __bool__(self): return self.n > 0
            def __len__(self): return self.n
            def __eq__(self, o): return isinstance(o, V) and self.n == o.n
            def __hash__(self): return hash(self.n)
            def __contains__(self, x): return x == self.n
            def __index__(self): return self.n
            def __lt__(self, o): return self.n < o.n
            def __call__(self, x): return self.n + x
            def __add__(self, o): return V(self.n + (o.n if isinstance(o, V) else o))
            __radd__ = __add__
        v = V(3)
        result = [bool(v), len(v), v == V(3), v in {V(3)}, 3 in v, 4 not in v, [0, 1, 2, 3][v], max(V(1), V(2)).n]
        result += [v(4), (v + 1).n, (1 + v).n, sum([V(1), V(2)], 0).n, "yes" if V(0) else "no", sorted([V(2), V(1)])[0].n]
    """,
    "a length that counts how often it was asked for": """
        class Bag:
            asked = 0
            def __init__(self, given): self.given = given
            def __len__(self):
                Bag.asked += 1
                return self.given
        def tried(given):
            try:
                return 1 if Bag(given) else 0
            except (TypeError, ValueError, OverflowError) as error:
                return str(error)
        result = [*map(tried, [0, 2, True, -1, 2**80, "3", 1.5, None]), not Bag(3), Bag.asked]
    """,
    "is and in": """
        a = b = object()
        result = [a is b, a is not b, None is None, 5 in range(9), "x" not in "abc", b is not None, 1 in {1: 2}]
    """,
    "lambdas": """
        f = lambda x, y=2: x if x > y else -x
        g = (lambda: (yield))()
        result = [f(1), f(5), list(map(lambda x: x and 1, [0, 2])), sorted([3, 1], key=lambda v: -v), next(g)]
    """,
    "strings and formatting": """
        n, name = 5, "x"
        result = [f"{n:>4}|{name!r}|{n + 1}", "%d-%s" % (n, name), "{:.2f}".format(1.5), f"{'a' if n else 'b'}{{}}"]
    """,
    "dataclasses": """
        from dataclasses import dataclass, field, replace
        @dataclass(order=True)
        class P:
            x: int
            y: int = 2
            tags: list = field(default_factory=list)
            def __post_init__(self):
                if self.x < 0: raise ValueError("negative")
        result = [repr(P(1)), P(1) < P(2), replace(P(1), y=9).y]
        try: P(-1)
        except ValueError as e: result.append(str(e))
    """,
    "exec and eval see the frame": """
        def f(a):
            b = 3
            return eval("a + b"), [k for k in vars() if k != "k"]
        result = f(2)
    """,
    "except everything": """
        def f():
            try: raise KeyboardInterrupt
            except: return "caught"
        result = f()
    """,
    "conditional imports and type checking": """
        from __future__ import annotations
        from typing import TYPE_CHECKING, Optional
        if TYPE_CHECKING:
            from nowhere import Nothing
        def f(x: Nothing, y: Optional[int] = None) -> Nothing: return y
        result = [f(1), f.__annotations__]
    """,
    "order of evaluation": """
        log = []
        def t(name, value=None):
            log.append(name)
            return value
        d = {}
        t("obj", d)[t("key", 1)] = t("value", 2)
        x = t("a", 5) + t("b", 6) * t("c", 7)
        class O: v = 1
        o = O()
        def bump():
            o.v = 100
            return 1
        o.v += bump()
        result = [log, d, x, o.v]
    """,
}


def _run(source: str, *, rewritten: bool) -> Any:
    text = textwrap.dedent(source)
    namespace: dict[str, Any] = {"__name__": "program"}
    if not rewritten:
        exec(compile(text, "program.py", "exec", dont_inherit=True), namespace)
        return namespace["result"]
    world = Rewritten()
    record = Recording(world.sites)
    world.on_numbered = record.fit
    hooks = Hooks(record)
    hooks.install()
    hooks.allow(10**6)
    former = activate(record)
    record.live = True
    try:
        exec(world.compile(text, "program.py"), namespace)
    finally:
        activate(former)
    return namespace["result"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_rewritten_program_gives_the_same_result(name: str) -> None:
    expected = _run(PROGRAMS[name], rewritten=False)

    assert repr(_run(PROGRAMS[name], rewritten=True)) == repr(expected)


def _module(source: str, tmp_path: Path, name: str = "sample") -> types.ModuleType:
    file = tmp_path / f"{name}.py"
    file.write_text(textwrap.dedent(source))
    world = Rewritten()
    record = Recording(world.sites)
    world.on_numbered = record.fit
    hooks = Hooks(record)
    hooks.install()
    hooks.allow(10**6)
    activate(record)
    module = types.ModuleType(name)
    module.__file__ = str(file)
    exec(world.compile(file.read_text(), str(file)), module.__dict__)
    return module


def test_async_functions_run(tmp_path: Path) -> None:
    module = _module(
        """
        import asyncio
        async def numbers(n):
            for i in range(n):
                await asyncio.sleep(0)
                yield i
        async def main():
            out = []
            async for x in numbers(4):
                if x == 2: continue
                out.append(x)
            else:
                out.append("end")
            return out, [y async for y in numbers(3) if y], await asyncio.gather(*[asyncio.sleep(0, i) for i in (1, 2)])
        """,
        tmp_path,
    )

    assert asyncio.run(module.main()) == ([0, 1, 3, "end"], [1, 2], [1, 2])


def test_tracebacks_keep_the_users_lines(tmp_path: Path) -> None:
    module = _module(
        """
        def f(x):
            if x > 1 and x < 9:
                for i in range(x):
                    if i == 3:
                        raise ValueError(
                            "here")
            return x
        """,
        tmp_path,
    )

    with pytest.raises(ValueError, match="here") as caught:
        module.f(5)

    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[-1].lineno == 6
    assert frames[-1].line == "raise ValueError("


def test_the_source_and_docstrings_stay_the_authors(tmp_path: Path) -> None:
    module = _module(
        '''
        """Module words."""
        def f(x):
            """Function words.

            >>> f(2)
            'even'
            """
            return "even" if x % 2 == 0 else "odd"
        ''',
        tmp_path,
    )

    assert module.__doc__ == "Module words."
    assert 'return "even" if x % 2 == 0' in inspect.getsource(module.f)
    examples = doctest.DocTestFinder().find(module.f, "f", globs={"f": module.f})
    assert doctest.DocTestRunner().run(examples[0]) == (0, 1)


def test_an_endless_loop_that_swallows_everything_is_cut(tmp_path: Path) -> None:
    module = _module(
        """
        def f():
            while True:
                try:
                    while True: pass
                except BaseException:
                    continue
        """,
        tmp_path,
    )

    with pytest.raises(BaseException, match="loop steps"):
        module.f()


def test_a_text_that_is_rewritten_again_is_what_it_was_the_first_time() -> None:
    text = "import os\n\ndef f(a):\n    return os.sep if a > 1 else []\n"
    first, again, later = Rewritten(), Rewritten(), Rewritten()
    code = first.compile(text, "of_two.py")
    assert again.compile(text, "of_two.py") is code
    assert again.sites == first.sites and again.reads == first.reads
    assert again.files["of_two.py"].own("f") == again.sites.sites
    again.sites.add("other", "of_two.py", 1, 0, "")  # what a run finds is its own alone
    assert len(first.sites) == 1 and first.facts == again.facts
    later.compile("if len('a') > 1:\n    pass\n", "before.py")
    shifted = later.compile(text, "of_two.py")
    assert shifted != code, "its conditions have other numbers after those of another file"
    assert [each.number for each in later.files["of_two.py"].own("f")] == [1]
    assert first.compile(text.replace("1", "2"), "of_two.py") != code
