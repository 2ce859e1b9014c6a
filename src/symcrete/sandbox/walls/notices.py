"""Learn of what the kernel stopped: another process answers the worker's refused system calls.

The worker's seccomp filter hands a call over to whoever holds the listener and waits for the
answer. The driver says no, having told the worker first, so that a run during which C code tried
something is known as affected as soon as the call is back. Whether a path may be written is
Landlock's decision: the driver could be deceived about it, as the memory it reads can change.
"""

import contextlib
import errno
import fcntl
import json
import os
import select
import signal
import socket
import struct
from collections.abc import Callable, Mapping, Sequence

from symcrete.codec import decoded, encoded
from symcrete.sandbox.messages.board import Board
from symcrete.sandbox.walls import rules
from symcrete.sandbox.walls.blocked import Blocked, shown, shown_call
from symcrete.sandbox.walls.kernel import SET_PDEATHSIG
from symcrete.sandbox.walls.paths import FileOperation, changes_nothing, within
from symcrete.slotted import dataclass

_RECEIVE, _ANSWER = 0xC0502100, 0xC0182101  # requests of ioctl, SECCOMP_IOCTL_NOTIF_*
_NOTICE = struct.Struct("<QIIiIQ6Q")  # id, thread, flags, call, architecture, address, arguments
_REPLY = struct.Struct("<QqiI")  # id, value, error, flags
_GO_ON = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE
_AT_CWD = 0xFFFFFF9C  # AT_FDCWD, -100, as the kernel's 32 bits show it
_LONGEST_PATH = 4096  # bytes, PATH_MAX of Linux

# call -> operation, (folder descriptor, path) arguments, argument with the flags of open
_Row = tuple[str, tuple[tuple[int | None, int], ...], int | None]
_PATHS: dict[str, _Row] = {
    "open": ("open", ((None, 0),), 1),
    "openat": ("open", ((0, 1),), 2),
    "creat": ("open", ((None, 0),), None),
    "truncate": ("truncate", ((None, 0),), None),
    "unlink": ("remove", ((None, 0),), None),
    "unlinkat": ("remove", ((0, 1),), None),
    "rmdir": ("remove", ((None, 0),), None),
    "mkdir": ("mkdir", ((None, 0),), None),
    "mkdirat": ("mkdir", ((0, 1),), None),
    "mknod": ("mknod", ((None, 0),), None),
    "mknodat": ("mknod", ((0, 1),), None),
    "rename": ("rename", ((None, 0), (None, 1)), None),
    "renameat": ("rename", ((0, 1), (2, 3)), None),
    "renameat2": ("rename", ((0, 1), (2, 3)), None),
    "link": ("link", ((None, 0), (None, 1)), None),
    "linkat": ("link", ((0, 1), (2, 3)), None),
    "symlink": ("symlink", ((None, 1),), None),
    "symlinkat": ("symlink", ((1, 2),), None),
    "chmod": ("attributes", ((None, 0),), None),
    "fchmodat": ("attributes", ((0, 1),), None),
    "fchmodat2": ("attributes", ((0, 1),), None),
    "chown": ("attributes", ((None, 0),), None),
    "lchown": ("attributes", ((None, 0),), None),
    "fchownat": ("attributes", ((0, 1),), None),
    "utime": ("attributes", ((None, 0),), None),
    "utimes": ("attributes", ((None, 0),), None),
    "futimesat": ("attributes", ((0, 1),), None),
    "utimensat": ("attributes", ((0, 1),), None),
    "setxattr": ("attributes", ((None, 0),), None),
    "lsetxattr": ("attributes", ((None, 0),), None),
    "removexattr": ("attributes", ((None, 0),), None),
    "lremovexattr": ("attributes", ((None, 0),), None),
    "execve": ("execute", ((None, 0),), None),
    "execveat": ("execute", ((0, 1),), None),
}
_CREATING = os.O_WRONLY | os.O_CREAT | os.O_TRUNC  # the flags of `creat`, which takes none
# Of calls without paths: how many arguments are shown, all of them numbers; none of other calls.
_NUMBERS_SHOWN = {"kill": 2, "tkill": 2, "tgkill": 3, "socket": 2, "socketpair": 2, "setuid": 1}

