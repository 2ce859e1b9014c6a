"""Containers that hold tracked values, or whose length is an input: what each operation reports."""

from __future__ import annotations

from typing import Any

from tests.values.running import run, tracked

from symcrete.terms.term import Sort, var
from symcrete.values.containers import dicts, keys, lists, sequences, set_inputs, sets, sorting
from symcrete.values.containers.dict_inputs import concolic_dict
from symcrete.values.containers.word_keys import Words
from symcrete.values.rows import tables
from symcrete.values.tracking import lengths
from symcrete.values.tracking.numeric import concolic_int, untracked
from symcrete.values.tracking.ranges import ConcolicRange, concolic_range, range_contains
from symcrete.values.tracking.truth import Truth

LENGTH = var("n", Sort.INT)


def number(value: int, name: str) -> Any:
    return concolic_int(value, var(name, Sort.INT))


def open_list(count: int) -> Any:
    made = [number(place, f"e{place}") for place in range(count)]
    return lists.concolic_list(made, LENGTH, lambda place: number(place, f"e{place}"))


def test_the_length_of_an_open_list_is_a_term_and_asking_for_it_decides_nothing() -> None:
    with run() as record:
        size = lengths.length_of(open_list(2))

    assert size.term is LENGTH
    assert untracked(size) == 2
    assert record.events == []


def test_equality_of_an_open_list_is_one_condition_whatever_length_it_has() -> None:
    with run() as record:
        equal = open_list(1) == [0, 1, 2]

    assert type(equal) is Truth
    assert not int.__bool__(equal)
    assert record.events == []


def test_an_element_of_an_open_list_asks_only_whether_there_are_so_many() -> None:
    with run() as record:
        second = sequences.item(open_list(3), 1)

    assert untracked(second) == 1
    assert len(record.events) == 1


def test_sorting_a_float_beside_a_tracked_int_keeps_the_comparison() -> None:
    items = [2.5, number(2, "x"), 1.0]

    with run() as record:
        assert not sorting.speak_for_themselves(items)
        sorting.sort(items, None, False)

    assert [untracked(each) for each in items] == [1.0, 2, 2.5]
    assert record.events


def test_elements_of_plain_values_speak_for_themselves() -> None:
    assert sorting.speak_for_themselves([1, "a", 2.5, [3]])


def test_a_tracked_key_is_found_where_it_is_equal_and_that_is_a_branch() -> None:
    table: dict[Any, Any] = {1: "one", 2: "two"}

    with run() as record:
        found = dicts.read(table, number(2, "k"))

    assert found == "two"
    assert record.events


def test_a_plain_dict_that_holds_a_tracked_key_is_known_to_do_so() -> None:
    table: dict[Any, Any] = {}

    with run():
        assert not keys.keyed(table)
        dicts.store(table, number(5, "k"), "five")
        assert keys.keyed(table)


def test_an_open_dict_knows_its_keys_in_this_run() -> None:
    made = concolic_dict([("a", 1), ("b", 2)], LENGTH)

    assert tables.OPEN[type(made)](made) == 2
    assert lengths.is_open(made)


def test_a_set_made_of_tracked_elements_asks_which_of_them_are_equal() -> None:
    with run() as record:
        made = sets.made(set, [number(1, "a"), number(1, "b")])

    assert len(list(set.__iter__(made))) == 1
    assert record.events


def test_an_open_set_stands_for_a_set() -> None:
    made = set_inputs.concolic_set(set, [1, 2], LENGTH, pristine=True)

    assert tables.STANDS_FOR[type(made)] is set


def test_a_text_among_many_words_is_one_condition_and_the_one_it_is_is_found() -> None:
    with run():
        word, _ = tracked(str, "two")
        words = Words(word, ["one", "two", "three"])
        found = words.picked("two")

    assert found == "two"
    assert not words.is_there().is_const


def test_a_range_with_a_tracked_bound_asks_for_each_step() -> None:
    with run() as record:
        numbers = [untracked(each) for each in concolic_range(number(3, "n"))]

    assert numbers == [0, 1, 2]
    assert len(record.events) == 4


def test_a_number_in_a_range_with_a_tracked_bound_is_one_condition() -> None:
    with run() as record:
        inside = range_contains(ConcolicRange(0, number(3, "n"), 1), 2)

    assert type(inside) is Truth
    assert int.__bool__(inside)
    assert record.events == []


def test_a_range_of_plain_bounds_is_pythons_own() -> None:
    assert type(concolic_range(1, 5)) is range


def test_sorting_by_a_key_compares_what_the_key_gives() -> None:
    keys = {"tracked": number(4, "x"), "plain": 2.5}
    items = list(keys)

    with run() as record:
        sorting.sort(items, keys.get, False)

    assert items == ["plain", "tracked"]
    assert record.events
