"""What an input does on the untouched function, in fresh interpreters, and what two of them agree on."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path

import pytest

from symcrete.program.source.target import Target, targets_of
from symcrete.run.drain import drain
from symcrete.run.untouched import finder
from symcrete.run.untouched.played import Call, Replayed, Situated, combined
from symcrete.run.untouched.replay import Replay, Replays, replay_once
from symcrete.run.untouched.replayer import Replayer
from symcrete.run.use import Ending

PROGRAM = """
    import json
    import os
    import random
    import sys
    import time
    from dataclasses import dataclass

    COUNT = 0

    @dataclass
    class Point:
        x: int

    class Shop:
        @property
        def open(self):
            return True

        @staticmethod
        def price(total):
            return total * 2

    def half(x, *rest, by=2, **named):
        if x < 0:
            raise ValueError("negative")
        return x / by, rest, named

    def lists(path):
        return os.listdir(path)

    def wraps(path):
        try:
            return os.listdir(path)
        except OSError as error:
            raise ValueError(str(error))

    def parses(text):
        return json.loads(text)

    def point(x):
        return Point(x)

    def opaque(x):
        return object()

    def tells_where(x):
        raise ValueError(f"bad {object()} at {x}")

    def looks_like_it(x):
        raise ValueError(f"set at 0x{x}")

    def divides(x):
        return 1 // x

    def steps(n):
        yield from range(n)

    def counts(x):
        global COUNT
        COUNT += 1
        return COUNT

    def hashes(x):
        return list({"a", "b", "c", "d", "e", "f"})

    def dies(x):
        os._exit(7)

    def sleeps(x):
        time.sleep(60)

    def lasts(x):
        return time.monotonic() - time.monotonic()

    def chance(x):
        return random.random()

    def shuts(x):
        os.close(1)
        return x
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("replayed")
    (place / "prog_replayed.py").write_text(textwrap.dedent(PROGRAM))
    return place


def target(folder: Path, name: str) -> Target:
    return targets_of(f"{folder / 'prog_replayed.py'}::{name}")[0]


@pytest.fixture
def replayer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Replayer:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "prog_replayed", raising=False)
    file = str(folder / "prog_replayed.py")
    return Replayer((str(folder),), "prog_replayed", file)


def test_arguments_go_where_the_signature_has_them(replayer: Replayer) -> None:
    call = Call({"x": "6", "*rest": "(1, 2)", "by": "3", "**named": "{'k': 4}"}, keywords=("by",))

    did = replayer.play("half", call)

    assert did.did == ("returned", '(2.0, (1, 2), {"k": 4})', None)
    assert did.result_type == "tuple"


def test_an_exception_is_told_with_its_class_and_the_program_s_own_message(
    replayer: Replayer,
) -> None:
    did = replayer.play("half", Call({"x": "-1"}))

    assert (did.outcome, did.raised) == ("raised", 'ValueError("negative")')
    assert (did.error, did.caught_module, did.message) == ("ValueError", "builtins", "negative")


def test_an_exception_is_told_as_an_expression_that_makes_it(replayer: Replayer) -> None:
    did = replayer.play("parses", Call({"text": "'{'"}))

    assert did.raised is not None and did.error == "JSONDecodeError"
    assert str(eval(did.raised, {"JSONDecodeError": json.JSONDecodeError})).startswith("Expecting")


def test_an_error_about_a_path_below_the_folder_of_the_test_names_the_path_alone(
    replayer: Replayer,
) -> None:
    moved = (
        "monkeypatch.setattr('os.listdir', lambda path, real=os.listdir: real(f'{tmp_path}{path}'))"
    )
    call = Call({"path": "'/etc/shop'"}, situation=(Situated("", "", f"import os\n{moved}"),))

    listed, wrapped = replayer.play("lists", call), replayer.play("wraps", call)

    assert listed.raised == 'FileNotFoundError(2, "No such file or directory", "/etc/shop")'
    assert wrapped.raised is not None and wrapped.raised.endswith("'/etc/shop'\")")
    assert wrapped.message is None


