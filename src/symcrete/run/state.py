"""What calls leave behind in the modules of a program, and how to take it back.

A counter, a cache, a registry: results that depend on earlier calls are no results of the input.
Looks at globals and their containers, attributes of classes and of single objects, and the
containers that these hold.
"""

from __future__ import annotations

import copy
import functools
import threading
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any

_CONTAINERS = (list, dict, set, bytearray, deque, defaultdict, OrderedDict)
LARGEST_RESTORED = 1000  # elements of a container that is put back; chosen, not measured
_CACHE = type(functools.lru_cache(lambda: None))


class ModuleState:
    """The state of some modules at one moment."""

    def __init__(self, modules: Iterable[ModuleType], most: int = LARGEST_RESTORED) -> None:
        """`most`: containers with more elements are taken to be constant tables."""
        self._names: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
        self._classes: list[tuple[str, type, dict[str, Any]]] = []
        self._contents: list[tuple[str, Any, Any]] = []
        self._caches: list[Any] = []
        self._most = most
        seen: set[int] = set()
        own = {module.__name__ for module in modules}
        for module in modules:
            self._take(module, own, seen)

    def restore(self) -> list[str]:
        """Put everything back and empty the caches; returns the names of what had changed."""
        changed = [name for change in self._changes(restoring=True) for name in change]
        for cache in self._caches:
            cache.cache_clear()
        return changed

    def changes(self) -> list[str]:
        """The names of what has changed; nothing is put back."""
        return [name for change in self._changes(restoring=False) for name in change]

    def _take(self, module: ModuleType, own: set[str], seen: set[int]) -> None:
        names = vars(module)
        self._names.append(("", names, dict(names)))
        for name, value in list(names.items()):
            if not name.startswith("__") and id(value) not in seen:
                seen.add(id(value))
                self._take_value(name, value, own)

    def _take_value(self, name: str, value: Any, own: set[str]) -> None:
        kind = type(value)
        if kind in _CONTAINERS:
            self._take_contents(name, value)
        elif kind is _CACHE:
            self._caches.append(value)
        elif isinstance(value, type) and value.__module__ in own:
            self._take_class(name, value)
        elif kind is threading.local:  # what this thread keeps there
            self._names.append((f"{name}.", vars(value), dict(vars(value))))
        elif kind.__module__ in own and type(getattr(value, "__dict__", None)) is dict:
            held = dict(value.__dict__)
            self._names.append((f"{name}.", value.__dict__, held))
            for key, inside in held.items():
                if type(inside) in _CONTAINERS:
                    self._take_contents(f"{name}.{key}", inside)

    def _take_contents(self, name: str, value: Any) -> None:
        if len(value) <= self._most:
            self._contents.append((name, value, copy.copy(value)))

    def _take_class(self, name: str, owner: type) -> None:
        plain = _attributes(owner)
        self._classes.append((name, owner, plain))
        for key, value in plain.items():
            if type(value) in _CONTAINERS:
                self._take_contents(f"{name}.{key}", value)

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
    set: lambda value, former: (value.clear(), value.update(former)),
    deque: lambda value, former: (value.clear(), value.extend(former)),
    list: lambda value, former: value.__setitem__(slice(None), former),
    bytearray: lambda value, former: value.__setitem__(slice(None), former),
}
