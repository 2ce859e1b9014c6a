"""Models of built-ins called directly: CPython's result, the term of it, and no loss."""

from __future__ import annotations

import _hashlib
import bisect
import collections
import enum
import functools
import heapq
import io
import itertools
import json
import math
import operator
import re
import statistics
import time
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from tests.values.running import agrees, run, tracked

from symcrete.inputs.shapes.fakes import Fake
from symcrete.terms.evaluate import evaluate
from symcrete.values.containers.keys import lose_key
from symcrete.values.library import date_texts, enumerations, json_writing
from symcrete.values.library.text_files import TrackedStringIO
from symcrete.values.models import (
    blobs,
    collection_types,
    container_functions,
    hashes,
    json_text,
    math_functions,
    number_functions,
    regex_functions,
    text_functions,
    type_functions,
)
from symcrete.values.models.iteration import MODELS as PASSED_ON
from symcrete.values.models.ordering import MODELS as ORDERED
from symcrete.values.models.ordering import merge_model
from symcrete.values.models.pure import applied_whole
from symcrete.values.numbers.decimal_texts import decimal_model
from symcrete.values.regex.matches import one_match
from symcrete.values.rows.model_rows import Model
from symcrete.values.text.content.strings import ConcolicStr, content_of
from symcrete.values.text.meaning.formatting import percent
from symcrete.values.text.meaning.numerals import to_float
from symcrete.values.tracking.modelled import callee, foreign, name_of
from symcrete.values.tracking.numeric import term_of, untracked
from symcrete.values.tracking.truth import Truth
from symcrete.world.files.opened import Opened

OF_NUMBERS: list[tuple[str, Callable[[Any], Any]]] = [
    ("abs", lambda x: callee(abs)(x)),
    ("divmod", lambda x: number_functions.divmod_model(x, 7)[1]),
    ("min", lambda x: number_functions.min_model(x, 4)),
    ("sum", lambda x: number_functions.sum_model([x, 3, x])),
    ("hash", number_functions.hash_model),
    ("float", number_functions.float_model),
    ("floor", lambda x: callee(math.floor)(x)),
    ("gcd", lambda x: callee(math.gcd)(x, 12)),
    ("isqrt", lambda x: math_functions.applied(math.isqrt, (x * x,))),
    ("hex", lambda x: callee(hex)(x)),
    ("operator.add", lambda x: callee(operator.add)(x, 5)),
    ("reduce", lambda x: callee(functools.reduce)(operator.mul, [x, 2, x])),
    ("from_bytes", lambda x: blobs.from_bytes(int, callee(bytes)([x % 256, 1]))),
]
NUMBERS = (0, 1, -1, 7, -12, 255, 1000)


@pytest.mark.parametrize(
    "operation", [each for _, each in OF_NUMBERS], ids=[name for name, _ in OF_NUMBERS]
)
def test_a_model_on_numbers_agrees_with_cpython(operation: Callable[[Any], Any]) -> None:
    for value in NUMBERS:
        for other in NUMBERS:
            assert agrees(operation, int, value, other), (value, other)


def test_an_operation_that_drops_the_term_does_not_agree() -> None:
    assert not agrees(untracked, int, 1, 2)


def test_the_class_of_a_tracked_value_is_the_one_it_stands_for() -> None:
    with run():
        number, _ = tracked(int, 3)

        assert type_functions.type_model(number) is int
        assert untracked(type_functions.len_model([number])) == 1


def test_a_model_of_plain_arguments_is_the_built_in() -> None:
    plain = {row.original: row.function for row in (*PASSED_ON, *ORDERED) if isinstance(row, Model)}

    assert list(plain[itertools.chain]([1], [2])) == [1, 2]
    assert plain[sorted]([3, 1, 2]) == [1, 2, 3]
    assert plain[bisect.bisect_left]([1, 3, 5], 3) == 1
    heap: list[int] = []
    plain[heapq.heappush](heap, 4)
    assert heap == [4]


