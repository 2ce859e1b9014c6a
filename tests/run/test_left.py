"""What a call leaves behind besides its result, as replays of the untouched function see it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from symcrete.inputs.literal import imports_of
from symcrete.run.untouched.left import compared, text_of
from symcrete.run.untouched.played import Call, Replayed, Seen, Situated, all_saw
from symcrete.run.untouched.replayer import Replayer
from symcrete.run.use import Ending

PROGRAM = """
    import logging
    import sys

    last = ""
    calls = []
    LOG = logging.getLogger("shop")

    class Account:
        def __init__(self, balance):
            self.balance = balance
            self._moves = []
            self.asked = 0

        @property
        def moves(self):
            self.asked += 1
            return list(self._moves)

        def deposit(self, amount):
            if amount <= 0:
                self.balance = 0
                raise ValueError("amount must be positive")
            self.balance += amount
            self._moves.append(amount)

        def twice(self):
            return self

        def __len__(self):
            return len(self._moves)

    class Silent:
        def __getattribute__(self, name): return self
        def __call__(self): return self

    def opened(balance): return Account(balance)
    def sort(items): items.sort()
    def reads(items): return sum(items)
    def prints(x): print("got", x)
    def writes(x): sys.stdout.buffer.write(b"got")
    def warns(x): LOG.warning("got %d", x)
    def remembers(x):
        global last
        last = x
    def counts(x): calls.append(x)
    def saves(name):
        with open(name, "w") as file: file.write("kept")
    def fills(out, text): out.write(text)
    def numbers(items): items.append(float("nan"))
    def marks(given, name): setattr(given, name, 1)
    def handlers_of_all():
        if any(type(each).__name__ == "Heard" for each in logging.getLogger().handlers):
            LOG.warning("somebody listens")
