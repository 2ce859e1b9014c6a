"""Containers in fields that get another name may be given elements of other types through it."""

from __future__ import annotations

import ast
import textwrap

import pytest

from symcrete.program.state.aliased_fields import changed_through_names

DECLARED = {"n": "int", "items": "list[int]", "ages": "dict[str, int]", "rows": "list[list[int]]"}


def blamed(text: str) -> dict[str, str]:
    tree = ast.parse(textwrap.dedent(text))
    found = changed_through_names([tree], {"Box"}, DECLARED)
    return {each.field: each.scope for each in found}


CHANGING = {
    "a local name": "def f(box):\n    mine = box.items\n    mine.append(None)",
    "a parameter of another function": "def f(box): put(box.items)\ndef put(xs): xs.append(None)",
    "a result": "def get(box): return box.items\ndef f(box): get(box)[0] = None",
    "an attribute": "def f(self, box):\n    self.mine = box.items\n    self.mine.insert(0, None)",
    "a method kept": "def f(box, xs):\n    put = box.items.append\n    xs.append(None)",
    "a list that becomes the field": "def f():\n    xs = [1]\n    b = Box(xs)\n    xs.append(None)",
    "a sum in place": "def f(box):\n    mine = box.items\n    mine += [None]",
    "a sum in place of who knows what": "def f(box, more):\n    mine = box.items\n    mine += more",
    "a slice": "def f(box):\n    mine = box.items\n    mine[:] = [None]",
    "a method called by its kept name": "def f(box):\n    put = box.items.append\n    put(None)",
    "a method handed on": "def f(box): list(map(box.items.append, [None]))",
    "a special method": "def f(box): box.items.__iadd__([None])",
    "a function of a library": "def f(box): heapq.heappush(box.items, None)",
    "a text": "def f(box): getattr(box, 'items').append(None)",
    "a pattern": "def f(box):\n    match box:\n        case Box(items=xs): xs.append(None)",
    "a pattern by place": "def f(box):\n    match box:\n        case Box(xs): xs.append(None)",
    "a lambda": "f = lambda xs: xs.append(None)\ndef g(box): f(box.items)",
    "a value of unknown type": "def f(box, x):\n    mine = box.items\n    mine.append(x)",
}


@pytest.mark.parametrize("what", CHANGING)
def test_a_container_that_is_changed_through_another_name_is_blamed(what: str) -> None:
    assert "items" in blamed(CHANGING[what])


def test_a_function_of_a_library_may_look_at_a_container_or_put_a_value_of_its_type_there() -> None:
    text = "def f(box, n: int):\n    random.choice(box.items)\n    heapq.heappush(box.items, n)"

    assert "items" not in blamed(text)


def test_keys_and_inner_containers_count_too() -> None:
    text = """
        def f(box):
            mine = box.ages
            mine[3] = 4

        def g(box):
            for row in box.rows:
                row.append(None)
    """

    assert blamed(text) == {"ages": "g", "rows": "g"}


HARMLESS = {
    "elements of the declared type": "def f(box):\n    mine = box.items\n    mine.append(3)",
    "a list of its own": "def f(box):\n    out = []\n    out.append(None)\n    return len(box.items)",
    "an attribute of its own": "def f(self, box):\n    self.log = []\n    self.log.append(None)\n"
    "    self.last = box.items",
    "looking alone": "def f(box, xs):\n    xs.append(None)\n    return sum(box.items), box.items[0], 3 in box.items",
    "a sum of numbers": "def f(box, n):\n    mine, sum = box.items, 0\n    k = 0\n    k += n",
    "no container": "def f(box, xs):\n    n = box.n\n    xs.append(None)",
    "keys and values of the declared types": "def f(box):\n    mine = box.ages\n    mine['a'] = 4",
}


@pytest.mark.parametrize("what", HARMLESS)
def test_what_cannot_be_the_field_or_fits_it_is_not(what: str) -> None:
    assert blamed(HARMLESS[what]) == {}
