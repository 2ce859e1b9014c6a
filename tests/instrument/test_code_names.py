"""What compiled code names is what its text does."""

import pytest

from symcrete.instrument.code_names import all_code, names_in

TEXT = """
import shop
from shop import LIMIT as limit
class Cart:
    def fill(self, rows):
        self.size, rows[-1] = rows[-1], self.size
        setattr(self, "label", 3)
        self.__kept = 1
        del self.gone
        return lambda: [each.seen for each in rows]
    def pick(self, rows):
        for self.each in rows:
            with open(self.path) as self.file: pass
"""


def test_words_are_names_attributes_and_texts_of_all_functions() -> None:
    words = names_in(compile(TEXT, "m.py", "exec")).words

    assert words >= {"shop", "LIMIT", "Cart", "setattr", "label", "seen", "path", "__kept"}
    assert "LIMITS" not in words


def test_attributes_are_stored_however_it_is_written() -> None:
    stored = names_in(compile(TEXT, "m.py", "exec")).stored

    assert stored >= {"size", "gone", "each", "file", "__kept"}
    assert stored.isdisjoint({"seen", "path", "label"})


@pytest.mark.parametrize("many", [3, 300, 70_000])
def test_names_with_large_numbers_are_found_too(many: int) -> None:
    loads = "\n".join([f"x.a{each}" for each in range(many)])

    stored = names_in(compile(f"{loads}\nx.last = 1", "m.py", "exec")).stored

    assert stored == {"last"}


def test_code_is_told_from_the_outside_in() -> None:
    names = [each.co_name for each in all_code(compile(TEXT, "m.py", "exec"))]

    assert names[:2] == ["<module>", "Cart"]
    assert {"fill", "pick", "<lambda>"} <= {*names}
