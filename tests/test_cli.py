"""The command line: results on stdout, one clear line for every mistake, documented exit codes."""

import json
import os
import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tests.limits import allowed

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def symcrete(*args: str | Path, cwd: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "symcrete", *map(str, args)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1", **env},
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )


def write(folder: Path, source: str, name: str = "shop.py") -> Path:
    file = folder / name
    file.write_text(textwrap.dedent(source), encoding="utf-8")
    return file


def passing_tests(folder: Path) -> str:
    """What pytest says of them."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", folder],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.timed
@pytest.mark.parametrize("name", ["triangle", "gcd", "bubble_sort", "discount", "dates"])
def test_an_example_is_covered_in_two_seconds_and_its_tests_pass(name: str, tmp_path: Path) -> None:
    done = symcrete("cover", EXAMPLES / f"{name}.py", "--json", "-o", tmp_path)

    assert done.returncode == 0, done.stderr
    for target in json.loads(done.stdout)["targets"]:
        assert target["branches"]["open"] == target["conditions"]["open"] == 0, target["open"]
        assert target["seconds"] < allowed(2.0)
        assert all(each["outcome"] in ("returned", "raised") for each in target["inputs"])
    for seed in ("0", "1", "random"):
        tests = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert tests.returncode == 0, tests.stdout


def test_emitted_files_are_formatted(tmp_path: Path) -> None:
    names = ("triangle", "discount", "dates")

    symcrete("cover", *[EXAMPLES / f"{name}.py" for name in names], "-o", tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--check", "--diff", tmp_path],
        capture_output=True,
        text=True,
    )

    assert {each.stem for each in tmp_path.glob("*.py")} == {f"test_{name}" for name in names}
    assert done.returncode == 0, done.stdout


def test_the_table_shows_input_result_and_what_is_covered() -> None:
    done = symcrete("cover", EXAMPLES / "gcd.py::gcd")

    assert "6 of 6 branches" in done.stdout
    assert "a=2, b=1" in done.stdout
    assert "5: a <= 0" in done.stdout


def test_json_lines_come_one_per_event() -> None:
    done = symcrete("cover", EXAMPLES / "gcd.py", "--jsonl")

    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["event"] for each in events][-1] == "target"
    assert {each["event"] for each in events[:-1]} == {"input"}


def test_explain_tells_the_path_of_an_input() -> None:
    done = symcrete("explain", EXAMPLES / "gcd.py::gcd", "--input", "a=4, b=6")

    assert "returns 2" in done.stdout
    assert "path condition: a > 0 and b > 0 and a != b" in done.stdout


GATE = """
    def gate(a: int) -> str:
        if a > 3 and a < 2:
            return "never"
        return "low" if a < 0 else "high"
