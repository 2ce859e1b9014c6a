"""`@symcrete.forall` under pytest: what fails, how it is told, and what is kept."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.properties.running import ended

import symcrete
from symcrete.errors import BadOption
from symcrete.properties import forall as forall_module
from symcrete.properties.checking import NothingTried, options_of
from symcrete.properties.failure_search import alarm_kept
from symcrete.properties.in_place import project_of
from symcrete.properties.kept_inputs import KeptInputs

SHOP = """
def price(total, code):
    if total > 1000 and code.startswith("SAVE") and code[4:] == "77":
        return total - 2000
    return total
"""
TEST_OF_SHOP = """
import symcrete
from shop import price

@symcrete.forall
def test_price(total: int, code: str):
    symcrete.assume(total > 0)
    assert price(total, code) >= 0
"""


def test_a_failure_is_told_with_the_plainest_input_and_the_line_that_keeps_it(tmp_path: Path):
    found = ended(tmp_path, TEST_OF_SHOP, shop=SHOP)

    assert found.outcomes == {"test_price": "failed"}
    assert "assert -999 >= 0" in found.texts["test_price"]
    assert '@symcrete.example(total=1001, code="SAVE77")' in found.texts["test_price"]
    assert "properties/checking.py" not in found.texts["test_price"]


def test_what_failed_is_kept_and_tried_first(tmp_path: Path):
    ended(tmp_path, TEST_OF_SHOP, shop=SHOP)

    again = ended(tmp_path, TEST_OF_SHOP, "--symcrete-budget=1ms", shop=SHOP)

    assert "known to symcrete; to keep this input" in again.texts["test_price"]
    assert (tmp_path / ".symcrete" / ".gitignore").read_text() == "*\n"


def test_what_was_kept_and_passes_now_is_forgotten(tmp_path: Path):
    ended(tmp_path, TEST_OF_SHOP, shop=SHOP)
    file = next((tmp_path / ".symcrete" / "properties").glob("*.json"))

    mended = ended(tmp_path, TEST_OF_SHOP, shop=SHOP.replace("- 2000", "- 1000"))

    assert mended.outcomes == {"test_price": "passed"}
    assert json.loads(file.read_text())["failing"] == []
    assert json.loads(file.read_text())["covering"] != []


def test_fixtures_parameters_and_classes_provide_what_is_no_input(tmp_path: Path):
    test = """
import pytest, symcrete
from pathlib import Path

@pytest.fixture
def secret() -> int:
    return 7319

@pytest.mark.parametrize("k", [1, 12347])
@symcrete.forall
def test_given(a: int, k: int, secret: int, tmp_path: Path):
    assert tmp_path.exists()
    assert k == 1 or a * k != k * secret

class TestInClass:
    @symcrete.forall
    def test_method(self, xs: list[int]):
        assert sum(xs) != 99 or len(xs) < 3

@symcrete.forall
async def test_awaiting(a: int):
    import asyncio
    await asyncio.sleep(0)
    assert a != 7712
"""

    in_class = "TestInClass::test_method"

    found = ended(tmp_path, test)

    assert found.outcomes == {
        "test_given[1]": "passed",
        "test_given[12347]": "failed",
        in_class: "failed",
        "test_awaiting": "failed",
    }
    assert "@symcrete.example(a=7319)" in found.texts["test_given[12347]"]
    assert re.search(r"example\(xs=\[(0, 0, 99|0, 99, 0|99, 0, 0)\]", found.texts[in_class])
    assert "@symcrete.example(a=7712)" in found.texts["test_awaiting"]


def test_a_skipped_test_is_skipped_and_one_that_fails_by_name_fails(tmp_path: Path):
    test = """
import pytest, symcrete

@symcrete.forall
def test_skipping(a: int):
    if a == 5419:
        pytest.skip("not here")

@symcrete.forall
def test_failing(a: int):
    if a == 5419:
        pytest.fail("here")
"""

    found = ended(tmp_path, test)

    assert found.outcomes == {"test_skipping": "skipped", "test_failing": "failed"}


def test_the_flag_wins_over_the_budget_of_a_test(tmp_path: Path):
    test = """
import symcrete, time

@symcrete.forall(budget="1h")
def test_slow(a: int):
    time.sleep(0.02)
    assert a * a * a + 3 * a != 10**30 + 1
