"""Code of the program that runs outside of a run, to build an input or compute a term, is cut too."""

from pathlib import Path

from tests.explore.test_reach import reach_here

from symcrete.explore.reach.reached import Reached

COSTLY_TO_BUILD = """
    class Box:
        def __init__(self, size: int) -> None:
            self.shown = ""
            for _ in range(2000):
                self.shown = str(size)


    def f(box: Box) -> int:
        if len(box.shown) == 31 and box.shown[::-1].isalpha():
            return 1  # here
        return 0
"""


def test_many_inputs_built_for_the_backward_search_do_not_use_up_the_steps_of_a_run(
    tmp_path: Path,
) -> None:
    verdict = reach_here(COSTLY_TO_BUILD, tmp_path, budget=4.0)

    assert not isinstance(verdict, Reached)


def test_a_constructor_without_end_only_spoils_the_inputs_it_was_asked_for(tmp_path: Path) -> None:
    source = """
        class Box:
            def __init__(self, size: int) -> None:
                self.size = size
                while self.size % 2 == 0:
                    pass


        def f(box: Box) -> int:
            if box.size == 1235:
                return 1  # here
            return 0
    """

    verdict = reach_here(source, tmp_path)

    assert isinstance(verdict, Reached)


def test_a_line_that_only_the_first_call_executes_is_reached(tmp_path: Path) -> None:
    source = """
        READY = None


        def f(text):
            global READY
            if not isinstance(text, bytes) or b"$" not in text:
                return 0
            if READY is None:
                READY = True  # here
            return 1
    """

    verdict = reach_here(source, tmp_path, replay=True)

    assert isinstance(verdict, Reached)
