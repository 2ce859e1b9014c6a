"""LATEST's subjects have the numbers of paths and of valid inputs that are stated."""

from itertools import product

import pytest
from experiments.lazy_summaries import summarised
from experiments.subjects.lazy import calculator, pl0, side_effect, testme, top, valid_inputs
from experiments.subjects.lazy.calculator import NotAnExpressionError
from experiments.subjects.lazy.pl0 import NotAProgramError
from tests.experiments.path_counter import count_paths


def text(word: str) -> list[int]:
    return [ord(character) for character in word]


@pytest.mark.parametrize("constant", [testme.HELLO_WORLD, testme.HELLO_ESEC])
def test_strcmp_has_twice_n_plus_1_paths(constant):
    n = len(constant) - 1

    paths = count_paths(lambda s: testme.strcmp(s, constant) == 0, [1] * (n + 1))

    assert paths == {True: 1, False: 2 * (n + 1) - 1}


def test_testme_has_720_paths():
    n = testme.TESTME_LENGTHS["s1"]

    paths = count_paths(lambda s: testme.testme(s[:n], s[n:]), [1] * 27)

    assert paths == {True: 1, False: 719}


def test_program3_has_841_paths():
    paths = count_paths(lambda s: testme.program3([*s[:14], 0], [*s[14:], 0]), [1] * 28)

    assert paths == {0: 28 * 28, 1: 2 * 28, 2: 1}
    assert paths.total() == 841


@pytest.mark.parametrize("n", [2, 3, 5, 9])
def test_locate_and_top_have_the_stated_numbers_of_paths(n):
    start = [1] * n

    def paths(function, *arguments):
        return count_paths(lambda s: function([*s, 0], *arguments), start)

    assert paths(top.locate, top.LETTER_A).total() == 2 * n + 1
    assert paths(top.top).total() == 3 * n
    within = paths(top.locate_within, top.LETTER_A)
    assert within.total() - within[top.RejectedError] == 2 * n
    within = paths(top.top_within)
    assert within.total() - within[top.RejectedError] == 3 * n - 1
    assert within[-1] == n
    assert within[1] == n
    assert within[0] == n - 1


@pytest.mark.parametrize("n", [2, 5])
def test_search_with_summaries_takes_twice_n_and_3_runs_for_figure_7(n):
    found = summarised(n)

    assert (found.callee, found.caller) == (2 * n, 3)
    assert found.results == {-1, 0, 1}


def test_program1_has_676_paths():
    paths = count_paths(lambda s: top.program1([*s[:9], 0], [*s[9:], 0]), [1] * 18)

    assert paths.total() - paths[top.RejectedError] == 676


def test_program2_does_not_have_the_651_paths_of_the_report():
    paths = count_paths(lambda s: top.program2([*s, 0]), [1] * 9)

    assert paths.total() - paths[top.RejectedError] == 363


def test_top_finds_the_colon():
    assert top.top([*text("xa:"), 0]) == 0
    assert top.top([*text("xa!"), 0]) == 1
    assert top.top([*text("xyz"), 0]) == -1


def test_testme_matches_its_two_strings():
    assert testme.testme(testme.HELLO_WORLD, testme.HELLO_ESEC)
    assert not testme.testme(testme.HELLO_ESEC, testme.HELLO_ESEC)
    assert not testme.testme(testme.HELLO_WORLD, testme.HELLO_WORLD)


def test_the_label_of_figure_6_is_out_of_reach():
    assert not any(side_effect.main(y) for y in range(-3, 4))
    assert side_effect.flag == 1


def calculation(words: str, operations: int) -> int | None:
    parts = words.split()
    return calculator.calculate(
        valid_inputs.cells(parts, calculator.WIDTH, 2 * operations + 1), operations
    )


def test_the_calculator_calculates_from_left_to_right():
    assert calculation("7", 0) == calculation("7", 3) == 7
    assert calculation("12 + 30 * 2", 2) == 84
    assert calculation("100 - 58 / 2", 2) == 21
    assert calculation("1 / 0 + 5", 2) is None


@pytest.mark.parametrize("words", ["", "+", "1 1", "1 +", "x", "1 ++ 2", "1a", "1 + +"])
def test_the_calculator_refuses_what_is_not_an_expression(words):
    with pytest.raises(NotAnExpressionError):
        calculation(words, 1)


