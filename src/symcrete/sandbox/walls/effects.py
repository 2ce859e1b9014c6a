"""What a program can do to the world outside, by the names that `--allow` takes."""

import os
from collections.abc import Iterable

from symcrete.errors import SymcreteError
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Effect:
    """One kind of effect; allowing it takes down every wall built against it."""

    name: str
    meaning: str  # one line for --help
    capabilities: tuple[int, ...] = ()  # what a privileged user keeps when it is allowed


EFFECTS: dict[str, Effect] = {
    effect.name: effect
    for effect in (
        Effect(
            "files",
            "create, change, rename or remove files outside the run's own folder"
            " (files=DIR: only below DIR)",
            (0, 1, 2, 3, 4),  # CHOWN, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, FSETID
        ),
        Effect("network", "open connections, listen, look up names", (10, 13)),  # BIND, RAW
        Effect("processes", "start other programs, fork", ()),
        Effect("signals", "send signals to other processes", (5,)),  # KILL
        Effect("ipc", "shared memory, semaphores and message queues that outlive the run", ()),
        Effect(
            "system",
            "mounts, users, limits, priorities, clocks, devices, tracing other processes",
            tuple(range(64)),
        ),
    )
}


class EffectError(SymcreteError):
    """`--allow` with a name that is not in the table."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What the user lets the program do."""

    effects: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()  # may be written to besides the run's own folder

    def __contains__(self, effect: object) -> bool:
        return effect in self.effects

    def texts(self) -> list[str]:
        """The same allowance as arguments of `--allow`."""
        return [*sorted(self.effects), *(f"files={folder}" for folder in self.folders)]


NOTHING = Allowance()
NOT_PROTECTED = "not protected"  # how lines begin that tell of a wall which does not stand


def allowance(texts: Iterable[str]) -> Allowance:
    """The allowance that these arguments of `--allow` stand for."""
    effects, folders = set(), []
    for text in texts:
        name, equals, folder = text.partition("=")
        if name not in EFFECTS or (equals and (name != "files" or not folder)):
            import difflib  # few commands have a mistake in them

            close = difflib.get_close_matches(name, EFFECTS, 1) or ["files"]
            raise EffectError(
                f"--allow {text}: no such effect; did you mean {close[0]!r}?"
                f" There are: {', '.join(EFFECTS)}, files=DIR"
            )
        if equals:
            folders.append(os.path.realpath(folder))
        else:
            effects.add(name)
    return Allowance(frozenset(effects), tuple(folders))