def test_containers_made_of_tracked_values_hold_the_very_values() -> None:
    with run():
        number, _ = tracked(int, 3)
        made = container_functions.list_model((number, 1))
        counts = collection_types.counter_model([1, 1, 2])

    assert made[0] is number
    assert counts == collections.Counter({1: 2, 2: 1})


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


def test_which_member_of_an_enumeration_is_meant_is_a_branch_and_loses_nothing() -> None:
    with run() as record:
        number, _ = tracked(int, 2)
        name, _ = tracked(str, "LOW", "name")
        found = callee(Level)(number), enumerations.member_by_name(Level, name)
        there = enumerations.proxy_has(Level.__members__, name)

    assert found == (Level.HIGH, Level.LOW)
    assert type(there) is Truth
    assert len(record.events) == 4
    assert not record.losses


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2024-02-29", lambda text: date_texts.strptime_model(datetime, text, "%Y-%m-%d").day),
        ("29 feb", lambda text: callee(time.strptime)(text + " 2024", "%d %b %Y").tm_mday),
        ("2024-02-29", lambda text: date_texts.iso_day_model(date, text).day),
        ("2024-02-29T10:30", lambda text: date_texts.iso_moment_model(datetime, text).day),
    ],
)
def test_a_date_that_is_read_from_a_tracked_text_has_terms(
    text: str, read: Callable[[Any], Any]
) -> None:
    with run() as record:
        day = read(tracked(str, text)[0])

    assert untracked(day) == 29
    assert term_of(day) is not None
    assert not record.losses


def test_json_of_a_tracked_text_is_read_by_branches_and_loses_nothing() -> None:
    with run() as record:
        document, _ = tracked(str, '{"a": [1]}')
        found = json_text.loads_model(document)

    assert json.loads('{"a": [1]}') == {"a": [1]}
    assert [untracked(key) for key in dict.__iter__(found)] == ["a"]
    assert record.events
    assert not record.losses


@pytest.mark.parametrize("document", ['"ab', '["a", "b\\\\'])
def test_a_string_of_json_without_its_end_is_told_by_its_opening_quote(document: str) -> None:
    with pytest.raises(json.JSONDecodeError) as expected:
        json.loads(document)

    with run(), pytest.raises(json.JSONDecodeError) as found:
        json_text.loads_model(tracked(str, document)[0])

    assert found.value.pos == expected.value.pos
    assert found.value.msg == expected.value.msg


def test_texts_are_not_summed() -> None:
    with run(), pytest.raises(TypeError):
        number_functions.sum_model([tracked(str, "a")[0]], "")


def test_an_int_is_rounded_to_a_number_of_places_that_is_a_bool() -> None:
    for other in NUMBERS:
        assert agrees(lambda x: round(x, True), int, 14, other)


def test_a_tracked_value_written_as_json_is_a_text_with_terms() -> None:
    with run() as record:
        number, given = tracked(int, 3)
        made = json_writing.dumps_model([number, {"a": "b"}])

    assert untracked(made) == '[3, {"a": "b"}]'
    assert evaluate(content_of(made).whole, given | {"x": 7}) == '[7, {"a": "b"}]'
    assert not record.losses


def test_json_of_a_file_is_that_of_what_is_read_from_it() -> None:
    with run() as record:
        document, _ = tracked(str, '{"a": [1]}')
        found = json_text.load_model(Opened("a.json", document))

    assert [untracked(key) for key in dict.__iter__(found)] == ["a"]
    assert record.events
    assert json_text.load_model(io.StringIO("[1, 2]")) == [1, 2]


def test_a_pattern_matched_against_a_tracked_text_is_a_condition() -> None:
    matching = {row.original: row.function for row in regex_functions.MODELS if type(row) is Model}

    with run() as record:
        word, _ = tracked(str, "ab1")
        found = matching[re.match](r"[a-z]+\d", word)

    assert found is not None
    assert record.events


def test_a_digest_of_tracked_bytes_is_a_function_of_them() -> None:
    with run() as record:
        data, _ = tracked(bytes, b"ab")
        digest = hashes.hashed(_hashlib.openssl_sha256, data).hexdigest()

    assert untracked(digest) == _hashlib.openssl_sha256(b"ab").hexdigest()
    assert not record.losses


