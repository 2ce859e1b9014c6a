"""Which reads of the program's own names are inputs, and what a run gets for them."""

import functools
import sys
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any

import pytest

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, IntShape
from symcrete.program.source.sites import SiteTable
from symcrete.program.state.at_import import Taken
from symcrete.program.state.facts import Change, ModuleFacts, StateRead
from symcrete.run.module_reads import (
    attribute_of,
    changes_of,
    late_of,
    memory_of,
    reader_of,
    unset_by_import,
)
from symcrete.values.tracking import recording
from symcrete.values.tracking.recording import Recording
from symcrete.values.vocabulary import vocabulary
from symcrete.world.importing.concealed import CONCEALED
from symcrete.world.module_state import shape_of_taken

SETTER = Change("changed", 3, "set_mode")


def module(**names: object) -> ModuleType:
    made = ModuleType("shop")
    made.__file__ = "shop.py"
    vars(made).update(names)
    return made


def read(name: str) -> StateRead:
    return StateRead("name", "shop.py", 5, "f", name)


def test_only_what_something_changes_or_a_flag_is_an_input() -> None:
    shop = module(FAST=False, SIZE=3)

    assert reader_of(read("FAST"), [shop], ModuleFacts("shop.py")) is not None
    assert reader_of(read("SIZE"), [shop], ModuleFacts("shop.py")) is None
    assert reader_of(read("MISSING"), [shop], ModuleFacts("shop.py")) is None
    assert reader_of(read("FAST"), [], ModuleFacts("shop.py")) is None


def test_a_name_that_the_import_took_from_the_system_is_an_input_without_its_value_here() -> None:
    taken = {"MODE": Taken(frozenset({("os", "getenv")}), ("dev",))}
    facts = ModuleFacts("shop.py", taken=taken)
    shop = module(MODE="hunter2", SIZE=3)
    imported = StateRead("imported", "app.py", 5, "f", "MODE", "shop", "MODE")
    app = ModuleType("app")
    app.__file__, vars(app)["MODE"] = "app.py", "hunter2"

    assert reader_of(read("MODE"), [shop], facts) is not None
    assert reader_of(read("SIZE"), [shop], facts) is None
    assert shape_of_taken("hunter2", ("dev",)) == ChoiceShape((ConstantShape("dev"), StrShape()))
    assert shape_of_taken(7, ("x",)) == IntShape()
    # Its file cannot be read, so nobody knows what it is made of.
    assert reader_of(imported, [shop, app], ModuleFacts("app.py"), lambda file: facts) is None


def test_a_name_that_is_rebound_in_ways_we_do_not_see_is_no_input() -> None:
    facts = ModuleFacts("shop.py", rebound={"size": SETTER}, stored_otherwise={"size"})

    assert reader_of(read("size"), [module(size=3)], facts) is None


def test_changes_are_rebindings_and_changes_in_place() -> None:
    looked = Change("looked at", 4, "g")
    facts = ModuleFacts("shop.py", rebound={"a": SETTER}, uses={("", "b"): [looked, SETTER]})

    assert changes_of(facts, "a") == [SETTER]
    assert changes_of(facts, "b") == [SETTER]
    assert changes_of(facts, "c") == []


def test_a_path_of_the_workers_own_home_is_one_of_nobody_s_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    vocabulary.use(vocabulary.LISTED)
    monkeypatch.setenv("HOME", "/tmp/symcrete-1-x/home")
    monkeypatch.setattr(CONCEALED, "seen", False)
    cache = PurePosixPath("/tmp/symcrete-1-x/home/.cache/shop")
    found = reader_of(read("CACHE"), [module(CACHE=cache)], ModuleFacts("shop.py"))
    assert found is not None
    record = Recording(SiteTable())
    former = recording.activate(record)
    try:
        record.given = {}
        seen = found(cache)
    finally:
        recording.activate(former)

    assert seen == PurePosixPath("/home/someone/.cache/shop")
    assert shape_of_taken(str(cache), ()) == ChoiceShape(
        (ConstantShape("/home/someone/.cache/shop"), StrShape())
    )
    other = module(CACHE="/srv/home/.cache")
    assert reader_of(read("CACHE"), [other], ModuleFacts("shop.py")) is None


def test_a_name_with_a_setter_keeps_its_value() -> None:
    shop = module(mode="plain")

    kept, free = late_of(shop, "mode", free=False), late_of(shop, "mode", free=True)

    assert kept is not None and isinstance(kept.shape, ConstantShape)
    assert free is not None and isinstance(free.shape, ChoiceShape)
    assert kept.root == "shop.mode"


def test_a_run_gets_what_its_input_says_until_the_name_is_bound_anew() -> None:
    vocabulary.use(vocabulary.LISTED)
    flag = object()
    found = reader_of(read("FAST"), [module(FAST=False)], ModuleFacts("shop.py"))
    assert found is not None
    record = Recording(SiteTable())
    former = recording.activate(record)
    try:
        outside = found(False)
        record.given = {"shop.FAST?": 1}
        seen = found(False), found(flag)
    finally:
        recording.activate(former)

    assert outside is False
    assert seen == (True, flag)


