"""An interpreter of its own that is given a job and tells, line by line, what becomes of it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from symcrete.folders import IMPORT_ROOT


@contextlib.contextmanager
def telling(
    module: str, job: Mapping[str, Any], environment: Mapping[str, str], folder: str | None = None
) -> Iterator[int]:
    """A context with the descriptor on which a new interpreter tells about the job: it calls
    `main()` of the module, which reads the job as JSON from its standard input. On leaving, the
    process and all that it started are ended.
    """
    code = (
        # Importing leaves no garbage, and looking for it takes a fifth of the time.
        "import gc, sys\ngc.disable()\n"
        f"if {IMPORT_ROOT!r} not in sys.path: sys.path.append({IMPORT_ROOT!r})\n"
        f"from {module} import main\ngc.freeze()\ngc.enable()\nmain()"
    )
    channel, theirs = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(theirs,),
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=folder,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        assert process.stdin is not None
        with contextlib.suppress(OSError):
            process.stdin.write(json.dumps({**job, "channel": theirs}).encode())
            process.stdin.close()
        yield channel
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(channel)
