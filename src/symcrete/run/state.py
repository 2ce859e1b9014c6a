"""What calls leave behind in the modules of a program, and how to take it back.

A counter, a cache, a registry: results that depend on earlier calls are no results of the input.
Looks at globals and their containers, attributes of classes, functions and single objects, the
containers and objects that these hold, and at locks.
"""

from __future__ import annotations

import array
import copy
import functools
import threading
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

_CONTAINERS = (
    *(list, dict, set, bytearray, deque, defaultdict, OrderedDict, Counter, array.array),
)
# Chosen, not measured.
LARGEST_RESTORED = 1000  # elements of a container that is put back
MOST_LEVELS_RESTORED = 4  # of containers and objects inside others
MOST_INSIDE_RESTORED = 100  # containers and objects inside others, for each name of a module
_CACHE = type(functools.lru_cache(lambda: None))
# Most of what names and containers hold.
_WITHOUT_STATE = frozenset({int, str, float, bool, bytes, complex, type(None), ModuleType})
_METHODS = frozenset({FunctionType, property, staticmethod, classmethod})
_LOCK, _RLOCK = type(threading.Lock()), type(threading.RLock())
# Modules of the library whose objects keep what they hold in their attributes.
_PLAIN_LIBRARIES = frozenset({"types", "collections", "queue", "argparse", "threading"})


class ModuleState:
    """The state of some modules at one moment."""

    def __init__(self, modules: Iterable[ModuleType], most: int = LARGEST_RESTORED) -> None:
        """`most`: containers with more elements are taken to be constant tables."""
        self._names: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
        self._classes: list[tuple[str, type, dict[str, Any]]] = []
        self._contents: list[tuple[str, Any, Any]] = []
        self._caches: list[Any] = []
        self._locks: list[tuple[str, Any, bool]] = []
        self._most = most
        self._left = 0  # how many more things inside of what the present name means are taken
        self._seen: set[int] = set()
        own = {module.__name__ for module in modules}
        for module in modules:
            self._take(module, own)

    def restore(self) -> list[str]:
        """Put everything back and empty the caches; returns the names of what had changed."""
        changed = _each_once(self._changes(restoring=True))
        for cache in self._caches:
            cache.cache_clear()
        return changed

    def changes(self) -> list[str]:
        """The names of what has changed; nothing is put back."""
        return _each_once(self._changes(restoring=False))

    def _take(self, module: ModuleType, own: set[str]) -> None:
        names = vars(module)
        self._names.append(("", names, dict(names)))
        for name, value in list(names.items()):
            if not name.startswith("__"):
                self._left = MOST_INSIDE_RESTORED
                self._take_value(name, value, own, MOST_LEVELS_RESTORED)

    def _take_value(self, name: str, value: Any, own: set[str], levels: int) -> None:
        """Take what a name, or something inside of what it means, holds; `levels` further down."""
        kind = type(value)
        # Names without state come first: of each `id` the audit hooks of a worker hear.
        if kind in _WITHOUT_STATE or id(value) in self._seen:
            return
        self._seen.add(id(value))
        if kind in _CONTAINERS:
            if len(value) <= self._most:
                self._contents.append((name, value, copy.copy(value)))
                inside = value.values() if isinstance(value, dict) else value
                self._take_inside([(name, each) for each in inside], own, levels)
        elif kind is tuple:
            self._take_inside([(name, each) for each in value], own, levels)
        elif kind is _CACHE:
            self._caches.append(value)
        elif isinstance(value, type) and _module_of(value) in own:
            plain = _attributes(value)
            self._classes.append((name, value, plain))
            self._take_attributes(name, plain, own, levels)
        elif kind is threading.local or (kind is FunctionType and _module_of(value) in own):
            # what this thread keeps there, or what is stored on a function
            self._names.append((f"{name}.", vars(value), dict(vars(value))))
            self._take_attributes(name, vars(value), own, levels)
        elif kind in (_LOCK, _RLOCK):
            self._locks.append((name, value, _is_locked(value)))
        elif _is_plain(value, own):
            self._names.append((f"{name}.", value.__dict__, dict(value.__dict__)))
            self._take_attributes(name, value.__dict__, own, levels)

    def _take_attributes(self, name: str, held: dict[str, Any], own: set[str], levels: int) -> None:
        inside = [(f"{name}.{key}", value) for key, value in held.items()]
        self._take_inside(inside, own, levels)

    def _take_inside(self, held: list[tuple[str, Any]], own: set[str], levels: int) -> None:
        """Take what something holds, each with the name of the nearest thing that has one."""
        plain = _WITHOUT_STATE | _METHODS
        changing = [(name, each) for name, each in held if type(each) not in plain]
        if levels and len(changing) <= self._left:
            self._left -= len(changing)
            for name, each in changing:
                self._take_value(name, each, own, levels - 1)

    def _changes(self, *, restoring: bool) -> Iterator[list[str]]:
        for prefix, names, former in self._names:
            if not _same_items(names, former):
                changed = _changed(names, former)
                if restoring:
                    _put_back(names, former, changed)
                yield [f"{prefix}{name}" for name in changed if not name.startswith("__")]
        for name, owner, former in self._classes:
            changed = _changed(_attributes(owner), former)
            for key in changed if restoring else ():
                if key in former:
                    type.__setattr__(owner, key, former[key])
                else:
                    type.__delattr__(owner, key)
            yield [f"{name}.{key}" for key in changed]
        for name, value, contents in self._contents:
            if not _same(value, contents):
                if restoring:
                    _REFILLS[type(value)](value, contents)
                yield [name]
        for name, lock, former_state in self._locks:
            if _is_locked(lock) != former_state:
                if restoring:
                    _set_locked(lock, locked=former_state)
                yield [name]


