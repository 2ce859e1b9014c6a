import errno
import random
import struct

import pytest

from symcrete.sandbox.walls import kernel, rules, seccomp
from symcrete.sandbox.walls.effects import NOTHING, allowance
from symcrete.sandbox.walls.seccomp import ALLOW, NOTIFY, refuse

MACHINES = kernel.MACHINES
EPERM, ENOSYS = refuse(errno.EPERM), refuse(errno.ENOSYS)
PID = 4321


def verdict(program, machine, call, *arguments):
    """What the kernel's interpreter of classic BPF would answer."""
    number = call if isinstance(call, int) else kernel.number(call, machine)
    words = [argument % 2**64 for argument in (*arguments, *[0] * 6)][:6]
    data = struct.pack("<iIQ6Q", number, seccomp.ARCHITECTURES[machine], 0, *words)
    return interpret(program, data)


def interpret(program, data):
    at, accumulator = 0, 0
    while True:
        operation, if_true, if_false, value = program[at]
        at += 1
        match operation:
            case 0x20:
                accumulator = int.from_bytes(data[value : value + 4], "little")
            case 0x54:
                accumulator &= value
            case 0x06:
                return value
            case 0x15:
                at += if_true if accumulator == value else if_false
            case 0x25:
                at += if_true if accumulator > value else if_false
            case 0x35:
                at += if_true if accumulator >= value else if_false
            case 0x45:
                at += if_true if accumulator & value else if_false


def holds(condition, arguments):
    """What the condition's docstring says, on whole arguments."""
    low = [argument & 0xFFFFFFFF for argument in arguments]
    match condition:
        case seccomp.Always():
            return True
        case seccomp.Among(i, values, mask):
            return low[i] & mask in [v & 0xFFFFFFFF for v in values]
        case seccomp.NotAmong(i, values, mask):
            return low[i] & mask not in [v & 0xFFFFFFFF for v in values]
        case seccomp.AnyBit(i, mask):
            return low[i] & mask != 0
        case seccomp.Given(i):
            return arguments[i] != 0
        case seccomp.Spans(a, b, values):
            return any(low[a] <= value <= low[b] for value in values)


