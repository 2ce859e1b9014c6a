"""Calls that are written as text are made."""

from symcrete.run.untouched.given import given_by
from symcrete.run.untouched.monkeypatch import MonkeyPatch
from symcrete.run.untouched.played import Call
from symcrete.run.use import Use


def told(*args: object, **kwargs: object) -> tuple[object, ...]:
    return (*args, kwargs)


def test_arguments_are_evaluated_after_what_is_set_up() -> None:
    call = Call({"a": "n + 1", "b": "2", "*rest": "(3,)"}, keywords=("b",), setup=("n = 4",))

    assert given_by(call, MonkeyPatch()).played(told) == (5, 3, {"b": 2})


def test_a_result_is_used_and_what_it_gives_too() -> None:
    call = Call({}, uses=(Use("call", "1, x=2"), Use("call", "3", again=True), Use("call", "4")))

    def make() -> object:
        return lambda *args, **kwargs: lambda n: (args, kwargs, n)

    assert given_by(call, MonkeyPatch()).played(make) == ((3,), {}, 4)