def _each_once(changes: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys([name for change in changes for name in change]))


def _module_of(value: Any) -> Any:
    """The name of the module that defines a class or function; None for a class that `type` made in
    code without a module.
    """
    return getattr(value, "__module__", None)


def _is_plain(value: Any, own: set[str]) -> bool:
    """Whether an object keeps what it holds in a dict, and is of a class of the program or of one
    of the library that may be put back so.
    """
    module = _module_of(type(value))
    known = module in own or (
        module in _PLAIN_LIBRARIES and not isinstance(value, threading.Thread)
    )
    return known and type(getattr(value, "__dict__", None)) is dict


def _is_locked(lock: Any) -> bool:
    """Whether a lock is held; of one that can be taken again, whether this thread holds it."""
    return bool(lock.locked() if type(lock) is _LOCK else lock._is_owned())


def _set_locked(lock: Any, *, locked: bool) -> None:
    if locked:
        lock.acquire(blocking=False)
    while not locked and _is_locked(lock):
        lock.release()


def _attributes(owner: type) -> dict[str, Any]:
    """The attributes of a class itself, without those that Python gives every class."""
    return {
        key: value
        for key, value in vars(owner).items()
        if not (key.startswith("__") and key.endswith("__"))
    }


def _same_items(now: dict[Any, Any], former: dict[Any, Any]) -> bool:
    """Whether two dicts have the same objects under the same names; the program's own `__eq__` is
    not asked.
    """
    if len(now) != len(former):
        return False
    get = now.get
    return all(get(name, former) is value for name, value in former.items())


def _changed(names: dict[str, Any], former: dict[str, Any]) -> list[str]:
    missing = object()
    changed = [name for name in former if names.get(name, missing) is not former[name]]
    return changed + [name for name in list(names) if name not in former]


def _put_back(names: dict[str, Any], former: dict[str, Any], changed: list[str]) -> None:
    for name in changed:
        if name in former:
            names[name] = former[name]
        else:
            del names[name]


def _same(value: Any, former: Any) -> bool:
    if len(value) != len(former):
        return False
    match value:
        case dict():
            return _same_items(value, former)
        case bytearray():
            return bool(value == former)
        case array.array():
            return bool(value.tobytes() == former.tobytes())
        case set():
            return {id(each) for each in value} == {id(each) for each in former}
    return all(map(_is, value, former))


def _is(left: object, right: object) -> bool:
    return left is right


def _refill_dict(value: Any, former: Any) -> None:
    value.clear()
    value.update(former)


_REFILLS: dict[type, Callable[[Any, Any], object]] = {
    dict: _refill_dict,
    defaultdict: _refill_dict,
    OrderedDict: _refill_dict,
    Counter: _refill_dict,
    array.array: lambda value, former: value.__setitem__(slice(None), former),
    set: lambda value, former: (value.clear(), value.update(former)),
    deque: lambda value, former: (value.clear(), value.extend(former)),
    list: lambda value, former: value.__setitem__(slice(None), former),
    bytearray: lambda value, former: value.__setitem__(slice(None), former),
}
