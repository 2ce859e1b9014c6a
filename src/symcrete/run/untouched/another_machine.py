"""Make this interpreter believe that it runs on another machine, for somebody else.

The second of the two interpreters that replay a call believes so: what a call tells of the machine
differs between the two. It is then no fact about the program, and no report and no test has it.
Sources that are inputs are set before a call, so they are the same in both.
"""

from __future__ import annotations

import os
import pwd
import socket
import sys
from collections.abc import Callable
from typing import Any

USER = "somebody-else"
HOST = "elsewhere"
_MEMORY = ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES")
_PAGES = 12_345  # of memory, which no machine has; chosen, not measured
_PROCESSORS = 3  # an odd number, which machines rarely have; chosen, not measured


def pretend_another_machine() -> None:
    """Change the host, the user and the home folder, the number of processors, the memory and the
    interpreter's path.
    """
    os.getlogin = lambda: USER
    os.cpu_count = lambda: _PROCESSORS
    # Only some systems and versions of Python have these.
    if hasattr(os, "process_cpu_count"):
        os.process_cpu_count = lambda: _PROCESSORS
    if hasattr(os, "sched_getaffinity"):
        os.sched_getaffinity = lambda _: set(range(_PROCESSORS))
    uname, sysconf = os.uname, os.sysconf
    there = os.uname_result((uname().sysname, HOST, *uname()[2:]))
    os.uname = lambda: there
    os.sysconf = lambda name: _PAGES if name in _MEMORY else sysconf(name)
    for module in (socket, sys.modules["_socket"]):
        module.gethostname = lambda: HOST  # type: ignore[attr-defined]
    for name in ("getpwuid", "getpwnam"):
        setattr(pwd, name, _renamed(getattr(pwd, name)))
    sys.executable = f"/home/{USER}/bin/python3"
    site = sys.modules.get("site")
    if site is not None:  # it remembers the folders of the user who started us
        base = f"/home/{USER}/.local"
        site.USER_BASE, site.USER_SITE = base, f"{base}/lib/site-packages"  # type: ignore[attr-defined]


def _renamed(known: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function that looks a user up: each has another name and home."""

    def entry(key: Any) -> Any:
        found = known(key)
        return pwd.struct_passwd((USER, *found[1:5], f"/home/{USER}", found[6]))  # and shell

    return entry
