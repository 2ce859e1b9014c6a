"""Whether this process is a command of ours and nothing else, and the hash seed that it runs with.

Workers have a hash seed of their own, which a process has from its start. A command that will need
workers starts once more with theirs before it imports anything: 10 ms, where the interpreter that
its forks save takes 100.
"""

from __future__ import annotations

import os
import sys

HASH_SEED = "0"  # of the workers that explore, and of one of the two that replay
_THEIRS = "SYMCRETE_THEIR_HASH_SEED"  # a variable: what the user's own was; "" if there was none
_NEEDS_WORKERS = ("cover",)  # commands


def is_ours() -> bool:
    """Whether this process was started as our command, by `python -m symcrete` or by the script."""
    main = sys.modules.get("__main__")
    spec = getattr(main, "__spec__", None)
    if spec is not None:
        return bool(spec.name == "symcrete.__main__")
    script = os.path.basename(getattr(main, "__file__", None) or "")
    return script == "symcrete" and sys.argv[:1] == [getattr(main, "__file__", None)]


def may_be_forked() -> bool:
    """Whether forks of this process can be workers' forebears: it is ours alone, and has the hash
    seed that workers have.
    """
    watched = sys.gettrace() is not None or sys.getprofile() is not None
    return is_ours() and not sys.flags.hash_randomization and not watched


def take_hash_seed() -> None:
    """Start this process again with the workers' hash seed, if its workers will be forks of it. In
    the process so started, put the user's environment back as it was.
    """
    theirs = os.environ.pop(_THEIRS, None)
    if theirs is not None:
        del os.environ["PYTHONHASHSEED"]
        if theirs:
            os.environ["PYTHONHASHSEED"] = theirs
        return
    told = sys.platform == "linux" and hasattr(os, "pidfd_open")  # as `births.can_fork` has it
    if not told or sys.argv[1:2] == [] or sys.argv[1] not in _NEEDS_WORKERS:
        return
    if sys.gettrace() is not None or sys.getprofile() is not None or not is_ours():
        return
    if not sys.flags.hash_randomization or sys.flags.ignore_environment:
        return
    environment = {**os.environ, _THEIRS: os.environ.get("PYTHONHASHSEED", "")}
    environment["PYTHONHASHSEED"] = HASH_SEED
    try:
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
    except OSError:
        return  # it goes on as it is: workers get an interpreter of their own
