"""Import every module of the package, and print what others changed in it after it was imported.

Run in an interpreter of its own: `python -m contracts.importing` with the tests on the path.
"""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any

import symcrete
from symcrete.slotted import make_ready

# Equal terms are one object: constants of a module are remembered here, whoever makes them.
MEMORIES = ("symcrete.terms.",)
# What a function gave before, kept so that it gives the same object again.
CACHES = {
    "symcrete.backward.python_operators._guards",
    "symcrete.slotted._WITH_METHODS",  # which classes have been used
}
_pictures: dict[str, dict[str, Any]] = {}


def picture(module: ModuleType) -> dict[str, Any]:
    """What a module holds that somebody else could change: names, tables, attributes of classes."""
    found: dict[str, Any] = {}
    shared = {
        id(value)
        for name, other in list(sys.modules.items())
        if name.startswith(MEMORIES)
        for value in vars(other).values()
        if isinstance(value, dict)
    }
    for name, value in list(vars(module).items()):
        if name.startswith("__") or id(value) in shared or f"{module.__name__}.{name}" in CACHES:
            continue
        if isinstance(value, dict):
            found[name] = {repr(key): id(each) for key, each in value.items()}
        elif isinstance(value, list | set):
            found[name] = [id(each) for each in value]
        elif isinstance(value, type) and value.__module__ == module.__name__:
            found[name] = {key: id(each) for key, each in vars(value).items() if key != "__doc__"}
        elif not isinstance(value, ModuleType):
            found[name] = id(value)
    return found


def _use_classes(module: ModuleType) -> None:
    """Have data classes make their methods, which they do when they are first used."""
    for each in list(vars(module).values()):
        if isinstance(each, type) and each.__module__ == module.__name__:
            for method in ("__init__", "__eq__", "__hash__"):
                make_ready(f"{module.__name__}:{each.__qualname__}.{method}")
            _ = getattr(each, "__match_args__", None)
            if dataclasses.is_dataclass(each):
                dataclasses.fields(each)


def main() -> None:
    execute = SourceFileLoader.exec_module

    def pictured(loader: SourceFileLoader, module: ModuleType) -> None:
        execute(loader, module)
        if module.__name__.startswith("symcrete.") and not module.__name__.startswith(MEMORIES):
            _use_classes(module)
            _pictures[module.__name__] = picture(module)

    SourceFileLoader.exec_module = pictured  # type: ignore[method-assign,assignment]
    for each in pkgutil.walk_packages(symcrete.__path__, "symcrete."):
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
    for name, before in _pictures.items():
        now = picture(sys.modules[name])
        for key in sorted(before.keys() | now.keys()):
            if before.get(key) != now.get(key):
                print(f"{name}.{key} is changed by an import that comes later")
    print(f"{len(_pictures)} modules")


if __name__ == "__main__":
    main()