"""


@pytest.fixture(scope="module")
def replayer(tmp_path_factory: pytest.TempPathFactory) -> Replayer:
    folder = tmp_path_factory.mktemp("left")
    file = folder / "left_program.py"
    file.write_text(textwrap.dedent(PROGRAM))
    return Replayer((str(folder),), "left_program", str(file))


def seen(replayer: Replayer, scope: str, *texts: str, **more: tuple[object, ...]) -> set[str]:
    labels = ["self", "given"] if "." in scope else ["given", "other"]
    args = dict(zip(labels, texts, strict=False))
    imports = (("left_program", "Account"), ("io", "StringIO"))
    did = replayer.play(scope, Call(args, imports=imports, **more))  # type: ignore[arg-type]
    return {f"{each.kind} {each.of}{each.part} {each.value}" for each in did.seen}


@pytest.mark.parametrize(
    ("scope", "texts", "expected"),
    [
        ("sort", ["[2, 1]"], {"argument given [1, 2]"}),
        ("sort", ["[1, 2]"], set()),
        ("reads", ["[1, 2]"], set()),
        ("prints", ["3"], {'printed  "got 3\\n"'}),
        ("warns", ["3"], {'logged  [("shop", logging.WARNING, "got 3")]'}),
        ("handlers_of_all", [], set()),
        ("remembers", ['"tea"'], {'variable last "tea"'}),
        ("fills", ["StringIO()", '"tea"'], {'argument given.getvalue() "tea"'}),
        ("opened", ["5"], {"result .balance 5", "result .moves []", "result len 0"}),
        ("Account.twice", ["Account(5)"], {"result selfis "}),
    ],
)
def test_what_a_call_left_is_seen(
    scope: str, texts: list[str], expected: set[str], replayer: Replayer
) -> None:
    found = {each for each in seen(replayer, scope, *texts) if ".asked" not in each}

    assert found == expected


def test_public_attributes_properties_and_length_of_an_object_are_seen(
    replayer: Replayer,
) -> None:
    found = seen(replayer, "Account.deposit", "Account(5)", "3")

    assert {
        "argument self.balance 8",
        "argument self.moves [3]",
        "argument selflen 1",
    } <= found
    assert not any("_moves" in each for each in found)


@pytest.mark.parametrize("name", ["", "a b", "class", "1st"])
def test_an_attribute_that_no_text_can_name_is_not_looked_at(name: str, replayer: Replayer) -> None:
    found = seen(replayer, "marks", "Account(5)", repr(name))

    assert found == set()


def test_an_object_that_answers_every_attribute_with_itself_is_replayed(
    replayer: Replayer,
) -> None:
    imports = (("left_program", "Silent"),)

    did = replayer.play("Silent.__call__", Call({"self": "Silent()"}, imports=imports))

    assert did.outcome == Ending.RETURNED, did.reason


def test_what_a_call_changed_before_it_raised_is_seen(replayer: Replayer) -> None:
    assert "argument self.balance 0" in seen(replayer, "Account.deposit", "Account(5)", "-1")


def test_files_in_the_folder_of_the_test_are_seen(replayer: Replayer) -> None:
    situation = (Situated("folder", "", "monkeypatch.chdir(tmp_path)"),)

    assert seen(replayer, "saves", '"a.txt"', situation=situation) == {'file a.txt "kept"'}


def test_what_is_written_past_the_stream_is_not_told(replayer: Replayer) -> None:
    assert seen(replayer, "writes", "1") == set()


def test_of_what_does_not_equal_itself_only_the_length_is_told(replayer: Replayer) -> None:
    assert seen(replayer, "numbers", "[]") == {"argument givenlen 1"}


def test_what_depends_on_earlier_calls_is_no_part_of_what_two_replays_saw(
    replayer: Replayer,
) -> None:
    first = replayer.play("counts", Call({"x": "1"}))
    again = replayer.play("counts", Call({"x": "1"}))

    assert first.seen != again.seen
    assert all_saw(first, again) == ()


def test_what_all_replays_saw_stays() -> None:
    one, other = Seen("argument", "a", "", "[1]"), Seen("printed", "", "", '"x"')

    together = all_saw(
        Replayed(Ending.RETURNED, seen=(one, other)), Replayed(Ending.RETURNED, seen=(other,))
    )

    assert together == (other,)


def test_the_streams_of_the_interpreter_are_put_back(
    replayer: Replayer, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    seen(replayer, "prints", "3")
    print("after")

    assert capsys.readouterr().out == "got 3\nafter\n"


def test_a_text_is_told_with_how_it_can_be_compared() -> None:
    assert text_of([1, "a"]) == ('[1, "a"]', ())
    assert compared([1, "a"], '[1, "a"]', ()) == "=="
    assert compared(float("nan"), 'float("nan")', ()) == "repr"
    assert text_of(object()) == (None, ())


REPLAYED = """
import sys
from symcrete.run.untouched.played import Call
from symcrete.run.untouched.replayer import Replayer

folder = sys.argv[1]
did = Replayer((folder,), "logs_late", f"{folder}/logs_late.py").play("f", Call({"n": "2"}))
print(did.outcome, did.reason, [each.value for each in did.seen])
"""


@pytest.mark.parametrize("own", [True, False], ids=["a file of this name", "the library's alone"])
def test_what_a_program_logs_is_seen_whenever_and_from_wherever_it_imports_logging(
    own: bool, tmp_path: Path
) -> None:
    program = "def f(n):\n    import logging\n    logging.getLogger('x').warning('hi %d', n)\n"
    (tmp_path / "logs_late.py").write_text(program)
    if own:
        (tmp_path / "logging.py").write_text("def say(x): return x\n")

    done = subprocess.run(
        [sys.executable, "-c", REPLAYED, str(tmp_path)], capture_output=True, text=True
    )

    expected = 'returned  [\'[("x", logging.WARNING, "hi 2")]\']\n'
    assert done.stdout == expected, done.stderr


def test_a_function_of_no_module_has_no_text() -> None:
    nowhere = eval("lambda: 1", {})

    assert text_of((Path, nowhere)) == (None, ())
    assert imports_of((Path, nowhere)) == {("pathlib", "Path")}
