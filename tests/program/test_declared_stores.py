"""Stores are compared with the declared types of the fields that they go to."""

from __future__ import annotations

import ast
from typing import Optional

import pytest

from symcrete.program.state.declared_stores import as_text, fits, misfits

DECLARED = {
    "n": "int",
    "x": "float",
    "name": "str",
    "log": "list[int]",
    "on": "bool",
    "end": "int | None",
}
FITTING = [
    "self.n = 1",
    "self.n += more",
    "self.n = self.n * 2 - len(self.log)",
    "self.n = max(self.n, more) if more > 3 else -more",
    "self.n = abs(more)",
    "self.x = more / 2",
    "self.x = 3",
    "self.name += 'a'",
    "self.name = f'{more}'.strip() + str(more)",
    "self.on = not self.on",
    "self.on = more > self.n",
    "self.end = None",
    "self.end: int = 3",
    "self.log.append(more)",
    "self.log.pop()",
]
UNFITTING = [
    "self.n = None",
    "self.n /= 2",
    "self.n = more ** -1",
    "self.n = unknown",
    "self.n = rebound",
    "self.n = int_or_none",
    "self.n, self.x = 1, 2",
    "self.name = 3",
    "self.name = unknown.strip()",
    "self.on = unknown > 3",
    "self.log.append(None)",
    "self.log[0] = more",
    "self.log.extend(unknown)",
    "del self.n",
    "for self.n in unknown: pass",
    "setattr(other, 'n', 1)",
    "setattr(self, unknown, 1)",
    "object.__setattr__(self, 'n', 1)",
    "super().__setattr__('n', 1)",
    "self.__dict__['n'] = None",
    "vars(self).update(unknown)",
    "other.n = max(unknown, 1)",
]


def found(statement: str) -> list[str]:
    text = (
        "class Box:\n"
        "    def change(self, more: int, rebound: int, unknown, int_or_none: int = None, other=None):\n"
        "        rebound = unknown\n"
        f"        {statement}\n"
    )
    return list(dict.fromkeys(e.scope for e in misfits(ast.parse(text), {"Box"}, DECLARED)))


@pytest.mark.parametrize("statement", FITTING)
def test_a_value_of_the_declared_type_fits(statement: str) -> None:
    assert found(statement) == []


@pytest.mark.parametrize("statement", UNFITTING)
def test_whatever_may_be_of_another_type_does_not(statement: str) -> None:
    assert found(statement) == ["Box.change"]


def test_a_built_in_function_that_the_module_binds_is_not_known() -> None:
    text = "def len(x): return None\ndef shut(box):\n    box.n = len(box)\nbox.n = None\n"

    assert [each.scope for each in misfits(ast.parse(text), {"Box"}, DECLARED)] == ["shut", ""]


def test_fields_of_other_classes_are_others() -> None:
    text = "class Other:\n    def shut(self, box):\n        self.n = None\n        box.n = None\n"

    assert [each.line for each in misfits(ast.parse(text), {"Box"}, DECLARED)] == [4]


def test_declared_types_are_compared_as_text() -> None:
    optional = Optional[int]  # noqa: UP045 - as people write it

    assert as_text(int) == "int"
    assert as_text(optional) == as_text(int | None) == "int | None"
    assert as_text("Optional[int]") == "int | None"
    assert as_text(list[int]) == "list[int]"
    assert fits("bool", "int") and fits("None", "int | None") and not fits("", "int")


def test_where_no_field_is_declared_no_module_is_read() -> None:
    unreadable = ast.Module(body=[object()], type_ignores=[])  # type: ignore[list-item]

    assert list(misfits(unreadable, {"Order"}, {})) == []
