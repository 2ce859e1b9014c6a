"""A process that confines itself and then tries attempts by name, until its input ends."""

import json
import os
import signal
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

from tests.sandbox import attempts

from symcrete.sandbox.walls.confine import confine


def main() -> None:
    orders, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    setup = json.loads(orders.readline())
    there = SimpleNamespace(**setup["facts"])
    # Imported now: somebody without rights may not be able to read the installation.
    __import__("py_compile")
    __import__("encodings.idna")
    threading.Timer(300, os._exit, (1,)).cancel()
    if there.user != os.getuid():
        os.setgroups([])
        os.setgid(there.user)
        os.setuid(there.user)
    os.chdir(there.work)
    os.environ["TMPDIR"] = there.work
    said = confine(there.work).lines() if setup["confined"] else []
    print(json.dumps(said), file=answers, flush=True)
    for order in map(json.loads, orders):
        there = SimpleNamespace(**order["facts"])
        result = trial(attempts.ALL[order["try"]], there)
        print(json.dumps(result), file=answers, flush=True)


def trial(attempt, there) -> str:
    """The result in words; whatever happens, the next attempt can be made."""
    first = os.getpid()
    signal.alarm(0)
    try:
        attempt(there)
    except BaseException as error:
        if os.getpid() != first:
            os._exit(1)
        return f"{type(error).__name__}: {error}"
    return "went through"


sys.path.insert(0, str(Path(__file__).parents[2]))
if __name__ == "__main__":
    main()
