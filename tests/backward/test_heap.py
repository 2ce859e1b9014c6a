"""What a statement may write, of which kind a local is, and when two reads agree."""

from pathlib import Path
from textwrap import dedent

import pytest
from tests.backward.searching import program_of, searched

from symcrete.backward.heap.kinds import DICT, LIST, NUMBER, TEXT, UNKNOWN
from symcrete.backward.heap.writes import ANYTHING, NOTHING, Container, Effects
from symcrete.backward.sorts import Sorts
from symcrete.backward.trace_statements import Sees
from symcrete.backward.versions import Versions, sees_writes
from symcrete.program.lowering.three_address import Assign, Branch, Call, Flow, Statement, Store
from symcrete.terms.term import Sort, Term, var


def written(source: str, folder: Path) -> Path:
    file = folder / "heap_program.py"
    file.write_text(dedent(source).lstrip(), encoding="utf-8")
    return file


def effects_of(source: str, folder: Path) -> tuple[Effects, Flow]:
    program = program_of(written(source, folder))
    flow = program.flows()["f"]
    sorts = Sorts(program)
    sorts.declare(flow, {})
    sorts.settle()
    effects = Effects(program, sorts)
    effects.kinds.declare(flow)
    return effects, flow


def at(flow: Flow, line: int, kind: type[Statement]) -> Statement:
    return next(each for each in flow.statements if each.line == line and isinstance(each, kind))


STORES = """
    def f(xs: list, s: str, o):
        ys = []
        ys.append(o)
        ys[0] = 1
        o.value = 1
        s.upper()
        len(xs)
        o.run()
        xs += ys
"""


@pytest.mark.parametrize(
    ("line", "kind", "expected"),
    [
        (3, Call, Container("ys")),
        (4, Store, Container("ys")),
        (5, Store, ANYTHING),
        (6, Call, NOTHING),
        (7, Call, NOTHING),
        (8, Call, ANYTHING),
        (9, Assign, Container("xs")),
    ],
)
def test_a_statement_writes_one_container_or_anything_or_nothing(
    line: int, kind: type[Statement], expected: object, tmp_path: Path
) -> None:
    effects, flow = effects_of(STORES, tmp_path)

    assert effects.of(flow, at(flow, line, kind)) == expected


def test_an_operator_that_a_class_of_the_program_defines_may_write(tmp_path: Path) -> None:
    plain = "def f(a, b):\n    return a == b\n"
    own = "class C:\n    def __eq__(self, other):\n        return True\n"

    silent, flow = effects_of(plain, tmp_path)
    noisy, other = effects_of(own + plain, tmp_path)

    assert silent.of(flow, at(flow, 2, Assign)) == NOTHING
    assert noisy.of(other, at(other, 5, Assign)) == ANYTHING


@pytest.mark.parametrize(
    ("method", "statement"),
    [
        ("__eq__", "n in [o]"),
        ("__eq__", "[o] == [n]"),
        ("__eq__", "[o].index(n)"),
        ("__eq__", "d[n]"),
        ("__hash__", "d[o]"),
        ("__hash__", "set([o])"),
        ("__index__", "[1][o]"),
        ("__lt__", "sorted([o])"),
        ("__repr__", "str([o])"),
        ("__str__", "'%s' % (o,)"),
    ],
)
def test_an_operation_on_a_container_may_call_methods_of_what_it_holds(
    method: str, statement: str, tmp_path: Path
) -> None:
    plain = f"def f(o, n: int):\n    d = {{1: 2}}\n    return {statement}\n"
    own = f"class C:\n    def {method}(self, *other):\n        return 1\n"

    silent, flow = effects_of("pass\n" * 3 + plain, tmp_path)
    noisy, other = effects_of(own + plain, tmp_path)

    def all_effects(effects: Effects, of: Flow) -> set[object]:
        return {effects.of(of, each) for each in of.statements if each.line == 6}

    assert ANYTHING in all_effects(noisy, other)
    assert ANYTHING not in all_effects(silent, flow)


