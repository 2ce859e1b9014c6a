"""Which system calls have which effect: the walls as a table.

Everything not named here is let through: it concerns only the calling process, reads, or works
on descriptors that were opened under these rules.
"""

import errno
from collections.abc import Collection, Mapping

from symcrete.sandbox.walls import kernel, landlock, seccomp
from symcrete.sandbox.walls.effects import Allowance
from symcrete.sandbox.walls.seccomp import ALWAYS, Among, AnyBit, Condition, Given, NotAmong, Spans
from symcrete.slotted import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """Calls that are refused for the sake of an effect."""

    effect: str
    calls: tuple[str, ...]
    when: Condition = ALWAYS
    error: int = errno.EPERM
    quiet: bool = False  # libraries try these without meaning harm: refused, not reported


_O_ACCMODE, _O_TRUNC = 0o3, 0o1000  # of Linux, wherever this is read
_WRITING = 0o1 | 0o2 | 0o100 | _O_TRUNC  # O_WRONLY, O_RDWR, O_CREAT
_CLONE_THREAD, _NEW_NAMESPACES = 0x10000, 0x7E020080  # flags of clone
_FCNTL_OWNER = (8, 15, 10)  # F_SETOWN, F_SETOWN_EX, F_SETSIG: have a signal sent to somebody
_PRCTL_OF_OURS = (1, 4, 22)  # SET_PDEATHSIG, SET_DUMPABLE, SET_SECCOMP
_UNIX, _STREAM, _SEQPACKET, _SOCKET_TYPE = 1, 1, 5, 0xF  # of socket: family, types, their mask
# What can be asked of a descriptor: terminal size, bytes waiting, close-on-exec, ... All other
# requests change devices or file attributes, some of them through a descriptor open for reading.
_IOCTL_ASKING = (
    0x5401, 0x802C542A, 0x5413, 0x540F, 0x5429, 0x5411, 0x541B, 0x5421, 0x5450, 0x5451,
    0x80086601, 0x801C581F, 0x2,
)  # fmt: skip

