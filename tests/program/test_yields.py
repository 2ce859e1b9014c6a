"""What generators do with what they are sent and thrown."""

from pathlib import Path

import pytest

from symcrete.program.source.yields import NOTHING, Yields, yields_of


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    yield 1\n", Yields()),
        ("    got = yield 1\n", Yields(is_sent=True, name="got")),
        ("    if (got := (yield 1)) == 2: pass\n", Yields(is_sent=True, name="got")),
        ("    print((yield))\n", Yields(is_sent=True)),
        (
            "    try:\n        yield 1\n    except (KeyError, errors.Gone): pass\n",
            Yields(is_guarded=True, catches=("KeyError", "errors.Gone")),
        ),
        (
            "    try:\n        yield 1\n    except: pass\n",
            Yields(is_guarded=True, catches=("Exception",)),
        ),
        ("    with lock:\n        yield 1\n", Yields(is_guarded=True)),
        (
            "    try:\n        yield 1\n    except* KeyError: pass\n",
            Yields(is_guarded=True),
        ),
        ("    def inner():\n        got = yield 1\n    yield inner\n", Yields()),
    ],
)
def test_the_text_tells_what_a_generator_looks_at(
    body: str, expected: Yields, tmp_path: Path
) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"@decorated\ndef f():\n{body}")

    found = yields_of(str(file), 1, "f")

    assert found == expected


def test_the_annotation_is_kept_as_written(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("def f() -> Generator[int, str, None]:\n    got = yield 1\n")

    assert yields_of(str(file), 1, "f").returns == "Generator[int, str, None]"


def test_nothing_is_known_of_what_has_no_text() -> None:
    assert yields_of("/nowhere/program.py", 1, "f") is NOTHING
