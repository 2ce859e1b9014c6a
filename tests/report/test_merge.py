"""New tests go into a file that is there; what people wrote in it stays."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from symcrete.report.tests.cases import WrittenTest
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.merge import (
    TITLE,
    NotPython,
    There,
    digest_of,
    file_for,
    listing,
    merged,
    read_there,
    there_at,
)
from symcrete.report.tests.names import Import
from symcrete.report.tests.pytest_file import head


def a_test(name: str, scope: str, value: int = 1, module: str = "m") -> WrittenTest:
    lines = (f"def {name}():", f"    assert {scope}({value}) == {value}")
    return WrittenTest(scope, name, lines, frozenset({Import(module, scope)}), (("", 0),))


def above(imports: set[Import]) -> str:
    return "\n".join(head("Tests of m, found by Symcrete.", imports, ["m"], [], Layout()))


def written(*tests: WrittenTest) -> str:
    top = above({each for test in tests for each in test.imports})
    return top + "".join(f"\n\n\n{test.text}" for test in tests) + f"\n\n\n{listing(tests, top)}"


def again(text: str, *tests: WrittenTest, explored: list[str] | None = None) -> str:
    scopes = explored if explored is not None else [each.scope for each in tests]
    return merged(read_there(text, "test_m.py"), tests, scopes, above, Layout())[0]


F, G = a_test("test_f", "f"), a_test("test_g", "g")


def test_tests_of_another_function_stay() -> None:
    text = again(written(F), G)

    assert text.replace("from m import f, g", "") == written(F, G).replace("from m import f, g", "")


def test_the_tests_of_a_function_are_replaced_where_they_were() -> None:
    new = a_test("test_f", "f", 7)

    assert again(written(F, G), new) == written(new, G)


def test_what_is_no_longer_used_is_no_longer_imported() -> None:
    text = again(written(F, G), explored=["f"])

    assert "from m import g\n" in text and "import f" not in text and "test_f" not in text


def test_an_edited_test_is_kept_and_its_successor_not_added() -> None:
    mine = written(F, G).replace("assert f(1) == 1", "assert f(1) == 1  # as agreed")
    there = read_there(mine, "test_m.py")

    text, edited = merged(there, [a_test("test_f", "f", 7)], ["f"], above, Layout())

    assert "# as agreed" in text and "f(7)" not in text and text.count("def test_f") == 1
    assert edited == ["test_f"]


def test_an_edited_test_is_still_known_as_edited_the_next_time() -> None:
    mine = written(F).replace("f(1) == 1", "f(1) in (1, 2)")

    text = again(again(mine, F), a_test("test_f", "f", 9))

    assert "f(1) in (1, 2)" in text and "f(9)" not in text


def test_a_test_that_was_removed_is_not_written_again_until_it_would_be_another() -> None:
    without = written(F, G).replace(F.text, "").replace("\n\n\n\n\n\n", "\n\n\n")

    assert "def test_f" not in again(without, F)
    assert "def test_f" in again(without, a_test("test_f", "f", 5))


def test_what_somebody_added_stays_in_its_place() -> None:
    mine = written(F, G).replace(
        "\n\n\ndef test_g",
        "\n\n\n# Ours.\nLIMIT = 3\nOTHER = 4\n\n\n@fixture\ndef limit():\n    return LIMIT\n\n\ndef test_g",
    )

    text = again(mine, a_test("test_f", "f", 7))

    assert "# Ours.\nLIMIT = 3\nOTHER = 4\n\n\n@fixture\ndef limit():" in text
    assert text.index("f(7)") < text.index("LIMIT") < text.index("def test_g")


def test_lines_below_the_list_stay() -> None:
    text = again(written(F) + "# mine\n", F)

    assert "# mine" in text
    assert again(text, F) == text


def test_imports_somebody_wrote_stay_and_missing_ones_are_added() -> None:
    mine = written(F).replace("from m import f", "import os  # for later\nfrom m import f")

    text = again(mine, G)

    assert "import os  # for later" in text and "from m import g" in text
    assert "from m import f\n" in text


def test_an_import_in_an_edited_head_goes_with_the_test_that_needed_it() -> None:
    mine = written(F, G).replace("from m import f, g", "import os\nfrom m import f, g")

    text = again(mine, explored=["f"])

    assert "from m import g" in text and "import f" not in text and "import os" in text


def test_a_formatter_does_not_make_a_test_an_edited_one() -> None:
    one = "def test_f():\n    assert f([1, 2]) == {'a': 1}\n"
    other = "def test_f():\n    assert f(\n        [\n            1,\n            2,\n        ]\n    ) == {\n        'a': 1,\n    }\n"

    assert digest_of(one) == digest_of(other)
    assert digest_of(one) != digest_of(one.replace("2", "3"))
    assert digest_of(one) != digest_of(one + "    # why\n")


def test_names_that_somebody_else_gave_are_taken_and_ours_are_free() -> None:
    mine = written(F).replace("\n\n\n# Written", "\n\n\ndef test_mine():\n    pass\n\n\n# Written")

    there = read_there(mine, "test_m.py").without(["f"])

    assert there.names() == {"test_mine"}


def test_only_what_is_as_written_is_left_by_force() -> None:
    mine = written(F, G).replace("g(1) == 1", "g(1) == 2") + "# mine\n"

    there = read_there(mine, "test_m.py").as_written()

    assert [each.name for each in there.blocks] == ["test_f"]


def test_a_file_that_does_not_parse_is_the_users_to_mend() -> None:
    with pytest.raises(NotPython, match=r"test_m.py:1: .*--force"):
        read_there("def broken(:\n", "test_m.py")


def test_a_file_without_a_list_is_not_ours() -> None:
    assert not read_there("def test_mine():\n    pass\n", "test_m.py").is_ours


def test_whatever_is_merged_parses_and_is_merged_again_without_a_change() -> None:
    text = written(F)
    for new in (G, a_test("test_h", "h"), a_test("test_f", "f", 3), F):
        text = again(text, new)
        ast.parse(text)

        assert again(text, new) == text


def test_functions_with_tests_of_ours_are_known() -> None:
    there: There = read_there(written(F, G), "test_m.py")

    assert there.scopes() == ["f", "g"]


def mine(*lines: str) -> str:
    """Our file, with lines that somebody wrote between its two tests."""
    return written(F, G).replace(
        "\n\n\ndef test_g", "\n\n\n" + "\n".join([*lines, "", "", "def test_g"])
    )


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["x = 1; y = 2"], id="two statements in a line"),
        pytest.param(['X = """', '# no comment"""'], id="a text that ends as a comment begins"),
        pytest.param(
            ["def mine():", "    assert len('\x0c\u2028') == 2"], id="signs that end a page"
        ),
    ],
)
def test_what_somebody_wrote_stays_once_and_as_it_is(lines: list[str]) -> None:
    text = again(again(mine(*lines), F), G)

    assert text.count("\n".join(lines)) == 1 and text.count(lines[0]) == 1
    assert text.count("def test_g") == text.count("def test_f") == 1
    ast.parse(text)


