"""Ways to change the world outside: tried in a confined process, and for control in a free one.

Each takes a `there`, which names what is outside: a folder `out` with files, a process, sockets
that somebody listens on. FREE ones are also tried without confinement, where they must succeed:
otherwise their failing in a confined process would prove nothing.
"""

import _posixsubprocess
import asyncio
import ctypes
import dbm.dumb
import fcntl
import gzip
import http.client
import logging
import logging.handlers
import mmap
import multiprocessing.connection
import multiprocessing.shared_memory
import os
import pathlib
import pty
import resource
import shelve
import shutil
import signal
import smtplib
import socket
import sqlite3
import struct
import subprocess
import tempfile
import urllib.request
import zipfile

from symcrete.sandbox.walls import kernel

LIBC = ctypes.CDLL(None, use_errno=True)
AT = -100  # the current folder
FREE: dict = {}
PRIVILEGED: dict = {}  # succeed without confinement for root only
RISKY: dict = {}  # never tried without confinement: must fail

CREATE = os.O_WRONLY | os.O_CREAT


def c(name, *arguments):
    """A function of the C library, called as a C extension would."""
    words = [a.encode() if isinstance(a, str) else a for a in arguments]
    result = getattr(LIBC, name)(*words)
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def raw(name, *arguments):
    """A system call by its number."""
    words = [a.encode() if isinstance(a, str) else a for a in arguments]
    return kernel.call(name, *[w & (2**64 - 1) if isinstance(w, int) else w for w in words])


def within(path, flags=os.O_RDONLY):
    return os.open(path, flags)


def written(path, mode="w"):
    with open(path, mode) as file:
        file.write("changed")


def write_new_through_rename(t):
    written(f"{t.work}/new")
    os.rename(f"{t.work}/new", f"{t.out}/new")


def write_through_link(t):
    os.symlink(f"{t.out}/file", f"{t.work}/link-out")
    written(f"{t.work}/link-out")


def write_through_hard_link(t):
    os.link(f"{t.out}/file", f"{t.work}/hard")
    written(f"{t.work}/hard")


def write_temporary_then_name_it(t):
    descriptor = os.open(t.out, os.O_TMPFILE | os.O_WRONLY)
    c("linkat", AT, f"/proc/self/fd/{descriptor}", AT, f"{t.out}/named", 0x400)


