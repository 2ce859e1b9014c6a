"""`python -m symcrete`, and the script: the command as the whole of a process."""

from __future__ import annotations

import atexit
import os
import sys
import threading

from symcrete.own_process import take_hash_seed

TYPE_CHECKING = False  # that of `typing`
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> NoReturn:
    """Run the command and end this process."""
    take_hash_seed()
    from symcrete.cli import main  # in the process that will be the command

    code = main()
    if _nothing_is_left():
        # What modules want done at the end is done. Taking the interpreter apart takes longer than
        # a tenth of a small command, and nobody sees it.
        atexit._run_exitfuncs()
        os._exit(code)
    sys.exit(code)


def _nothing_is_left() -> bool:
    """Whether all is said, no thread is at work and nobody watches this process from inside."""
    if threading.active_count() > 1 or sys.getprofile() is not None or sys.gettrace() is not None:
        return False
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):  # closed, or its disk is full: Python tells it
        return False
    return True


if __name__ == "__main__":
    run()
