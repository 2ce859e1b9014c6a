"""Ways through a callee, taken again by calls with other arguments."""

from __future__ import annotations

from tests.explore.exploring import explore

from symcrete.explore.lazy import imitate

WORDS = """
    KINDS = (("begin", 1), ("whole", 2), ("while", 4), ("under", 5), ("until", 3))

    def kind(text: list[int], start: int) -> int:
        for word, number in KINDS:
            i = 0
            while i < 5 and text[start + i] == ord(word[i]):
                i = i + 1
            if i == 5:
                return number
        return 0

    def f(text: list[int]) -> str:
        first, second, third = kind(text, 0), kind(text, 5), kind(text, 10)
        if first == 3:
            if second == 3:
                if third == 3:
                    return "all"
        return "not all"
"""
CELLS = {"text": f"tuple[{', '.join(['int'] * 15)}]"}


def runs(folder, **options):
    report = explore(WORDS, folder, types=CELLS, lazy="kind", strategy="bfs", paths=True, **options)
    accepted = [found.args["text"] for found in report.inputs if found.outcome == "returned"]
    assert str(tuple(map(ord, "untiluntiluntil"))) in accepted
    return report.runs


def test_a_way_through_a_callee_is_taken_again_elsewhere_without_a_search(tmp_path, monkeypatch):
    imitating = runs(tmp_path)
    monkeypatch.setattr(imitate, "MOST_IMITATED", 0)

    assert imitating <= 2 / 3 * runs(tmp_path)


def test_a_way_that_other_arguments_do_not_let_be_taken_is_left_for_the_search(tmp_path):
    source = """
        def place(text: list[int], start: int, letter: int) -> int:
            i = 0
            while i < 3 and text[start + i] == letter:
                i = i + 1
            return i

        def f(text: list[int]) -> str:
            if place(text, 0, 7) == 3:
                if place(text, 3, 8) == 3:
                    return "both"
                return "first"
            return "none"
    """

    report = explore(
        source, tmp_path, types={"text": "tuple[int, int, int, int, int, int]"}, lazy="place"
    )

    assert report.status == "complete"
    assert any(found.args["text"] == "(7, 7, 7, 8, 8, 8)" for found in report.inputs)
