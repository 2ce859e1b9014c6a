"""An open branch names the variable, the function or the call that it hangs on."""

from pathlib import Path

import pytest
from tests.explore.exploring import explore

from symcrete.explore.compose import prepare
from symcrete.explore.cover.open_reasons import OpenReasons
from symcrete.explore.options import Options
from symcrete.explore.proof.standing import Standing
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

OPEN = {
    "a generator with a seed": (
        "import random\ndef f(seed: int) -> int:\n    rng = random.Random(seed)\n"
        "    if rng.randint(0, 10**6) == 77:\n        return 1\n    return 0",
        "depends on the numbers that `rng.randint()` makes from its seed",
    ),
    "where an object is": (
        "def f(x: int) -> int:\n    if id(x) % 16 == 3:\n        return 1\n    return 0",
        "depends on what id() gives",
    ),
    "whether equal texts are one object": (
        "def f(s: str, t: str) -> int:\n    if s == t:\n        if s is t:\n            return 2\n"
        "        return 1\n    return 0",
        "inputs come here, but do not say whether equal values are one object",
    ),
    "a class that no input is of": (
        "import types\ndef f(x, n: int) -> int:\n    if isinstance(x, types.TracebackType):\n"
        "        return 1\n    return 0",
        "no `types.TracebackType` was made for `x`",
    ),
    "what is sent": (
        "def f():\n    got = yield 0\n    if got == 7 and got == 8:\n        yield 1",
        "depends on what is sent to it",
    ),
    "a function that is returned": (
        "def f(n: int):\n    def wrapper(x: int) -> int:\n        if x < n < x:\n"
        "            return -1\n        return x\n    return wrapper",
        "`wrapper` leaves the function, and whoever has it may call it later",
    ),
}


@pytest.mark.parametrize("what", OPEN)
def test_the_reason_names_what_is_to_blame(what: str, tmp_path: Path) -> None:
    source, expected = OPEN[what]

    report = explore(source, tmp_path, budget=2.0)

    assert report.open
    assert all(spot.reason.startswith(expected) for spot in report.open), report.open
    assert not report.infeasible


def test_a_call_that_returns_before_the_branch_is_not_blamed(tmp_path: Path) -> None:
    report = explore(
        "import locale\ndef f(n: int) -> str:\n    if n == 1:\n        return locale.strxfrm('a')\n"
        "    if type(f) in (bytes,):\n        return ''\n    while n > 9:\n        n -= 1\n"
        "    return f(1)\n",
        tmp_path,
        max_runs=10,
    )

    spot = next(each for each in report.open if each.line == 5)
    assert spot.reason.startswith("the condition does not depend on tracked values here")
    assert "strxfrm" not in spot.reason


def test_of_two_calls_the_last_before_the_branch_is_blamed(tmp_path: Path) -> None:
    file = tmp_path / "two_calls.py"
    file.write_text(
        "import codecs, quopri\ndef f(data: bytes) -> int:\n"
        "    early = codecs.encode(data, 'hex')\n    late = quopri.encodestring(data)\n"
        "    if late == b'impossible':\n        return 1\n"
        "    return len(codecs.encode(early, 'hex'))\n"
    )
    options = Options(budget=5.0, replay=False, max_runs=5)
    exploration, phase = prepare(targets_of(f"{file}::f")[0], EveryBranch(), options)
    exploration.explore(phase)
    standing = Standing(exploration.parts, exploration.progress)
    (site,) = exploration.parts.coverage.own

    told = OpenReasons(exploration, standing).of([(site.number, True)])

    assert "quopri.encodestring()" in told[site.number, True]


def test_what_is_read_after_the_branch_is_not_blamed(tmp_path: Path) -> None:
    report = explore(
        "class Token:\n    def __init__(self, n: int):\n        self.n = n\n        self.m = 0\n"
        "    def __repr__(self):\n        return str(self.m)\n"
        "    def grow(self):\n        self.m += 1\n"
        "def f(token: Token) -> int:\n"
        "    if type(f) in (bytes,):\n        return 1\n"
        "    if token.m > 3:\n        return f(Token(0))\n    return 0\n",
        tmp_path,
        max_runs=10,
    )

    spot = next(each for each in report.open if each.line == 10)
    assert spot.reason.startswith("the condition does not depend on tracked values here")


def test_what_keeps_objects_from_a_proof_is_told_rather_than_how_others_were_made(
    tmp_path: Path,
) -> None:
    source = """
    class Rule:
        def step(self) -> int:
            return 3

        def f(self, n: int) -> int:
            if self.step() + n == n + 9:
                return 1
            return 0

    def put(source: str) -> None:
        exec(source, globals())
    """

    report = explore(source, tmp_path, "Rule.f")

    (spot,) = report.open
    assert spot.reason.startswith("names are bound through `globals`, `exec`")
