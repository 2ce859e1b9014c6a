"""Run parts of CPython's own test suite under coverage.py and print the arcs that executed.

A program of its own: coverage.py must be there before the modules are imported.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import json
import os
import sys
import unittest

import coverage


def main(modules: list[str], suites: list[str], folder: str) -> None:
    specs = [spec for spec in map(importlib.util.find_spec, modules) if spec]
    files = [spec.origin for spec in specs if spec.origin is not None]
    measured = coverage.Coverage(data_file=None, branch=True, include=files, config_file=False)
    measured.start()
    for module in modules:
        importlib.import_module(module)
    os.chdir(folder)
    for suite in suites:
        tests = unittest.defaultTestLoader.loadTestsFromName(f"test.{suite}")
        unittest.TextTestRunner(stream=io.StringIO()).run(tests)
    measured.stop()
    data = measured.get_data()
    print(json.dumps({file: sorted(data.arcs(file) or ()) for file in data.measured_files()}))


if __name__ == "__main__":
    main(sys.argv[1].split(","), sys.argv[2].split(","), sys.argv[3])
