"""Say what was stopped: Python's audit events as records with a line and the flag that allows it.

The hook explains, the kernel protects: about 40 % of effects raise no audit event. It raises what
the system would raise (PermissionError) and keeps the record apart, so that a program that catches
the exception is still known to have been interfered with.
"""

import contextlib
import errno
import os
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import symcrete
from symcrete.sandbox.walls.blocked import Blocked, plain_value, shown_call
from symcrete.sandbox.walls.effects import NOTHING, Allowance
from symcrete.sandbox.walls.paths import FileOperation, changes_nothing, within

MOST = 100  # records kept per run; a loop that tries again and again adds nothing

# event -> operation, which arguments are paths, which the descriptors they are relative to
_FILE_EVENTS: dict[str, tuple[str, tuple[int, ...], tuple[int, ...]]] = {
    "os.remove": ("remove", (0,), (1,)),
    "os.rmdir": ("remove", (0,), (1,)),
    "os.mkdir": ("mkdir", (0,), (2,)),
    "os.rename": ("rename", (0, 1), (2, 3)),
    "os.link": ("link", (0, 1), (2, 3)),
    "os.symlink": ("symlink", (1,), (2,)),
    "os.truncate": ("truncate", (0,), ()),
    "os.chmod": ("attributes", (0,), (2,)),
    "os.chown": ("attributes", (0,), (3,)),
    "os.utime": ("attributes", (0,), (3,)),
    "os.setxattr": ("attributes", (0,), ()),
    "os.removexattr": ("attributes", (0,), ()),
    "os.chflags": ("attributes", (0,), ()),
}

# event -> effect, and the arguments that tell the user something: from which one, up to which
_EVENTS: dict[str, tuple[str, int, int]] = {
    "subprocess.Popen": ("processes", 1, 2),
    "os.system": ("processes", 0, 1),
    "os.exec": ("processes", 0, 2),
    "os.posix_spawn": ("processes", 0, 2),
    "os.spawn": ("processes", 1, 3),
    "os.fork": ("processes", 0, 0),
    "os.forkpty": ("processes", 0, 0),
    "os.startfile": ("processes", 0, 1),
    "pty.spawn": ("processes", 0, 1),
    "webbrowser.open": ("processes", 0, 1),
    "os.kill": ("signals", 0, 2),
    "os.killpg": ("signals", 0, 2),
    "socket.__new__": ("network", 1, 3),
    "socket.connect": ("network", 1, 2),
    "socket.bind": ("network", 1, 2),
    "socket.sendto": ("network", 1, 2),
    "socket.sendmsg": ("network", 1, 2),
    "socket.getaddrinfo": ("network", 0, 2),
    "socket.gethostbyname": ("network", 0, 1),
    "socket.gethostbyaddr": ("network", 0, 1),
    "socket.getnameinfo": ("network", 0, 1),
    "http.client.connect": ("network", 1, 3),
    "ftplib.connect": ("network", 1, 3),
    "smtplib.connect": ("network", 1, 3),
    "poplib.connect": ("network", 1, 3),
    "imaplib.open": ("network", 1, 3),
    "syslog.syslog": ("network", 0, 2),
    "socket.sethostname": ("system", 0, 1),
    "resource.setrlimit": ("system", 0, 2),
    "resource.prlimit": ("system", 0, 3),
}

_current_folder = os.getcwd  # the real one: in runs another one stands in for it
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class _State:
    """The state of the one hook that this process can have: hooks are never removed."""

    def __init__(self) -> None:
        self.allow = NOTHING
        self.folders: tuple[str, ...] = ()
        self.records: list[Blocked] = []
        self.ours: set[int] = set()  # threads in which the engine itself is at work
        self.start = os.getcwd()
        self.more: Callable[[], list[Blocked]] = list
        self.installed = False


_state = _State()


def install(work: str, allow: Allowance = NOTHING) -> None:
    """From now on stop Python calls that have an effect outside, and keep a record of each."""
    _state.allow = allow
    _state.folders = (os.path.realpath(work), *allow.folders)
    _state.start = os.getcwd()
    if not _state.installed:
        _state.installed = True
        sys.addaudithook(_hook)


def attach(more: Callable[[], list[Blocked]]) -> None:
    """Have `blocked` also give the records that `more` fetches: what the kernel stopped."""
    _state.more = more


def blocked() -> list[Blocked]:
    """What was stopped since the last reset; a run with any was affected, whatever it returned."""
    _state.records += _state.more()[: MOST - len(_state.records)]
    return list(_state.records)


def reset() -> None:
    """Forget the records: the next run starts."""
    _state.more()
    _state.records.clear()


@contextlib.contextmanager
def unwatched() -> Iterator[None]:
    """A context for the engine's own effects: the hook neither stops nor records what this thread
    does in it.
    """
    me = threading.get_ident()
    _state.ours.add(me)
    try:
        yield
    finally:
        _state.ours.discard(me)


@contextlib.contextmanager
def watched() -> Iterator[None]:
    """A context for the program within `unwatched`: there the hook does its work again."""
    me = threading.get_ident()
    ours = me in _state.ours
    _state.ours.discard(me)
    try:
        yield
    finally:
        if ours:
            _state.ours.add(me)


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        flags = arguments[2]
        if isinstance(flags, int) and flags & _WRITING:
            _on_open(arguments[0], arguments[1], flags)
    elif event in _FILE_EVENTS:
        _on_file(event, arguments)
    elif event in _EVENTS:
        _on_effect(event, arguments)