"""


def test_a_graph_is_drawn_in_dot_with_the_state_of_each_branch(tmp_path: Path) -> None:
    done = symcrete("graph", write(tmp_path, GATE))

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("digraph {") and done.stdout.endswith("}\n")
    assert '[label="4  return \\"never\\"\\l", shape=box, color="#8d8d8d"]' in done.stdout
    assert done.stdout.count("style=dotted, label=") == 1  # the infeasible side
    assert done.stdout.count("style=solid, label=") == 5


def test_a_chain_is_written_for_graphviz_or_prism(tmp_path: Path) -> None:
    file = write(tmp_path, GATE)

    drawn = symcrete("graph", file, "--chain")
    written = symcrete("graph", file, "--chain", "-o", tmp_path / "gate.pm")

    assert drawn.returncode == written.returncode == 0, drawn.stderr + written.stderr
    assert drawn.stdout.startswith("digraph chain {") and 'label="entry"' in drawn.stdout
    model = (tmp_path / "gate.pm").read_text(encoding="utf-8")
    assert model.startswith("dtmc") and "// entry" in model
    assert ".pm" in _one_line(symcrete("graph", file, "--chain", "-o", tmp_path / "gate.svg"), 4)
    assert "prism" in _one_line(symcrete("graph", file, "--format", "prism"), 4)


def test_a_graph_is_written_as_a_picture_and_an_edited_one_is_kept(tmp_path: Path) -> None:
    file, picture = write(tmp_path, GATE), tmp_path / "gate.svg"

    first = symcrete("graph", file, "-o", picture, "--max-runs", "20")
    again = symcrete("graph", file, "-o", picture, "--max-runs", "20")
    assert first.returncode == again.returncode == 0, first.stderr + again.stderr
    assert first.stdout == "" and "5 covered" in picture.read_text(encoding="utf-8")

    picture.write_text(picture.read_text(encoding="utf-8") + "<!-- mine -->", encoding="utf-8")
    assert "--force" in _one_line(symcrete("graph", file, "-o", picture), 4)
    assert ".svg or .dot" in _one_line(symcrete("graph", file, "-o", tmp_path / "gate.png"), 4)


def test_strategies_and_solvers_are_listed() -> None:
    assert "generational" in symcrete("strategies").stdout
    assert "k=5 (branches of a context)" in symcrete("strategies").stdout
    assert "z3" in symcrete("solvers").stdout
    assert "slicing=yes" in symcrete("solvers").stdout


def test_parameters_and_combinations_are_taken_from_the_command_line(tmp_path: Path) -> None:
    file = write(tmp_path, "def f(x: int): return 1 if x * x == 144 else 2")
    asked = ("--strategy", "random-input:patience=3>dfs:depth=40+cgs", "--solver", "z3:cores=no")

    done = symcrete("cover", file, "--ippc=paper", "--max-runs", "40", *asked)

    assert "2 of 2" in done.stdout


def test_help_is_quick() -> None:
    start = min(_processor_time(sys.executable, "-c", "pass") for _ in range(3))
    ours = min(_processor_time(sys.executable, "-m", "symcrete", "--help") for _ in range(3))

    assert ours - start < 0.1


def _processor_time(*command: str) -> float:
    """Of one command, which a busy machine does not stretch."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _one_line(done: subprocess.CompletedProcess[str], code: int) -> str:
    assert done.returncode == code, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr and "symcrete/" not in done.stderr
    assert done.stdout == "" or done.stdout.count("\n") <= 12
    return done.stderr + done.stdout


def test_a_missing_file_is_one_line_with_similar_names(tmp_path: Path) -> None:
    write(tmp_path, "def f(x: int): return x")

    text = _one_line(symcrete("cover", "shpo.py", cwd=tmp_path), 4)

    assert "no such file: shpo.py; did you mean shop.py?" in text


def test_an_unknown_function_shows_the_nearest_names(tmp_path: Path) -> None:
    file = write(tmp_path, "def price(x: int): return x\ndef prize(x: int): return x")

    text = _one_line(symcrete("cover", f"{file}::pirce"), 4)

    assert "no function 'pirce'" in text and "price" in text and "prize" in text


def test_an_unknown_module_is_one_line() -> None:
    assert "no module 'nosuchthing'" in _one_line(symcrete("cover", "nosuchthing:f"), 4)


def test_a_syntax_error_is_shown_with_its_place(tmp_path: Path) -> None:
    file = write(tmp_path, "def f(x):\n    return (x\n")

    assert "shop.py:2:" in _one_line(symcrete("cover", file), 4)


def test_an_import_error_shows_the_users_own_traceback(tmp_path: Path) -> None:
    file = write(tmp_path, "import nothing_like_this\ndef f(x: int): return x")

    done = symcrete("cover", file)

    assert done.returncode == 4
    assert "No module named 'nothing_like_this'" in done.stdout
    assert 'shop.py", line 1' in done.stdout
    assert "importlib" not in done.stdout and "/symcrete/" not in done.stdout