CONDITIONS = [
    seccomp.Always(),
    seccomp.Among(0, (5,)),
    seccomp.Among(1, (1, 2, 7), 0xF),
    seccomp.Among(0, (-1, 3)),
    seccomp.NotAmong(0, (5,)),
    seccomp.NotAmong(2, (0, 4, 8), 0xC),
    seccomp.NotAmong(0, (-1,)),
    seccomp.AnyBit(1, 0x41),
    seccomp.Given(3),
    seccomp.Spans(0, 1, (4,)),
    seccomp.Spans(0, 1, (2, 9, 12)),
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_filter_decides_as_its_condition_says(machine, condition):
    program = seccomp.program(machine, {"kill": [(condition, NOTIFY)]})
    choice = random.Random(0)
    values = [*range(16), 2**32 - 1, 2**32, 2**32 + 4, 2**63, 2**64 - 1]

    for _ in range(2000):
        arguments = [choice.choice(values) for _ in range(6)]
        wanted = NOTIFY if holds(condition, arguments) else ALLOW
        assert verdict(program, machine, "kill", *arguments) == wanted, arguments


@pytest.mark.parametrize("machine", MACHINES)
def test_the_first_condition_that_holds_decides(machine):
    cases: list[tuple[seccomp.Condition, int]] = [
        (seccomp.Among(0, (1,)), EPERM),
        (seccomp.AnyBit(0, 3), NOTIFY),
    ]
    program = seccomp.program(machine, {"kill": cases, "tkill": [(seccomp.ALWAYS, ENOSYS)]})

    found = [verdict(program, machine, "kill", value) for value in (0, 1, 2, 4)]

    assert found == [ALLOW, EPERM, NOTIFY, ALLOW]
    assert verdict(program, machine, "tkill", 1) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_calls_of_another_architecture_and_calls_unknown_to_us_are_refused(machine):
    program = seccomp.program(machine, {})
    foreign = struct.pack("<iIQ6Q", 1, 0x40000003, 0, *[0] * 6)

    assert interpret(program, foreign) == EPERM
    assert verdict(program, machine, kernel.HIGHEST) == ALLOW
    assert verdict(program, machine, kernel.HIGHEST + 1) == ENOSYS
    assert verdict(program, machine, 0x40000000 + 87) == ENOSYS


def full(machine, allow=NOTHING, *, abi=7, forks=False, notify=False, kept=(900,)):
    chosen = rules.rules(allow, pid=PID, landlock_abi=abi, forks=forks, kept=kept)
    landlocked = abi > 0 and "files" not in allow
    return rules.program(machine, chosen, landlocked=landlocked, notify=notify)


THREAD = 0x3D0F00
# call, arguments, refused?
DECISIONS = [
    ("openat", (-100, 1, 0), False),
    ("ioctl", (1, 0x5401), False),
    ("ioctl", (3, 0x40086602), True),
    ("socketpair", (1, 1), False),
    ("socketpair", (1, 1 | 0o2004000), False),
    ("socketpair", (1, 2), True),
    ("socketpair", (2, 1), True),
    ("socket", (1, 1), True),
    ("sendto", (4, 1, 1, 0, 0), False),
    ("sendto", (4, 1, 1, 0, 2**33), True),
    ("clone", (THREAD,), False),
    ("clone", (17,), True),
    ("clone", (THREAD | 0x10000000,), True),
    ("kill", (PID, 9), False),
    ("kill", (PID + 1, 9), True),
    ("kill", (-1, 9), True),
    ("tgkill", (PID, 77, 6), False),
    ("prlimit64", (0, 7, 0, 1), False),
    ("prlimit64", (0, 7, 1, 0), True),
    ("fcntl", (3, 3), False),
    ("fcntl", (3, 8), True),
    ("close", (4,), False),
    ("close", (900,), True),
    ("close_range", (3, 899), False),
    ("close_range", (3, 2**32 - 1), True),
    ("dup3", (1, 900, 0), True),
    ("dup3", (1, 2, 0), False),
    ("execve", (1, 1, 1), True),
    ("fchmodat", (-100, 1, 0), True),
    ("unshare", (0,), True),
    ("prctl", (15, 1), False),
    ("prctl", (1, 0), True),
]


@pytest.mark.parametrize(("call", "arguments", "refused"), DECISIONS, ids=str)
@pytest.mark.parametrize("machine", MACHINES)
def test_the_rules_refuse_what_reaches_outside_and_nothing_else(machine, call, arguments, refused):
    found = verdict(full(machine), machine, call, *arguments)

    assert (found != ALLOW) is refused


@pytest.mark.parametrize("machine", MACHINES)
def test_what_landlock_decides_by_path_is_only_reported(machine):
    told = verdict(full(machine, notify=True), machine, "openat", -100, 1, 0o1)
    silent = verdict(full(machine), machine, "openat", -100, 1, 0o1)

    assert (told, silent) == (NOTIFY, ALLOW)


@pytest.mark.parametrize("machine", MACHINES)
def test_without_landlock_no_file_can_be_opened_for_writing(machine):
    program = full(machine, abi=0)

    found = [verdict(program, machine, "openat", -100, 1, flags) for flags in (0, 0o1, 0o2, 0o100)]

    assert found == [ALLOW, EPERM, EPERM, EPERM]


@pytest.mark.parametrize("machine", MACHINES)
def test_before_landlock_knew_truncation_a_file_opened_for_reading_cannot_be_emptied(machine):
    program = full(machine, abi=2)

    found = [verdict(program, machine, "openat", -100, 1, flags) for flags in (0o1000, 0o1001)]

    assert found == [EPERM, ALLOW]
    assert verdict(program, machine, "truncate", 1, 0) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
def test_forks_let_copies_be_made_but_no_programs_started(machine):
    program = full(machine, forks=True)

    assert verdict(program, machine, "clone", 17) == ALLOW
    assert verdict(program, machine, "execve", 1, 1, 1) == EPERM
    assert verdict(program, machine, "kill", PID + 1, 9) == ALLOW  # Landlock keeps it inside
    assert verdict(full(machine, forks=True, abi=5), machine, "kill", PID + 1, 9) == EPERM


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("effect", "call", "arguments"),
    [
        ("files", "fchmodat", (-100, 1)),
        ("network", "connect", (3, 1, 16)),
        ("processes", "execve", (1, 1, 1)),
        ("signals", "kill", (PID + 1, 9)),
        ("ipc", "shmget", (1, 1, 1)),
        ("system", "mount", (1, 1)),
    ],
)
def test_allowing_an_effect_takes_down_its_walls_only(machine, effect, call, arguments):
    others = {"files": "socket", "network": "fchmodat"}.get(effect, "socket")

    program = full(machine, allowance([effect]))

    assert verdict(program, machine, call, *arguments) == ALLOW
    assert verdict(program, machine, others, 1, 2) != ALLOW