_KNOWN_AS = {"clone": "fork"}  # what users call it
_SIGNALLING = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")


@dataclass(slots=True)
class Nursing:
    """What a process that forks when the driver tells it to, and its fork, may do although their
    filter refuses it.
    """

    parent: int
    expected: bool = False  # it was told to fork, and has not yet
    child: int | None = None

    def expect(self) -> None:
        """Let the process fork once, now or when the fork that it has is gone."""
        self.expected = True

    def expect_none(self) -> None:
        """Let it fork no more: it said that it cannot."""
        self.expected = False

    def lets(self, call: str, thread: int, arguments: Sequence[int]) -> bool:
        """Whether this system call of the process or its fork may go on. Only numbers are looked
        at, which the caller cannot change after they were checked.
        """
        if call == "clone" and thread == self.parent and self.expected:
            self.expected, self.child = False, None
            return True
        if call == "prctl" and (arguments[0], arguments[1]) == (SET_PDEATHSIG, signal.SIGKILL):
            if self.child is None and thread != self.parent:
                self.child = thread  # the first thing that the fork does
            return True
        # The fork may send signals to itself: the filter that it inherits only knows the parent.
        return call in _SIGNALLING and self.child is not None and arguments[0] == self.child


class Listener:
    """The driver's end: answers calls and tells the worker."""

    def __init__(
        self,
        descriptor: int,
        machine: str,
        folders: Sequence[str],
        landlocked: bool,
        nursing: Nursing | None = None,
    ) -> None:
        self._nursing = nursing
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self._calls: Mapping[int, tuple[str, str]] = rules.effect_of(machine)
        self._folders = tuple(folders)
        self._landlocked = landlocked

    def fileno(self) -> int:
        return self._descriptor

    def close(self) -> None:
        """Answer no more: calls that still wait fail as not implemented."""
        os.close(self._descriptor)

    def is_over(self) -> bool:
        """Whether every process under the filter is gone."""
        return any(state & select.POLLHUP for _, state in self._poll.poll(0))

    def serve(self, tell: Callable[[Blocked], None]) -> None:
        """Answer one waiting call, if any, having told the worker what was stopped."""
        # Older kernels wait for ever for the calls of processes that are gone.
        if not any(state & select.POLLIN for _, state in self._poll.poll(0)):
            return
        buffer = bytearray(_NOTICE.size)
        try:
            fcntl.ioctl(self._descriptor, _RECEIVE, buffer)
        except OSError:  # the caller died or was interrupted meanwhile
            return
        notice, thread, _, code, _, _, *arguments = _NOTICE.unpack(buffer)
        error, record = self._judge(thread, code, arguments)
        if record is not None:
            tell(record)
        flags = 0 if error else _GO_ON
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._descriptor, _ANSWER, _REPLY.pack(notice, 0, -error, flags))

    def _judge(self, thread: int, code: int, arguments: list[int]) -> tuple[int, Blocked | None]:
        """The error to answer with (0: go on, Landlock decides), and what to tell."""
        name, effect = self._calls.get(code, (f"system call {code}", "system"))
        if self._nursing is not None and self._nursing.lets(name, thread, arguments):
            return 0, None
        if name == "prctl":
            return errno.EPERM, None  # libraries try it without meaning harm
        row = _PATHS.get(name)
        if row is None:
            numbers = [_signed(a) for a in arguments[: _NUMBERS_SHOWN.get(name, 0)]]
            return errno.EPERM, Blocked(effect, shown_call(_KNOWN_AS.get(name, name), numbers))
        operation = _operation(row, thread, arguments)
        if operation is None:
            return errno.EPERM, Blocked(effect, f"{name}(?)")
        decided = self._landlocked and name in rules.PATH_CALLS
        if decided and (within(operation, self._folders) or changes_nothing(operation)):
            return 0, None
        if operation.name == "attributes" and changes_nothing(operation):
            return errno.ENOENT, None
        return errno.EPERM, Blocked(effect, f"{name}({', '.join(map(shown, operation.paths))})")