def test_a_clock_that_is_read_more_often_than_in_the_run_is_no_error_of_the_program(
    replayer: Replayer,
) -> None:
    clock = 'monkeypatch.setattr("time.monotonic", iter([1.0]).__next__)'
    call = Call({"x": "1"}, situation=(Situated("", "", clock),))

    did = replayer.play("lasts", call)

    assert (did.outcome, did.raised) == (Ending.FLAKY, None)
    assert "reads the clock more often" in did.reason


def test_a_message_that_python_chose_is_not_the_program_s(replayer: Replayer) -> None:
    did = replayer.play("divides", Call({"x": "0"}))

    assert (did.error, did.message) == ("ZeroDivisionError", None)


def test_the_lines_that_were_executed_are_told(replayer: Replayer, folder: Path) -> None:
    text = (folder / "prog_replayed.py").read_text().splitlines()

    did = replayer.play("half", Call({"x": "-1"}))

    assert [text[line - 1].strip() for line in sorted(did.lines)] == [
        "if x < 0:",
        'raise ValueError("negative")',
    ]


def test_a_result_of_the_program_s_own_class_comes_with_its_imports(replayer: Replayer) -> None:
    did = replayer.play("point", Call({"x": "3"}))

    assert did.returned == "Point(x=3)"
    assert ("prog_replayed", "Point") in did.imports


def test_a_result_that_no_text_can_tell_is_none(replayer: Replayer) -> None:
    assert replayer.play("opaque", Call({"x": "3"})).did == ("returned", None, None)


def test_setup_runs_before_the_arguments_are_evaluated(replayer: Replayer) -> None:
    call = Call(
        {"x": "p.x", "*rest": "(p is q,)"},
        imports=(("prog_replayed", "Point"),),
        setup=("p = Point(8)", "q = p"),
    )

    assert replayer.play("half", call).returned == "(4.0, (True,), {})"


def test_an_input_that_cannot_be_built_fails_and_says_so(replayer: Replayer) -> None:
    did = replayer.play("half", Call({"x": "1 // 0"}))

    assert did.outcome == "failed"
    assert did.reason.startswith("the input cannot be built: ZeroDivisionError")


@pytest.mark.parametrize(
    ("scope", "args", "returned"),
    [
        ("Shop.price", {"total": "4"}, "8"),
        ("Shop.open", {"self": "Shop()"}, "True"),
        ("steps", {"n": "3"}, "[0, 1, 2]"),
    ],
)
def test_methods_properties_and_generators_are_used_as_their_kind_is_used(
    replayer: Replayer, scope: str, args: dict[str, str], returned: str
) -> None:
    call = Call(args, imports=(("prog_replayed", "Shop"),))

    assert replayer.play(scope, call).returned == returned


def test_a_call_that_changes_a_module_says_what(replayer: Replayer) -> None:
    assert "COUNT" in replayer.play("counts", Call({"x": "0"})).changed


def test_a_function_that_is_not_there_fails(replayer: Replayer) -> None:
    did = replayer.play("nobody", Call({}))

    assert (did.outcome, did.reason) == ("failed", "there is no nobody after import")


def test_calls_that_change_a_module_are_each_played_as_the_first(folder: Path) -> None:
    with Replay(target(folder, "counts"), 20.0) as replay:
        first, second = (replay.afresh(Call({"x": "0"})) for _ in range(2))

    assert first.returned == second.returned == "1"


def test_two_fresh_interpreters_agree_on_what_depends_on_the_input_only(folder: Path) -> None:
    did = replay_once(target(folder, "half"), Call({"x": "5"}), 20.0)

    assert did.did == ("returned", "(2.5, (), {})", None)


def test_what_depends_on_the_hash_seed_is_flaky(folder: Path) -> None:
    did = replay_once(target(folder, "hashes"), Call({"x": "5"}), 20.0)

    assert (did.outcome, did.reason) == ("flaky", "the result differs between two runs")


