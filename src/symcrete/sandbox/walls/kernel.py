"""System calls by name, and the way to make one where the C library has no function for it."""

import functools
import os
import sys
from typing import Any

MACHINES = ("x86_64", "aarch64")  # the columns of NUMBERS
SET_PDEATHSIG = 1  # of prctl: which signal a process gets when its parent ends
HIGHEST = 469  # numbers above it are of kernels newer than this table: nobody has judged them

# The number on x86_64 and on aarch64; None where the machine does not have the call.
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    # files
    "open": (2, None),
    "creat": (85, None),
    "openat": (257, 56),
    "openat2": (437, 437),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "link": (86, None),
    "linkat": (265, 37),
    "symlink": (88, None),
    "symlinkat": (266, 36),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "truncate": (76, 45),
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "ioctl": (16, 29),
    "open_by_handle_at": (304, 265),
    # network
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "sendto": (44, 206),
    # processes
    "clone": (56, 220),
    "clone3": (435, 435),
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "setsid": (112, 157),
    "setpgid": (109, 154),
    # signals
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "fcntl": (72, 25),
    # ipc
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # system
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "fanotify_init": (300, 262),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "iopl": (172, None),
    "ioperm": (173, None),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "modify_ldt": (154, None),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "setuid": (105, 146),
    "setgid": (106, 144),
    "setreuid": (113, 145),
    "setregid": (114, 143),
    "setresuid": (117, 147),
    "setresgid": (119, 149),
    "setfsuid": (122, 151),
    "setfsgid": (123, 152),
    "setgroups": (116, 159),
    "capset": (126, 91),
    "unshare": (272, 97),
    "setns": (308, 268),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    "setrlimit": (160, 164),
    "prlimit64": (302, 261),
    "seccomp": (317, 277),
    "lsm_set_self_attr": (460, 460),
    "prctl": (157, 167),
    # own
    "close": (3, 57),
    "dup2": (33, None),
    "dup3": (292, 24),
    "close_range": (436, 436),
    "capget": (125, 90),
    "landlock_create_ruleset": (444, 444),
    "landlock_add_rule": (445, 445),
    "landlock_restrict_self": (446, 446),
}


def machine() -> str | None:
    """This machine's column in NUMBERS, or None where the kernel's walls cannot be built."""
    if not sys.platform.startswith("linux") or sys.maxsize < 2**32:
        return None
    name = os.uname().machine
    return name if name in MACHINES else None


def number(name: str, on: str) -> int | None:
    """The number of a call on a machine; None if the machine does not have the call."""
    return NUMBERS[name][MACHINES.index(on)]


def names(on: str) -> dict[int, str]:
    """The names of all calls in the table, by their numbers on this machine."""
    column = MACHINES.index(on)
    return {n: name for name, row in NUMBERS.items() if (n := row[column]) is not None}


def call(name: str, *arguments: object) -> int:
    """Make the call; an OSError says why the kernel would not."""
    on = machine()
    code = number(name, on) if on else None
    if code is None:
        raise OSError(f"this system has no call {name!r}")
    ctypes, invoke = _syscall()
    # Integers at full width: the variadic syscall() would otherwise read half a register.
    words = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in arguments]
    result = invoke(ctypes.c_long(code), *words)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), name)
    return int(result)


@functools.cache
def _syscall() -> Any:
    import ctypes  # 5 ms that only a confined process needs to spend

    invoke = ctypes.CDLL(None, use_errno=True).syscall
    invoke.restype = ctypes.c_long
    return ctypes, invoke
