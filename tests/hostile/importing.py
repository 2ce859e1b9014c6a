"""Rows 40 to 47: targets that are not there, modules that do not come up, and layouts."""

from tests.hostile.case import Case, Seen

RETURNED = frozenset({"returned"})
PLAIN = """
def f(x: int) -> str:
    if x == 41:
        return "found"
    return "other"
"""


def own_frames_only(seen: Seen) -> None:
    """The user's own traceback, without the frames of the import system and of the tool."""
    assert "prog.py" in seen.said and "line 3" in seen.said
    assert "importlib" not in seen.said and "symcrete/" not in seen.said


def outside_is_untouched(seen: Seen) -> None:
    assert not (seen.folder / "written.txt").exists()


CASES = [
    Case(40, "a file that is not there", target="porg.py::f", code=4, says=("porg.py", "prog.py")),
    Case(40, "a module that is not there", target="no_such:f", code=4, says=("no_such",)),
    Case(
        40,
        "a typo in the function's name",
        "def price(total: int) -> int:\n    return total\n",
        target="prog.py::prise",
        code=4,
        says=("prise", "did you mean price"),
    ),
    Case(
        41,
        "an error at import",
        "import json\n\nAMOUNT = json.loads('nothing')\n\ndef f(x: int) -> int:\n    return x\n",
        code=4,
        says=("cannot import prog", "JSONDecodeError"),
        also=own_frames_only,
    ),
    Case(
        42,
        "sys.exit at import",
        "import sys\n\nsys.exit(0)\n\ndef f(x: int) -> int:\n    return x\n",
        code=4,
        says=("importing prog ended the process",),
    ),
    Case(
        42,
        "the process ended at import",
        "import os\n\nos._exit(0)\n\ndef f(x: int) -> int:\n    return x\n",
        code=4,
        says=("importing prog ended the process (code 0)",),
    ),
    Case(
        43,
        "an endless loop at import",
        "while True:\n    pass\n\ndef f(x: int) -> int:\n    return x\n",
        code=4,
        says=("importing prog", "does not end within"),
    ),
    Case(
        43,
        "an endless wait at import",
        "import time\n\ntime.sleep(1e9)\n\ndef f(x: int) -> int:\n    return x\n",
        code=4,
        says=("importing prog", "does not end within"),
    ),
    Case(
        44,
        "a syntax error",
        "def f(x: int) -> int:\n    return x +\n",
        code=4,
        says=("prog.py:2:", "syntax error"),
    ),
    Case(
        45,
        "a circular import",
        "import other\n" + PLAIN,
        files={"other.py": "import prog\n\ndef g():\n    return prog.f(1)\n"},
        outcomes=RETURNED,
        emits=("41", "found"),
    ),
    Case(
        45,
        "a relative import in a package",
        target="pack/inner/mod.py::f",
        files={
            "pack/__init__.py": "",
            "pack/inner/__init__.py": "",
            "pack/inner/mod.py": "from ..base import WANTED\n\ndef f(x: int) -> str:\n    if x == WANTED:\n        return 'found'\n    return 'other'\n",
            "pack/base.py": "WANTED = 41\n",
        },
        outcomes=RETURNED,
        emits=("from pack.inner.mod import f", "41"),
    ),
    Case(
        45,
        "a namespace package",
        target="space.part.mod:f",
        files={"space/part/mod.py": PLAIN},
        outcomes=RETURNED,
        emits=("from space.part.mod import f", "41"),
    ),
    Case(
        45,
        "a src layout",
        target="src/pack/mod.py::f",
        files={
            "src/pack/__init__.py": "",
            "src/pack/mod.py": "from pack.base import WANTED\n\ndef f(x: int) -> str:\n    if x == WANTED:\n        return 'found'\n    return 'other'\n",
            "src/pack/base.py": "WANTED = 41\n",
        },
        outcomes=RETURNED,
        emits=("from pack.mod import f", "41"),
    ),
    Case(
        45,
        "a file with the name of a module of the library",
        target="decimal.py::f",
        files={"decimal.py": PLAIN},
        # As the script `symcrete` has it; `python -m` would look in this folder for our own needs.
        environment={"PYTHONSAFEPATH": "1"},
        outcomes=RETURNED,
        never=frozenset({"flaky"}),
        says=("cannot import name 'f' from 'decimal'",),
    ),
    Case(
        45,
        "a file with the name of a module whose functions are stood in for",
        target="glob.py::f",
        files={"glob.py": PLAIN + "\ndef glob(pattern: str) -> list[str]:\n    return []\n"},
        outcomes=RETURNED,
        never=frozenset({"flaky"}),
        says=("cannot import name 'f' from 'glob'",),
    ),
    Case(
        45,
        "a file with the name of a module that is part of the interpreter",
        target="time.py::f",
        files={"time.py": PLAIN},
        code=4,
        says=("time.py cannot be imported: Python takes its own module time instead",),
    ),
    Case(
        46,
        "a file written at import",
        "open('written.txt', 'w').write('x')\n" + PLAIN,
        code=4,
        says=("cannot import prog", "--allow files"),
        also=outside_is_untouched,
    ),
    Case(
        46,
        "a connection at import that is given up quietly",
        "import socket\ntry:\n    socket.create_connection(('127.0.0.1', 9))\n    UP = True\nexcept OSError:\n    UP = False\n"
        + PLAIN,
        outcomes=RETURNED,
        says=("--allow network",),
    ),
    Case(
        47,
        "names in any script",
        """
        def grüße(größe: int) -> str:
            if größe == 41:
                return "gefunden ✓"
            return "ﬁx"
        """,
        target="prog.py::grüße",
        outcomes=RETURNED,
        emits=("grüße(", "gefunden"),
    ),
]