@pytest.mark.parametrize(("operations", "count"), [(1, 6), (2, 26)])
def test_trying_everything_finds_the_calculators_valid_inputs(operations, count, monkeypatch):
    kinds: list[int] = []
    real = calculator.lex

    def noted(cells: list[int], word: int) -> int:
        kinds.append(real(cells, word))
        return kinds[-1]

    def outcome(cells: list[int]) -> object:
        kinds.clear()
        try:
            result = calculator.calculate(cells, operations)
        except NotAnExpressionError:
            return None
        return tuple(kinds), result is None

    monkeypatch.setattr(calculator, "lex", noted)
    words = 2 * operations + 1
    every = product(["", "0", "7", "+", "-", "*", "/", "?"], repeat=words)
    found = {outcome(valid_inputs.cells(list(w), calculator.WIDTH, words)) for w in every}

    assert found - {None} == {outcome(t) for t in valid_inputs.calculator_texts(operations)}
    assert len(found - {None}) == count


@pytest.mark.parametrize(("operations", "count"), [(1, 6), (2, 26), (3, 106), (4, 426)])
def test_the_calculator_accepts_every_derived_input(operations, count):
    texts = valid_inputs.calculator_texts(operations)

    assert len({tuple(cells) for cells in texts}) == count
    for cells in texts:
        calculator.calculate(cells, operations)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("begin", pl0.BEGIN),
        ("do", pl0.DO),
        ("done", pl0.IDENT),
        ("x1", pl0.IDENT),
        ("90", pl0.NUMBER),
        ("9x", pl0.ERROR),
        ("<", pl0.LESS),
        ("<=", pl0.AT_MOST),
        (":=", pl0.BECOMES),
        (":", pl0.ERROR),
        ("", pl0.ERROR),
        ("x!", pl0.ERROR),
    ],
)
def test_the_pl0_lexer_knows_its_words(word, kind):
    assert pl0.lex(valid_inputs.cells([word], pl0.WIDTH, 1), 0) == kind


@pytest.mark.parametrize(
    "program",
    [
        ".",
        "x := 1 .",
        "begin call p ; x := - ( y + 2 ) * 3 end .",
        "while odd x do if x # 1 then y := x .",
        "begin ; ; end .",
    ],
)
def test_the_pl0_parser_accepts_programs(program):
    words = program.split()

    assert pl0.parse(valid_inputs.cells(words, pl0.WIDTH, len(words) + 1)) == len(words)


@pytest.mark.parametrize(
    "program", ["", "x .", "x := .", "call 1 .", "begin x := 1 .", "if x then .", "x := 1 2 ."]
)
def test_the_pl0_parser_refuses_other_texts(program):
    words = program.split()

    with pytest.raises(NotAProgramError):
        pl0.parse(valid_inputs.cells(words, pl0.WIDTH, len(words) + 1))


class MoreError(Exception):
    """The parser asks for a token that is not chosen yet."""


def accepted_programs(words: int, monkeypatch) -> set[tuple[int, ...]]:
    """Every program the parser accepts, found by extending the beginnings it has not refused."""
    chosen: list[int] = []

    def lex(_: list[int], word: int) -> int:
        if word == len(chosen):
            raise MoreError
        return chosen[word]

    monkeypatch.setattr(pl0, "lex", lex)
    found = set()
    waiting: list[list[int]] = [[]]
    while waiting:
        chosen[:] = waiting.pop()
        try:
            found.add(tuple(chosen[: pl0.parse([0] * words * pl0.WIDTH)]))
        except NotAProgramError:
            pass
        except MoreError:
            if chosen and chosen[-1] == pl0.PERIOD:
                waiting.append([*chosen, pl0.ERROR])  # read ahead, never looked at
            elif len(chosen) == words - 2:
                waiting.append([*chosen, pl0.PERIOD])  # nothing longer fits
            else:
                waiting += [[*chosen, kind] for kind in range(pl0.IDENT, pl0.ERROR + 1)]
    return found


@pytest.mark.parametrize(("words", "count"), [(7, 99), (8, 399)])
def test_trying_everything_finds_the_valid_pl0_programs(words, count, monkeypatch):
    derived = valid_inputs.pl0_programs(words)

    assert len(derived) == count
    assert accepted_programs(words, monkeypatch) == set(derived)


def test_the_pl0_parser_accepts_every_derived_program_as_text():
    for program in valid_inputs.pl0_programs(8):
        assert pl0.parse(valid_inputs.pl0_text(program, 8)) == len(program)