def write_by_map(t):
    with open(f"{t.out}/file", "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[0:1] = b"X"


def open_with_new_call(t):
    how = struct.pack("<QQQ", CREATE, 0o666, 0)
    raw("openat2", AT, f"{t.out}/new", how, len(how))


def write_to_database(t):
    connection = sqlite3.connect(f"{t.out}/new.db")
    connection.execute("create table t (a)")
    connection.close()


def write_archive(t):
    with zipfile.ZipFile(f"{t.out}/new.zip", "w") as archive:
        archive.writestr("a", "b")


def write_shelf(t):
    with shelve.Shelf(dbm.dumb.open(f"{t.out}/shelf")) as shelf:  # type: ignore[var-annotated]
        shelf["a"] = 1


def log_to_file(t):
    logging.FileHandler(f"{t.out}/log").close()


def attribute_flags(t):
    fcntl.ioctl(within(f"{t.out}/file"), 0x40086602, struct.pack("l", 0x40))  # no dump


def utimes(t):
    c("utimes", f"{t.out}/file", struct.pack("4l", 1, 0, 1, 0))


def fopen(t):
    LIBC.fopen.restype = ctypes.c_void_p
    if not LIBC.fopen(f"{t.out}/new".encode(), b"w"):
        raise OSError(ctypes.get_errno(), "fopen")


FREE |= {
    "open w": lambda t: written(f"{t.out}/new"),
    "open a": lambda t: written(f"{t.out}/file", "a"),
    "open r+": lambda t: written(f"{t.out}/file", "r+"),
    "open x": lambda t: written(f"{t.out}/new", "x"),
    "open through a link": write_through_link,
    "open through a hard link": write_through_hard_link,
    "os.open O_CREAT": lambda t: os.open(f"{t.out}/new", os.O_CREAT | os.O_RDONLY),
    "os.open O_TRUNC": lambda t: os.open(f"{t.out}/file", os.O_RDONLY | os.O_TRUNC),
    "os.open dir_fd": lambda t: os.open("new", CREATE, dir_fd=within(t.out)),
    "os.open O_TMPFILE": write_temporary_then_name_it,
    "pathlib write_text": lambda t: pathlib.Path(t.out, "new").write_text("x"),
    "pathlib touch": lambda t: pathlib.Path(t.out, "file").touch(),
    "mmap": write_by_map,
    "os.remove": lambda t: os.remove(f"{t.out}/file"),
    "os.unlink dir_fd": lambda t: os.unlink("file", dir_fd=within(t.out)),
    "os.rmdir": lambda t: os.rmdir(f"{t.out}/empty"),
    "shutil.rmtree": lambda t: shutil.rmtree(f"{t.out}/folder"),
    "os.rename outside": lambda t: os.rename(f"{t.out}/file", f"{t.out}/renamed"),
    "os.rename into the work folder": lambda t: os.rename(f"{t.out}/file", f"{t.work}/taken"),
    "os.rename out of the work folder": write_new_through_rename,
    "os.replace": lambda t: os.replace(f"{t.out}/file", f"{t.out}/folder/inner"),
    "shutil.move": lambda t: shutil.move(f"{t.out}/folder", f"{t.out}/moved"),
    "shutil.copy": lambda t: shutil.copy(f"{t.out}/file", f"{t.out}/copy"),
    "os.mkdir": lambda t: os.mkdir(f"{t.out}/new"),
    "os.makedirs": lambda t: os.makedirs(f"{t.out}/a/b/c"),
    "os.mkdir dir_fd": lambda t: os.mkdir("new", dir_fd=within(t.out)),
    "os.link outside": lambda t: os.link(f"{t.out}/file", f"{t.out}/second"),
    "os.symlink": lambda t: os.symlink("anything", f"{t.out}/new"),
    "os.truncate": lambda t: os.truncate(f"{t.out}/file", 1),
    "os.mkfifo": lambda t: os.mkfifo(f"{t.out}/new"),
    "os.mknod": lambda t: os.mknod(f"{t.out}/new"),
    "os.chmod": lambda t: os.chmod(f"{t.out}/file", 0o777),
    "os.fchmod": lambda t: os.fchmod(within(f"{t.out}/file"), 0o777),
    "os.chmod of a folder": lambda t: os.chmod(f"{t.out}/folder", 0o755),
    "os.utime": lambda t: os.utime(f"{t.out}/file", (1, 1)),
    "os.utime of a descriptor": lambda t: os.utime(within(f"{t.out}/file"), (1, 1)),
    "os.setxattr": lambda t: os.setxattr(f"{t.out}/file", "user.a", b"b"),
    "os.setxattr of a descriptor": lambda t: os.setxattr(within(f"{t.out}/file"), "user.a", b"b"),
    "os.removexattr": lambda t: os.removexattr(f"{t.out}/file", "user.there"),
    "attribute flags": attribute_flags,
    "sqlite3": write_to_database,
    "zipfile": write_archive,
    "gzip": lambda t: gzip.open(f"{t.out}/new.gz", "w").close(),
    "shelve": write_shelf,
    "logging": log_to_file,
    "tempfile": lambda t: tempfile.mkstemp(dir=t.out),
    "bytecode": lambda t: __import__("py_compile").compile(f"{t.out}/m.py", doraise=True),
    "/proc of another process": lambda t: pathlib.Path(
        f"/proc/{t.victim}/coredump_filter"
    ).write_text("0x1"),
    "a pipe of another process": lambda t: written(f"/proc/{t.victim}/fd/1"),
    "C unlink": lambda t: c("unlink", f"{t.out}/file"),
    "C remove": lambda t: c("remove", f"{t.out}/file"),
    "C rmdir": lambda t: c("rmdir", f"{t.out}/empty"),
    "C rename": lambda t: c("rename", f"{t.out}/file", f"{t.out}/new"),
    "C mkdir": lambda t: c("mkdir", f"{t.out}/new", 0o777),
    "C symlink": lambda t: c("symlink", "x", f"{t.out}/new"),
    "C link": lambda t: c("link", f"{t.out}/file", f"{t.out}/new"),
    "C truncate": lambda t: c("truncate", f"{t.out}/file", 0),
    "C chmod": lambda t: c("chmod", f"{t.out}/file", 0o777),
    "C mkfifo": lambda t: c("mkfifo", f"{t.out}/new", 0o666),
    "C utimes": utimes,
    "C setxattr": lambda t: c("setxattr", f"{t.out}/file", "user.a", b"b", 1, 0),
    "C creat": lambda t: c("creat", f"{t.out}/new", 0o666),
    "C fopen": fopen,
    "call unlinkat": lambda t: raw("unlinkat", AT, f"{t.out}/file", 0),
    "call openat": lambda t: raw("openat", AT, f"{t.out}/new", CREATE, 0o666),
    "call openat2": open_with_new_call,
    "call renameat2": lambda t: raw("renameat2", AT, f"{t.out}/file", AT, f"{t.out}/empty2", 0),
    "call mkdirat": lambda t: raw("mkdirat", AT, f"{t.out}/new", 0o777),
    "call linkat": lambda t: raw("linkat", AT, f"{t.out}/file", AT, f"{t.out}/new", 0),
    "call symlinkat": lambda t: raw("symlinkat", "x", AT, f"{t.out}/new"),
    "call mknodat": lambda t: raw("mknodat", AT, f"{t.out}/new", 0o100666, 0),
    "call fchmodat": lambda t: raw("fchmodat", AT, f"{t.out}/file", 0o777),
    "call utimensat": lambda t: raw("utimensat", AT, f"{t.out}/file", None, 0),
}
PRIVILEGED |= {
    "os.chown": lambda t: os.chown(f"{t.out}/file", 1234, -1),
    "os.lchown": lambda t: os.lchown(f"{t.out}/link", 1234, -1),
    "os.fchown": lambda t: os.fchown(within(f"{t.out}/file"), 1234, -1),
    "C chown": lambda t: c("chown", f"{t.out}/file", 1234, -1),
    "device node outside": lambda t: os.mknod(f"{t.out}/zero", 0o20666, os.makedev(1, 5)),
    "call fchownat": lambda t: raw("fchownat", AT, f"{t.out}/file", 1234, 2**32 - 1, 0),
    "trusted attribute": lambda t: os.setxattr(f"{t.out}/file", "trusted.a", b"b"),
}
RISKY |= {
    "device node in the work folder": lambda t: os.mknod(
        f"{t.work}/sda", 0o60666, os.makedev(8, 0)
    ),
    "call fchmodat2": lambda t: raw("fchmodat2", AT, f"{t.out}/file", 0o777, 0),
    "call setxattrat": lambda t: raw("setxattrat", AT, f"{t.out}/file", 0, "user.a", None, 0),
    "call file_setattr": lambda t: raw("file_setattr", AT, f"{t.out}/file", None, 0, 0),
    "call open_by_handle_at": lambda t: raw("open_by_handle_at", AT, None, 0),
    "call io_uring_setup": lambda t: raw("io_uring_setup", 1, ctypes.create_string_buffer(120)),
    "a system setting": lambda t: written("/proc/sys/kernel/printk_delay"),
    "the terminal": lambda t: written("/dev/tty"),
    "a disk": lambda t: os.open("/dev/vda", os.O_RDWR),
    "a new terminal": lambda t: os.open("/dev/ptmx", os.O_RDWR),
}


# -- processes


def fork_and_write(t, fork):
    pid = fork()
    if pid == 0:
        written(f"{t.out}/by-child")
        os._exit(0)
    os.waitpid(pid, 0)


def spawn_below_subprocess(t):
    """What subprocess itself uses, without its audit event."""
    read, write = os.pipe()
    arguments = [[*TOUCH, f"{t.out}/new"], [os.fsencode(TOUCH[0])], True, (write,), None, None]
    streams = [-1] * 6
    rest = [read, write, False, False, -1, None, None, None, -1, None, True]
    os.waitpid(_posixsubprocess.fork_exec(*arguments, *streams, *rest), 0)


def with_process(t):
    process = multiprocessing.get_context("fork").Process(target=written, args=(f"{t.out}/new",))
    process.start()
    process.join()


TOUCH = ["/usr/bin/touch"]
FREE |= {
    "subprocess.run": lambda t: subprocess.run([*TOUCH, f"{t.out}/new"]),
    "subprocess.run shell": lambda t: subprocess.run(f"touch {t.out}/new", shell=True),
    "os.system": lambda t: os.system(f"touch {t.out}/new"),
    "os.popen": lambda t: os.popen(f"touch {t.out}/new").close(),
    "os.posix_spawn": lambda t: os.waitpid(
        os.posix_spawn(TOUCH[0], [*TOUCH, f"{t.out}/new"], os.environ), 0
    ),
    "os.spawnv": lambda t: os.spawnv(os.P_WAIT, TOUCH[0], [*TOUCH, f"{t.out}/new"]),
    "os.fork": lambda t: fork_and_write(t, os.fork),
    "pty.fork": lambda t: fork_and_write(t, lambda: pty.fork()[0]),
    "multiprocessing": with_process,
    "_posixsubprocess": spawn_below_subprocess,
    "C fork": lambda t: fork_and_write(t, lambda: c("fork")),
    "C system": lambda t: c("system", f"touch {t.out}/new"),
    "call clone": lambda t: fork_and_write(t, lambda: raw("clone", 17, 0, 0, 0, 0)),
}
RISKY |= {
    "os.execv": lambda t: os.execv(TOUCH[0], [*TOUCH, f"{t.out}/new"]),
    "C execl": lambda t: c("execl", TOUCH[0], TOUCH[0], f"{t.out}/new", None),
    "call execveat": lambda t: raw("execveat", AT, TOUCH[0], None, None, 0),
    "os.setsid": lambda t: os.setsid(),
    "os.setpgid": lambda t: os.setpgid(0, 0),
    "call clone3": lambda t: raw("clone3", bytes(88), 88),
}


# -- signals


def signal_through_pipe(t):
    read, write = os.pipe()
    fcntl.fcntl(read, fcntl.F_SETOWN, t.victim)
    fcntl.fcntl(read, 10, signal.SIGTERM)  # F_SETSIG
    fcntl.fcntl(read, fcntl.F_SETFL, fcntl.fcntl(read, fcntl.F_GETFL) | os.O_ASYNC)
    os.write(write, b"x")


FREE |= {
    "os.kill": lambda t: os.kill(t.victim, signal.SIGKILL),
    "os.kill stop": lambda t: os.kill(t.victim, signal.SIGSTOP),
    "os.killpg": lambda t: os.killpg(t.victim, signal.SIGTERM),
    "os.kill of a group": lambda t: os.kill(-t.victim, signal.SIGTERM),
    "signal.pidfd_send_signal": lambda t: signal.pidfd_send_signal(
        os.pidfd_open(t.victim), signal.SIGTERM
    ),
    "a signal by a pipe's owner": signal_through_pipe,
    "C kill": lambda t: c("kill", t.victim, 15),
    "C sigqueue": lambda t: c("sigqueue", t.victim, 15, 0),
    "call kill": lambda t: raw("kill", t.victim, 15),
    "call tkill": lambda t: raw("tkill", t.victim, 15),
    "call tgkill": lambda t: raw("tgkill", t.victim, t.victim, 15),
}
RISKY |= {"a signal to everybody": lambda t: raw("kill", -1, 0)}


# -- network


def tcp(t):
    with socket.socket() as s:
        s.connect(("127.0.0.1", t.tcp))
        s.send(b"secret")


def udp(t):
    with socket.socket(type=socket.SOCK_DGRAM) as s:
        s.sendto(b"secret", ("127.0.0.1", t.udp))


def unix(t, address, kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_UNIX, kind) as s:
        s.connect(address)
        s.send(b"secret")


def unix_from_pair(t):
    one, other = socket.socketpair(type=socket.SOCK_DGRAM)
    with one, other:
        one.sendto(b"secret", t.unix_datagram)


def http_request(t):
    connection = http.client.HTTPConnection("127.0.0.1", t.tcp, timeout=0.1)
    try:
        connection.request("GET", "/")
    finally:
        connection.close()


def c_connect(t):
    descriptor = c("socket", socket.AF_INET, socket.SOCK_STREAM, 0)
    address = (
        struct.pack("<H", socket.AF_INET) + struct.pack(">H", t.tcp) + b"\x7f\0\0\1" + bytes(8)
    )
    c("connect", descriptor, address, len(address))


def log_by_udp(t):
    handler = logging.handlers.SysLogHandler(("127.0.0.1", t.udp))
    handler.handleError = lambda record: None
    handler.emit(logging.makeLogRecord({"msg": "secret"}))
    handler.close()


def mail(t):
    smtplib.SMTP("127.0.0.1", t.tcp, timeout=0.05)


def listen(t):
    with socket.create_server(("127.0.0.1", 0)):
        return


FREE |= {
    "tcp": tcp,
    "udp": udp,
    "unix stream": lambda t: unix(t, t.unix_stream),
    "unix datagram": lambda t: unix(t, t.unix_datagram, socket.SOCK_DGRAM),
    "unix abstract": lambda t: unix(t, t.unix_abstract),
    "unix datagram from a pair": unix_from_pair,
    "socket.create_connection": lambda t: socket.create_connection(("127.0.0.1", t.tcp)).close(),
    "asyncio.open_connection": lambda t: asyncio.run(asyncio.open_connection("127.0.0.1", t.tcp)),
    "urllib": lambda t: urllib.request.urlopen(f"http://127.0.0.1:{t.tcp}/", timeout=0.05),
    "http.client": http_request,
    "smtplib": mail,
    "multiprocessing.connection": lambda t: multiprocessing.connection.Client(
        t.unix_stream
    ).close(),
    "syslog by udp": log_by_udp,
    "C connect": c_connect,
}
RISKY |= {
    "listen": listen,
    "netlink": lambda t: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "raw packets": lambda t: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "call socket": lambda t: raw("socket", 2, 1, 0),
}


# -- memory shared with others, and what else outlives a process


def shared_memory(t):
    multiprocessing.shared_memory.SharedMemory(t.token, create=True, size=64)


FREE |= {
    "multiprocessing.shared_memory": shared_memory,
    "C shm_open": lambda t: c("shm_open", f"/{t.token}", os.O_CREAT | os.O_RDWR, 0o600),
    "/dev/shm": lambda t: written(f"/dev/shm/{t.token}"),
    "C shmget": lambda t: c("shmget", t.key, 4096, 0o1600),
    "C semget": lambda t: c("semget", t.key, 1, 0o1600),
    "C msgget": lambda t: c("msgget", t.key, 0o1600),
}
RISKY |= {
    "C mq_open": lambda t: raw("mq_open", t.token, os.O_CREAT | os.O_RDWR, 0o600, None),
    "call add_key": lambda t: raw("add_key", "user", t.token, "x", 1, 2**32 - 3),
}


# -- the system


FREE |= {
    "os.setpriority": lambda t: os.setpriority(os.PRIO_PROCESS, t.victim, 7),
    "os.sched_setaffinity": lambda t: os.sched_setaffinity(t.victim, {0}),
    "os.sched_setscheduler": lambda t: os.sched_setscheduler(
        t.victim, os.SCHED_BATCH, os.sched_param(0)
    ),
    "resource.prlimit": lambda t: resource.prlimit(t.victim, resource.RLIMIT_NOFILE, (64, 64)),
    "C setpriority": lambda t: c("setpriority", 0, t.victim, 9),
}
RISKY |= {
    "C ptrace": lambda t: c("ptrace", 0x4206, t.victim, 0, 0),
    "os.nice": lambda t: os.nice(1),
    "resource.setrlimit": lambda t: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)),
    "socket.sethostname": lambda t: socket.sethostname("changed"),
    "os.chroot": lambda t: os.chroot(t.work),
    "os.setuid": lambda t: os.setuid(os.getuid()),
    "os.setgroups": lambda t: os.setgroups([os.getgid()]),
    "mount": lambda t: raw("mount", "none", t.out, "tmpfs", 0, None),
    "umount": lambda t: raw("umount2", t.out, 0),
    "unshare": lambda t: raw("unshare", 0x10000000),
    "setns": lambda t: raw("setns", os.open("/proc/self/ns/net", os.O_RDONLY), 0),
    "pivot_root": lambda t: raw("pivot_root", t.out, t.out),
    "reboot": lambda t: raw("reboot", 0, 0, 0, None),
    "settimeofday": lambda t: raw("settimeofday", bytes(16), None),
    "clock_settime": lambda t: raw("clock_settime", 0, bytes(16)),
    "init_module": lambda t: raw("init_module", None, 0, ""),
    "kexec_load": lambda t: raw("kexec_load", 0, 0, None, 0),
    "swapon": lambda t: raw("swapon", f"{t.out}/file", 0),
    "acct": lambda t: raw("acct", f"{t.out}/file"),
    "bpf": lambda t: raw("bpf", 0, bytes(128), 128),
    "perf_event_open": lambda t: raw("perf_event_open", bytes(128), 0, -1 & 0xFFFFFFFF, 0, 0),
    "process_vm_writev": lambda t: raw("process_vm_writev", t.victim, None, 0, None, 0, 0),
    "pidfd_getfd": lambda t: raw("pidfd_getfd", os.pidfd_open(t.victim), 0, 0),
    "keyctl": lambda t: raw("keyctl", 0, 2**32 - 3, 1),
    "ioprio_set": lambda t: raw("ioprio_set", 1, t.victim, 3 << 13),
    "userfaultfd": lambda t: raw("userfaultfd", 1),
    "another filter": lambda t: raw("seccomp", 1, 0, None),
    "outlive the driver": lambda t: raw("prctl", 1, 0, 0, 0, 0),
}

ALL = {**FREE, **PRIVILEGED, **RISKY}
