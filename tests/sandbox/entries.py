"""What workers run in the tests of this folder: one function for each way a job can go."""

import ctypes
import gc
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

from symcrete.explore.findings import FoundInput, Spot, Status, TargetReport
from symcrete.run.use import Ending
from symcrete.sandbox.messages.doings import Exploring, Running
from symcrete.sandbox.messages.ends import Died
from symcrete.sandbox.messages.jobs import Explore, Reach
from symcrete.sandbox.messages.words import Begun, Found, Kept, Reported
from symcrete.sandbox.walls import audit
from symcrete.sandbox.worker.worker import Link


@dataclass(frozen=True, slots=True)
class Said:
    """Any message of the entries below."""

    name: str
    fields: dict[str, Any]


def said(name: str, /, **fields: Any) -> Said:
    return Said(name, fields)


LIBC = ctypes.CDLL(None, use_errno=True)


def echo(job, link: Link):
    link.send(said("echo", job={**job, "budget": link.budget}))


def spin():
    while True:
        pass


def swallow():
    while True:
        try:
            spin()
        except BaseException:
            continue


WAYS = {
    "segfault": lambda: ctypes.string_at(0),
    "exit": lambda: os._exit(7),
    "sys.exit": lambda: sys.exit(3),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "abort": os.abort,
    "loop": spin,
    "sleep": lambda: time.sleep(1e9),
    "swallow": swallow,
    "C sleep": lambda: LIBC.pause(),
}


def ends_by(job, link: Link):
    """Does what the job names, in turn, but for what an earlier worker ended over."""
    blamed = [after["doing"]["way"] for after in job.get("after", [])]
    for way in job["ways"]:
        if way not in blamed:
            link.doing(Running(way), job.get("limit", 60.0))
            WAYS[way]()
    link.send(said("survived", blamed=blamed))


def many_short_steps(job, link: Link):
    until = time.monotonic() + job["seconds"]
    while time.monotonic() < until:
        link.doing(Running("short"), 2.0)


def dies_at_once(job, link: Link):
    os._exit(9)


def lie(job, link: Link):
    """Writes rubbish to every descriptor it can find, then says a true word."""
    for descriptor in range(3, 1200):
        try:
            os.write(descriptor, b"rubbish \xff {}\n" + b"[" * 10_000 + b"\nx")
        except OSError:
            continue
    link.send(Died("SIGFAKE"))
    link.send(said("truth", value=1))


def close_everything(job, link: Link):
    os.closerange(3, 4096)
    link.send(said("still here"))


def close_and_wait(job, link: Link):
    os.closerange(3, 4096)
    time.sleep(1e9)


def flood(job, link: Link):
    for _ in range(1000):
        print("x" * 10_000)
    print("the end")
    os.write(2, b"error\n" * 100_000)


def read_stdin(job, link: Link):
    try:
        input("name? ")
    except EOFError:
        link.send(said("eof", rest=sys.stdin.read()))


def leave_threads(job, link: Link):
    for _ in range(3):
        threading.Thread(target=time.sleep, args=(1e9,)).start()
    link.send(said("started"))


def leave_processes(job, link: Link):
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=subprocess.DEVNULL)
    link.send(said("child", pid=child.pid))


def leave_fork(job, link: Link):
    with audit.unwatched():
        pid = os.fork()
    if pid == 0:
        time.sleep(1e9)
    link.send(said("child", pid=pid))


def say_pid(job, link: Link):
    link.send(said("worker", pid=os.getpid(), work=link.work))
    time.sleep(1e9)


def native(job, link: Link):
    """Effects through the C library, which no audit event announces."""
    found = []
    for name, *arguments in job["calls"]:
        audit.reset()
        values = [a.encode() if isinstance(a, str) else a for a in arguments]
        result = getattr(LIBC, name)(*values)
        error = os.strerror(ctypes.get_errno()) if result == -1 else None
        found.append([name, error, [str(b) for b in audit.blocked()]])
    link.send(said("native", found=found))


def native_in_work(job, link: Link):
    made = LIBC.mkdir(f"{link.work}/new".encode(), 0o777)
    os.chdir(link.work)
    opened = LIBC.creat(b"file", 0o666)
    link.send(said("native", made=made, opened=opened > 0, found=[str(b) for b in audit.blocked()]))


def words(job, link: Link):
    link.doing(Running("waiting for a slow driver"), 0.2)
    for i in range(job["count"]):
        link.send(said("word", i=i, padding="x" * job.get("padding", 0)))
    link.doing(Running("done"), 60)


def many_words(job, link: Link):
    for i in range(job["count"]):
        link.send(said("word", i=i))


def remove_a_file(job, link: Link):
    try:
        os.remove(job["path"])
    except OSError:
        link.send(said("blocked", found=[str(b) for b in audit.blocked()]))


def tell_everything(job, link: Link):
    told = {"cwd": os.getcwd(), "temporary": os.environ["TMPDIR"], "collects": gc.isenabled()}
    link.send(said("all", work=link.work, **told))


# -- workers that explore a program in their own way

FOUND = FoundInput(
    {"x": "8"},
    Ending.RETURNED,
    None,
    None,
    (Spot(2, 7, True, "x > 7", key="0+"),),
    "x > 7",
    sides=frozenset({"0+"}),
    claims=frozenset({2}),
)


def keeps_an_input(link: Link):
    link.send(Begun("function", False, guessed=True))
    link.doing(Exploring())
    link.send(Kept(FOUND, "{'x': 8}"))


def keeps_then_fails(job: Explore, link: Link):
    keeps_an_input(link)
    raise KeyError("a mistake of ours")


def keeps_then_hangs(job: Explore, link: Link):
    keeps_an_input(link)
    time.sleep(1e9)


def finds_what_its_seed_says(job: Explore, link: Link):
    """The first worker finds one side and takes long; a helper, which has another seed, finds the
    other, but only if it was told of the first.
    """
    link.send(Begun("function", False))
    link.doing(Exploring())
    if job.options.seed == 0:
        link.send(Kept(FOUND, "{'x': 8}"))
        time.sleep(2.5)
        link.send(Reported(TargetReport("prog.py::f", Status.BUDGET, inputs=(FOUND,))))
    elif job.starts == ("{'x': 8}",) and job.options.strategy != "auto":
        other = replace(FOUND, args={"x": "0"}, returned="0", covers=(), sides=frozenset({"0-"}))
        link.send(Kept(other, "{'x': 0}"))
        time.sleep(1e9)


def keeps_then_dies(job: Explore, link: Link):
    keeps_an_input(link)
    os._exit(3)


def claims_too_much(job: Explore, link: Link):
    """Says that an input takes a side which it does not take."""
    link.send(Begun("function", False))
    wrong = replace(FOUND, args={"x": "3"})
    link.send(Kept(wrong, "{'x': 3}"))
    report = TargetReport("prog.py::f", Status.COVERED, inputs=(wrong,))
    link.send(Reported(report))


def finds_many(job: Explore, link: Link):
    """Many paths, and then it hangs."""
    link.send(Begun("function", False))
    for x in range(300):
        link.send(Found(replace(FOUND, args={"x": str(x)}, covers=())))
    link.doing(Exploring())
    time.sleep(1e9)


def fails_to_answer(job: Reach, link: Link):
    raise KeyError("a mistake of ours")


def say_variable(job, link: Link):
    link.send(said("variable", text=os.environ.get(job["name"])))
