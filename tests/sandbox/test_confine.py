"""What stays possible in a confined process, what `--allow` gives back, what is said."""

import os
import sys

import pytest
from tests.sandbox.children import answer_of

if not sys.platform.startswith("linux"):
    pytest.skip("needs walls that only Linux offers", allow_module_level=True)

from symcrete.sandbox.walls import landlock
from symcrete.sandbox.walls.confine import Protection

if not landlock.abi():
    pytest.skip("needs a kernel with Landlock", allow_module_level=True)


def test_the_work_folder_and_reading_everywhere_stay_possible(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls.confine import confine
        confine(work)
        def work_here():
            os.mkdir(work + "/a"); open(work + "/a/b", "w").close()
            os.rename(work + "/a/b", work + "/c"); os.remove(work + "/c"); os.rmdir(work + "/a")
        answer([tried(work_here), tried(lambda: len(open("/etc/passwd").read()) > 0),
                tried(lambda: open("/dev/null", "w").write("x")), tried(lambda: os.listdir("/"))])
        """,
        tmp_path,
    )

    assert found == ["fine", True, 1, "fine"]


def test_threads_event_loops_and_pipes_work(tmp_path):
    found = answer_of(
        """
        import asyncio, concurrent.futures, signal, tempfile, faulthandler
        from symcrete.sandbox.walls.confine import confine
        confine(work)
        os.environ["TMPDIR"] = work
        async def later():
            await asyncio.sleep(0); return await asyncio.to_thread(lambda: 5)
        def pool():
            with concurrent.futures.ThreadPoolExecutor(3) as threads:
                return sum(threads.map(int, range(4)))
        def own_signal():
            signal.signal(signal.SIGUSR1, lambda *_: None)
            os.kill(os.getpid(), signal.SIGUSR1); signal.raise_signal(signal.SIGUSR1)
        def temporary():
            with tempfile.TemporaryFile() as file:
                return file.write(b"abc")
        answer([tried(lambda: asyncio.run(later())), tried(pool), tried(own_signal),
                tried(temporary)])
        """,
        tmp_path,
    )

    assert found == [5, 6, "fine", 3]


def test_a_solver_can_be_loaded_and_used_in_a_confined_process(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls.confine import confine
        confine(work, memory=4 << 30)
        def solve():
            import z3
            x = z3.Int("x"); s = z3.Solver(); s.add(x * x == 49, x > 0); s.check()
            return s.model()[x].as_long()
        answer(tried(solve))
        """,
        tmp_path,
    )

    assert found == 7


def test_an_allocation_over_the_cap_is_a_memory_error(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls.confine import confine
        said = confine(work, memory=2 << 30).lines()
        answer([tried(lambda: bytearray(100 << 30)), tried(lambda: len(bytearray(1 << 20))), said])
        """,
        tmp_path,
    )

    assert found[:2] == ["MemoryError", 1 << 20]
    assert "memory is capped at 2.0 GiB of address space" in found[2]


def test_a_file_in_the_work_folder_cannot_grow_without_end(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls.confine import confine
        confine(work, file_size=1 << 20)
        def grow():
            with open(work + "/big", "wb") as file:
                while True:
                    file.write(bytes(1 << 16)); file.flush()
        answer([tried(grow), os.path.getsize(work + "/big")])
        """,
        tmp_path,
    )

    assert found == ["OSError", 1 << 20]


def test_forks_are_confined_like_their_parent(tmp_path):
    found = answer_of(
        """
        import signal
        from symcrete.sandbox.walls.confine import confine
        confine(work, forks=True)
        def child(action):
            pid = os.fork()
            if pid == 0:
                os._exit(0 if tried(action) == "fine" else 1)
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        outside = os.path.dirname(work) + "/new"
        answer([child(lambda: open(outside, "w").close()),
                child(lambda: open(work + "/a", "w").close()),
                child(lambda: os.kill(os.getpid(), 9)), child(os.setsid),
                tried(lambda: os.execv("/bin/true", ["true"])),
                tried(lambda: os.kill(os.getppid(), 0))])
        """,
        tmp_path,
    )

    assert found == [1, 0, -9, 1, "PermissionError", "PermissionError"]


