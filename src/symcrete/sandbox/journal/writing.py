"""Write files so that they are there whole or not at all, and never over somebody's changes.

A file of ours ends in a line with the hash of what stands above it. Whoever edits the file need
not touch that line: it no longer fits, and the file is then theirs.
"""

import contextlib
import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterator

from symcrete.clock import Clock
from symcrete.errors import SymcreteError

# How a comment begins and ends, by the ending of the name of a file.
COMMENTS = {
    ".py": ("# ", ""),
    ".html": ("<!-- ", " -->"),
    ".svg": ("<!-- ", " -->"),
    ".dot": ("// ", ""),
    ".gv": ("// ", ""),
    ".toml": ("# ", ""),
    ".cfg": ("# ", ""),
    ".yml": ("# ", ""),
}
_STAMP = "written by symcrete, may be rewritten while unchanged: "
_STALE_FILE_SECONDS = 3600.0  # seconds after which a temporary file has lost its writer


class WriteError(SymcreteError, OSError):
    """The system would not let us read or write a file; the message says why and what to do."""

    def __init__(self, what: str, path: str, error: OSError) -> None:
        super().__init__(error.errno, error.strerror, path)
        self._message = f"cannot {what} {path}: {error.strerror or error}{_way_out(error)}"

    def __str__(self) -> str:
        return self._message


def _way_out(error: OSError) -> str:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return "; make room or choose another place"
        case errno.EROFS | errno.EACCES | errno.EPERM:
            return "; choose a folder that you may write to"
        case errno.ENOENT:
            return "; create the folder first"
    return ""


class EditedError(SymcreteError):
    """There is a file that is not as we wrote it."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is not as symcrete wrote it; use --force to overwrite it")


def write_file(path: str, text: str, *, force: bool = False) -> None:
    """Put the text there, at once and whole; refuse to replace what somebody else wrote."""
    place = os.path.realpath(path)
    content = _stamped(place, text)
    _refuse_edited(place, content, force)
    try:
        _refuse_special(place)
        _replace(place, content)
    except OSError as error:
        raise WriteError("write", path, error) from error


def write_data(path: str, data: bytes) -> None:
    """Put the data there, at once and whole, in place of whatever file is there."""
    place = os.path.realpath(path)
    try:
        _refuse_special(place)
        _replace(place, data)
    except OSError as error:
        raise WriteError("write", path, error) from error


def check_writable(path: str, *, force: bool = False) -> None:
    """Raise now what `write_file` would raise later, after a long run."""
    place = os.path.realpath(path)
    _refuse_edited(place, None, force)
    temporary = _temporary(place)
    try:
        _refuse_special(place)
        _fill(temporary, b"\n", 0o600)  # for the user alone
    except OSError as error:
        raise WriteError("write", path, error) from error
    finally:
        _discard(temporary)


def is_edited(path: str) -> bool:
    """Whether there is a file that is not as we wrote it."""
    try:
        with open(path, "rb") as file:
            return not _is_ours(path, file.read())
    except FileNotFoundError:
        return False
    except OSError as error:
        raise WriteError("read", path, error) from error


def _refuse_edited(place: str, content: bytes | None, force: bool) -> None:
    if force or not os.path.isfile(place) or not is_edited(place):
        return
    with contextlib.suppress(OSError), open(place, "rb") as file:
        if content is not None and file.read() == content:
            return  # nothing would be lost
    raise EditedError(place)


def _refuse_special(place: str) -> None:
    """Raise if a folder or a device is at the place: a new file put there would destroy it."""
    if os.path.exists(place) and not os.path.isfile(place):
        raise OSError(errno.EINVAL, "it is there and not an ordinary file")


def _stamped(path: str, text: str) -> bytes:
    body = text if text.endswith("\n") or not text else text + "\n"
    marks = COMMENTS.get(os.path.splitext(path)[1])
    data = body.encode()
    if marks is None:
        return data
    return data + f"{marks[0]}{_STAMP}{_digest(data)}{marks[1]}\n".encode()


def _is_ours(path: str, content: bytes) -> bool:
    marks = COMMENTS.get(os.path.splitext(path)[1])
    if marks is None:
        return False
    content = content.replace(b"\r\n", b"\n")  # as some version control hands it back
    body, found, last = content.rpartition(f"{marks[0]}{_STAMP}".encode())
    return bool(found) and last == f"{_digest(body)}{marks[1]}\n".encode()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]  # 64 bits


def _replace(place: str, content: bytes) -> None:
    """Fill a file beside it, then let it take the name: readers see the old or the new one."""
    temporary = _temporary(place)
    for litter in _litter(place):
        _discard(litter)
    try:
        _fill(temporary, content, _mode(place))
        os.replace(temporary, place)
    except BaseException:
        _discard(temporary)
        raise
    _sync_folder(os.path.dirname(place))


def _temporary(place: str) -> str:
    folder, name = os.path.split(place)
    return os.path.join(folder, f"{_temporary_start(name)}{os.urandom(4).hex()}")  # 4 bytes


def _temporary_start(name: str) -> str:
    """How temporary files for this name begin: short, since the name itself may be as long as the
    system allows.
    """
    return f".symcrete-{_digest(os.fsencode(name))}-"


def _mode(place: str) -> int:
    try:
        return stat.S_IMODE(os.stat(place).st_mode)
    except OSError:
        return 0o666  # the user's umask decides


def _fill(temporary: str, content: bytes, mode: int) -> None:
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        while content:
            content = content[os.write(descriptor, content) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: str) -> None:
    """Make the new name survive a power cut; the file is there already, so failing is no harm."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _discard(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _litter(place: str, now: Clock = time.time) -> Iterator[str]:
    """Temporary files for the same name whose writers were killed."""
    folder, name = os.path.split(place)
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            ours = entry.name.startswith(_temporary_start(name))
            if ours and now() - entry.stat().st_mtime > _STALE_FILE_SECONDS:
                yield entry.path
