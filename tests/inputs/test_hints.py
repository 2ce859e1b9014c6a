"""Annotations mean what the module of their class says."""

import types
from typing import Any

from symcrete.inputs.shapes.hints import hints_of, names_of


def a_module(text: str) -> dict[str, Any]:
    module = types.ModuleType("module_of_hints")
    exec("from __future__ import annotations\n" + text, vars(module))
    return vars(module)


def test_names_in_quotes_are_those_of_the_module() -> None:
    names = a_module("class A: pass\ndef f(a: A, n: int) -> None: ...\n")

    hints = hints_of(names["f"], names)

    assert (hints["a"], hints["n"]) == (names["A"], int)


def test_one_annotation_that_means_nothing_leaves_the_others_their_meaning() -> None:
    names = a_module("def f(a: Nowhere, n: int): ...\n")

    assert hints_of(names["f"], names) == {"a": "Nowhere", "n": int}


def test_the_names_of_a_class_are_those_that_its_methods_see() -> None:
    names = a_module("LIMIT = 3\nclass A:\n    def f(self): return LIMIT\n")

    assert names_of(names["A"], {})["LIMIT"] == 3