# Landlock decides on these where it can, by the path; the filter only has them reported.
BY_PATH: tuple[Rule, ...] = (
    Rule("files", ("open",), AnyBit(1, _WRITING)),
    Rule("files", ("openat",), AnyBit(2, _WRITING)),
    Rule("files", ("creat", "truncate", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat")),
    Rule("files", ("rename", "renameat", "renameat2", "link", "linkat")),
    Rule("files", ("symlink", "symlinkat", "mknod", "mknodat")),
)

# Calls that are refused where Landlock is too old to know of truncation: it judges what is opened
# for writing all the same.
_TRUNCATING: tuple[Rule, ...] = (
    Rule("files", ("truncate",)),
    Rule("files", ("open",), Among(1, (_O_TRUNC,), _O_ACCMODE | _O_TRUNC)),
    Rule("files", ("openat",), Among(2, (_O_TRUNC,), _O_ACCMODE | _O_TRUNC)),
)

_FORKING: tuple[Rule, ...] = (
    Rule("processes", ("clone",), NotAmong(0, (_CLONE_THREAD,), _CLONE_THREAD)),
    Rule("processes", ("fork", "vfork")),
)

# A fork of a process that may fork puts a filter of its own over itself.
_FILTERING: tuple[Rule, ...] = (Rule("system", ("seccomp",)),)

_PRCTL = Rule("system", ("prctl",), Among(0, _PRCTL_OF_OURS), quiet=True)
# The forks of a process that bears have to say that they want to end with it.
_PRCTL_ASKED = Rule("system", ("prctl",), Among(0, _PRCTL_OF_OURS[:1]))

_REFUSED: tuple[Rule, ...] = (
    # Landlock leaves attributes alone.
    Rule("files", ("chmod", "fchmod", "fchmodat", "fchmodat2")),
    Rule("files", ("chown", "lchown", "fchown", "fchownat")),
    Rule("files", ("utime", "utimes", "futimesat", "utimensat")),
    Rule("files", ("setxattr", "lsetxattr", "fsetxattr", "setxattrat")),
    Rule("files", ("removexattr", "lremovexattr", "fremovexattr", "removexattrat")),
    Rule("files", ("file_setattr", "open_by_handle_at")),
    Rule("files", ("ioctl",), NotAmong(1, _IOCTL_ASKING)),
    # Its flags are behind a pointer; "not implemented" sends the caller to openat.
    Rule("files", ("openat2",), error=errno.ENOSYS, quiet=True),
    # asyncio wakes itself through a socket pair. A datagram pair could send to any address.
    Rule("network", ("socket",)),
    Rule("network", ("socketpair",), NotAmong(0, (_UNIX,))),
    Rule("network", ("socketpair",), NotAmong(1, (_STREAM, _SEQPACKET), _SOCKET_TYPE)),
    Rule("network", ("connect", "bind", "listen")),
    Rule("network", ("sendto",), Given(4)),
    *_FORKING,
    Rule("processes", ("execve", "execveat")),
    # A process that leaves its session is not found by the driver when that ends leftovers.
    Rule("processes", ("setsid", "setpgid")),
    Rule("signals", ("fcntl",), Among(1, _FCNTL_OWNER)),
    Rule("ipc", ("shmget", "shmat", "shmctl", "semget", "semop", "semctl", "semtimedop")),
    Rule("ipc", ("msgget", "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink")),
    Rule("system", ("clone",), AnyBit(0, _NEW_NAMESPACES)),
    # Its flags, too, are behind a pointer; the C library then uses clone.
    Rule("system", ("clone3",), error=errno.ENOSYS, quiet=True),
    Rule("system", ("unshare", "setns", "mount", "umount2", "pivot_root", "chroot")),
    Rule("system", ("mount_setattr", "move_mount", "open_tree", "open_tree_attr")),
    Rule("system", ("fsopen", "fsconfig", "fsmount", "fspick", "swapon", "swapoff")),
    Rule("system", ("quotactl", "quotactl_fd", "acct", "fanotify_init", "vhangup", "syslog")),
    Rule("system", ("reboot", "kexec_load", "kexec_file_load")),
    Rule("system", ("init_module", "finit_module", "delete_module", "iopl", "ioperm")),
    Rule("system", ("modify_ldt", "sethostname", "setdomainname")),
    Rule("system", ("settimeofday", "clock_settime", "adjtimex", "clock_adjtime")),
    Rule("system", ("setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid")),
    Rule("system", ("setfsuid", "setfsgid", "setgroups", "capset")),
    Rule("system", ("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise")),
    Rule("system", ("process_mrelease", "kcmp", "pidfd_getfd", "migrate_pages", "move_pages")),
    Rule("system", ("bpf", "perf_event_open", "userfaultfd")),
    Rule("system", ("add_key", "request_key", "keyctl")),
    Rule("system", ("setpriority", "ioprio_set", "setrlimit")),
    Rule("system", ("prlimit64",), Given(2)),
    Rule("system", ("sched_setscheduler", "sched_setparam", "sched_setattr")),
    Rule("system", ("lsm_set_self_attr",)),
    *_FILTERING,
    _PRCTL,
    # Operations in these rings pass no filter; event loops ask whether they exist.
    Rule(
        "system",
        ("io_uring_setup", "io_uring_enter", "io_uring_register"),
        error=errno.ENOSYS,
        quiet=True,
    ),
)


def rules(
    allow: Allowance,
    *,
    pid: int,
    landlock_abi: int,
    forks: bool,
    bears: bool = False,
    kept: Collection[int],
) -> list[Rule]:
    """Every rule for this process, in the order in which they are tried.

    A process that `bears` has its forks reported; its driver lets those through that it ordered
    (`notices.Nursing`).
    """
    found = [*_descriptors(tuple(kept)), *_REFUSED, *_affinity(pid)]
    if not landlock_abi:
        found += BY_PATH  # all or nothing: a filter cannot read a path
    elif not landlock.guards_truncation(landlock_abi):
        found += _TRUNCATING
    if not (forks or "processes" in allow) or not landlock.guards_signals(landlock_abi):
        found += _signals(pid)
    let = (*_FORKING, *_FILTERING) if forks else ()
    if bears:
        found.insert(0, _PRCTL_ASKED)  # before the rule that refuses it without asking
    return [rule for rule in found if rule.effect not in allow and rule not in let]


def rules_of_fork(allow: Allowance, *, pid: int) -> list[Rule]:
    """The rules for a process that was forked by one that may fork, on top of those it inherits."""
    found = [*_FORKING, *_FILTERING, *_signals(pid)]
    return [rule for rule in found if rule.effect not in allow]


def _signals(pid: int) -> list[Rule]:
    """Rules that let a process send signals to itself only: raise() and abort() have to work."""
    calls = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")
    return [Rule("signals", calls, NotAmong(0, (pid,))), Rule("signals", ("pidfd_send_signal",))]


def _affinity(pid: int) -> list[Rule]:
    """A rule that lets a process choose its own processors only, not those of others."""
    return [Rule("system", ("sched_setaffinity",), NotAmong(0, (0, pid)), quiet=True)]


def _descriptors(kept: tuple[int, ...]) -> list[Rule]:
    """Rules that keep the program from closing or replacing the tool's own descriptors: to the
    program they do not exist.
    """
    if not kept:
        return []
    return [
        Rule("own", ("close",), Among(0, kept), errno.EBADF, quiet=True),
        Rule("own", ("dup2", "dup3"), Among(1, kept), errno.EBADF, quiet=True),
        Rule("own", ("close_range",), Spans(0, 1, kept), quiet=True),
    ]


def program(
    machine: str, rules: Collection[Rule], *, landlocked: bool, notify: bool
) -> list[seccomp.Instruction]:
    """The filter for these rules; with `notify`, refusals and decisions by path are reported."""
    calls: dict[str, list[tuple[Condition, int]]] = {}
    watched = BY_PATH if landlocked and notify else ()
    for rule in (*rules, *watched):
        told = notify and not rule.quiet
        action = seccomp.NOTIFY if told else seccomp.refuse(rule.error)
        for call in rule.calls:
            calls.setdefault(call, []).append((rule.when, action))
    return seccomp.program(machine, calls)


def effect_of(machine: str) -> Mapping[int, tuple[str, str]]:
    """Call number -> (name, effect), for every call that can be reported."""
    named = kernel.names(machine)
    effects: dict[str, str] = {}
    for rule in (*_REFUSED, *BY_PATH, *_signals(0)):
        for call in rule.calls:
            effects.setdefault(call, rule.effect)
    return {code: (name, effects[name]) for code, name in named.items() if name in effects}


PATH_CALLS = frozenset(call for rule in BY_PATH for call in rule.calls)
