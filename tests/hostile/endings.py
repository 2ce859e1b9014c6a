"""Rows 1 to 20: programs that do not end, end the process, or reach outside."""

import sys
from pathlib import Path
from typing import Any

from tests.hostile.case import Case, Seen

VICTIM = "victim.txt"


def victim_is_there(seen: Seen) -> None:
    assert (seen.folder / VICTIM).read_text() == "still here\n"


def only_once(seen: Seen) -> None:
    """One reproducer, not forty."""
    assert sum(each["outcome"] == "crashed" for each in seen.inputs) == 1


def goes_on(seen: Seen) -> None:
    """Other branches are explored although one ends the process."""
    assert "returned" in seen.outcomes
    assert all(target["branches"]["total"] for target in seen.targets)


def once_and_goes_on(seen: Seen) -> None:
    only_once(seen)
    goes_on(seen)


def no_sleeper_is_left(mark: str) -> None:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                assert mark.encode() not in (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue


def effect(call: str, imports: str = "os") -> str:
    return f"""
        import {imports}

        def f(x: int) -> int:
            if x == 12:
                {call}
                return 1
            return x
    """


BLOCKED: dict[str, Any] = {
    "outcomes": frozenset({"blocked", "returned"}),
    "files": {VICTIM: "still here\n"},
    "also": victim_is_there,
    "emits_not": ("12",),
}
STOOD_IN_FOR: dict[str, Any] = {
    "outcomes": frozenset({"returned"}),
    "never": frozenset({"blocked"}),
    "files": {VICTIM: "still here\n"},
    "also": victim_is_there,
    "emits": ("Mock(",),
}
CRASHED: dict[str, Any] = {
    "outcomes": frozenset({"crashed"}),
    "code": 1,
    "also": once_and_goes_on,
    "budget": 3.0,
}
# Since 3.12 calls from C are counted by themselves, whatever limit the program sets.
FROM_C = (
    {"says": ("target crashed: SIGSEGV",), **CRASHED}
    if sys.version_info < (3, 12)
    else {"says": ("RecursionError",), "outcomes": frozenset({"raised", "returned"})}
)

CASES = [
    Case(
        1,
        "an endless loop on a branch",
        """
        def f(x: int) -> int:
            if x == 77:
                while True:
                    pass
            return x
        """,
        outcomes=frozenset({"timeout", "returned"}),
        says=("does not end within", '"77"'),
        emits_not=("77",),
    ),
    Case(
        1,
        "an endless loop in C",
        """
        import itertools

        def f(x: int) -> int:
            if x == 77:
                return sum(itertools.repeat(0))
            return x
        """,
        budget=4.0,
        outcomes=frozenset({"timeout", "returned"}),
        says=("does not end within", '"77"'),
        slow=True,
    ),
    Case(
        2,
        "a sleep for ever, which nobody waits for",
        effect("time.sleep(1e9)", "time"),
        budget=2.0,
        outcomes=frozenset({"returned"}),
        never=frozenset({"timeout"}),
        emits=("12", "time.sleep"),
    ),
    Case(
        2,
        "a deadlock",
        """
        import threading

        def f(x: int) -> int:
            if x == 12:
                lock = threading.Lock()
                lock.acquire()
                lock.acquire()
            return x
        """,
        budget=2.0,
        outcomes=frozenset({"timeout", "returned"}),
        says=("does not end within",),
        slow=True,
    ),
    Case(
        3,
        "endless recursion",
        """
        def f(x: int) -> int:
            if x > 1000:
                return f(x + 1)
            return x
        """,
        outcomes=frozenset({"raised", "returned"}),
        emits=("pytest.raises(RecursionError):",),
    ),
    Case(
        4,
        "deep recursion through C without a limit",
        """
        import sys

        def deeper(n: int) -> int:
            return max(map(deeper, [n + 1]))

        def f(x: int) -> int:
            if x == 12:
                sys.setrecursionlimit(10**9)
                return deeper(0)
            return x
        """,
        **FROM_C,
    ),
    Case(
        5,
        "an allocation of 100 GB",
        effect("bytearray(100 << 30)"),
        outcomes=frozenset({"raised", "returned"}),
        says=("MemoryError", "2.0 GiB"),
        emits_not=("12", "MemoryError"),
    ),
    Case(
        6,
        "a file removed",
        effect(f'os.remove("{VICTIM}")'),
        **{**STOOD_IN_FOR, "emits": ("tmp_path", "12")},
    ),
    Case(
        6,
        "a file removed, which is allowed",
        effect(f'os.path.exists("{VICTIM}") and os.remove("{VICTIM}")'),
        flags=("--allow", "files"),
        outcomes=frozenset({"returned"}),
        never=frozenset({"blocked"}),
        emits=("12",),
    ),
    Case(
        7,
        "a file removed through ctypes",
        effect(f'ctypes.CDLL(None).unlink(b"{VICTIM}")', "ctypes"),
        says=("unlink", "--allow files"),
        **BLOCKED,
    ),
    Case(
        8,
        "a connection",
        effect('socket.create_connection(("127.0.0.1", 9))', "socket"),
        says=("socket.create_connection()",),
        **STOOD_IN_FOR,
    ),
    Case(
        9,
        "a raw socket",
        effect(
            'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))',
            "socket",
        ),
        says=("socket.socket()",),
        **STOOD_IN_FOR,
    ),
    Case(
        9,
        "a raw socket behind Python's back",
        effect(
            '_socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9))',
            "_socket",
        ),
        says=("blocked", "--allow network"),
        **BLOCKED,
    ),
    Case(
        10,
        "a program started",
        effect(f'subprocess.run(["rm", "{VICTIM}"])', "subprocess"),
        says=("subprocess.run()",),
        **STOOD_IN_FOR,
    ),
    Case(
        10,
        "a shell command",
        effect(f'os.system("rm {VICTIM}")'),
        says=("os.system()",),
        **STOOD_IN_FOR,
    ),
    Case(
        10,
        "another program instead of this one",
        effect(f'os.execv("/bin/rm", ["rm", "{VICTIM}"])'),
        says=("os.exec", "--allow processes"),
        **BLOCKED,
    ),
    Case(
        10,
        "a program started behind Python's back",
        """
        import _posixsubprocess
        import os

        def f(x: int) -> int:
            if x == 12:
                r, w = os.pipe()
                rest = (-1,) * 6 + (r, w, False, False, -1, None, None, None, -1, None, False)
                _posixsubprocess.fork_exec(
                    [b"rm", b"victim.txt"], [b"/bin/rm"], True, (w,), None, None, *rest
                )
                return 1
            return x
        """,
        says=("--allow processes",),
        **BLOCKED,
        slow=True,
    ),
    Case(
        11,
        "a fork",
        effect("os.fork()"),
        says=("os.fork", "--allow processes"),
        **BLOCKED,
    ),
    Case(
        11,
        "a pool of processes",
        effect("multiprocessing.Process(target=print).start()", "multiprocessing"),
        says=("blocked", "--allow processes"),
        slow=True,
        **BLOCKED,
    ),
    Case(
        12,
        "values computed in a thread",
        """
        import threading

        def f(x: int) -> str:
            found = []
            thread = threading.Thread(target=lambda: found.append("big" if x > 99 else "small"))
            thread.start()
            thread.join()
            if x == 5:
                return "five"
            return found[0]
        """,
        outcomes=frozenset({"returned"}),
        never=frozenset({"flaky"}),
        says=("it starts threads", "five"),
        emits=("five",),
    ),
    Case(
        13,
        "a thread left behind",
        effect("threading.Thread(target=time.sleep, args=(5,)).start()", "threading, time"),
        outcomes=frozenset({"returned"}),
    ),
    Case(
        13,
        "a process left behind",
        """
        import subprocess

        def f(x: int) -> int:
            if x == 12:
                subprocess.Popen(["sleep", "31.75"], start_new_session=True)
                return 1
            return 0
        """,
        flags=("--allow", "processes"),
        outcomes=frozenset({"returned"}),
        also=lambda seen: no_sleeper_is_left("31.75"),
        slow=True,
    ),
    Case(
        14,
        "sys.exit",
        effect("sys.exit(3)", "sys"),
        outcomes=frozenset({"raised", "returned"}),
        says=("SystemExit(3)",),
        emits=("pytest.raises(SystemExit",),
    ),
    Case(
        15,
        "the process ended at once",
        effect("os._exit(7)"),
        says=("target ended the process (code 7)",),
        **CRASHED,
    ),
    Case(
        16,
        "a segmentation fault",
        effect("ctypes.string_at(0)", "ctypes"),
        says=("target crashed: SIGSEGV",),
        **CRASHED,
    ),
    Case(
        17,
        "the process killed by itself",
        effect("signal.raise_signal(signal.SIGKILL)", "signal"),
        says=("target crashed: SIGKILL",),
        **CRASHED,
    ),
    Case(17, "os.abort", effect("os.abort()"), says=("target crashed: SIGABRT",), **CRASHED),
    Case(
        18,
        "KeyboardInterrupt of the program's own",
        effect("raise KeyboardInterrupt"),
        outcomes=frozenset({"raised", "returned"}),
        says=("KeyboardInterrupt",),
        silent_about=("interrupted", "Traceback"),
        emits=("pytest.raises(KeyboardInterrupt)",),
    ),
    Case(
        19,
        "every exception swallowed in a loop",
        """
        def f(x: int) -> int:
            if x == 12:
                while True:
                    try:
                        x += 1
                    except BaseException:
                        continue
            return x
        """,
        budget=3.0,
        outcomes=frozenset({"timeout", "returned"}),
        says=("does not end within",),
        emits_not=("12",),
    ),
    Case(
        20,
        "a write that fails quietly",
        """
        def f(x: int) -> str:
            if x == 12:
                try:
                    with open("victim.txt", "w") as file:
                        file.write("gone")
                except Exception:
                    return "could not write"
                return "written"
            return "nothing to do"
        """,
        emits_not=("could not write",),
        **{**STOOD_IN_FOR, "emits": ("tmp_path", "12")},
    ),
]