def test_the_tools_descriptors_can_be_neither_closed_nor_replaced(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls.confine import confine
        read, kept = os.pipe()
        os.dup2(kept, 900)
        confine(work, keep=[900])
        results = [tried(lambda: os.close(900)), tried(lambda: os.dup2(read, 900)),
                   tried(lambda: os.closerange(800, 1000))]
        os.write(900, b"still open")
        answer([*results, os.read(read, 100).decode()])
        """,
        tmp_path,
    )

    assert found == ["OSError", "OSError", "fine", "still open"]


EFFECTS = """
    import socket, subprocess
    from symcrete.sandbox.walls.confine import confine
    from symcrete.sandbox.walls.effects import allowance
    outside = os.path.dirname(work)
    protection = confine(work, allow=allowance(ALLOWED))
    def run():
        return subprocess.run(["/bin/true"]).returncode
    answer({
        "files": tried(lambda: open(outside + "/new", "w").close()),
        "below": tried(lambda: open(outside + "/given/new", "w").close()),
        "modes": tried(lambda: os.chmod(outside + "/given", 0o700)),
        "network": tried(lambda: socket.socket().close()),
        "processes": tried(run),
        "signals": tried(lambda: os.kill(os.getppid(), 0)),
        "said": protection.lines(),
    })
"""
NO = "PermissionError"
NOTHING = dict.fromkeys(("files", "below", "modes", "network", "processes", "signals"), NO)


@pytest.mark.parametrize(
    ("allowed", "possible"),
    [
        ([], {}),
        (["files"], {"files": "fine", "below": "fine", "modes": "fine"}),
        (["network"], {"network": "fine"}),
        (["processes"], {"processes": 0}),
        (["signals"], {"signals": "fine"}),
    ],
    ids=str,
)
def test_allowing_an_effect_gives_back_that_effect_only(tmp_path, allowed, possible):
    (tmp_path / "work").mkdir()
    (tmp_path / "given").mkdir()

    found = answer_of(EFFECTS.replace("ALLOWED", repr(allowed)), tmp_path / "work")

    said = found.pop("said")
    assert found == NOTHING | possible
    assert [line for line in said if line.startswith("allowed")] == (
        [f"allowed: {allowed[0]}"] if allowed else []
    )


def test_files_can_be_allowed_below_one_folder(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "given").mkdir()
    allowed = [f"files={tmp_path / 'given'}"]

    found = answer_of(EFFECTS.replace("ALLOWED", repr(allowed)), tmp_path / "work")

    assert {**found, "said": None} == NOTHING | {"below": "fine", "said": None}


def test_without_landlock_no_file_can_be_written_and_this_is_said(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls import landlock
        from symcrete.sandbox.walls.confine import confine
        landlock.abi = lambda: 0
        said = confine(work).lines()
        answer([tried(lambda: open(work + "/a", "w")), tried(lambda: os.mkdir(work + "/b")),
                tried(lambda: open("/etc/passwd").close()), said])
        """,
        tmp_path,
    )

    assert found[:3] == ["PermissionError", "PermissionError", "fine"]
    assert "no Landlock" in found[3][-1] and "not even in the run's own folder" in found[3][-1]


def test_without_seccomp_landlock_still_holds_and_the_gap_is_said(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls import seccomp
        from symcrete.sandbox.walls.confine import confine
        def refuse(code, *, notify): raise OSError(22, "Invalid argument")
        seccomp.install = refuse
        said = confine(work, notify=True).lines()
        outside = os.path.dirname(work)
        answer([tried(lambda: open(outside + "/a", "w")), said])
        """,
        tmp_path,
    )

    assert found[0] == "PermissionError"
    assert "not protected: the kernel takes no seccomp filter (Invalid argument)" in found[1]
    assert any("not for C code: network, processes" in line for line in found[1])


def test_where_the_kernel_offers_nothing_this_is_said_and_nothing_breaks(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls import kernel
        from symcrete.sandbox.walls.confine import confine
        kernel.machine = lambda: None
        said = confine(work).lines()
        answer([tried(lambda: open(work + "/a", "w").close()), said])
        """,
        tmp_path,
    )

    assert found[0] == "fine"
    assert found[1][0].endswith("files, network, processes, signals, ipc, system")
    assert "offers no walls" in found[1][1] and "container" in found[1][1]


def test_threads_that_were_there_before_are_mentioned(tmp_path):
    found = answer_of(
        """
        import time
        from symcrete.sandbox.walls.confine import confine
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        answer(confine(work).lines())
        """,
        tmp_path,
    )

    assert "not protected: threads started earlier (1) can still write files" in found


def test_output_that_goes_to_a_file_is_not_cut_off(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls.confine import confine
        os.dup2(os.open(work + "/out", os.O_CREAT | os.O_WRONLY), 1)
        confine(work)
        print("x" * 100_000, flush=True)
        answer(os.path.getsize(work + "/out"))
        """,
        tmp_path,
    )

    assert found == 100_001


def test_what_is_protected_is_told_in_plain_words():
    protection = Protection(
        "/w", frozenset({"network", "files"}), ("signals",), ("a gap",), 1 << 30
    )

    assert protection.lines() == [
        "side effects stopped by the kernel: files, network;"
        " files can be written in the run's own temporary folder only",
        "stopped for Python calls only, not for C code: processes, ipc, system",
        "allowed: signals",
        "memory is capped at 1.0 GiB of address space",
        "not protected: a gap",
    ]


@pytest.mark.skipif(os.getuid() != 0, reason="shows what root loses")
def test_root_keeps_no_capability_but_reading(tmp_path):
    found = answer_of(
        """
        from symcrete.sandbox.walls.confine import confine
        confine(work)
        lines = [line.split() for line in open("/proc/self/status")]
        answer([int(line[1], 16) for line in lines if line[0] in ("CapEff:", "CapPrm:")])
        """,
        tmp_path,
    )

    assert found == [4, 4]
