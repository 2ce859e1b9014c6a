"""What `cover` calls infeasible stands on nothing but the declared types."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

DEPENDING = {
    "table that leaves the module": (
        "known = []\ndef every() -> list:\n    return known\n"
        "def f(x: int) -> int:\n    if x in known:\n        return 1\n    return 0",
        "`known`",
    ),
    "list of a class": (
        "class Log:\n    lines = []\n    def add(self, n: int) -> None:\n"
        "        self.lines.append(n)\n"
        "def f(x: int) -> int:\n    if len(Log.lines) > 40:\n        return 1\n    return 0",
        "`Log.lines`, which earlier calls of `Log.add` change",
    ),
    "attribute of a function": (
        "def f(x: int) -> int:\n    if f.seen:\n        return 1\n    f.seen = x\n    return 0\n"
        "f.seen = 0",
        "`f.seen`, which earlier calls of `f` change",
    ),
    "attribute of a function that nothing here changes": (
        "def f(x: int) -> int:\n    if f.seen or getattr(f, 'quick', 0):\n        return 1\n"
        "    return 0\nf.seen = 0",
        "`f.seen`, which something in the program may change",
    ),
    "logger": (
        "import logging\ndef f(x: int) -> int:\n    log = logging.getLogger('a')\n"
        "    if log.handlers or logging.root.level < 7:\n        return 1\n    return 0",
        "`.handlers` of a logger",
    ),
    "default of a helper": (
        "def kept(x: int, acc: list = []) -> int:\n    acc.append(x)\n    return len(acc)\n"
        "def f(x: int) -> int:\n    if kept(x) > 1:\n        return 1\n    return 0",
        "`acc`, a default value that earlier calls of `kept` may have changed",
    ),
    "closure of a decorator": (
        "def once(g):\n    done = []\n    def wrapper(x: int) -> int:\n        if done:\n"
        "            return -1\n        done.append(x)\n        return g(x)\n    return wrapper\n"
        "@once\ndef step(x: int) -> int:\n    return 0\n"
        "def f(x: int) -> int:\n    if step(x) < 0:\n        return 1\n    return 0",
        "keeps `done` between calls",
    ),
    "list that is cached": (
        "import functools\n@functools.cache\ndef table() -> list[int]:\n    return []\n"
        "def f(x: int) -> int:\n    t = table()\n    if t:\n        return 1\n    t.append(x)\n"
        "    return 0",
        "a cached function",
    ),
    "order of a set": (
        "def f(x: int) -> int:\n    first, *_ = {'a', 'b'}\n    if first == 'c':\n"
        "        return 1\n    return 0",
        "iterating over a set",
    ),
    "folder": (
        "import os\ndef f(x: int) -> int:\n    if os.getcwd() == 'none':\n        return 1\n"
        "    return 0",
        "getcwd()",
    ),
    "sent to a generator": (
        "from collections.abc import Iterator\ndef f(x: int) -> Iterator[int]:\n"
        "    got = yield x\n    if got == 7 and got == 8:\n        yield 1",
        "what is sent to it",
    ),
    "function that is returned": (
        "def f(n: int):\n    def add(x: int) -> int:\n        if x < n < x:\n            return 1\n"
        "        return 0\n    return add",
        "`add` leaves the function",
    ),
}


@pytest.mark.parametrize(("source", "blamed"), DEPENDING.values(), ids=list(DEPENDING))
def test_what_the_inputs_do_not_say_is_no_part_of_a_proof(
    source: str, blamed: str, tmp_path: Path
) -> None:
    report = explore(source, tmp_path)

    assert report.infeasible == ()
    assert any(blamed in spot.reason for spot in report.open), report.open
    assert report.status == "budget"


BY_HASH_SEED = [
    "','.join({'a', 'b'}) == 'b,c'",
    "str({'a', 'b'}) == 'c'",
    "repr([{'a', 'b'}, 1]) == 'c'",
    "f\"{frozenset(['a', 'b'])}\" == 'c'",
    "'{}'.format({'a', 'b'}) == 'c'",
    "'%s' % {'a', 'b'} == 'c'",
    "max({'ab', 'cd'}, key=len) == 'c'",
    "sorted({'ab', 'cd'}, key=len)[0] == 'c'",
    "next(iter({'a', 'b'})) == 'c'",
    "'a'.__hash__() == 1",
]


@pytest.mark.parametrize("condition", BY_HASH_SEED)
def test_what_depends_on_the_hash_seed_is_no_part_of_a_proof(
    condition: str, tmp_path: Path
) -> None:
    report = explore(
        f"def f(x: int) -> int:\n    if {condition}:\n        return 1\n    return 0", tmp_path
    )

    assert report.infeasible == ()
    assert any("which is no input" in spot.reason for spot in report.open), report.open


@pytest.mark.parametrize(
    "condition",
    [
        "sorted({'b', 'a'})[0] == 'c'",
        "max({'a', 'b'}) == 'c'",
        "len({'a', 'b'}) == 3",
        "str({3, 4}) == 'c'",
        "','.join(['a', 'b']) == 'c'",
        "{'a', 'b'}.union({'c'}) == {'a'}",
    ],
)
def test_what_no_order_changes_is_proved(condition: str, tmp_path: Path) -> None:
    report = explore(
        f"def f(x: int) -> int:\n    if {condition}:\n        return 1\n    return 0", tmp_path
    )

    assert len(report.infeasible) == 1


SETTABLE = {
    "folder": (
        "import os\ndef f(x: int) -> int:\n    if os.getcwd() == '/none':\n        return 1\n"
        "    return 0"
    ),
    "sent to a generator": (
        "from collections.abc import Iterator\ndef f(x: int) -> Iterator[int]:\n"
        "    got = yield x\n    if got == 7:\n        yield 1"
    ),
    "function that is returned": (
        "def f(n: int):\n    def add(x: int) -> int:\n        if x == n:\n            return 1\n"
        "        return 0\n    return add"
    ),
    "flag": ("FAST = False\ndef f(x: int) -> int:\n    if FAST:\n        return 1\n    return 0"),
    "counter": (
        "calls = 0\ndef f(x: int) -> int:\n    global calls\n    calls += 1\n"
        "    if calls > 1:\n        return 1\n    return 0"
    ),
    "table that another function fills": (
        "known = {}\ndef learn(x: int) -> None:\n    known[x] = 1\n"
        "def f(x: int) -> int:\n    if x in known:\n        return 1\n    return 0"
    ),
    "platform": (
        "import sys\ndef f(x: int) -> int:\n    if sys.platform == 'none':\n        return 1\n"
        "    return 0"
    ),
    "imported name": (
        "from sys import platform\ndef f(x: int) -> int:\n    if platform == 'none':\n"
        "        return 1\n    return 0"
    ),
    "name imported by the function itself": (
        "def f(x: int) -> int:\n    from sys import platform\n    if platform == 'none':\n"
        "        return 1\n    return 0"
    ),
    "module imported by the function itself": (
        "def f(x: int) -> int:\n    import sys\n    if sys.platform == 'none':\n"
        "        return 1\n    return 0"
    ),
}


@pytest.mark.parametrize("source", SETTABLE.values(), ids=list(SETTABLE))
def test_what_a_test_can_set_is_covered(source: str, tmp_path: Path) -> None:
    report = explore(source, tmp_path)

    assert report.infeasible == ()
    assert report.open == ()


PROVED = {
    "no state": "def f(x: int) -> int:\n    if x > 5 and x < 3:\n        return 1\n    return 0",
    "constant": (
        "MOST = 5\ndef f(x: int) -> int:\n    if x > MOST and x < 3:\n        return 1\n    return 0"
    ),
    "table that nothing changes": (
        "SIZES = {'a': 1, 'b': 2}\ndef f(x: str) -> int:\n    if SIZES.get(x, 0) > 2:\n"
        "        return 1\n    return 0"
    ),
    "table passed to a function that looks at it": (
        "def made() -> list[int]:\n    return [1, 2]\nSIZES = made()\n"
        "def first(sizes: list[int], x: int) -> bool:\n    return sizes[0] == x\n"
        "def f(x: int) -> int:\n    if first(SIZES, x) and x > 3:\n        return 1\n    return 0"
    ),
    "global that this call has set": (
        "last = 0\ndef f(x: int) -> int:\n    global last\n    last = x\n"
        "    if last > 5 and x < 3:\n        return 1\n    return 0"
    ),
    "state read later": (
        "import os\ndef f(x: int) -> str:\n    if x > 5 and x < 3:\n        return ''\n"
        "    return os.getcwd()"
    ),
    "pattern made at import": (
        "import re\nWORD = re.compile('a+')\ndef f(x: int) -> int:\n"
        "    if WORD.match('b'):\n        return 1\n    return x"
    ),
    "helper that stays inside": (
        "def f(x: int) -> int:\n    def small(y: int) -> bool:\n        if y > 5 and y < 3:\n"
        "            return False\n        return y < 9\n    return 1 if small(x) else 0"
    ),
}


@pytest.mark.parametrize("source", PROVED.values(), ids=list(PROVED))
def test_a_true_proof_is_kept(source: str, tmp_path: Path) -> None:
    report = explore(source, tmp_path)

    assert report.conditions.infeasible == 1, report.open
    assert report.conditions.open == 0


def test_a_target_all_of_whose_inputs_raise_proves_nothing(tmp_path: Path) -> None:
    source = """
        def f(x: int) -> int:
            y = x + "a"
            if y == 3:
                return 1
            return 0
    """

    report = explore(source, tmp_path)

    assert report.infeasible == ()
    assert {spot.reason for spot in report.open} == {"every input raised"}