def test_two_imports_in_a_line_of_an_edited_head_stay() -> None:
    text = again(
        written(F, G).replace("from m import f, g", "import m; from m import f, g"),
        G,
        explored=["f", "g"],
    )

    assert "import m; from m import f, g" in text and "test_f" not in text
    ast.parse(text)


def test_a_file_whose_last_test_of_ours_went_keeps_what_somebody_wrote() -> None:
    edited = written(F).replace("from m", "import os\nfrom m")
    edited += "\n\ndef test_mine():\n    assert os.sep\n"

    bare = again(edited, explored=["f"])
    there = read_there(bare, "test_m.py")

    assert there.is_ours and not there.scopes()
    assert "test_mine" in again(bare, F) and "import os" in again(bare, F)


def test_a_file_that_an_editor_marked_as_utf_8_is_read(tmp_path: Path) -> None:
    file = tmp_path / "test_m.py"
    file.write_text(written(F), encoding="utf-8-sig")

    there = there_at(file, force=False)

    assert there is not None and there.scopes() == ["f"]


def test_modules_that_are_called_alike_have_a_file_each(tmp_path: Path) -> None:
    first = file_for(tmp_path, "a.b", (), force=False)
    second = file_for(tmp_path, "a_b", {first}, force=False)
    assert (first.name, second.name) == ("test_a_b.py", "test_a_b_2.py")

    second.write_text(f'"""{TITLE.format("a_b")}\n"""\n')
    first.write_text(f'"""{TITLE.format("a.b")}\n"""\n')

    assert file_for(tmp_path, "a_b", (), force=True) == second
    assert file_for(tmp_path, "a.b", (), force=True) == first