def test_functions_that_call_each_other_write_what_either_does(tmp_path: Path) -> None:
    source = """
        def a(o, n):
            b(o, n)
            o.x = 1

        def b(o, n):
            if n > 0:
                a(o, n - 1)

        def f(o, n: int):
            a(o, n)
            b(o, n)
    """

    effects, flow = effects_of(source, tmp_path)

    assert [effects.of(flow, at(flow, line, Call)) for line in (10, 11)] == [ANYTHING] * 2


def test_reading_a_property_may_write(tmp_path: Path) -> None:
    source = """
        class C:
            @property
            def next(self):
                self.n += 1
                return self.n

        def f(c):
            return c.next, c.other
    """

    effects, flow = effects_of(source, tmp_path)
    reads = [each for each in flow.statements if isinstance(each, Assign)]
    found = {str(each.args[1]): effects.of(flow, each) for each in reads if len(each.args) == 2}

    assert found["'next'"] == ANYTHING
    assert found["'other'"] == NOTHING


def test_a_function_that_is_followed_writes_what_its_statements_do(tmp_path: Path) -> None:
    source = """
        def put(xs):
            xs.append(1)

        def look(n: int):
            return n + 1

        def f(xs):
            put(xs)
            look(2)
    """

    effects, flow = effects_of(source, tmp_path)

    assert effects.of(flow, at(flow, 8, Call)) == ANYTHING
    assert effects.of(flow, at(flow, 9, Call)) == NOTHING


def test_a_result_that_is_new_is_the_same_as_no_other(tmp_path: Path) -> None:
    source = """
        def f(xs: list, s: str):
            ys = []
            n = len(xs)
            t = s + "a"
            zs = xs + xs
            if s:
                return ys, n, t, zs
    """

    effects, flow = effects_of(source, tmp_path)
    seen = {line: effects.seen_by(flow, at(flow, line, Assign)) for line in (2, 4, 5)}  # type: ignore[arg-type]

    assert seen == {2: Sees.ITSELF, 4: Sees.NOTHING, 5: Sees.ITSELF}
    assert effects.seen_by(flow, at(flow, 3, Call)) is Sees.HEAP  # type: ignore[arg-type]
    assert effects.seen_by(flow, at(flow, 6, Branch)) is Sees.NOTHING  # type: ignore[arg-type]


def test_kinds_follow_what_is_assigned(tmp_path: Path) -> None:
    source = """
        def f(s: str, d: dict, n: int):
            a = [n]
            b = {}
            c = s + "x"
            e = a if n else b
            g = d
            return a, b, c, e, g
    """

    effects, flow = effects_of(source, tmp_path)
    kinds = {name: effects.kinds.of(flow, name) for name in "abcegn"}

    # A parameter declared `dict` may be a defaultdict, which reading changes.
    expected = {"a": LIST, "b": DICT, "c": TEXT, "e": UNKNOWN, "g": UNKNOWN, "n": NUMBER}
    assert kinds == expected


def an_object(name: str) -> Term:
    return var(name, Sort.OBJECT)


def test_reads_of_a_container_agree_until_something_is_written_to_it() -> None:
    heap, mine, other = Versions(), an_object("mine"), an_object("other")
    heap.made(mine)
    heap.made(other)
    before = heap.seen(mine, shallow=True)

    heap.wrote(other)

    assert heap.seen(mine, shallow=True) == before
    heap.wrote(mine)
    assert heap.seen(mine, shallow=True) != before


def test_a_write_to_who_knows_what_is_a_write_to_everything() -> None:
    heap, mine, given = Versions(), an_object("mine"), an_object("given")
    heap.made(mine)
    before = heap.seen(mine, shallow=True), heap.seen(given, shallow=True)

    heap.wrote(None)

    assert heap.seen(mine, shallow=True) != before[0]
    assert heap.seen(given, shallow=True) != before[1]


def test_a_value_from_who_knows_where_may_be_a_container_of_the_path() -> None:
    heap, mine, item = Versions(), an_object("mine"), an_object("item")
    heap.made(mine)
    heap.appeared(item)
    before = heap.seen(item, shallow=True)

    heap.wrote(mine)

    assert heap.seen(item, shallow=True) != before


