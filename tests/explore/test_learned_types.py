"""Parameters without annotation: what errors, examples and other modules tell of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from symcrete.explore.compose import cover, prepare
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import Options
from symcrete.explore.second_look import SecondLook, nothing_built
from symcrete.explore.wanted import EveryBranch
from symcrete.program.source.target import targets_of

HIDDEN = {
    "a text, by what its operator says": (
        "def f(a):\n    run = [a, a]\n    if run[0] + 'x' == 'yx': return 'found'\n    return None"
    ),
    "a record behind a function that is looked up": (
        "def g(n):\n    return n['size'] == 3 if 'size' in n.keys() else False\n"
        "def f(a):\n    return 'found' if globals()['g'](a) else None"
    ),
    "an object behind a function that is looked up": (
        "def g(n):\n    return n.colour == 'red'\n"
        "def f(a):\n    return 'found' if globals()['g'](a) else None"
    ),
    "two numbers, by how they are unpacked": (
        "def f(a):\n    got = [a]\n    x, y = got[0]\n    return 'found' if x > y else None"
    ),
    "a call with the right check digit, by an example": (
        '"""\n>>> f("79927398713")\n\'found\'\n"""\n'
        "import hashlib\n"
        "def f(a):\n    digest = hashlib.sha256(a.encode()).hexdigest()\n"
        "    return 'found' if digest[:8] == 'cb105d58' else None"
    ),
}


def explored(folder: Path, program: str, name: str = "f") -> TargetReport:
    file = folder / "program.py"
    file.write_text(program)
    (target,) = targets_of(f"{file}:{name}")
    return cover(target, Options(budget=60.0, max_runs=400))


@pytest.mark.parametrize("program", HIDDEN.values(), ids=HIDDEN)
def test_what_static_evidence_does_not_tell_is_found_by_running(
    program: str, tmp_path: Path
) -> None:
    report = explored(tmp_path, program)

    assert '"found"' in [found.returned for found in report.inputs]
    assert not report.infeasible


def test_an_object_of_another_module_of_the_project_is_built(tmp_path: Path) -> None:
    (tmp_path / "word_shop").mkdir()
    (tmp_path / "word_shop" / "__init__.py").write_text("")
    (tmp_path / "word_shop" / "words.py").write_text(
        "class Word:\n    def __init__(self, text, weight=0):\n"
        "        self.text = text\n        self.weight = weight\n"
    )
    file = tmp_path / "word_shop" / "filters.py"
    file.write_text(
        "from word_shop import words\n"
        "def f(word):\n    return 'found' if word.text == 'a' and word.weight > 7 else None\n"
    )
    (target,) = targets_of(f"{file}:f")

    report = cover(target, Options(budget=60.0, max_runs=400))

    (found,) = [each for each in report.inputs if each.returned == '"found"']
    assert found.args["word"].startswith("Word(")


def test_a_state_that_no_constructor_gives_is_set_in_an_object_made_without_it(
    tmp_path: Path,
) -> None:
    report = explored(
        tmp_path,
        "class Digest:\n"
        "    def __init__(self, user):\n        self.user = user\n        self.seen = {}\n"
        "    def header(self):\n"
        "        realm = self.seen['realm']\n        return 'found' if realm == 'x' else None\n",
        "Digest.header",
    )

    (found,) = [each for each in report.inputs if each.returned == '"found"']
    assert found.args["self"] == (
        '(self := object.__new__(Digest), setattr(self, "seen", {"realm": "x"}))[0]'
    )
    assert "inputs found with an object made without its constructor" in " ".join(report.notes)
    assert not report.infeasible


def test_a_method_that_real_objects_cover_is_covered_with_those(tmp_path: Path) -> None:
    report = explored(
        tmp_path,
        "class Box:\n    def __init__(self, size: int):\n        self.size = size\n"
        "    def large(self):\n        return 'found' if self.size > 7 else None\n",
        "Box.large",
    )

    assert len(report.inputs) == 2
    assert all(each.args["self"].startswith("Box(") for each in report.inputs)


def test_constructors_are_given_other_types_before_they_are_passed_over(tmp_path: Path) -> None:
    report = explored(
        tmp_path,
        "class Word:\n    def __init__(self, what):\n"
        "        self.size = len(getattr(what, 'upper')())\n"
        "    def large(self):\n        return 'found' if self.size > 7 else None\n",
        "Word.large",
    )

    assert {found.returned for found in report.inputs} == {'"found"', "None"}
    assert all(each.args["self"].startswith("Word(") for each in report.inputs)
    assert not report.infeasible


def test_where_constructors_refuse_all_types_objects_are_made_without_them(tmp_path: Path) -> None:
    report = explored(
        tmp_path,
        "class Word:\n    def __init__(self, what):\n"
        "        raise OSError('no such word')\n"
        "    def large(self):\n        return 'found' if self.size > 7 else None\n",
        "Word.large",
    )

    assert '"found"' in [found.returned for found in report.inputs]
    assert all("object.__new__(Word)" in each.args["self"] for each in report.inputs)


def test_a_function_that_has_not_run_yet_asks_for_no_other_inputs(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("def f(x):\n    return x.keys()\n")
    (target,) = targets_of(f"{file}:f")
    options = Options(budget=60.0, max_runs=400)
    exploration, _ = prepare(target, EveryBranch("", paths=False), options)

    look = SecondLook(exploration, options, 0.0)

    assert not look.due and look.wider() is None
    assert not nothing_built(exploration)
