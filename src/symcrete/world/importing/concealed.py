"""While the program is imported nothing is told of this machine's environment, user and host.

What an import takes from them may be a secret, and stays in lists, objects and defaults, where
nobody can tell any more where it is from. So an import finds a machine that nobody has: no
variables but those of the worker's own folders, a user called "someone". One that fails because a
variable or a file is not there is made again with all of them; what they hold is noted then.

Afterwards every variable that a run reads is an input, or set by the test; whoever reads them in
another way (`os.environb`) finds those of the worker's own folders.
"""

from __future__ import annotations

import _socket
import os
import pathlib
import pwd
import sys
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any

from symcrete.folders import OWN_FOLDER
from symcrete.world.importing.hidden_files import HiddenFiles

# Variables that are shown: those that name the worker's own folders, and those that only say how
# texts and times are written.
KEPT = frozenset(
    {
        *("HOME", "USERPROFILE", "TMPDIR", "HYPOTHESIS_STORAGE_DIRECTORY", "PYTHONHASHSEED"),
        *("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"),
        *("XDG_RUNTIME_DIR", "TERM", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "COLUMNS", "NO_COLOR"),
    }
)
_PLAIN_PATH = {"PATH": "/usr/local/bin:/usr/bin:/bin"}  # programs look for others along it
_LISTED = ("PATH", "HOME", "LANG")  # what a program finds that goes through all variables
_USER = "someone"
_HOST = "host"
_RELEASE = ("5.10.0", "#1 SMP")  # of the system


class Concealed:
    """What of this machine is kept from the program that this process imports."""

    def __init__(self) -> None:
        # Texts that are not to be written down: what variables held while the program was imported.
        self.secrets: set[str] = set()
        self.seen = True  # whether the import sees, or saw, this machine as it is
        self._asked = False  # whether it looked for a variable that is kept from it
        self._variables: dict[Any, Any] = {}  # all that there were
        # What was there before, and what is there instead, by module and name.
        self._fakes: dict[tuple[ModuleType, str], tuple[Any, Any]] = {}
        self._files = HiddenFiles()

    def conceal(self) -> None:
        """Keep variables, user, host and files from whatever is imported from now on."""
        self.seen, self._asked = False, False
        self._variables = dict(_variables())
        shown = {_encoded(name): _encoded(value) for name, value in _PLAIN_PATH.items()}
        _show_variables(_Asked(self, shown | _kept(self._variables)))
        _empty_posix()
        self._put(os, "getlogin", lambda: _USER)
        for name in ("getpwuid", "getpwnam"):
            self._put(pwd, name, _renamed(getattr(pwd, name)))
        system, *_, machine = os.uname()
        there = os.uname_result((system, _HOST, *_RELEASE, machine))
        self._put(os, "uname", lambda: there)
        _forget_uname()
        # `socket` takes it from `_socket` when it is imported.
        for module in (_socket, sys.modules.get("socket")):
            if module is not None:
                self._put(module, "gethostname", lambda: _HOST)
        self._files.hide()

    def reveal(self) -> bool:
        """Show the machine as it is after all; False if the import did not ask for what it was not
        shown, and would fail again.
        """
        if self.seen or not (self._asked or self._files.asked):
            return False
        _show_variables(dict(self._variables))
        self._show()
        self.seen = True
        return True

    def forget(self) -> None:
        """The import is done. From now on user and host are told as they are, `os.environ` has only
        the variables of KEPT (the system still knows all), and only files in the program's folder
        are hidden.
        """
        if self.seen:
            self.secrets.update(v for name, v in os.environ.items() if name not in KEPT and v)
        _show_variables(_kept(_variables()))
        _empty_posix()
        self._show()
        self._files.hide_in_runs()

    def kept_a_file(self) -> bool:
        """Whether a file in the program's folder was kept from it since this was asked last."""
        return self._files.was_asked()

    def asked(self, name: Any) -> None:
        """Hear that a variable was looked for which is not shown; None: that all were."""
        if name is None or name in self._variables:
            self._asked = True

    def _put(self, module: ModuleType, name: str, fake: Callable[..., Any]) -> None:
        known = vars(module)[name]
        # Both are kept: `_show` finds the fake, also where the program has imported it by another
        # name.
        self._fakes[module, name] = (known, fake)
        setattr(module, name, fake)

    def _show(self) -> None:
        """Put back what told of user and host, also where the program has imported it by name."""
        self._files.show()
        _forget_uname()
        # Functions are equal to themselves only. They are told by their type first, not by `id`: of
        # each `id` the audit hooks hear, and a large program has ten thousands of names.
        real = {fake: known for known, fake in self._fakes.values()}
        for module in list(sys.modules.values()) if real else ():
            if type(module) is not ModuleType:
                continue
            for name, value in list(vars(module).items()):
                if type(value) is FunctionType and value in real:
                    setattr(module, name, real[value])
        self._fakes.clear()


