"""State of sixteen kinds, none of which shows one level deep: a call is confirmed afresh."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from symcrete.program.source.module import source_of_file
from symcrete.program.source.target import Target
from symcrete.run.untouched.played import Call
from symcrete.run.untouched.replay import Replay

PROGRAM = """
import collections
import contextvars
import functools
import itertools
import random
import threading
import weakref

counter = itertools.count(1)
letters = iter("abcdefgh")
nested = {"a": {"b": [0]}}
chained = collections.ChainMap({}, {"n": 0})
local = threading.local()
variable = contextvars.ContextVar("variable", default=0)
seeded = random.Random(5)
tupled = ([0],)
buffer = memoryview(bytearray(1))


def module_iterator(x):
    return next(counter)


def text_iterator(x):
    return next(letters)


def nested_container(x):
    nested["a"]["b"][0] += 1
    return nested["a"]["b"][0]


def chain_map(x):
    chained["n"] += 1
    return chained["n"]


def thread_local(x):
    local.n = getattr(local, "n", 0) + 1
    return local.n


def context_variable(x):
    variable.set(variable.get() + 1)
    return variable.get()


def random_object(x):
    return seeded.randrange(10**9)


def list_in_tuple(x):
    tupled[0][0] += 1
    return tupled[0][0]


def memory_view(x):
    buffer[0] += 1
    return buffer[0]


def function_attribute(x):
    function_attribute.n = getattr(function_attribute, "n", 0) + 1
    return function_attribute.n


def mutable_default(x, seen=[]):
    seen.append(x)
    return len(seen)


def _closure():
    n = 0

    def closure(x):
        nonlocal n
        n += 1
        return n

    return closure


closure = _closure()


def _generated():
    n = 0
    while True:
        n += 1
        yield n


generated = _generated()


def generator(x):
    return next(generated)


class Slotted:
    __slots__ = ("n",)

    def __init__(self):
        self.n = 0


slotted = [Slotted()]


def slots(x):
    slotted[0].n += 1
    return slotted[0].n


class Holder:
    inner = {"n": [0]}


def class_attribute(x):
    Holder.inner["n"][0] += 1
    return Holder.inner["n"][0]


class Cached:
    @functools.lru_cache
    def get(self, x):
        return object()


cached = Cached()
first = weakref.WeakValueDictionary()


def cache(x):
    cached.get(x)
    return cached.get.cache_info().hits
"""
KINDS = [
    node.name
    for node in ast.parse(PROGRAM).body
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
] + ["closure"]


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replay]:
    file: Path = tmp_path_factory.mktemp("program") / "hidden.py"
    file.write_text(PROGRAM)
    with Replay(Target(source_of_file(file), "closure", "hidden.py::closure"), 5.0) as replay:
        yield replay


def test_there_are_sixteen_kinds() -> None:
    assert len(KINDS) == 16


@pytest.mark.parametrize("kind", KINDS)
def test_a_result_is_what_the_first_call_gives_and_its_dependence_is_noticed(
    replay: Replay, kind: str
) -> None:
    first = replay.replay(Call({"x": "0"}), scope=kind)
    second = replay.replay(Call({"x": "0"}), scope=kind)

    assert first.outcome == "returned"
    assert second.outcome == "flaky" and "depends on earlier calls" in second.reason


@pytest.mark.parametrize("kind", KINDS)
def test_what_earlier_calls_left_does_not_show_where_a_call_is_the_first(
    tmp_path: Path, replay: Replay, kind: str
) -> None:
    """Played alone in an interpreter of its own it gives the same as after all the others."""
    file = tmp_path / "hidden.py"
    file.write_text(PROGRAM)
    target = Target(source_of_file(file), kind, f"hidden.py::{kind}")

    with Replay(target, 5.0) as alone:
        did = alone.replay(Call({"x": "0"}))

    later = replay.afresh(Call({"x": "0"}), scope=kind)
    assert did.outcome == "returned"
    assert later.did == did.did
