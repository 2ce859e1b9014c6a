"""pydantic models as inputs, where pydantic is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options
from symcrete.program.source.target import targets_of

pytest.importorskip("pydantic")

PROGRAM = """
from pydantic import BaseModel, Field, field_validator


class Item(BaseModel):
    name: int
    price: float = Field(gt=0, le=1000)
    tags: list[int] = Field(default_factory=list, max_length=3)


class Order(BaseModel):
    items: list[Item]
    discount: int = Field(default=0, ge=0, lt=100, multiple_of=5)


class Even(BaseModel):
    value: int

    @field_validator("value")
    @classmethod
    def is_even(cls, value):
        if value % 2:
            raise ValueError("odd")
        return value


def dear(item: Item) -> bool:
    return item.price == 999.5 and len(item.tags) == 3 and item.name == 4


def cheap(order: Order) -> bool:
    if order.discount == 95 and len(order.items) == 1 and order.items[0].price > 500.0:
        return True
    return False


class Discount(BaseModel):
    percent: int = Field(ge=0, lt=100, multiple_of=5)


def beyond(discount: Discount) -> bool:
    if discount.percent > 95 or discount.percent == 7:
        return True
    return False


def validated(even: Even) -> bool:
    if even.value == 44:
        return True
    return False
"""


def explored(tmp_path: Path, name: str) -> TargetReport:
    file = tmp_path / "models.py"
    file.write_text(PROGRAM)
    return cover(targets_of(f"{file}::{name}")[0], Options(budget=20.0))


@pytest.mark.parametrize("name", ["dear", "cheap", "validated"])
def test_a_branch_on_the_fields_is_covered(name: str, tmp_path: Path) -> None:
    report = explored(tmp_path, name)

    assert report.conditions.open == 0
    assert {found.outcome for found in report.inputs} == {"returned"}


def test_what_a_field_does_not_allow_is_infeasible(tmp_path: Path) -> None:
    report = explored(tmp_path, "beyond")

    assert report.status == "complete"
    assert [spot.side for spot in report.infeasible] == [True, True]
