"""Put a broken solver into every process that a test starts with this folder on its path."""

import ctypes
import os
import signal
from typing import Any

from symcrete.solve import choose
from symcrete.solve.solver import Sat

FAULT = os.environ["SOLVER_FAULT"]
ordinary = choose.make_solver


class Broken:
    """Does its work but for the third query, on which it does what it is told to."""

    def __init__(self, solver: Any) -> None:
        self._solver = solver
        self.counts = solver.counts
        self._queries = 0

    def solve(self, constraint: Any, near: Any) -> Any:
        self._queries += 1
        if self._queries == 3:
            if FAULT == "hang":
                signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
                ctypes.PyDLL(None).pause()  # with the interpreter's lock held, as in a lock-up
            elif FAULT == "crash":
                signal.raise_signal(signal.SIGSEGV)
            elif FAULT == "lie":
                return Sat(dict(near))
        return self._solver.solve(constraint, near)


choose.make_solver = lambda *args, **keywords: Broken(ordinary(*args, **keywords))  # type: ignore[assignment]