def _operation(row: _Row, thread: int, arguments: list[int]) -> FileOperation | None:
    """What the call is about to do, read from the caller's memory; None if that fails."""
    operation, places, flags_at = row
    paths = []
    for folder_at, path_at in places:
        folder = None if folder_at is None else arguments[folder_at] & 0xFFFFFFFF
        path = _path(thread, folder, arguments[path_at])
        if path is None:
            return None
        paths.append(path)
    flags = _CREATING if flags_at is None else arguments[flags_at]
    return FileOperation(operation, tuple(paths), flags)


def _path(thread: int, folder: int | None, address: int) -> str | None:
    """The absolute path that a thread gives at this address, relative to this descriptor of a
    folder or to the current one; None if it cannot be read.
    """
    text = _string(thread, address) if address else ""
    base = f"/proc/{thread}/" + ("cwd" if folder in (None, _AT_CWD) else f"fd/{folder}")
    if text is None:
        return None
    try:
        return text if text.startswith("/") else os.path.join(os.readlink(base), text)
    except OSError:
        return None


def _string(thread: int, address: int) -> str | None:
    """The text at this address, up to its zero byte; None if it cannot be read."""
    found = b""
    try:
        with open(f"/proc/{thread}/mem", "rb", buffering=0) as memory:
            memory.seek(address)
            while b"\0" not in found and len(found) < _LONGEST_PATH:
                # To the end of the page only: the next one may not be there.
                piece = memory.read(4096 - (address + len(found)) % 4096)
                if not piece:
                    return None
                found += piece
    except (OSError, ValueError, OverflowError):
        return None
    return os.fsdecode(found.partition(b"\0")[0])


def _signed(argument: int) -> int:
    low = argument & 0xFFFFFFFF
    return low - 2**32 if low >= 2**31 else low


@dataclass(frozen=True, slots=True)
class Facts:
    """What the driver has to know of the walls that a worker has built."""

    machine: str  # as system calls are numbered on it
    landlocked: bool  # files are judged by their path, not refused whole


class Notices:
    """The worker's end: hands the listener over, then fetches what was stopped."""

    def __init__(self, connection: socket.socket, board: Board) -> None:
        self._connection = connection
        self._board = board
        self._rings = board.rings()
        self._rest = b""

    def hand_over(self, listener: int, facts: Facts) -> None:
        """Give the listener to the driver; reading what it tells does not wait from now on."""
        socket.send_fds(self._connection, [json.dumps(encoded(facts)).encode()], [listener])
        self._connection.setblocking(False)

    def drain(self) -> list[Blocked]:
        """What was stopped since the last call."""
        rings = self._board.rings()
        if rings == self._rings:  # as after almost every run: 0.3 us where a read takes 5
            return []
        self._rings = rings
        received = self._rest
        with contextlib.suppress(OSError):  # nothing more there
            while piece := self._connection.recv(65536):
                received += piece
        *lines, self._rest = received.split(b"\n")
        return [Blocked(*json.loads(line)) for line in lines]


def tell(worker: socket.socket, board: Board, record: Blocked) -> None:
    """Tell a worker what was stopped. It is not told if it is gone, or has so much left unread that
    there is no room.
    """
    line = json.dumps([record.effect, record.call]) + "\n"
    with contextlib.suppress(OSError):
        worker.send(line.encode(), socket.MSG_DONTWAIT)
    board.ring()


def receive(connection: socket.socket) -> tuple[int, Facts] | None:
    """The listener and facts that a worker hands over; None when it has none to give."""
    try:
        data, descriptors, _, _ = socket.recv_fds(connection, 65536, 1)
    except OSError:
        return None
    if not descriptors:
        return None
    try:
        return descriptors[0], decoded(Facts, json.loads(data))
    except ValueError:
        os.close(descriptors[0])
        return None
