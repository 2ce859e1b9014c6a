"""An interpreter that believes it is on another machine tells nothing of this one."""

import os
import socket
import subprocess
import sys

from symcrete.run.untouched.another_machine import HOST, USER

SHOWN = """
from symcrete.run.untouched.another_machine import pretend_another_machine
pretend_another_machine()
import getpass, os, platform, pwd, site, socket, sys
print(socket.gethostname(), os.uname().nodename, platform.node())
print(pwd.getpwuid(os.getuid()).pw_name, site.getuserbase(), sys.executable)
counts = {os.cpu_count(), len(os.sched_getaffinity(0))}
print(counts | {getattr(os, "process_cpu_count", os.cpu_count)()})
"""


def test_host_user_interpreter_and_processors_are_others() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SHOWN],
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    hosts, user, processors = done.stdout.splitlines()
    assert hosts == f"{HOST} {HOST} {HOST}"
    assert user == f"{USER} /home/{USER}/.local /home/{USER}/bin/python3"
    assert processors == "{3}"
    assert socket.gethostname() != HOST