def test_exiting_at_import_is_said(tmp_path: Path) -> None:
    file = write(tmp_path, "import sys\nsys.exit(0)\ndef f(x: int): return x")

    assert "ended the process" in _one_line(symcrete("cover", file), 4)


def test_a_file_without_functions_is_nothing_to_analyse(tmp_path: Path) -> None:
    assert "defines no functions" in _one_line(symcrete("cover", write(tmp_path, "X = 1")), 5)


def test_a_c_function_is_nothing_to_analyse() -> None:
    assert "no Python code to cover" in _one_line(symcrete("cover", "math:gcd"), 5)


def test_an_unsupported_type_is_named_with_the_way_out(tmp_path: Path) -> None:
    file = write(tmp_path, "import types\ndef f(s: types.FrameType): return s")

    text = _one_line(symcrete("cover", file, "--types", "s: types.FrameType"), 4)

    assert "frame" in text.lower() and "--types" in text


def test_a_function_without_branches_is_covered_by_one_input(tmp_path: Path) -> None:
    file = write(tmp_path, "def f(x: int): return x + 1")

    done = symcrete("cover", file, "--json")

    target = json.loads(done.stdout)["targets"][0]
    assert done.returncode == 0
    assert target["branches"]["total"] == 0 and target["status"] == "complete"
    assert [each["returned"] for each in target["inputs"]] == ["1"]


def test_one_bad_function_does_not_lose_the_others(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "def bad(s): return s\ndel bad\ndef good(x: int): return 1 if x > 7 else 2",
    )

    done = symcrete("cover", file, "--json")

    bad, good = json.loads(done.stdout)["targets"]
    assert done.returncode == 0
    assert bad["status"] == "failed" and good["conditions"]["covered"] == 2
    assert "no bad after import" in done.stderr.lower()


@pytest.mark.parametrize(
    ("flags", "hint"),
    [
        (["--strategy", "dfz"], "dfs"),
        (["--strategy", "dfs:deph=3"], "did you mean depth"),
        (["--strategy", "cgs+gredy"], "did you mean greedy"),
        (["--solver", "z4"], "z3"),
        (["--solver", "z3:slices=no"], "did you mean slicing"),
        (["--budget", "soon"], "10s"),
        (["--start", "a"], "a=0"),
        (["--types", "x"], "a: int"),
        (["--emit", "pdf"], "json"),
    ],
)
def test_a_bad_option_is_answered_with_a_good_one(
    flags: list[str], hint: str, tmp_path: Path
) -> None:
    file = write(tmp_path, "def f(x: int): return 1 if x > 7 else 2")

    assert hint in _one_line(symcrete("cover", file, *flags), 4)


def test_a_missing_argument_is_bad_usage() -> None:
    assert symcrete("cover").returncode == 4
    assert symcrete("nonsense").returncode == 4
    assert symcrete().returncode == 4


def test_what_the_program_prints_is_kept_off_our_streams(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "print('at import')\ndef f(x: int):\n    print('inside', x)\n    return input() if x > 3 else 1",
    )

    done = symcrete("cover", file, "--json")

    assert "inside" not in done.stderr and "at import" not in done.stdout + done.stderr
    inputs = json.loads(done.stdout)["targets"][0]["inputs"]  # nothing but the report is there
    assert any("EOFError" in str(each["raised"]) for each in inputs)
    assert {"kind": "printed", "value": '"inside 3\\n"'} in inputs[0]["seen"]


def test_settings_come_from_pyproject_and_flags_win(tmp_path: Path) -> None:
    write(tmp_path, "[tool.symcrete]\nseed = 7\nmax-runs = 3\n", "pyproject.toml")
    write(tmp_path, "def f(x: int): return 1 if x == 123456 else 2")

    configured = json.loads(symcrete("cover", "shop.py", "--json", cwd=tmp_path).stdout)
    flagged = json.loads(symcrete("cover", "shop.py", "--json", "--seed", "9", cwd=tmp_path).stdout)

    assert configured["seed"] == 7 and configured["targets"][0]["runs"] <= 3
    assert flagged["seed"] == 9


