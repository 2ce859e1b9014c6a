"""Functions that may be called before a target are those that change what it reads."""

from pathlib import Path

from symcrete.explore.compose import prepare
from symcrete.explore.earlier import MOST_EARLIER_FUNCTIONS
from symcrete.explore.options import Options
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of
from symcrete.run.history import History

PROGRAM = """
import threading

_mode = "plain"
_log = []
_other = []

def set_mode(mode: str) -> None:
    global _mode
    _mode = mode

def _reset() -> None:
    global _mode
    _mode = "plain"

def note(text: str) -> None:
    _other.append(text)

def helper() -> str:
    return _mode

def f() -> int:
    _log.append("f")
    if helper() == "fancy":
        return 1
    return 0

def in_a_lambda() -> int:
    ask = lambda: helper()
    return 1 if ask() == "fancy" else 0

def g(n: int) -> int:
    return n

class Settings:
    def __init__(self) -> None:
        self.level, self.names, self.open = "low", [], object()

_settings = Settings()
_here = threading.local()

def choose(level: str) -> None:
    _settings.level = level
    _settings.open = None
    _here.level = level

def h() -> bool:
    return _settings.level == "high"

def i() -> bool:
    return _here.level == "high"

class Ticket:
    issued = 0

    def stamp(self, text: str) -> str:
        Ticket.issued += 1
        return text

def j(text: str) -> bool:
    Ticket().stamp(text)
    return Ticket.issued == 1
"""


def history(name: str, folder: Path) -> History:
    file = folder / "shop.py"
    file.write_text(PROGRAM)
    (target,) = targets_of(f"{file}::{name}")
    return prepare(target, EveryBranch(), Options())[0].parts.runner.history


def test_a_setter_of_what_a_callee_reads_is_one_of_them(tmp_path: Path) -> None:
    found = history("f", tmp_path)

    assert [each.name for each in found.functions] == ["set_mode", "f"]
    assert len(found.functions) <= MOST_EARLIER_FUNCTIONS
    assert {each.root for each in found.changed} == {"shop._mode", "shop._log"}


def test_a_callee_that_only_a_function_inside_names_counts(tmp_path: Path) -> None:
    found = history("in_a_lambda", tmp_path)

    assert [each.name for each in found.functions] == ["set_mode"]


def test_a_function_that_reads_no_state_has_no_history(tmp_path: Path) -> None:
    assert history("g", tmp_path) == History()


def test_a_test_sets_back_what_earlier_calls_store_in_an_object_if_it_can_be_written(
    tmp_path: Path,
) -> None:
    assert [each.root for each in history("h", tmp_path).changed] == ["shop._settings.level"]
    assert [each.root for each in history("i", tmp_path).changed] == ["shop._here"]


def test_a_run_that_reads_what_it_counted_up_tells_where_counting_began(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text(PROGRAM)
    (target,) = targets_of(f"{file}::j")
    runner = prepare(target, EveryBranch(), Options())[0].parts.runner

    with runner:
        trace = runner.run({"len(text)": 0})

    assert [each.root for each in runner.history.counted] == ["shop.Ticket.issued"]
    assert [late.root for late in trace.late] == ["shop.Ticket.issued"]
