"""Names of the program's modules: as the import left them, or with another value of their type."""

import threading
from typing import Any

import pytest

from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape
from symcrete.world.module_state import MODULE_STATE, shape_of_chosen, shape_of_name
from symcrete.world.source import Answer, Setting


@pytest.mark.parametrize("value", [True, 3, 2.5, "plain"])
def test_the_plain_value_is_that_of_the_import(value: Any) -> None:
    shape = shape_of_name(value, free=True)

    assert isinstance(shape, ChoiceShape)
    assert shape.plain("m.x", {}) == value
    assert type(shape.plain("m.x", {"m.x?": 1})) is type(value)
    assert shape.plain("m.x", {"m.x?": 1}) != value


@pytest.mark.parametrize("value", [True, 3, "plain", None, [1], {"a": 1}, set()])
def test_what_calls_bring_about_begins_as_after_the_import(value: Any) -> None:
    shape = shape_of_name(value, free=False)

    assert isinstance(shape, ConstantShape)
    assert shape.plain("m.x", {}) == value


def test_a_container_that_changes_later_is_told_as_it_was() -> None:
    value = [1]
    shape = shape_of_name(value, free=False)
    value.append(2)

    assert shape is not None
    assert shape.plain("m.x", {}) == [1]


def test_what_cannot_be_written_down_is_no_input() -> None:
    assert shape_of_name(object(), free=True) is None
    assert shape_of_name([object()], free=False) is None
    assert shape_of_name((1, 2), free=True) is None


def test_a_name_is_set_where_it_is() -> None:
    told = list(MODULE_STATE.shown([Answer("shop.FAST", True, "True")], lambda m, n: []))

    assert told == [Setting("shop.FAST", "True", 'monkeypatch.setattr("shop.FAST", True)')]


def test_what_a_thread_keeps_for_itself_begins_empty() -> None:
    shape = shape_of_name(threading.local(), free=True)
    used = threading.local()
    used.name = "me"

    assert isinstance(shape, ConstantShape)
    (told,) = MODULE_STATE.shown([Answer("m.here", shape.value, "local()")], lambda *_: ())
    assert told.line == 'from threading import local\nmonkeypatch.setattr("m.here", local())'
    assert shape_of_name(used, free=True) is None


def test_what_the_system_chooses_is_one_of_the_values_of_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    of_this_machine = shape_of_chosen(5, (10, 5))
    monkeypatch.setattr("symcrete.world.importing.concealed.CONCEALED.seen", False)
    of_nobodys = shape_of_chosen(5, (10, 5))

    assert of_this_machine == ChoiceShape((ConstantShape(10), ConstantShape(5)))
    assert of_nobodys == ChoiceShape((ConstantShape(5), ConstantShape(10)))
    assert shape_of_chosen(7, (10, 5)) is shape_of_chosen(5, (5,)) is None
    assert shape_of_chosen(True, (1, 0)) is None  # equal, but of another type
