"""Classes of the library are known once their modules are loaded, and only the library's own."""

from __future__ import annotations

import argparse
import logging
import sys
from types import ModuleType

import pytest

from symcrete.inputs.library_class import has_library_class, is_library_class


def test_a_class_of_a_loaded_module_is_known() -> None:
    assert is_library_class(argparse.Namespace, "argparse", "Namespace")
    assert not is_library_class(argparse.Action, "argparse", "Namespace")
    assert not is_library_class(None, "argparse", "Missing")


def test_an_object_of_a_derived_class_has_the_class() -> None:
    class Own(logging.Logger):
        pass

    assert has_library_class(Own("x"), "logging", "Logger")
    assert has_library_class(logging.getLogger(), "logging", "Logger")
    assert not has_library_class("x", "logging", "Logger")


def test_no_object_has_a_class_of_a_module_that_is_not_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logger = logging.getLogger()
    monkeypatch.delitem(sys.modules, "logging")

    assert not has_library_class(logger, "logging", "Logger")


def test_a_module_of_the_program_is_not_taken_for_the_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = ModuleType("logging")
    own.__file__ = "/home/someone/logging.py"
    own.Logger = type("Logger", (), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "logging", own)

    assert not has_library_class(own.Logger(), "logging", "Logger")
    assert not is_library_class(own.Logger, "logging", "Logger")