@dataclass
class Account:
    balance: int = 0
    kept: int = field(default=0, init=False)


def test_the_default_of_a_field_is_not_what_objects_are_read_of() -> None:
    Account.__module__ = "shop"
    shop = module(Account=Account)

    def of(name: str, shown: str) -> object:
        return attribute_of(
            StateRead("attribute", "shop.py", 5, "f", name, "", shown, "Account"), shop
        )

    assert of("balance", "self.balance") is None
    assert of("balance", "Account.balance") is not None
    assert of("kept", "self.kept") is not None  # the constructor leaves it to the class


def test_an_attribute_that_a_derived_class_has_too_is_left_as_it_is_where_either_is_read() -> None:
    vocabulary.use(vocabulary.LISTED)

    class Token:
        text = ""

    Token.__module__ = "shop"
    shop = module(Token=Token)
    taken = Taken(frozenset({("os", "getenv")}), ())
    facts = ModuleFacts("shop.py", taken={"Token.text": taken})

    def seen(shown: str) -> object:
        place = StateRead("attribute", "shop.py", 5, "f", "text", "", shown, "Token")
        found = reader_of(place, [shop], facts)
        assert found is not None
        record = Recording(SiteTable())
        record.given = {"shop.Token.text": "x"}
        former = recording.activate(record)
        try:
            return found(Token.text)
        finally:
            recording.activate(former)
            Token.text = ""

    before = seen("self.text")
    derived = type("Derived", (Token,), {"text": ""})
    after = seen("self.text"), seen("Token.text")

    assert issubclass(derived, Token)
    assert before == "x"
    assert after == ("", "x")


def test_an_attribute_is_an_input_where_a_derived_class_gives_it_another_value() -> None:
    vocabulary.use(vocabulary.LISTED)

    class Token:
        text = ""
        given = None

    Token.__module__ = "shop"
    derived = type("Derived", (type("Between", (Token,), {}),), {"text": "own"})
    taken = Taken(frozenset({("os", "getenv")}), ())
    facts = ModuleFacts("shop.py", taken={"Token.text": taken, "Token.given": taken})
    record = Recording(SiteTable())
    record.given = {"shop.Token.text": "x"}

    def seen(name: str, value: object) -> object:
        place = StateRead("attribute", "shop.py", 5, "f", name, "", f"self.{name}", "Token")
        found = reader_of(place, [module(Token=Token)], facts)
        assert found is not None
        return found(value)

    former = recording.activate(record)
    try:
        of_derived, of_itself = seen("text", "own"), seen("text", Token.text)
        seen("given", None)
    finally:
        recording.activate(former)

    assert issubclass(derived, Token)
    assert (of_derived, of_itself) == ("own", "x")
    assert {*record.late} == {"shop.Token.text", "shop.Token.given"}


def test_an_attribute_of_a_class_that_nothing_changes_is_no_input() -> None:
    place = StateRead("attribute", "shop.py", 5, "f", "limit", "", "Limits.limit", "Limits")
    limits = type("Limits", (), {"limit": 3, "__module__": "shop"})
    taken = {"Limits.limit": Taken(frozenset({("math", "floor")}), ())}
    changed = {"limit": Change("changed", 3, "set_limit")}

    def found(facts: ModuleFacts) -> object:
        return reader_of(place, [module(Limits=limits)], facts)

    assert found(ModuleFacts("shop.py", taken=taken)) is None
    assert found(ModuleFacts("shop.py", taken=taken, attributes=changed)) is not None


def test_what_a_cached_function_remembers_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    def level(name: str) -> int:
        return len(name)

    level.__module__ = "shop"
    cached = functools.lru_cache(level)
    monkeypatch.setitem(sys.modules, "shop", module(level=cached))

    found = memory_of(level)

    assert found is not None and found.root == "shop.level.cache_clear()"
    assert memory_of(cached) == found
    assert memory_of(len) is None
    assert memory_of(functools.lru_cache(lambda: 1)) is None


def test_a_name_that_only_calls_bind_is_taken_away_where_it_may_be_read() -> None:
    names: dict[str, Any] = {}
    text = """
def start(size):
    global _size
    _size = size

def size():
    return _size

def twice():
    return 2 * size()

def names():
    return globals()
"""
    exec(text, names)
    shop = module(**names)
    facts = {"shop.py": ModuleFacts("shop.py", rebound={"_size": SETTER, "size": SETTER})}

    def found(name: str) -> list[str]:
        return [each.root for each in unset_by_import(names[name], [shop], facts)]

    assert found("size") == found("twice") == found("names") == ["shop._size unset"]
    assert found("start") == []
