"""Patches of `unittest.mock` and of pytest, and the names of `patch` in a module."""

import ast

import pytest

from symcrete.program.state.patches import patch_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("from unittest import mock", {"patch"}),
        ("import unittest.mock as m", {"patch"}),
        ("from unittest.mock import patch as p", {"patch", "p"}),
        ("from unittest import mock\nreplace = mock.patch", {"patch", "replace"}),
        ("from unittest import mock\nput = mock.patch.dict", {"patch", "put"}),
        ("from client import patch as p", set()),
        ("def patch(n): pass\nreplace = patch", set()),
    ],
)
def test_the_names_of_patch_are_those_of_a_module_that_imports_mock(
    text: str, names: set[str]
) -> None:
    assert patch_names(ast.walk(ast.parse(text))) == names