def test_only_marks_behind_a_write_keep_evaluation_away() -> None:
    heap, mine = Versions(), an_object("mine")
    heap.made(mine)
    first = heap.seen(mine, shallow=True)
    heap.wrote(mine)

    assert not sees_writes("len" + first)
    assert not sees_writes("call" + heap.once())
    assert sees_writes("len" + heap.seen(mine, shallow=True))


REACHABLE = {
    "an alias": """
        def f(n: int) -> int:
            xs = [1]
            ys = xs
            k = len(ys)
            xs += [n]
            if len(ys) != k:
                return 1  # here
            return 0
    """,
    "two lists made alike": """
        def f(n: int) -> int:
            xs, ys = [], []
            xs.append(n)
            if len(xs) != len(ys):
                return 1  # here
            return 0
    """,
    "an item of a list": """
        def f(n: int) -> int:
            xs = []
            for held in [xs]:
                k = len(held)
                xs.append(n)
                if len(held) != k:
                    return 1  # here
            return 0
    """,
    "the end of a with": """
        class Log:
            def __init__(self, xs):
                self.xs = xs

            def __enter__(self):
                return self

            def __exit__(self, *error):
                self.xs.append(1)

        def f(n: int) -> int:
            xs = []
            with Log(xs):
                k = len(xs)
            if len(xs) != k:
                return 1  # here
            return 0
    """,
    "a with whose second manager cannot be entered": """
        class Quiet:
            def __enter__(self):
                return self

            def __exit__(self, *error):
                return True

        class Closed(Quiet):
            def __enter__(self):
                raise OSError

        def f(n: int) -> int:
            done = 0
            with Quiet(), Closed():
                done = 1
            if done == 0:
                return 1  # here
            return 0
    """,
    "a with whose result cannot be unpacked": """
        class Quiet:
            def __enter__(self):
                return self

            def __exit__(self, *error):
                return True

        def f(n: int) -> int:
            done = 0
            with Quiet() as (a, b):
                done = 1
            if done == 0:
                return 1  # here
            return 0
    """,
    "a call that fails after it wrote": """
        def put(xs, n):
            xs.append(n)
            raise ValueError

        def f(n: int) -> int:
            xs = []
            try:
                put(xs, n)
            except ValueError:
                pass
            if len(xs) == 1:
                return 1  # here
            return 0
    """,
    "what a comprehension binds": """
        def f(n: int) -> int:
            y = 0
            z = [y := each for each in (n, n + 1)]
            if y > n:
                return len(z)  # here
            return 0
    """,
}


@pytest.mark.parametrize("source", REACHABLE.values(), ids=list(REACHABLE))
def test_a_write_between_two_reads_keeps_a_path_open(source: str, tmp_path: Path) -> None:
    file = written(source, tmp_path)
    lines = file.read_text(encoding="utf-8").splitlines()

    search = searched(file, 1 + next(i for i, each in enumerate(lines) if "# here" in each))

    assert not search.proved, search.proof()


CLOSED = {
    "a list that another list does not change": """
        def f(n: int) -> int:
            xs = [1]
            ys = []
            k = len(xs)
            ys.append(n)
            if len(xs) != k:
                return 1  # here
            return 0
    """,
    "a text": """
        def f(s: str, xs: list) -> int:
            if s == "a":
                xs.append(1)
                if s == "a":
                    return 0
                return 1  # here
            return 0
    """,
    "an input that was not written to": """
        def f(xs: list) -> int:
            k = len(xs)
            ys = []
            ys.append(1)
            if len(xs) != k:
                return 1  # here
            return 0
    """,
}


@pytest.mark.parametrize("source", CLOSED.values(), ids=list(CLOSED))
def test_what_is_known_to_be_elsewhere_changes_nothing(source: str, tmp_path: Path) -> None:
    file = written(source, tmp_path)
    lines = file.read_text(encoding="utf-8").splitlines()

    search = searched(file, 1 + next(i for i, each in enumerate(lines) if "# here" in each))

    assert search.proved, search.open_reasons