class _Asked(dict[Any, Any]):
    """The variables that an import is shown; notes that it looked for another one."""

    def __init__(self, concealed: Concealed, shown: dict[Any, Any]) -> None:
        super().__init__(shown)
        self._concealed = concealed

    def __missing__(self, name: Any) -> Any:
        self._concealed.asked(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[Any]:
        self._concealed.asked(None)
        listed = [_encoded(each) for each in _LISTED]
        return iter([each for each in listed if each in self])


def _encoded(text: str) -> Any:
    environ: Any = os.environ
    return environ.encodekey(text)


def _variables() -> dict[Any, Any]:
    """What `os.environ` reads and writes, encoded."""
    held: Any = os.environ
    variables: dict[Any, Any] = held._data
    return variables


def _show_variables(variables: dict[Any, Any]) -> None:
    """Have `os.environ` read and write these from now on; programs may hold the object itself."""
    held: Any = os.environ
    held._data = variables


def _kept(variables: dict[Any, Any]) -> dict[Any, Any]:
    """Those of some variables that tell nothing of this machine."""
    kept = {_encoded(each) for each in KEPT}
    return {name: value for name, value in variables.items() if name in kept}


def _empty_posix() -> None:
    """Forget variables in the table of `posix`, from which `os` has made `os.environ`."""
    known = getattr(sys.modules.get("posix"), "environ", {})
    for name in known.keys() - _kept(known).keys():
        del known[name]


def _forget_uname() -> None:
    """Let `platform` ask for the names of this machine again."""
    platform: Any = sys.modules.get("platform")
    if platform is not None:
        platform._uname_cache = None


def plain_folders(text: str) -> str:
    """A text that an import made, with folders that nobody has for those of this worker, of the
    interpreter and for the current one.
    """
    for folder, instead in (
        (os.environ.get("HOME"), f"/home/{_USER}"),
        (os.environ.get("TMPDIR"), "/tmp"),
        (sys.executable, "/usr/bin/python3"),
        (sys.prefix, "/usr"),
        (sys.base_prefix, "/usr"),
        (os.getcwd(), f"/home/{_USER}"),
    ):
        if folder and folder != "/":
            text = text.replace(folder, instead)
    return text


def names_own_folder(value: Any) -> bool:
    """Whether a text or a path is of a folder that only this worker has: its home, or that of its
    temporary files.
    """
    if not isinstance(value, str | pathlib.PurePath):
        return False
    text = str(value)
    folders = [os.environ.get(each, "") for each in ("HOME", "TMPDIR")]
    return any(f"/{OWN_FOLDER}" in each and each in text for each in folders)


def _renamed(known: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that looks a user up: whoever it is is called otherwise, and lives elsewhere."""

    def entry(key: Any) -> Any:
        found = known(key)
        return pwd.struct_passwd((_USER, *found[1:5], f"/home/{_USER}", found[6]))  # shell

    return entry


CONCEALED = Concealed()  # a process has one environment, and one program
