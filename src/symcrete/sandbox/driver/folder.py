"""A run's own temporary folder: made, and removed whatever a program left in it."""

import contextlib
import os
import site
import stat
import tempfile
import time
from collections.abc import Iterator

from symcrete.clock import Clock, wall
from symcrete.folders import OWN_FOLDER

_ABANDONED = 24 * 3600.0  # seconds after which a dead run's folder is removed by others
_REMOVAL_PATIENCE = 0.5  # seconds a run waits for its folder to be removed


@contextlib.contextmanager
def work_folder() -> Iterator[str]:
    """A context with a new folder, which is removed at the end."""
    folder = _new_folder()
    _sweep(os.path.dirname(folder))
    try:
        yield folder
    finally:
        if not remove_tree(folder, _REMOVAL_PATIENCE):
            _remove_later(folder)


def furnished(work: str) -> dict[str, str]:
    """Make a home and a place for temporary files in a run's folder; returns the environment that
    points there.

    Packages that write below the home folder when they are imported find one that is theirs alone,
    and nothing of the user's is seen. Packages that the user installed for himself are still found.
    """
    home = os.path.join(work, "home")
    places = {"TMPDIR": os.path.join(work, TEMPORARY), "HOME": home, "USERPROFILE": home}
    for name, folder in _BELOW_HOME.items():
        places[name] = os.path.join(home, folder)
    if HYPOTHESIS_PLACE not in os.environ and not os.path.isdir(HYPOTHESIS_FOLDER):
        places[HYPOTHESIS_PLACE] = os.path.join(home, HYPOTHESIS_FOLDER)
    for place in places.values():
        os.makedirs(place, mode=0o700, exist_ok=True)  # for the user alone
    plain = {} if "TERM" in os.environ else {"TERM": "dumb"}  # for who looks at the terminal
    return places | plain | {"PYTHONUSERBASE": site.getuserbase()}


TEMPORARY = "tmp"
# Where Hypothesis keeps its tables of characters. Those of the project are read, since they take it
# seconds to make; where there are none they are made in the run's own folder.
HYPOTHESIS_FOLDER, HYPOTHESIS_PLACE = ".hypothesis", "HYPOTHESIS_STORAGE_DIRECTORY"
_BELOW_HOME = {
    "XDG_CACHE_HOME": ".cache",
    "XDG_CONFIG_HOME": ".config",
    "XDG_DATA_HOME": ".local/share",
    "XDG_STATE_HOME": ".local/state",
    "XDG_RUNTIME_DIR": ".runtime",
}


def _new_folder() -> str:
    """A new folder where temporary files go, or in memory where the disk is full."""
    places = [
        tempfile.tempdir,
        os.environ.get("TMPDIR"),
        "/tmp",
        "/var/tmp",
        "/dev/shm",
        os.getcwd(),
    ]
    error: OSError | None = None
    for place in places if os.name == "posix" else [None]:
        if place or os.name != "posix":
            try:
                name = tempfile.mkdtemp(prefix=f"{OWN_FOLDER}{os.getpid()}-", dir=place)
            except OSError as failure:
                error = error or failure
            else:
                return os.path.realpath(name)
    assert error is not None
    raise error


def remove_tree(top: str, seconds: float = float("inf"), clock: Clock = wall) -> bool:
    """Remove a folder of any depth and with any permissions, as far as the system lets us; whether
    the time was enough.

    Folders are moved up to the top one by one: a program can nest them deeper than recursion, path
    names or open descriptors reach.
    """
    until = clock() + seconds
    pending = [top]
    moved = 0
    while pending:
        if clock() > until:
            return False
        folder = pending.pop()
        for name in _empty(folder):
            place = os.path.join(folder, name)
            if folder != top:
                moved += 1
                place = _move(place, os.path.join(top, f".{OWN_FOLDER}{os.getpid()}-{moved}"))
            pending.append(place)
        if folder != top:
            _rmdir(folder)
    _rmdir(top)
    return True


def emptied(folder: str) -> bool:
    """Empty a folder, so that another worker can begin in it; whether that succeeded."""
    try:
        with os.scandir(folder) as entries:
            found = [entry.path for entry in entries]
        for path in found:
            if os.path.isdir(path) and not os.path.islink(path):
                remove_tree(path, _REMOVAL_PATIENCE)
            else:
                os.unlink(path)
        return not os.listdir(folder)
    except OSError:
        return False


def _remove_later(folder: str) -> None:
    """Remove a folder in the background: a million files must not hold up the run's end."""
    command = ["rm", "-rf", "--", folder]
    with contextlib.suppress(OSError):
        os.posix_spawnp("rm", command, os.environ, setsid=True)


def _move(place: str, aside: str) -> str:
    with contextlib.suppress(OSError):
        os.chmod(place, stat.S_IRWXU)  # or its own entry ".." cannot be changed
        os.rename(place, aside)
    return aside


def _rmdir(folder: str) -> None:
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def _empty(folder: str) -> list[str]:
    """Remove what is not a folder; returns the names of the folders."""
    inner = []
    with contextlib.suppress(OSError):
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            os.chmod(folder, stat.S_IRWXU)
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    inner.append(entry.name)
                else:
                    with contextlib.suppress(OSError):
                        os.unlink(entry.path)
    return inner


def _sweep(parent: str) -> None:
    """Remove the folders of runs that were killed long ago."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(OWN_FOLDER) and _is_abandoned(entry):
                remove_tree(entry.path, _REMOVAL_PATIENCE)


def _is_abandoned(entry: os.DirEntry[str]) -> bool:
    pid = entry.name.removeprefix(OWN_FOLDER).partition("-")[0]
    if not pid.isdecimal() or os.path.exists(f"/proc/{pid}"):
        return False
    with contextlib.suppress(OSError):
        found = entry.stat(follow_symlinks=False)
        mine = not hasattr(os, "getuid") or found.st_uid == os.getuid()
        # Another container that shares the folder has process numbers of its own.
        return mine and stat.S_ISDIR(found.st_mode) and time.time() - found.st_mtime > _ABANDONED
    return False