def test_a_pure_function_of_tracked_numbers_is_kept_as_it_is() -> None:
    for other in NUMBERS:
        assert agrees(lambda x: applied_whole(statistics.median, [x, 3, 5]), int, 4, other)


def test_a_number_shown_by_percent_keeps_its_digits() -> None:
    for other in (7, 10, -3):
        assert agrees(lambda x: percent("<%d>", x), int, 5, other)


def test_str_of_a_tracked_number_agrees_with_cpython() -> None:
    for other in NUMBERS:
        assert agrees(text_functions.str_model, int, 12, other)


def test_a_decimal_is_read_from_a_tracked_text() -> None:
    with run() as record:
        word, _ = tracked(str, "1.50")
        made = decimal_model(word)

    assert str(untracked(made)) == "1.50"
    assert record.events


def test_a_decimal_that_is_read_keeps_the_sign_of_minus_zero() -> None:
    with run() as record:
        made = [decimal_model(tracked(str, word)[0]) for word in ("-0.0", "-1.0")]

    assert [str(untracked(each)) for each in made] == ["-0.0", "-1.0"]
    assert not record.losses


def test_the_float_of_a_text_is_minus_zero_where_cpython_says_so() -> None:
    for word in ("-0", "-0.0", "-.0", "+0", "0.", "-1.5"):
        with run():
            value, given = tracked(str, word)
            term = to_float(content_of(value), word).term

        _, model, _ = term.args

        assert repr(evaluate(model, given)) == repr(float(word))


@pytest.mark.parametrize("chosen", [heapq.nsmallest, heapq.nlargest])
def test_a_key_that_gives_plain_floats_beside_tracked_ints_is_a_branch(chosen: Any) -> None:
    model = {row.original: row.function for row in ORDERED if isinstance(row, Model)}[chosen]
    with run() as record:
        keys = {"tracked": tracked(int, 4)[0], "plain": 2.5}
        found = model(1, list(keys), keys.get)

    assert found == chosen(1, list(keys), key={"tracked": 4, "plain": 2.5}.get)
    assert record.events


def test_merging_by_a_key_keeps_the_terms_of_what_the_key_gives() -> None:
    with run() as record:
        keys = {"tracked": tracked(int, 4)[0], "plain": 2.5}
        found = list(merge_model(["plain"], ["tracked"], key=keys.get))

    assert found == ["plain", "tracked"]
    assert record.events


def test_where_the_search_of_a_match_began_and_had_to_end_depends_on_the_length() -> None:
    for bounds in ((), (1,), (0, 2), (9,), (-1, -1)):
        for other in ("", "a", "aaaaaa"):
            for which in (0, 1):
                ask = functools.partial(_bound_of_match, bounds=bounds, which=which)
                assert agrees(ask, str, "aaa", other)


def _bound_of_match(word: Any, bounds: tuple[int, ...], which: int) -> Any:
    pattern = re.compile("a*")
    match = one_match("match", pattern, word, bounds) if type(word) is not str else None
    match = match or pattern.match(word, *bounds)
    assert match is not None
    return (match.pos, match.endpos)[which]


def test_reading_a_tracked_text_file_gives_pieces_of_the_text() -> None:
    with run():
        word, _ = tracked(str, "ab\ncd")
        file = TrackedStringIO(word)
        first = file.readline()

    assert isinstance(file, io.StringIO)
    assert untracked(first) == "ab\n"


def test_a_call_is_named_by_the_class_that_a_value_stands_for() -> None:
    named = [name_of(each) for each in (ConcolicStr, str.join, len)]

    assert named == ["str()", "str.join()", "len()"]


def test_a_loss_names_the_class_that_a_value_stands_for() -> None:
    with run() as record:
        lose_key(tracked(str, "a")[0])
        lose_key(1)

    assert [what for _, _, what in record.losses] == ["a key of type str", "a key of type int"]


def test_what_cannot_be_called_reads_nothing() -> None:
    stand_in: Any = Fake()

    with run() as record, pytest.raises(TypeError):
        foreign(stand_in)

    assert not record.reads
