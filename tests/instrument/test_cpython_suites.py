"""CPython's own tests pass when the modules they test are loaded through the instrumenter."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SUITES = {
    "test_textwrap": ["textwrap"],
    "test_shlex": ["shlex"],
    "test_fractions": ["fractions"],
    "test_heapq": ["heapq"],
    "test_bisect": ["bisect"],
    "test_configparser": ["configparser"],
    "test_calendar": ["calendar"],
    "test_string": ["string"],
    "test_ipaddress": ["ipaddress"],
    "test_posixpath": ["posixpath"],
    "test_fnmatch": ["fnmatch"],
    "test_colorsys": ["colorsys"],
    "test_json": ["json", "json.decoder", "json.encoder", "json.scanner"],
    "test_dataclasses": ["dataclasses"],
    "test_urlparse": ["urllib.parse"],
    "test_copy": ["copy"],
    "test_pprint": ["pprint"],
    "test_csv": ["csv"],
    "test_difflib": ["difflib"],
    "test_ast": ["ast"],
    "test_enum": ["enum"],
    "test_collections": ["collections"],
}
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("suite", SUITES)
def test_the_suite_passes_on_rewritten_modules(suite: str) -> None:
    # CI's interpreter ships its tests: there this is a failure.
    if importlib.util.find_spec(f"test.{suite}") is None and not os.environ.get("CI"):
        pytest.skip(f"{sys.executable} ships without test.{suite}")

    done = subprocess.run(
        [sys.executable, Path(__file__).parent / "run_suite.py", f"test.{suite}", *SUITES[suite]],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
