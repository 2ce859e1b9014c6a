"""A zygote says how its forks ended, and learns only modules of ours."""

import json
import os
import socket
import subprocess
import sys

import pytest

from symcrete.codec import decoded, tagged
from symcrete.sandbox.messages.forking import Learn, Reap, Reaped, Taught
from symcrete.sandbox.worker import zygote

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are used on Linux only")


def test_a_zygote_answers_and_ends_with_its_driver() -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    number = theirs.fileno()
    code = f"from {zygote.__name__} import main; main({number}, 'symcrete.sandbox.worker.learned')"
    process = subprocess.Popen([sys.executable, "-c", code], pass_fds=(number,))
    theirs.close()
    ours.settimeout(30)

    asked = Learn(("os.path", "symcrete.search.strategies.auto"))
    ours.send(json.dumps(tagged(asked)).encode())
    taught = decoded(Taught, json.loads(ours.recv(1 << 16)))
    ours.send(json.dumps(tagged(Reap(os.getpid()))).encode())
    no_child = decoded(Reaped, json.loads(ours.recv(1 << 16)))
    ours.close()

    assert taught == Taught()
    assert no_child == Reaped(None)
    assert process.wait(10) == 0