def _on_open(path: object, mode: object, flags: int) -> None:
    if mode is None:
        _check_file("open", "os.open", (path,), (path,), flags)
    else:
        _check_file("open", "open", (path,), (path, mode), flags)


def _on_file(event: str, arguments: tuple[object, ...]) -> None:
    operation, paths, folders = _FILE_EVENTS[event]
    relative = [arguments[i] for i in folders] + [-1] * (len(paths) - len(folders))
    if any(folder not in (-1, None) for folder in relative):
        places: tuple[object, ...] = tuple(
            _below(folder, arguments[i]) for folder, i in zip(relative, paths, strict=True)
        )
    else:
        places = tuple(arguments[i] for i in paths)
    told = arguments[: max(paths) + 1]
    _check_file(operation, event, places, told if operation != "attributes" else arguments[:2])


def _below(folder: object, path: object) -> object:
    """The path, made absolute if it is relative to an open folder; None if that fails."""
    text = _text(path)
    if folder in (-1, None) or text is None or os.path.isabs(text):
        return path
    with contextlib.suppress(OSError):
        return os.path.join(os.readlink(f"/proc/self/fd/{folder}"), text)
    return None  # not to be found out: counts as outside


def _check_file(
    operation: str, name: str, paths: tuple[object, ...], told: tuple[object, ...], flags: int = 0
) -> None:
    if "files" in _state.allow or _is_ours():
        return
    if isinstance(paths[0], int):  # a descriptor, opened under these rules
        if operation == "attributes":
            _stop("files", name, told, None)
        return
    texts = tuple(_absolute(path) for path in paths)
    touched = FileOperation(operation, tuple(text for text in texts if text is not None), flags)
    if None not in texts:
        # A filter cannot tell one path from another: attributes are refused everywhere.
        if operation != "attributes" and within(touched, _state.folders):
            return
        if changes_nothing(touched):
            if operation == "attributes":
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), texts[0])
            return
    _stop("files", name, told, texts[0])


def _absolute(path: object) -> str | None:
    text = _text(path)
    with contextlib.suppress(OSError):  # the current folder is gone
        return os.path.join(_current_folder(), text) if text is not None else None
    return None


def _on_effect(event: str, arguments: tuple[object, ...]) -> None:
    effect, start, end = _EVENTS[event]
    if effect in _state.allow or _is_ours() or _concerns_only_us(event, arguments):
        return
    name = "socket.socket" if event == "socket.__new__" else event
    _stop(effect, name, arguments[start:end], None)


def _concerns_only_us(event: str, arguments: tuple[object, ...]) -> bool:
    """Whether this call, unlike others of its kind, has no effect outside of this process."""
    match event:
        case "socket.__new__":
            return _wraps_descriptor()
        case "os.kill":
            return arguments[0] == os.getpid()
        case "socket.sendmsg" | "socket.sendto":
            return arguments[1] is None
        case "resource.prlimit":
            return arguments[2] is None
    return False


def _wraps_descriptor() -> bool:
    """Whether a socket object is made for a descriptor that is there already, as of a pair."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return frame is not None and frame.f_locals.get("fileno") is not None


def _text(path: object) -> str | None:
    """The path as a plain string, since a tracked one would report every comparison made here as a
    branch; None if it is no path.
    """
    plain = plain_value(path)
    if isinstance(plain, type):
        try:
            plain = plain_value(os.fspath(path))  # type: ignore[call-overload]
        except Exception:  # the program's own
            return None
    return os.fsdecode(plain) if isinstance(plain, (str, bytes)) else None


def _stop(effect: str, name: str, told: tuple[object, ...], path: str | None) -> None:
    record = Blocked(effect, shown_call(name, told), *_where())
    if len(_state.records) < MOST:
        _state.records.append(record)
    text = f"blocked by symcrete; allow with {record.flag}"
    if path is None:
        raise PermissionError(errno.EPERM, text)
    raise PermissionError(errno.EPERM, text, path)


def _is_ours() -> bool:
    return threading.get_ident() in _state.ours


_OURS = os.path.dirname(os.path.abspath(symcrete.__file__)) + os.sep
_STANDARD = (
    *(sysconfig.get_path(key) + os.sep for key in ("stdlib", "platstdlib")),
    "<frozen",
)
_INSTALLED = tuple(sysconfig.get_path(key) + os.sep for key in ("purelib", "platlib"))


def _where() -> tuple[str | None, bool]:
    """The innermost line of the user's own code, else of a library's; whether a library's code
    stands between.
    """
    frame: FrameType | None = sys._getframe(1)
    library = None
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_INSTALLED):
            library = library or frame
        elif not file.startswith((_OURS, *_STANDARD)):
            return _line(frame), library is not None
        frame = frame.f_back
    return (_line(library), True) if library is not None else (None, False)


def _line(frame: FrameType) -> str:
    file = frame.f_code.co_filename
    inside = file.startswith(_state.start + os.sep)
    return f"{file[len(_state.start) + 1 :] if inside else file}:{frame.f_lineno}"
