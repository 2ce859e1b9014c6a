"""Attributes of stand-ins are inputs that are made while the run is under way."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.explore.exploring import assert_covers_all, explore

from symcrete.inputs.shapes.fakes import AbsentShape, BlankShape, FakeShape, MethodShape
from symcrete.inputs.shapes.library import ContextShape, FileShape
from symcrete.values.build.late_parts import BUILDERS


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            def f(response):
                if response.status_code >= 400:
                    return response.reason
                if response.headers.get("x") == "1":
                    return response.text.strip().lower()
                return 0
            """,
            id="attributes",
        ),
        pytest.param(
            """
            def f(items):
                total = 0
                for item in items:
                    if item.price > 100:
                        total += item.price
                return total
            """,
            id="elements",
        ),
        pytest.param(
            """
            def f(session, path):
                answer = session.request("GET", path)
                if answer.ok:
                    return answer.body
                return answer.again().code == 77 and 1
            """,
            id="answers of methods",
        ),
        pytest.param(
            """
            def f(shape):
                if hasattr(shape, "width"):
                    if shape.width > 7:
                        return 1
                    return 2
                return 0
            """,
            id="attributes that may be missing",
        ),
        pytest.param(
            """
            import argparse

            def f(args: argparse.Namespace):
                if args.verbose and args.name == "bob":
                    return args.count + 1
                return 0
            """,
            id="a namespace",
        ),
        pytest.param(
            """
            from typing import Protocol

            class Named(Protocol):
                name: str
                def size(self) -> int: ...

            def f(x: Named):
                if x.name == "abc" and x.size() > 40:
                    return 1
                return 0
            """,
            id="a protocol nobody implements",
        ),
        pytest.param(
            """
            from typing import SupportsInt

            def f(x: SupportsInt):
                if int(x) > 3:
                    return 1
                return 0
            """,
            id="what can be converted",
        ),
        pytest.param(
            """
            import os
            from typing import Union

            def f(p: Union[str, "os.PathLike[str]"]):
                if os.fspath(p).endswith(".toml"):
                    return 1
                return 0
            """,
            id="what is like a path",
        ),
        pytest.param(
            """
            from __future__ import annotations
            from typing import TYPE_CHECKING

            if TYPE_CHECKING:
                import datetime as dt

            def f(d: dt.timedelta):
                if d.days > 3:
                    return 1
                return 0
            """,
            id="imported for annotations only",
        ),
        pytest.param(
            """
            from typing import TextIO

            def f(t: TextIO):
                n = 0
                for line in t:
                    if line.strip() == "x":
                        n += 1
                if n > 1:
                    return t.read()
                return n
            """,
            id="a file",
        ),
        pytest.param(
            """
            def f(lock, n: int):
                with lock:
                    if n > 3:
                        return 1
                return 0
            """,
            id="a lock",
        ),
        pytest.param(
            """
            def f(**options):
                if options.get("timeout", 0) > 3:
                    return 1
                if "name" in options:
                    return options["name"]
                return 0
            """,
            id="keywords that are looked up",
        ),
    ],
)
def test_both_sides_of_every_branch_behind_an_object_are_covered(
    program: str, tmp_path: Path
) -> None:
    report = explore(program, tmp_path)

    assert_covers_all(report)
    assert not report.infeasible


def test_a_stand_in_is_no_part_of_a_proof(tmp_path: Path) -> None:
    report = explore(
        """
        def f(x):
            if x.size > 3 and x.size < 2:
                return 1
            return 0
        """,
        tmp_path,
        budget=1.0,
    )

    assert report.status == "budget"
    assert not report.infeasible
    assert report.open


def test_every_shape_of_a_stand_in_has_a_builder() -> None:
    known = {FakeShape, BlankShape, MethodShape, AbsentShape, FileShape, ContextShape}

    assert set(BUILDERS) == known


def test_a_method_is_covered_on_an_object_whose_constructor_takes_nothing(tmp_path: Path) -> None:
    report = explore(
        """
        class Connection:
            def __init__(self, url):
                raise ConnectionError("no network")

            def size(self, n: int):
                if self.ready and self.rows > n:
                    return self.rows
                return n
        """,
        tmp_path,
        "Connection.size",
        budget=6.0,
    )

    assert_covers_all(report)
    assert any("made without its constructor" in note for note in report.notes)
    assert "object.__new__(Connection)" in report.inputs[0].args["self"]


@pytest.mark.parametrize("name", ["Base.twice", "Base.area", "Full.code"])
def test_abstract_classes_and_exceptions_are_objects_too(name: str, tmp_path: Path) -> None:
    report = explore(
        """
        from abc import ABC, abstractmethod


        class Base(ABC):
            def __init__(self, n: int):
                self.n = n

            @abstractmethod
            def area(self, m: int):
                if m > self.n:
                    return 1
                return 0

            def twice(self, m: int):
                if 2 * self.n == m:
                    return 1
                return 0


        class Full(Exception):
            def __init__(self, size: int):
                self.size = size

            def code(self):
                if self.size > 3:
                    return 1
                return 0
        """,
        tmp_path,
        name,
    )

    assert_covers_all(report)


def test_what_is_read_from_a_file_that_nobody_declared_has_terms(tmp_path: Path) -> None:
    report = explore(
        """
        def f(fp):
            kind = fp.read(2)
            if kind == "P5":
                return 1
            if fp.readline() == "end":
                return 2
            return 0
        """,
        tmp_path,
        budget=6.0,
    )

    assert_covers_all(report)
    assert any("StringIO(" in each.args["fp"] for each in report.inputs)
