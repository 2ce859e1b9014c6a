"""What workers run in the tests of this folder: one function for each way a job can go."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time

from symcrete.sandbox import audit
from symcrete.sandbox.worker import Link


def echo(job, link: Link):
    link.send("echo", job=job)


def ends_by(job, link: Link):
    """Does what the job names, unless an earlier worker ended over it."""
    ways = {
        "segfault": lambda: ctypes.string_at(0),
        "exit": lambda: os._exit(7),
        "sys.exit": lambda: sys.exit(3),
        "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "abort": os.abort,
        "loop": spin,
        "sleep": lambda: time.sleep(1e9),
        "cut": lambda: os.close(job["descriptor"]),
    }
    blamed = [after["doing"]["way"] for after in job.get("after", [])]
    for way in job["ways"]:
        if way not in blamed:
            link.doing(job.get("limit", 60.0), way=way)
            ways[way]()
    link.send("survived", blamed=blamed)


def spin():
    while True:
        pass


def at_once(job, link: Link):
    os._exit(9)


def lie(job, link: Link):
    """Writes rubbish to every descriptor it can find, then says a true word."""
    for descriptor in range(3, 1200):
        try:
            os.write(descriptor, b"rubbish \xff {}\n" + b"[" * 100_000 + b"\nx" + b"\n")
        except OSError:
            continue
    link.send("worker-died", signal="SIGFAKE")
    link.send("truth", value=1)


def close_everything(job, link: Link):
    os.closerange(3, 4096)
    link.send("still here")


def flood(job, link: Link):
    for _ in range(1000):
        print("x" * 10_000)
    print("the end")
    os.write(2, b"error\n" * 100_000)


def read_stdin(job, link: Link):
    try:
        input("name? ")
    except EOFError:
        link.send("eof", rest=sys.stdin.read())


def leave_threads(job, link: Link):
    for _ in range(3):
        threading.Thread(target=time.sleep, args=(1e9,)).start()
    link.send("started")


def leave_processes(job, link: Link):
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=subprocess.DEVNULL)
    link.send("child", pid=child.pid)


def native(job, link: Link):
    """Effects through the C library, which no audit event announces."""
    libc = ctypes.CDLL(None)
    results = {}
    for name, arguments in job["calls"]:
        audit.reset()
        values = [a.encode() if isinstance(a, str) else a for a in arguments]
        results[name] = [getattr(libc, name)(*values), [str(b) for b in audit.blocked()]]
    link.send("native", results=results)


def speak(job, link: Link):
    for i in range(job["count"]):
        link.send("word", i=i)


def protect(job, link: Link):
    link.send("protection", lines=link.protection.lines(), work=link.work)


def slow_start(job, link: Link):
    link.doing(0.3, way="waiting for the driver")
    for i in range(20):
        link.send("word", i=i)
    link.doing(60, way="done")