def test_fail_under_fails_below_the_wanted_coverage(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "import hashlib\ndef f(x: int):\n    if hashlib.sha256(b'%d' % x).hexdigest() == 'f': return 1\n    return 2",
    )

    below = symcrete("cover", file, "--fail-under", "100", "--budget", "500ms")
    assert below.returncode == 1
    assert "% of the branches are covered, less than --fail-under 100" in below.stderr
    assert symcrete("cover", file, "--fail-under", "10", "--budget", "500ms").returncode == 0


def test_an_unwritable_folder_is_refused_before_the_work(tmp_path: Path) -> None:
    file = write(tmp_path, "def f(x: int): return x")
    blocked = tmp_path / "shop.py" / "out"

    assert "cannot write into" in _one_line(symcrete("cover", file, "-o", blocked), 4)


def test_verbose_tells_the_burden_on_the_solver_and_ippc_can_be_the_papers(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        """
        def is_sorted(a: int, b: int, c: int) -> bool:
            if a <= b and a <= c and b <= c:
                return True
            return False
        """,
    )
    options = ("--strategy", "dfs", "--all-inputs", "--start", "a=0, b=0, c=0", "-v")

    sizes = []
    for ippc in ("--ippc=paper", "--no-ippc"):
        done = symcrete("cover", file, ippc, *options)
        line = next(line for line in done.stdout.splitlines() if "solver: " in line)
        sizes.append(float(line.split(" calls of ")[1].split()[0]))

    assert sizes[0] < sizes[1] == 2.0


def test_a_module_of_many_functions_gives_a_file_that_imports_them_all(tmp_path: Path) -> None:
    names = [f"function_with_a_long_name_{i}" for i in range(5)]
    text = "\n\n".join(
        f"def {name}(x: int) -> int:\n    return x + {i}\n" for i, name in enumerate(names)
    )
    file = write(tmp_path, text)

    symcrete("cover", file, "--budget", "1s", "-o", tmp_path / "out", "--no-journal")

    assert "5 passed" in passing_tests(tmp_path / "out")


def test_a_long_result_is_asserted_as_it_is(tmp_path: Path) -> None:
    file = write(tmp_path, "def f(x: int) -> list[int]:\n    return [x] * 60\n")

    symcrete("cover", file, "--budget", "1s", "-o", tmp_path / "out", "--no-journal")

    passing_tests(tmp_path / "out")


WHERE = """
    import os

    def where(x: int) -> str:
        if x > 3:
            return os.path.dirname(__file__)
        return "here"
"""


def test_printed_tests_hold_and_the_others_are_named(tmp_path: Path) -> None:
    done = symcrete("cover", write(tmp_path, WHERE), "--emit", "pytest", "--no-journal")

    assert 'where(3) == "here"' in done.stdout
    assert str(tmp_path) not in done.stdout
    assert "no test of" in done.stderr
    assert "in which folder the program is" in done.stderr


def test_reach_shows_no_test_that_would_fail_elsewhere(tmp_path: Path) -> None:
    file = write(tmp_path, WHERE)

    done = symcrete("reach", f"{file}:6")

    assert "reached by where(x=4)" in done.stdout
    assert "no test: it tells in which folder the program is" in done.stdout
    assert "def test_" not in done.stdout


def test_only_what_changed_since_a_revision_is_covered(tmp_path: Path) -> None:
    text = """
        def same(n: int) -> int:
            return 1 if n > 3 else 2

        def other(n: int) -> int:
            return 1 if n > 5 else 2
    """
    file = write(tmp_path, text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "shop.py"], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *command], cwd=tmp_path, check=True)
    file.write_text(file.read_text().replace("n > 5", "n > 6"))

    done = symcrete("cover", "shop.py", "--changed", "--json", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    (only,) = json.loads(done.stdout)["targets"]
    assert only["target"] == "shop.py::other"
