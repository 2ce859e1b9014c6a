"""Annotations may use names that are imported for them alone."""

from __future__ import annotations

import datetime
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


def test_a_file_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert typing_only(str(tmp_path / "none.py")) == {}
