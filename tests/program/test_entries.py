"""The functions that may lead to a line, and private names."""

import ast
from pathlib import Path

from symcrete.program.source.entries import entries
from symcrete.program.source.mangling import mangled, with_mangled_names
from symcrete.program.source.module import source_of_file
from symcrete.program.source.place import place_of

SOURCE = """
class Reader:
    def __init__(self, text):
        self.text = text
    def __next__(self):
        return self._token()
    def _token(self):
        return self.text[0]

class Loud(Reader):
    pass

def split(text):
    return list(Loud(text))

def unrelated(text):
    return text
"""


def test_callers_come_after_the_function_itself_public_ones_first(tmp_path: Path) -> None:
    file = tmp_path / "reader.py"
    file.write_text(SOURCE)

    found = entries(place_of(source_of_file(file), 8, "reader.py"))

    assert found == ["Reader._token", "split", "Reader.__next__"]


def test_private_names_are_mangled_as_the_compiler_does() -> None:
    class _Tree:
        def __hidden(self) -> None: ...

    assert mangled("_Tree", "__hidden") in vars(_Tree)
    assert mangled("Tree", "__dunder__") == "__dunder__"
    assert mangled("__", "__x") == "__x"
    assert mangled("", "__x") == "__x"


def test_names_outside_classes_stay_as_they_are() -> None:
    tree = ast.parse("def f(x): return x.__a\nclass C:\n def g(self, __b): return self.__a + __b")

    assert ast.unparse(with_mangled_names(tree)).splitlines()[1].strip() == "return x.__a"
    assert "self._C__a + _C__b" in ast.unparse(tree)
