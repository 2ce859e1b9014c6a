"""Confine the current process for good: what it runs from here on changes nothing outside.

The walls are the kernel's (Landlock for files, seccomp for system calls, resource limits), so C
code and foreign functions meet them as well. Whatever a system does not offer is said in words.
"""

import os
import sys
from collections.abc import Collection

from symcrete.sandbox.walls import kernel, landlock, limits, rules, seccomp
from symcrete.sandbox.walls.effects import EFFECTS, NOT_PROTECTED, NOTHING, Allowance
from symcrete.slotted import dataclass

FILE_SIZE = 256 * 2**20  # bytes of one file that a run may write; more only fills the disk
_SOME_PID = 0x7EADBEE5  # stands in a filter for a process that is not there yet

_NO_LANDLOCK = (
    "this kernel has no Landlock (Linux 5.13 and newer have it): to be safe, no file at all can"
    " be opened for writing, not even in the run's own folder"
)


@dataclass(frozen=True, slots=True)
class Protection:
    """What holds from now on, and what does not."""

    work: str
    walls: frozenset[str] = frozenset()  # effects that the kernel stops
    allowed: tuple[str, ...] = ()  # arguments of --allow
    gaps: tuple[str, ...] = ()  # what is not protected, in sentences
    memory: int | None = None  # bytes of address space
    landlocked: bool = False  # files are judged by their path, not refused whole
    listener: int | None = None  # where the kernel reports what it stopped

    def lines(self) -> list[str]:
        """What is protected and what is not, as sentences that the user is told once."""
        said = []
        if self.walls:
            said.append(
                f"side effects stopped by the kernel: {', '.join(_ordered(self.walls))};"
                " files can be written in the run's own temporary folder only"
            )
        hooked = set(EFFECTS) - self.walls - set(self.allowed)
        if hooked:
            said.append(
                f"stopped for Python calls only, not for C code: {', '.join(_ordered(hooked))}"
            )
        if self.allowed:
            said.append(f"allowed: {', '.join(self.allowed)}")
        if self.memory is not None:
            said.append(f"memory is capped at {self.memory / 2**30:.1f} GiB of address space")
        return [*said, *(f"{NOT_PROTECTED}: {gap}" for gap in self.gaps)]


def _ordered(names: Collection[str]) -> list[str]:
    return [name for name in EFFECTS if name in names]


def confine(
    work: str,
    *,
    allow: Allowance = NOTHING,
    memory: int | None = None,
    file_size: int | None = FILE_SIZE,
    forks: bool = False,
    bears: bool = False,
    notify: bool = False,
    keep: Collection[int] = (),
) -> Protection:
    """Build every wall the system offers around this process; there is no way back.

    work: the one folder that can be written to. forks: let the process fork (its children are
    confined alike). bears: let it fork when the process that serves its listener says so.
    notify: ask for a listener, which another process must serve. keep: the tool's own descriptors,
    which can then be neither closed nor replaced.
    """
    work = os.path.realpath(work)
    gaps: list[str] = []
    limits.no_core_dumps()
    if file_size is not None:
        limits.limit_file_size(file_size)
    if memory is not None and not limits.limit_memory(memory):
        gaps.append("this system does not cap memory")
        memory = None
    walls: frozenset[str] = frozenset()
    landlocked, listener = False, None
    machine = kernel.machine()
    if machine is None or not limits.never_gain_privileges():
        gaps.append(_no_walls())
    else:
        gaps += _stray_threads()
        version = _restrict_files(work, allow)
        landlocked = version > 0 and "files" not in allow
        limits.drop_capabilities(allow.effects)
        chosen = rules.rules(
            allow,
            pid=os.getpid(),
            landlock_abi=version,
            forks=forks,
            bears=bears,
            kept=tuple(keep),
        )
        filtered, listener, missing = _filter_calls(machine, chosen, landlocked, notify)
        walls = _walls(filtered, landlocked)
        gaps += missing
        if filtered and not version and "files" not in allow:
            gaps.append(_NO_LANDLOCK)
    texts = tuple(allow.texts())
    return Protection(work, walls, texts, tuple(gaps), memory, landlocked, listener)


class ForkFilter:
    """The filter for forks of a confined process that may fork: they may neither fork nor send
    signals to others.

    Made beforehand, because a fork is slow at everything it does for the first time: 0.1 ms to
    install it instead of 1.5.
    """

    def __init__(self, allow: Allowance = NOTHING) -> None:
        machine = kernel.machine()
        chosen = rules.rules_of_fork(allow, pid=_SOME_PID)
        self._code = (
            seccomp.packed(rules.program(machine, chosen, landlocked=False, notify=False))
            if machine is not None
            else b""
        )

    def install(self) -> None:
        """Put the filter in place in the fork that calls this; it cannot be taken away again."""
        if self._code:
            mine = os.getpid().to_bytes(4, "little")
            seccomp.install_packed(self._code.replace(_SOME_PID.to_bytes(4, "little"), mine))


def _restrict_files(work: str, allow: Allowance) -> int:
    """The version of Landlock that now holds, 0 for none."""
    version = landlock.abi()
    try:
        landlock.restrict(
            (work, *allow.folders),
            version=version,
            files="files" not in allow,
            network="network" not in allow,
            signals="signals" not in allow,
        )
    except OSError:
        return 0
    return version


def _filter_calls(
    machine: str, chosen: list[rules.Rule], landlocked: bool, notify: bool
) -> tuple[list[rules.Rule], int | None, list[str]]:
    """The rules that now hold, the listener, and what is missing."""
    reason = None
    for told in (True, False) if notify else (False,):
        code = rules.program(machine, chosen, landlocked=landlocked, notify=told)
        try:
            listener = seccomp.install(code, notify=told)
        except OSError as error:
            reason = error.strerror
        else:
            return chosen, listener, [] if told == notify else [_no_listener(reason)]
    return [], None, [f"the kernel takes no seccomp filter ({reason})"]


def _walls(filtered: list[rules.Rule], landlocked: bool) -> frozenset[str]:
    effects = {rule.effect for rule in filtered} | ({"files"} if landlocked else set())
    return frozenset(effects & EFFECTS.keys())


def _stray_threads() -> list[str]:
    """A sentence about other threads, if there are any: Landlock binds only the calling thread and
    those that it starts.
    """
    others = len(os.listdir("/proc/self/task")) - 1 if os.path.isdir("/proc/self/task") else 0
    return [f"threads started earlier ({others}) can still write files"] if others else []


def _no_walls() -> str:
    system = f"{sys.platform} on {os.uname().machine}" if hasattr(os, "uname") else sys.platform
    return (
        f"{system} offers no walls that Symcrete can build (Linux on x86_64 or aarch64 does);"
        " run code you do not trust in a container or a virtual machine"
    )


def _no_listener(reason: str | None) -> str:
    return f"what C code tries is stopped but not reported (the kernel gave no listener: {reason})"
