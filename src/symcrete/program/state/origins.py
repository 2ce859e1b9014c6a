"""What stands behind a name that the import bound, followed through the modules of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

from symcrete.program.source.module import parsed
from symcrete.program.state.at_import import Origin, Taken, origins_of
from symcrete.program.state.facts import ModuleFacts


def origins_behind(
    taken: Taken | None, modules: Sequence[ModuleType], facts_of: Callable[[str], ModuleFacts]
) -> Iterator[Origin]:
    """What a name was made of at import, also by way of other modules of the program."""
    ahead = list(taken.origins) if taken is not None else []
    seen = set(ahead)
    while ahead:
        origin = ahead.pop()
        yield origin
        owner, name = _owner_of(origin, modules)
        if owner is None:
            continue
        file = str(owner.__file__)
        facts = facts_of(file)
        inner = origins_of(name, parsed(file), facts.taken, facts.modules, facts.imported)
        ahead += inner - seen
        seen |= inner


def _owner_of(
    origin: tuple[str, str], modules: Sequence[ModuleType]
) -> tuple[ModuleType | None, str]:
    """The module of the program that something is of, and its name there: `config.load` of the
    package `shop` is `load` of `shop.config`. A relative import says the end of a module's name.
    """
    parts = ".".join(filter(None, origin)).split(".")
    for cut in range(len(parts) - 1, 0, -1):
        end = f".{'.'.join(parts[:cut])}"
        for each in modules:
            if f".{each.__name__}".endswith(end):
                return each, ".".join(parts[cut:])
    return None, ""