def test_an_interpreter_that_died_or_hung_is_replaced_by_a_new_one(folder: Path) -> None:
    with Replays(target(folder, "half")) as replays:
        dead = replays(target(folder, "dies"), Call({"x": "1"}), 20.0)
        hung = replays(target(folder, "sleeps"), Call({"x": "1"}), 0.3)
        after = replays(target(folder, "half"), Call({"x": "2"}), 20.0)

    assert (dead.outcome, dead.reason) == ("crashed", "target ended the process (code 7)")
    assert (hung.outcome, hung.reason) == ("timeout", "does not end within 0.3 s")
    assert after.returned == "(1.0, (), {})"


def test_harm_to_the_interpreter_is_told_and_mended(folder: Path) -> None:
    with Replay(target(folder, "shuts"), 20.0) as replay:
        first, second = (replay.replay(Call({"x": "1"})) for _ in range(2))

    assert first.harm == second.harm == "closes descriptor 1 of its process"


def test_a_module_that_a_fresh_interpreter_cannot_import_fails(tmp_path: Path) -> None:
    (tmp_path / "broken_import.py").write_text("def f(x): return x\n")
    made = targets_of(f"{tmp_path / 'broken_import.py'}::f")[0]
    (tmp_path / "broken_import.py").write_text("import nothing_of_this_name\n")

    did = replay_once(made, Call({"x": "1"}), 5.0)

    assert did.outcome == "failed"
    assert "cannot be imported" in did.reason


ONE = Replayed(Ending.RETURNED, returned="1", lines=frozenset({1, 2}))


@pytest.mark.parametrize(
    ("other", "outcome", "reason"),
    [
        (ONE, "returned", ""),
        (Replayed(Ending.RETURNED, returned="2"), "flaky", "the result differs between two runs"),
        (
            Replayed(Ending.RAISED, raised="OSError()", error="OSError"),
            "flaky",
            "returned in one run, OSError in another",
        ),
        (Replayed(Ending.FLAKY, reason="by chance"), "flaky", "by chance"),
    ],
)
def test_only_what_two_replays_agree_on_is_a_fact(
    other: Replayed, outcome: str, reason: str
) -> None:
    for first, second in ((ONE, other), (other, ONE)):
        found = combined(first, second)

        assert found.outcome == outcome
        assert set(found.reason.split()) == set(reason.split())
        assert (found.outcome, found.lines) == (outcome, ONE.lines | other.lines)


def test_two_messages_that_differ_are_no_fact_about_the_program() -> None:
    first, second = (
        Replayed(Ending.RAISED, raised=f"OSError({n})", error="OSError") for n in (1, 2)
    )

    assert combined(first, second).reason == "the message differs between two runs"


def test_a_generator_gives_its_first_items_and_others_are_as_they_are() -> None:
    async def computed() -> int:
        return 4

    async def several():
        for item in range(9):
            yield item

    assert drain((n for n in range(10**9)), most=3) == [0, 1, 2]
    assert drain(computed()) == 4
    assert drain(several(), most=2) == [0, 1]
    assert drain([1, 2]) == [1, 2]


def test_a_module_finder_that_reads_names_as_paths_finds_nothing_and_minds_odd_names() -> None:
    reader = finder.NameReader()

    reader.find_spec("package.module")
    with pytest.raises(ValueError):
        reader.find_spec("")


def test_a_message_that_shows_where_an_object_lies_is_not_compared(replayer: Replayer) -> None:
    did = replayer.play("tells_where", Call({"x": "1"}))

    assert (did.outcome, did.raised, did.message) == ("raised", "ValueError(...)", None)


def test_a_message_that_only_looks_like_an_address_is_compared(replayer: Replayer) -> None:
    assert replayer.play("looks_like_it", Call({"x": "1"})).message == "set at 0x1"
