"""What a worker does that holds a module: import it once, and fork a worker for each function.

It never calls the program after the import, so that every fork begins with the module's state as
the import left it. Forks share its channel, its board and its walls; there is one at a time. A fork
whose function cannot have changed anything explores the next one too.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import resource
from typing import NoReturn

from symcrete.clock import wall
from symcrete.errors import SymcreteError
from symcrete.explore import compose
from symcrete.explore.rewritten import ImportedProgram
from symcrete.sandbox.messages.doings import Importing, Waiting
from symcrete.sandbox.messages.ends import Finished
from symcrete.sandbox.messages.jobs import HoldModule
from symcrete.sandbox.messages.words import (
    OF_ANY_WORKER,
    OF_EXPLORING,
    TO_HOLDING,
    Alone,
    Bear,
    Born,
    Left,
    Stays,
    Unforkable,
)
from symcrete.sandbox.walls import audit, limits
from symcrete.sandbox.worker.exploring import EXPLORING_SLACK, explore_target
from symcrete.sandbox.worker.learned import Learned
from symcrete.sandbox.worker.worker import Link, flush_output, to_the_end
from symcrete.terms import term as terms

# functions that one fork explores: what it keeps of each (imports, caches) stays within bounds;
# chosen, not measured
MOST_IN_ONE_FORK = 100
# Few forks need these, and import them. Those that are not compiled yet the zygote imports: forks
# may not keep what they compile.
_LATER = ("symcrete.explore.reach.quest", "symcrete.solve.walk.terrain.polytope")
MOST_MEMORY = 256 << 20  # bytes that a fork may have used to explore another; chosen, not measured


def before_forks() -> None:
    """For the zygote: import what most functions need. Workers would do it one by one, and may not
    keep what they compile.
    """
    compose.bring_in()
    for name in _LATER:
        if not is_compiled(name):
            importlib.import_module(name)


def is_compiled(name: str) -> bool:
    """Whether a module can be imported without compiling it."""
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.origin is not None
    try:
        return os.stat(spec.cached or "").st_mtime >= os.stat(spec.origin).st_mtime
    except OSError:
        return False


def hold_module(job: HoldModule, link: Link) -> None:
    """The entry of a worker that holds a module: import it, then fork for each function ordered."""
    began = wall()
    link.doing(Importing(job.source.module), link.budget + EXPLORING_SLACK)
    imported = _imported(job)
    if imported is not None:
        compose.warmed(imported, job.first, job.options)
    for words in (OF_ANY_WORKER, OF_EXPLORING):
        words.warm()
    gc.freeze()  # collections in a fork then leave these pages shared
    spent = wall() - began  # of the first function's budget, as if it were alone
    orders = link.orders(TO_HOLDING)
    learned = Learned()
    former: int | None = None
    last = 0  # number of the order that was taken
    for order in orders:
        assert isinstance(order, Bear)
        if order.number == last:
            continue
        last = order.number
        link.doing(Waiting())
        if former is not None:
            os.waitpid(former, 0)
        heir = link.heir(order.budget - spent)
        former = _bear(order, heir, imported, learned)
        if former is None:
            while not isinstance(next(orders), Alone):
                pass  # the same order, which was sent twice
            explore_target(order.job, heir, imported)
            return
        link.catch_up()
        spent = 0.0


def _imported(job: HoldModule) -> ImportedProgram | None:
    """The program with its module imported; None if the import fails: then each fork tries it
    again, and tells why.
    """
    try:
        return compose.loaded(job.source, job.options, at_once=False)
    except SymcreteError:
        audit.reset()
        return None


def _bear(
    order: Bear, link: Link, imported: ImportedProgram | None, learned: Learned
) -> int | None:
    """Fork a worker and wait until it has ended. Gives its process number, which no other process
    can get yet; None if this process cannot fork, which the driver has then been told.
    """
    if len(os.listdir("/proc/self/task")) > 1:
        link.send(Unforkable("importing the module started threads"))
        return None
    parent = os.getpid()
    try:
        with audit.unwatched():
            pid = os.fork()
    except OSError as error:
        link.send(Unforkable(str(error.strerror)))
        return None
    if pid == 0:
        _be_worker(parent, order, link, imported, learned)
    link.send(Born(pid))
    # It is not reaped before the next order: until then no other process must get its number.
    ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert ended is not None
    code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
    names = learned.by_fork()
    link.send(Left(code, names))
    learned.follow(names)
    return pid


def _be_worker(
    parent: int, order: Bear, link: Link, imported: ImportedProgram | None, learned: Learned
) -> NoReturn:
    """In the fork: explore the function ordered, and others as long as nothing is left behind."""

    def work() -> None:
        here, job, number = link, order.job, order.number
        for _ in range(MOST_IN_ONE_FORK):
            if not explore_target(job, here, imported) or not _is_small():
                break
            terms.forget()
            following = _after(here, learned, number)
            if following is None:
                return
            job, number = following.job, following.number
            here = link.heir(following.budget)
            here.be_ready()
        learned.tell()

    limits.die_with(parent)
    link.be_ready()
    to_the_end(work, link.send)


def _after(link: Link, learned: Learned, done: int) -> Bear | None:
    """What to explore next in a fork that has done the order of this number; None if there is
    nothing more.
    """
    link.doing(Waiting())
    flush_output()
    link.send(Stays(learned.news()))
    link.send(Finished())
    for order in link.orders(TO_HOLDING):
        assert isinstance(order, Bear)
        if order.number != done:
            return order
    return None


def _is_small() -> bool:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < MOST_MEMORY  # from KiB
