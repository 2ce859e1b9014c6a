"""A small world outside a confined process, and what has changed in it."""

import contextlib
import fcntl
import json
import os
import pathlib
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from types import SimpleNamespace
from typing import Any

NOBODY = 65534
HERE = os.path.dirname(os.path.abspath(__file__))
MARK = "SYMCRETE_TRIED"


class World:
    """A folder, a process and sockets; `changes` says in words what is not as it was."""

    def __init__(self, user: int) -> None:
        # Not below pytest's folders, into which only their owner may look.
        top = pathlib.Path(tempfile.mkdtemp(prefix="symcrete-world-"))
        top.chmod(0o755)
        self._top = top
        self.user = user
        self.token = f"symcrete-test-{os.getpid()}-{user}"
        self.key = (os.getpid() << 8 | user & 0xFF) & 0x7FFFFFFF
        self.out, self.work = str(top / "out"), str(top / "work")
        os.mkdir(self.work)
        self.victim: int | None = None
        self._pipe, self._pipe_there = os.pipe()
        os.set_blocking(self._pipe, False)
        self._closing = contextlib.ExitStack()
        self._sockets(top)
        self.rebuild()

    def _sockets(self, top: pathlib.Path) -> None:
        self.unix_stream, self.unix_datagram = str(top / "stream"), str(top / "datagram")
        self.unix_abstract = f"\0{self.token}"
        unix = socket.AF_UNIX
        listening: dict[str, tuple[int, int, Any]] = {
            "tcp": (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "udp": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "unix stream": (unix, socket.SOCK_STREAM, self.unix_stream),
            "unix datagram": (unix, socket.SOCK_DGRAM, self.unix_datagram),
            "unix abstract": (unix, socket.SOCK_STREAM, self.unix_abstract),
        }
        self.sockets = {}
        for name, (family, kind, address) in listening.items():
            self.sockets[name] = s = self._closing.enter_context(socket.socket(family, kind))
            s.bind(address)
            s.setblocking(False)
            if kind == socket.SOCK_STREAM:
                s.listen()
        os.chmod(self.unix_stream, 0o777)
        os.chmod(self.unix_datagram, 0o777)
        self.tcp = self.sockets["tcp"].getsockname()[1]
        self.udp = self.sockets["udp"].getsockname()[1]

    def facts(self) -> SimpleNamespace:
        names = "out work victim tcp udp unix_stream unix_datagram unix_abstract token key user"
        return SimpleNamespace(**{name: getattr(self, name) for name in names.split()})

    def rebuild(self) -> None:
        """Make everything as it was at first."""
        shutil.rmtree(self.out, ignore_errors=True)
        shutil.rmtree(self.work, ignore_errors=True)
        for name in ("", "/folder", "/empty"):
            os.mkdir(self.out + name, 0o700)
        os.mkdir(self.work, 0o700)
        for name in ("file", "m.py", "folder/inner"):
            pathlib.Path(self.out, name).write_text("x = 1\n")
            os.chmod(f"{self.out}/{name}", 0o600)
        os.setxattr(f"{self.out}/file", "user.there", b"1")
        os.symlink("file", f"{self.out}/link")
        for path in [self.work, self.out, *map(str, pathlib.Path(self.out).rglob("*"))]:
            os.lchown(path, self.user, -1)
        with contextlib.suppress(OSError):
            os.unlink(f"/dev/shm/{self.token}")
        for kind in ("shm", "sem", "msg"):
            for line in self._ipc(kind):
                subprocess.run(["ipcrm", {"shm": "-m", "sem": "-s", "msg": "-q"}[kind], line[1]])
        self._stop_victim()
        self.victim = self._start_victim()
        self.before = self.state()

    def _start_victim(self) -> int:
        self._process = subprocess.Popen(
            ["sleep", "1000"],
            stdout=self._pipe_there,
            start_new_session=True,
            user=self.user if self.user != os.getuid() else None,
        )
        return self._process.pid

    def _stop_victim(self) -> None:
        if self.victim is not None:
            self._process.kill()
            self._process.wait()

    def close(self) -> None:
        self._stop_victim()
        self._closing.close()
        os.close(self._pipe)
        os.close(self._pipe_there)
        shutil.rmtree(self._top)

    def state(self) -> dict:
        found: dict[str, Any] = {path: _entry(path) for path in [self.out, *self._below(self.out)]}
        found |= {f"the process's {k}": v for k, v in self._victim_state().items()}
        found |= {f"ipc {kind}": self._ipc(kind) for kind in ("shm", "sem", "msg")}
        found["/dev/shm"] = os.path.exists(f"/dev/shm/{self.token}")
        found["host name"] = os.uname().nodename
        found["mounts"] = self.out in pathlib.Path("/proc/self/mounts").read_text()
        return found

    def changes(self) -> list[str]:
        after = self.state()
        names = [n for n in {**self.before, **after} if self.before.get(n) != after.get(n)]
        told = [f"{n}: {self.before.get(n)} -> {after.get(n)}" for n in names]
        told += [f"something came to {name}" for name, s in self.sockets.items() if _heard(s)]
        with contextlib.suppress(BlockingIOError):
            told.append(f"the process's pipe got {os.read(self._pipe, 100)!r}")
        if abs(_clock_offset() - _CLOCK_OFFSET) > 5:
            told.append("the clock was set")
        return told

    def changes_within(self, seconds: float) -> list[str]:
        """The first that show: a signal takes a moment to arrive."""
        until = time.monotonic() + seconds
        while not (told := self.changes()) and time.monotonic() < until:
            time.sleep(0.01)
        return told

    def _below(self, top: str) -> list[str]:
        found = []
        for folder, folders, files in os.walk(top):
            found += [os.path.join(folder, name) for name in (*folders, *files)]
        return found

    def _victim_state(self) -> dict:
        pid = self._process.pid
        if self._process.poll() is not None:
            return {"life": "over"}
        status = dict(
            line.split(":\t", 1)
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
            if ":\t" in line
        )
        return {
            "life": "stopped" if status["State"][0] in "Tt" else "running",
            "tracer": status["TracerPid"],
            "priority": os.getpriority(os.PRIO_PROCESS, pid),
            "processors": os.sched_getaffinity(pid),
            "scheduler": os.sched_getscheduler(pid),
            "limits": pathlib.Path(f"/proc/{pid}/limits").read_text(),
            "dumps": pathlib.Path(f"/proc/{pid}/coredump_filter").read_text(),
        }

    def _ipc(self, kind: str) -> list[list[str]]:
        lines = pathlib.Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
        return [line.split()[:2] for line in lines if line.split()[0] == str(self.key)]


def _entry(path: str) -> tuple:
    found = os.lstat(path)
    facts = (found.st_mode, found.st_uid, found.st_gid, found.st_mtime_ns, found.st_nlink)
    if os.path.islink(path):
        return (*facts, os.readlink(path))
    attributes = {name: os.getxattr(path, name) for name in os.listxattr(path)}
    content = pathlib.Path(path).read_bytes() if os.path.isfile(path) else None
    flags = _flags(path) if os.path.isfile(path) or os.path.isdir(path) else None
    return (*facts, str(attributes), content, flags)


def _flags(path: str) -> bytes | None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return fcntl.ioctl(descriptor, 0x80086601, bytes(8))
    except OSError:  # not every file system has them
        return None
    finally:
        os.close(descriptor)


def _heard(s: socket.socket) -> bool:
    try:
        if s.type == socket.SOCK_STREAM:
            s.accept()[0].close()
        else:
            s.recv(100)
    except BlockingIOError:
        return False
    return True


def _clock_offset() -> float:
    return time.time() - time.monotonic()


_CLOCK_OFFSET = _clock_offset()


class Trial:
    """A child that tries what it is told to, one attempt at a time."""

    def __init__(self, world: World, *, confined: bool) -> None:
        self._process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "trial.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, MARK: world.token, "PYTHONPATH": os.pathsep.join(sys.path)},
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders, self._answers = self._process.stdin, self._process.stdout
        self._say({"facts": vars(world.facts()), "confined": confined})
        self.protection = self._hear()

    def attempt(self, name: str, world: World) -> str:
        """What became of it, in words."""
        self._say({"try": name, "facts": vars(world.facts())})
        return self._hear()

    def children(self) -> list[str]:
        pid = self._process.pid
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return text.split()

    def close(self) -> int:
        self._orders.close()
        self._answers.close()
        try:
            return self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _say(self, message: dict) -> None:
        self._orders.write(json.dumps(message) + "\n")
        self._orders.flush()

    def _hear(self) -> str:
        ready, _, _ = select.select([self._answers], [], [], 10)
        if not ready:
            self._process.kill()
            return "still at it after 10 s"
        line = self._answers.readline()
        return json.loads(line) if line else "the process ended"
