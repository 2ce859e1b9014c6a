"""The stand-ins of all sources are in place while runs are made, and only then."""

import http.client
import os
import sys
import time
from types import ModuleType

import pytest

from symcrete.inputs.draw.text import StrShape
from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import ConstantShape
from symcrete.program.state.facts import ModuleFacts
from symcrete.run.situation import Situation
from symcrete.values.build.late_inputs import attribute_reads
from symcrete.values.tracking.modelled import callee, standing_in
from symcrete.world.outside.connections import CONNECTIONS
from symcrete.world.source import Setting


def test_stand_ins_are_taken_away_when_everybody_has_left() -> None:
    situation, ordinary = Situation({"time"}), type(os.environ)

    situation.enter()
    situation.enter()
    situation.leave()
    inside = type(os.environ)
    situation.leave()

    assert inside is not ordinary
    assert type(os.environ) is ordinary
    assert not attribute_reads
    assert callee(time.time) is time.time


def test_a_module_of_a_package_that_only_a_function_imports_is_stood_in_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http, "client", http.client)  # so that the package has it afterwards, too
    monkeypatch.delitem(sys.modules, "http.client")

    def asks() -> object:
        import http.client

        return http.client.HTTPConnection("")

    situation = Situation(asks.__code__.co_names, sources=[CONNECTIONS])
    situation.enter()
    stands_in = standing_in(sys.modules["http.client"].HTTPConnection, "request")
    situation.leave()

    assert stands_in is not None


def test_what_was_asked_for_is_told_as_the_lines_of_a_test() -> None:
    late = [Late("os.environ['SHOP']", StrShape(), "environment"), Late("a.b", StrShape(), "")]

    told = Situation().told(late, {"len(os.environ['SHOP'])": 1, "os.environ['SHOP'][0]": 120})

    assert told == (Setting("os.environ['SHOP']", '"x"', 'monkeypatch.setenv("SHOP", "x")'),)


def _module(name: str, **names: object) -> ModuleType:
    made = ModuleType(name)
    made.__file__ = f"{name}.py"
    vars(made).update(names)
    return made


def test_a_name_is_set_where_the_program_finds_it() -> None:
    shop = _module("shop", now=time.time)
    by_name = ModuleFacts("shop.py", imported={"now": ("time", "time")})
    by_module = ModuleFacts("shop.py", modules={"time": "time"})

    assert Situation(facts={"shop.py": by_name}, modules=lambda: [shop]).targets(
        "time", "time"
    ) == ["shop.now"]
    assert Situation(facts={"shop.py": by_module}, modules=lambda: [shop]).targets(
        "time", "time"
    ) == ["time.time"]


def test_a_value_with_classes_in_it_is_set_where_their_names_are_imported() -> None:
    late = [Late("shop.KINDS", ConstantShape({"late": Late}), "module state")]

    (told,) = Situation().told(late, {})

    first, second = told.line.splitlines()
    assert first == "from symcrete.inputs.late import Late"
    assert second == 'monkeypatch.setattr("shop.KINDS", {"late": Late})'


def test_a_module_that_its_package_hides_is_taken_from_the_table_of_modules(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "wide", _module("wide", wide=len, plain=None))
    monkeypatch.setitem(sys.modules, "wide.wide", _module("wide.wide"))
    late = [Late("wide.wide.FLAG", ConstantShape(True), "module state")]

    (told,) = Situation().told(late, {})

    line = 'from importlib import import_module\nmonkeypatch.setattr(import_module("wide.wide"), "FLAG", True)'
    assert told == Setting("wide.wide.FLAG", "True", line)


def test_a_situation_inside_another_gives_back_what_it_found() -> None:
    outer, inner = Situation({"sys"}), Situation({"sys"})

    with outer.in_place():
        found = attribute_reads["sys.argv"]
        with inner.in_place():
            assert attribute_reads["sys.argv"] is not found
        assert attribute_reads["sys.argv"] is found

    assert "sys.argv" not in attribute_reads
