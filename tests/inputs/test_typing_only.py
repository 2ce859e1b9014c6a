"""Annotations may use names that are imported for them alone."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

from symcrete.inputs.infer.typing_only import typing_only


def test_names_below_type_checking_are_imported(tmp_path: Path) -> None:
    file = tmp_path / "shop.py"
    file.write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n"
        "    import datetime as dt\n"
        "    import collections.abc\n"
        "    from pathlib import Path\n"
        "    from nowhere import Nothing\n"
        "    from _typeshed.wsgi import WSGIEnvironment\n"
    )

    found = typing_only(str(file))

    assert found["dt"] is datetime
    assert found["Path"] is Path
    assert found["collections"].__name__ == "collections"
    assert found["WSGIEnvironment"] == dict[str, str]
    assert "Nothing" not in found


def test_type_variables_and_classes_below_type_checking_are_made(tmp_path: Path) -> None:
    file = tmp_path / "variables.py"
    file.write_text(
        "import typing as t\n"
        "if t.TYPE_CHECKING:\n"
        "    import typing\n"
        "    from collections.abc import Callable\n"
        "    F = typing.TypeVar('F', bound=Callable[..., int])\n"
        "    Names: typing.TypeAlias = list[str]\n"
        "    class Sized(typing.Protocol):\n"
        "        size: int\n"
        "    Broken = nowhere.Thing\n"
    )

    found = typing_only(str(file))

    assert found["F"].__bound__ == Callable[..., int]
    assert found["Names"] == list[str]
    assert found["Sized"].__annotations__ == {"size": int}
    assert "Broken" not in found


def test_a_file_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert typing_only(str(tmp_path / "none.py")) == {}
