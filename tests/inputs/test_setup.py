"""Objects that an input mentions more than once are made by statements of their own."""

from __future__ import annotations

import pytest

from symcrete.inputs.setup import taken_apart


@pytest.mark.parametrize(
    ("args", "statements", "plain"),
    [
        ({"a": "[1]", "b": '"x"'}, (), {"a": "[1]", "b": '"x"'}),
        (
            {"a": '(same_a := ["x"])', "b": "same_a"},
            ('same_a = ["x"]',),
            {"a": "same_a", "b": "same_a"},
        ),
        (
            {"rows": '[(same_rows_0 := []), same_rows_0, "ä"]'},
            ("same_rows_0 = []",),
            {"rows": '[same_rows_0, same_rows_0, "ä"]'},
        ),
        (
            {"h": "Holder(1, items=(same_h_items := [2]))", "items": "same_h_items"},
            ("same_h_items = [2]",),
            {"h": "Holder(1, items=same_h_items)", "items": "same_h_items"},
        ),
        (
            {"d": '{"k": (same_v := []), "l": same_v}'},
            ("same_v = []",),
            {"d": '{"k": same_v, "l": same_v}'},
        ),
        (
            {
                "n": "(same_n := Node((same_n_next := Node(None))), "
                'setattr(same_n_next, "next", same_n))[0]'
            },
            (
                "same_n_next = Node(None)",
                "same_n = Node(same_n_next)",
                "same_n_next.next = same_n",
            ),
            {"n": "same_n"},
        ),
        (
            {"c": "(same_c := Cache(), same_c.__setitem__('a', 1), same_c.full)[0]", "d": "same_c"},
            ("same_c = Cache()", "same_c['a'] = 1", "_ = same_c.full"),
            {"c": "same_c", "d": "same_c"},
        ),
        (
            {"self": "(self := Door(), self.__enter__())[0]"},
            (),
            {"self": "(self := Door(), self.__enter__())[0]"},
        ),
        (
            {"self": "(self := Door((same_a := [])), self.put(same_a))[0]"},
            ("same_a = []",),
            {"self": "(self := Door(same_a), self.put(same_a))[0]"},
        ),
    ],
)
def test_what_is_named_is_made_before(
    args: dict[str, str], statements: tuple[str, ...], plain: dict[str, str]
) -> None:
    assert taken_apart(args) == (statements, plain)