"""

    found = ended(tmp_path, test, "--symcrete-budget=200ms", "--symcrete-no-keep")

    assert found.outcomes == {"test_slow": "passed"}
    assert not (tmp_path / ".symcrete").exists()


@pytest.mark.parametrize(
    ("table", "given", "expected"),
    [
        ("", {}, (2.0, None, False)),
        ("budget = '9s'", {"max_runs": 5}, (2.0, 5, False)),
        ("max-runs = 5", {}, (2.0, 5, False)),
        ("max-runs = 5", {"budget": "3s"}, (3.0, 5, True)),
        ("property_budget = '4s'", {"max_runs": 5}, (4.0, 5, True)),
    ],
)
def test_seconds_end_a_property_with_a_budget_of_runs_where_the_user_gave_them(
    table: str,
    given: dict[str, object],
    expected: tuple[float, int | None, bool],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    (tmp_path / "pyproject.toml").write_text(f"[tool.symcrete]\n{table}\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(forall_module.session, "budget", None)

    options = options_of(forall_module.Property(lambda: None, given))

    assert (options.budget, options.max_runs, options.both_limits) == expected


def test_a_property_with_a_budget_of_seconds_and_of_runs_ends_by_the_first_of_them():
    tried: list[int] = []

    @symcrete.forall(budget="50ms", max_runs=400)
    def test_slow(a: int):
        tried.append(0)
        for each in range(100):
            assert a != (each + 2) ** 40 or a > 0

    test_slow()

    assert len(tried) < 400


def test_without_pytest_a_property_is_a_function_without_the_inputs():
    @symcrete.example(a=3)
    @symcrete.forall
    def holds(a: int, b: int = 4) -> None:
        assert a + b == b + a

    @symcrete.forall
    def fails(text: str) -> None:
        assert text.upper() != "KEY-4"

    holds(b=2)
    with pytest.raises(AssertionError) as caught:
        fails()

    assert 'symcrete.example(text="' in "".join(caught.value.__notes__)


def test_an_example_is_tried_before_all_else():
    tried: list[int] = []

    @symcrete.forall(budget="100ms")
    @symcrete.example(a=41)
    def remembers(a: int) -> None:
        tried.append(int(a))

    symcrete.example(a=40)(remembers)
    remembers()

    assert tried[:2] == [40, 41]


def test_a_property_whose_inputs_are_all_rejected_says_that_nothing_was_tested():
    @symcrete.forall(budget="200ms")
    def impossible(a: int) -> None:
        symcrete.assume(a > a + 1)

    with pytest.raises(NothingTried, match="rejected all"):
        impossible()


def test_a_failure_of_followed_code_alone_is_not_reported():
    @symcrete.forall(budget="300ms")
    def looks_at_itself(a: int) -> None:
        import sys

        names = sys._getframe().f_code.co_names
        assert not any(name.startswith("_symcrete") for name in names)

    looks_at_itself()


def test_code_is_as_its_author_wrote_it_after_the_search():
    @symcrete.forall(budget="100ms")
    def plain(a: int) -> None:
        assert a == a

    written = plain.__wrapped__.__code__  # type: ignore[attr-defined]
    plain()

    assert plain.__wrapped__.__code__ is written  # type: ignore[attr-defined]


def test_only_functions_are_properties():
    with pytest.raises(BadOption, match="for functions"):
        forall_module.forall(3)  # type: ignore[call-overload]


def test_an_alarm_set_by_somebody_else_goes_on_afterwards():
    former = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, 100)
    try:
        with alarm_kept(lambda: 0.0):
            signal.setitimer(signal.ITIMER_REAL, 0)
        left = signal.getitimer(signal.ITIMER_REAL)[0]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)

    assert 90 < left <= 100


def test_a_file_of_results_that_says_something_else_is_no_obstacle(tmp_path: Path):
    kept = KeptInputs(str(tmp_path), "a test")
    assert kept.failing == []
    (tmp_path / "properties").mkdir()
    for text in ("{", "[]", '{"failing": 3}', '{"failing": [{"text": 1}]}'):
        digest = kept._file
        assert digest is not None
        digest.write_text(text)

        assert KeptInputs(str(tmp_path), "a test").failing == []


def test_a_project_is_the_folder_with_its_configuration(tmp_path: Path):
    (tmp_path / "pyproject.toml").touch()
    inner = tmp_path / "tests" / "unit"
    inner.mkdir(parents=True)

    assert project_of(inner / "test_a.py") == tmp_path


def test_the_plugin_works_in_the_workers_of_xdist(tmp_path: Path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "test_it.py").write_text(TEST_OF_SHOP)
    plugin = ["-p", "xdist.plugin", "-p", "symcrete.properties.pytest_plugin"]
    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n1", *plugin, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )

    assert "1 failed" in told.stdout
    assert '@symcrete.example(total=1001, code="SAVE77")' in told.stdout


def test_the_plugin_costs_little_where_it_is_not_used():
    measured = (
        "import pytest, time; began = time.process_time();"
        "import symcrete.properties.pytest_plugin; print(time.process_time() - began);"
        "import sys; print('symcrete.explore' in sys.modules, 'z3' in sys.modules)"
    )
    told = subprocess.run(
        [sys.executable, "-c", measured], capture_output=True, text=True, check=True
    )

    seconds, loaded = told.stdout.splitlines()
    assert float(seconds) < 0.005
    assert loaded == "False False"


def test_objects_that_answer_to_every_attribute_are_passed_over(tmp_path: Path):
    test = """
class Path:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self
    def __getitem__(self, key):
        if key == 1000:
            raise MemoryError("iterated without end")
        return self

T = Path()

def test_other():
    assert T.a.b is T
"""

    assert ended(tmp_path, test).outcomes == {"test_other": "passed"}


def test_a_proxy_that_raises_whatever_is_asked_of_it_is_passed_over(tmp_path: Path):
    test = """
class Proxy:
    def __getattr__(self, name):
        raise RuntimeError("working outside of a request")

request = Proxy()

def test_other():
    assert request is not None
"""

    assert ended(tmp_path, test).outcomes == {"test_other": "passed"}
