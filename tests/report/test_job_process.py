"""A process that is given a job and tells about it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from symcrete.report.job_process import telling

PROGRAM = """
import gc, json, os, sys, time
AT_IMPORT = gc.isenabled()
def main():
    job = json.loads(sys.stdin.buffer.read())
    told = {"asked": job["asked"], "pid": os.getpid(), "mood": os.environ["MOOD"], "cwd": os.getcwd()}
    told["collects"] = [AT_IMPORT, gc.isenabled()]
    os.write(job["channel"], json.dumps(told).encode() + b"\\n")
    time.sleep(1000)
"""


def test_it_reads_its_job_tells_and_is_ended(tmp_path: Path) -> None:
    (tmp_path / "teller.py").write_text(PROGRAM)
    here = {**os.environ, "PYTHONPATH": str(tmp_path), "MOOD": "fine"}

    with (
        telling("teller", {"asked": [1, 2]}, here, str(tmp_path)) as channel,
        os.fdopen(channel, closefd=False) as lines,
    ):
        told = json.loads(lines.readline())

    assert (told["asked"], told["mood"]) == ([1, 2], "fine")
    assert os.path.samefile(told["cwd"], tmp_path)
    assert told["collects"] == [False, True]  # garbage is looked for after the imports
    assert not Path(f"/proc/{told['pid']}").exists()
