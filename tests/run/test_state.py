"""What calls leave behind in a module is found and taken back."""

import functools
from collections import defaultdict, deque
from types import ModuleType

import pytest

from symcrete.run.state import ModuleState

SOURCE = """
import array
import collections
import functools
import queue
import threading
import types

LOCK = threading.Lock()
AGAIN = threading.RLock()
SET = threading.Event()
WAITING = queue.Queue()
TALLY = collections.Counter("a")
ROOM = types.SimpleNamespace(size=1)
NUMBERS = array.array("i", [1])
GROUPS = {"a": [], "b": ({1: []},)}
HERE = threading.local()
COUNT = 0
SEEN = []
TABLE = {"a": 1}
NAMES = {"x"}
LAST = deque([1])
BUFFER = bytearray(b"ab")

class Thing:
    made = 0
    all = []

    def __init__(self):
        self.size = 1
        self.held = []
        self.counts = defaultdict(int)

    def __eq__(self, other):
        raise RuntimeError("not to be compared")

ONE = Thing()
SEVERAL = [Thing()]

def asked():
    pass

@functools.lru_cache
def cached(x):
    return x
"""
CHANGES = {
    "COUNT": "global COUNT; COUNT += 1",
    "SEEN": "SEEN.append(1)",
    "TABLE": "TABLE['a'] = 2",
    "NAMES": "NAMES.add('y')",
    "LAST": "LAST.append(2)",
    "BUFFER": "BUFFER[0] = 0",
    "Thing.made": "Thing.made += 1",
    "Thing.all": "Thing.all.append(ONE)",
    "Thing.added": "Thing.added = 1",
    "ONE.size": "ONE.size = 2",
    "ONE.held": "ONE.held.append(1)",
    "ONE.counts": "ONE.counts['a'] += 1",
    "LOCK": "LOCK.acquire()",
    "AGAIN": "AGAIN.acquire(); AGAIN.acquire()",
    "SET._flag": "SET.set()",
    "TALLY": "TALLY['a'] += 1",
    "ROOM.size": "ROOM.size = 2",
    "NUMBERS": "NUMBERS.append(2)",
    "GROUPS": "GROUPS['a'].append(1); GROUPS['b'][0][1].append(2)",
    "SEVERAL.size": "SEVERAL[0].size = 2",
    "asked.times": "asked.times = 1",
    "HERE.name": "HERE.name = 'me'",
    "NEW": "global NEW; NEW = 1",
}


@pytest.fixture
def module() -> ModuleType:
    made = ModuleType("prog")
    vars(made).update(__name__="prog", deque=deque, defaultdict=defaultdict)
    exec(SOURCE, vars(made))
    return made


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_named_and_taken_back(name: str, module: ModuleType) -> None:
    state = ModuleState([module])
    exec(f"def change():\n    {CHANGES[name]}\n", vars(module))
    before = ModuleState([module])
    module.change()

    seen = before.changes()

    assert seen == [name]
    assert before.restore() == [name]
    assert before.changes() == []
    assert state.restore() == ["change"]


def test_what_waits_in_a_queue_is_taken_back(module: ModuleType) -> None:
    state = ModuleState([module])
    module.WAITING.put(1)

    state.restore()

    assert module.WAITING.empty()


def test_a_class_of_many_methods_hides_none_of_its_containers(module: ModuleType) -> None:
    for number in range(200):
        setattr(module.Thing, f"method_{number}", lambda self: 1)
    state = ModuleState([module])
    module.Thing.all.append(1)

    assert state.restore() == ["Thing.all"]


def test_a_class_without_a_module_is_no_obstacle(module: ModuleType) -> None:
    exec("made = type('Made', (), {})", namespace := dict[str, object]())
    module.TABLE["made"] = namespace["made"]
    state = ModuleState([module])
    module.TABLE["a"] = 2

    assert state.restore() == ["TABLE"]


def test_what_did_not_change_is_not_named(module: ModuleType) -> None:
    assert ModuleState([module]).restore() == []


def test_caches_of_functions_are_emptied(module: ModuleType) -> None:
    state = ModuleState([module])
    module.cached(1)

    state.restore()

    assert module.cached.cache_info().currsize == 0
    assert isinstance(module.cached, functools._lru_cache_wrapper)


def test_large_tables_are_taken_to_be_constant(module: ModuleType) -> None:
    module.TABLE.update({str(i): i for i in range(100)})
    state = ModuleState([module], most=50)
    module.TABLE["a"] = 2

    assert state.restore() == []
