"""What texts mean, part by part: encodings, numbers as text, searching, patterns, operators."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.values.running import agrees, plainest, run, tracked

from symcrete.terms import integers
from symcrete.terms.evaluate import evaluate
from symcrete.terms.term import Sort, int_const, var
from symcrete.terms.texts import BYTES, STR
from symcrete.values.regex.matches import (
    ConcolicMatch,
    find_all,
    one_match,
    split,
    substitute,
)
from symcrete.values.regex.pattern_conditions import Unmodelled, Unrolled, parsed, simple_class
from symcrete.values.regex.subject import Subject
from symcrete.values.text.content.contents import Fixed, constant
from symcrete.values.text.content.strings import content_of, text
from symcrete.values.text.meaning import encodings, rendering, searching
from symcrete.values.text.methods.text_classes import inside, percent_of_plain, truth_of_text
from symcrete.values.tracking import arithmetic
from symcrete.values.tracking.numeric import term_of, untracked
from symcrete.values.tracking.recording import held

WORDS = ("abc", "", "añb", "a,b,,c", "  two words ", "\ud800", "12-34")
BLOBS = (b"abc", b"", b"\xc3\xb1", b"\xff", b"a\xe2\x82\xac")


# -- encodings


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "utf-16-le"])
def test_an_encoded_text_has_the_bytes_that_cpython_gives(encoding: str) -> None:
    def encode(value: Any) -> Any:
        if type(value) is str:
            return value.encode(encoding)
        content = encodings.encoded(content_of(value), untracked(value), encoding, "strict")
        assert content is not None
        return text(untracked(value).encode(encoding), content)

    for word in ("abc", "", "xyz", "a b"):
        for other in ("abc", "", "q", "z?z"):
            assert agrees(encode, str, word, other)


def test_a_text_that_cannot_be_encoded_has_no_content_and_says_on_which_condition() -> None:
    with run() as record:
        value, given = tracked(str, "aé")

        content = encodings.encoded(content_of(value), "aé", "ascii", "strict")

    assert content is None
    assert all(evaluate(held(event), given) for event in record.events)
    assert record.events


@pytest.mark.parametrize("blob", BLOBS, ids=repr)
def test_decoded_bytes_have_the_characters_that_cpython_gives(blob: bytes) -> None:
    with run():
        value, given = tracked(bytes, blob)

        content = encodings.decoded(content_of(value), blob, "utf-8", "replace")

    assert content is not None
    assert evaluate(content.whole, given) == blob.decode("utf-8", "replace")


def test_bytes_that_are_no_utf_8_have_no_content() -> None:
    with run():
        value, _ = tracked(bytes, b"\xff")

        assert encodings.decoded(content_of(value), b"\xff", "utf-8", "strict") is None


def test_the_digits_of_bytes_are_those_of_hex() -> None:
    made = encodings.hex_digits(Fixed(BYTES, (int_const(0xA7), int_const(0x0F))))

    assert [chr(each.value) for each in made.elements] == list("a70f")


@pytest.mark.parametrize(
    ("name", "same"), [("UTF8", "utf-8"), ("latin1", "iso8859-1"), ("?", None)]
)
def test_an_encoding_is_known_by_one_name(name: str, same: str | None) -> None:
    assert encodings.codec_name(name) == same


# -- numbers as text


@pytest.mark.parametrize(
    "spec", ["", "d", "x", "X", "#b", "04x", "6d", "<6", "^9", "+d", ",", "*>5"]
)
def test_a_number_is_written_as_format_writes_it(spec: str) -> None:
    def write(value: Any) -> Any:
        if type(value) is int:
            return format(value, spec)
        number = untracked(value)
        return text(format(number, spec), rendering.integer_text(term_of(value), number, spec))

    for number in (0, 7, -12, 255, 48879):
        for other in (0, 9, -15, 254, 10**25):
            assert agrees(write, int, number, other), (number, other)


@pytest.mark.parametrize("spec", ["", ".2f", "%", "e"])
def test_a_float_is_written_as_format_writes_it(spec: str) -> None:
    def write(value: Any) -> Any:
        if type(value) is float:
            return format(value, spec)
        number = untracked(value)
        return text(format(number, spec), rendering.float_text(term_of(value), number, spec))

    for number in (0.0, 1.5, -2.25, 1e300):
        assert agrees(write, float, number, 2.5)


def test_a_written_number_equals_a_text_if_it_is_the_one_that_is_written_so() -> None:
    n = var("n", Sort.INT)
    spec = rendering.parse_spec("04x")
    assert spec is not None
    shown = rendering.Rendered(n, "0007", spec, "04x")

    same = shown.equals(constant(STR, "beef").elements)
    never = shown.equals(constant(STR, "BEEF").elements)

    assert same is integers.eq(n, int_const(48879))
    assert never.is_const
    assert never.value is False


def test_a_specification_is_taken_apart() -> None:
    spec = rendering.parse_spec("*^+#012,.3f")

    assert spec == rendering.Spec("*", "^", "+", True, True, 12, ",", 3, "f")
    assert rendering.parse_spec("no such thing") is None


FILLING: list[tuple[str, Callable[[Any], Any], Callable[[str], str]]] = [
    ("zfill", lambda v: rendering.zero_filled(content_of(v), untracked(v), 6), lambda s: s.zfill(6)),
    ("center", lambda v: rendering.centered(content_of(v), untracked(v), 7, "*"), lambda s: s.center(7, "*")),
    ("ljust", lambda v: rendering.padded(content_of(v), untracked(v), 5, " ", "<"), lambda s: s.ljust(5)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("model", "plain"), [row[1:] for row in FILLING], ids=[r[0] for r in FILLING]
)
def test_a_text_is_filled_up_as_cpython_fills_it(
    model: Callable[[Any], Any], plain: Callable[[str], str]
) -> None:
    def fill(value: Any) -> Any:
        return plain(value) if type(value) is str else text(plain(untracked(value)), model(value))

    for word in ("-12", "ab", "", "long enough", "+"):
        for other in ("-7x", "xy", "", "longer than that"):
            assert agrees(fill, str, word, other)


# -- searching


@pytest.mark.parametrize("last", [False, True])
def test_the_place_of_a_part_is_an_index_or_minus_one(last: bool) -> None:
    part = constant(STR, ",")
    for word in WORDS:
        with run():
            value, given = tracked(str, word)
            expected = word.rfind(",") if last else word.find(",")

            term = searching.find(content_of(value), part, expected, last=last)

        assert evaluate(term, given) == expected


def test_a_part_that_overlaps_itself_is_counted_one_match_after_another() -> None:
    for word in ("aaaa", "aa", "", "baab"):
        with run():
            value, given = tracked(str, word)

            term = searching.count(content_of(value), constant(STR, "aa"))

        assert evaluate(term, given) == word.count("aa")


SPLITTING: list[tuple[str, Callable[[Any, str], Any], Callable[[str], Any]]] = [
    (
        "split",
        lambda v, s: searching.split_at(content_of(v), s.split(",", 2), constant(STR, ","), 2),
        lambda s: s.split(",", 2),
    ),
    (
        "rsplit",
        lambda v, s: searching.split_at_last(
            content_of(v), s.rsplit(",", 1), constant(STR, ","), 1
        ),
        lambda s: s.rsplit(",", 1),
    ),
    (
        "words",
        lambda v, s: searching.words(content_of(v), s, s.split(None, 1), 1),
        lambda s: s.split(None, 1),
    ),
]


@pytest.mark.parametrize(
    ("model", "plain"), [r[1:] for r in SPLITTING], ids=[r[0] for r in SPLITTING]
)
def test_the_pieces_of_a_text_are_those_that_cpython_gives(
    model: Callable[[Any, str], Any], plain: Callable[[str], Any]
) -> None:
    for word in WORDS:
        with run():
            value, given = tracked(str, word)

            pieces = model(value, word)

        assert [evaluate(piece.whole, given) for piece in pieces] == plain(word)


def test_a_text_is_parted_at_its_separator_or_has_no_parts() -> None:
    with run():
        value, given = tracked(str, "a,b,,c")
        pieces = "a,b,,c".rpartition(",")

        parts = searching.parted(content_of(value), pieces, constant(STR, ","), last=True)
        none = searching.parted(
            content_of(value), ("a,b,,c", "", ""), constant(STR, ";"), last=False
        )

    assert parts is not None
    assert tuple(evaluate(part.whole, given) for part in parts) == pieces
    assert none is None


# -- patterns


MATCHING = [r"a+b", r"(\d+)-(\d+)?", r"^[^,]*,", r"(?P<w>\w+)\s*$", r"a|b", r""]


@pytest.mark.parametrize("pattern", MATCHING)
@pytest.mark.parametrize("how", ["match", "fullmatch", "search"])
def test_whether_a_pattern_matches_is_one_condition_over_the_characters(
    pattern: str, how: str
) -> None:
    compiled = re.compile(pattern)
    for word in WORDS:
        for other in WORDS:
            with run() as record:
                found = Subject(compiled, tracked(str, word)[0], ()).exists(
                    how, found=getattr(compiled, how)(word) is not None
                )
            with run():
                _, given = tracked(str, other)

            same = all(evaluate(held(event), given) for event in record.events)

            assert (
                same == ((getattr(compiled, how)(other) is not None) == found) or not record.events
            )


@pytest.mark.parametrize("word", ["12-34", "x 7-", "a-b 00-1 2-2"])
def test_groups_and_spans_of_a_match_are_those_of_cpython(word: str) -> None:
    pattern = re.compile(r"(\d+)-(?P<end>\d+)?")
    plain = pattern.search(word)
    assert plain is not None
    with run():
        value, given = tracked(str, word)

        match = one_match("search", pattern, value, ())

        assert isinstance(match, ConcolicMatch)
        assert [untracked(each) for each in match.groups()] == list(plain.groups())
        assert untracked(match.start()) == plain.start()
        assert evaluate(term_of(match.end(1)), given) == plain.end(1)
        assert match.lastgroup == plain.lastgroup
        assert untracked(match.expand(r"<\1>")) == plain.expand(r"<\1>")


def test_all_matches_splits_and_substitutions_are_those_of_cpython() -> None:
    pattern, word = re.compile(r"(\d)(x?)"), "1x2 3 4x"
    with run():
        value, given = tracked(str, word)

        every = find_all(pattern, value, ())
        pieces = split(pattern, value, 2)
        replaced, count = substitute(pattern, r"\2\1", value, 0)

    assert [tuple(map(untracked, each)) for each in every] == pattern.findall(word)
    assert [untracked(each) for each in pieces] == pattern.split(word, 2)
    assert (untracked(replaced), count) == pattern.subn(r"\2\1", word)
    assert evaluate(content_of(replaced).whole, given) == pattern.sub(r"\2\1", word)


def test_a_pattern_of_one_class_is_simple_and_what_only_python_matches_is_unmodelled() -> None:
    backward = re.compile(r"(a)\1")
    with run():
        content = content_of(plainest(str))
    unrolled = Unrolled(backward, STR, lambda place: int_const(97), content.length, 4)

    assert simple_class(re.compile(r"[0-9]"), STR) is not None
    assert simple_class(re.compile(r"ab"), STR) is None
    assert len(parsed("ab", 0)) == 2
    with pytest.raises(Unmodelled):
        unrolled.exists("match")


# -- operators


OPERATORS: list[tuple[str, Callable[[Any], Any]]] = [
    ("+", lambda s: s + "x"),
    ("radd", lambda s: "x" + s),
    ("*", lambda s: s * 2),
    ("<", lambda s: s < "b"),
    (">=", lambda s: s >= "ab"),
    ("==", lambda s: s == "abc"),
    ("!=", lambda s: s != "abc"),
]


@pytest.mark.parametrize(
    "operation", [row[1] for row in OPERATORS], ids=[row[0] for row in OPERATORS]
)
def test_an_operator_of_texts_agrees_with_cpython(operation: Callable[[Any], Any]) -> None:
    for word in WORDS:
        for other in WORDS:
            assert agrees(operation, str, word, other)


def test_a_text_is_in_another_on_a_condition_whichever_of_them_is_tracked() -> None:
    with run():
        value, given = tracked(str, "abc")
        found, missing = inside(value, "bc"), inside("xabcx", value)

        assert (bool(found), bool(missing)) == (True, True)
        assert evaluate(found.term, given) is True
        assert evaluate(missing.term, given) is True
        assert bool(truth_of_text(value))


def test_a_plain_template_takes_tracked_values_and_leaves_plain_ones_to_cpython() -> None:
    with run():
        value, given = tracked(str, "abc")

        made = percent_of_plain("<%s>", value)

    assert untracked(made) == "<abc>"
    assert evaluate(content_of(made).whole, given) == "<abc>"
    assert percent_of_plain("<%s>", "plain") is NotImplemented


ARITHMETIC: list[tuple[str, Callable[[Any], Any]]] = [
    ("+", lambda x: x + 5),
    ("rsub", lambda x: 9 - x),
    ("//", lambda x: x // 3),
    ("rmod", lambda x: 17 % x),
    ("**", lambda x: x**2),
    ("/", lambda x: x / 4),
    ("<<", lambda x: x << 3),
    ("&", lambda x: x & 6),
    ("round", lambda x: round(x, -1)),
    ("abs", abs),
]


@pytest.mark.parametrize("operation", [r[1] for r in ARITHMETIC], ids=[r[0] for r in ARITHMETIC])
def test_an_operator_of_numbers_agrees_with_cpython(operation: Callable[[Any], Any]) -> None:
    for number in (1, 7, -12, 2**70):
        for other in (2, -5, 10**20):
            assert agrees(operation, int, number, other)


def test_a_division_by_zero_raises_as_cpython_does_and_is_a_branch() -> None:
    with run() as record:
        value, given = tracked(int, 0)

        with pytest.raises(ZeroDivisionError):
            5 // value

    assert [bool(evaluate(held(event), given)) for event in record.events] == [True]


def test_a_number_stays_of_its_kind() -> None:
    n, x = var("n", Sort.INT), var("x", Sort.FLOAT)

    assert untracked(arithmetic.number(3, n)) == 3
    assert type(untracked(arithmetic.number(3.0, x))) is float
