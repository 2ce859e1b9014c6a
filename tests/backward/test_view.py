"""What names of a program mean to the backward search, who calls whom, and what else is read."""

from pathlib import Path
from textwrap import dedent

import pytest
from tests.backward.searching import program_of

from symcrete.backward.view.module_texts import program_text
from symcrete.backward.view.program_view import Program
from symcrete.backward.view.state_read import order_of_tasks, state_read


def program(source: str, folder: Path) -> Program:
    file = folder / "viewed.py"
    file.write_text(dedent(source).lstrip(), encoding="utf-8")
    return program_of(file)


CONSTANTS = """
    import math
    import os
    import sys
    from typing import TYPE_CHECKING

    LIMIT = 3
    PAIR = (LIMIT, -1)
    HOME = os.environ.get("HOME")
    SEEN = []
    FLAG = False
    SET = 1
    if LIMIT:
        SOMETIMES = 1

    class Options:
        depth = 2

    def put(n):
        global FLAG
        FLAG = n
        sys.modules[__name__].SET = n

    def f(n: int) -> int:
        return n
"""


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("LIMIT", True),
        ("PAIR", True),
        ("math.pi", True),
        ("len", True),
        ("TYPE_CHECKING", True),
        ("HOME", False),
        ("SEEN", False),
        ("FLAG", False),
        ("SET", False),
        ("SOMETIMES", False),
        ("Options.depth", False),
        ("sys.platform", False),
        ("__name__", False),
        ("missing", False),
    ],
)
def test_a_global_is_a_constant_only_if_nothing_can_change_it(
    name: str, known: bool, tmp_path: Path
) -> None:
    viewed = program(CONSTANTS, tmp_path)

    assert viewed.resolve(viewed.flows()["f"], name)[0] is known


@pytest.mark.parametrize(
    "how", ["globals()['LIMIT'] = 4", "setattr(m, 'LIMIT', 4)", "m.LIMIT = 4", "exec(m)"]
)
def test_a_name_that_may_be_stored_from_afar_is_no_constant(how: str, tmp_path: Path) -> None:
    viewed = program(f"LIMIT = 3\ndef g(m):\n    {how}\ndef f():\n    return LIMIT\n", tmp_path)

    assert not viewed.resolve(viewed.flows()["f"], "LIMIT")[0]


@pytest.mark.parametrize(
    "again",
    [
        "if f:\n    async def LIMIT(): pass",
        "try:\n    f(1)\nexcept TypeError as LIMIT:\n    pass",
        "match [4]:\n    case [LIMIT]: pass",
        "match [4]:\n    case [*LIMIT]: pass",
        "match {1: 4}:\n    case {**LIMIT}: pass",
        "from math import *",
    ],
)
def test_a_name_that_another_statement_may_bind_again_is_no_constant(
    again: str, tmp_path: Path
) -> None:
    viewed = program(f"def f(): pass\nLIMIT = 3\n{again}\n", tmp_path)
    constants = viewed.constants
    found = constants.resolve(str(tmp_path / "viewed.py"), {"LIMIT": 3}, "LIMIT")

    assert found[0] is False


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("import string\nX = string.digits", True),
        ("import sys as string\nX = string.platform", False),
        ("import sys\nX = sys.platform", False),
        ("import os\nclass re: sep = os.sep\nre = re()\nX = re.sep", False),
        ("X = int('10')", True),
        ("import os\nBASE = len(os.sep)\nX = int('10', base=BASE + 1)", False),
        ("import os\ndef int(x): return os.sep\nX = int(1)", False),
    ],
)
def test_what_a_module_makes_of_others_is_a_constant_only_if_these_are(
    text: str, known: bool, tmp_path: Path
) -> None:
    viewed = program(f"{text}\ndef f(): pass\n", tmp_path)

    assert viewed.resolve(viewed.flows()["f"], "X")[0] is known


def test_the_constants_that_were_relied_on_are_told(tmp_path: Path) -> None:
    viewed = program("LIMIT = 3\ndef f():\n    return LIMIT\n", tmp_path)

    viewed.resolve(viewed.flows()["f"], "LIMIT")

    assert list(viewed.constants.used) == ["LIMIT is 3, as its module sets it"]


CALLS = """
    def g(n: int) -> int:
        return n

    def f(n: int) -> int:
        return g(n) + g(1)

    def other(n: int) -> int:
        return sum(map(h, [n]))

    def h(n: int) -> int:
        return n
"""


def test_callers_are_the_calls_that_the_text_shows(tmp_path: Path) -> None:
    viewed = program(CALLS, tmp_path)
    flows = viewed.flows()

    assert [flow.scope for flow, _ in viewed.callers(flows["g"])] == ["f", "f"]
    assert viewed.is_called_only_by_name(flows["g"])
    assert not viewed.is_called_only_by_name(flows["h"])
    assert viewed.reachable(flows["f"]) == {flows["f"], flows["g"]}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return len(SEEN)", "SEEN"),
        ("return os.getpid()", "os.getpid"),
        ("return len(open('a').read())", "open()"),
        ("return bump()", "SEEN"),
        ("return COUNT", "COUNT"),
    ],
)
def test_what_a_function_reads_besides_its_arguments_is_told(
    body: str, said: str, tmp_path: Path
) -> None:
    source = f"import os\nSEEN = []\nCOUNT = os.getpid()\ndef bump():\n    SEEN.append(1)\n    return 1\ndef f(n: int) -> int:\n    {body}\n"
    viewed = program(source, tmp_path)

    found = state_read(viewed, viewed.flows()["f"])

    assert any(said in reason and "line" in reason for reason in found), found


@pytest.mark.parametrize(
    "body", ["return TABLE[n]", "return n in TABLE", "return LIMIT", "return helper(n)"]
)
def test_tables_that_are_only_looked_at_are_no_state(body: str, tmp_path: Path) -> None:
    source = f"TABLE = {{1: 2}}\nLIMIT = 3\ndef helper(n):\n    m = n\n    return m\ndef f(n: int):\n    {body}\n"
    viewed = program(source, tmp_path)

    assert state_read(viewed, viewed.flows()["f"]) == {}


@pytest.mark.parametrize(
    "elsewhere",
    [
        "def g():\n    TABLE[3] = 4",
        "def g():\n    return TABLE",
        "def g():\n    TABLE.unheard_of(3)",
        "def g(t=None):\n    put(TABLE)\ndef put(t):\n    t[3] = 4",
        "OTHER = TABLE",
    ],
)
def test_a_table_that_something_changes_or_hands_on_is_state(
    elsewhere: str, tmp_path: Path
) -> None:
    viewed = program(
        f"TABLE = {{1: 2}}\ndef f(n: int):\n    return n in TABLE\n{elsewhere}\n", tmp_path
    )

    assert "depends on the global TABLE" in next(iter(state_read(viewed, viewed.flows()["f"])))


def test_a_built_in_function_that_the_program_replaces_is_state(tmp_path: Path) -> None:
    source = (
        "import builtins\ndef g():\n    builtins.abs = int\ndef f(n):\n    return abs(len(n))\n"
    )
    viewed = program(source, tmp_path)

    assert list(state_read(viewed, viewed.flows()["f"])) == [
        "depends on the built-in abs, which the program replaces (line 5)"
    ]


def test_a_table_that_is_handed_to_a_function_that_looks_at_it_is_no_state(tmp_path: Path) -> None:
    source = "TABLE = {1: 2}\ndef f(n: int):\n    return has(TABLE, n)\ndef has(t, n):\n    return n in t\n"
    viewed = program(source, tmp_path)

    assert state_read(viewed, viewed.flows()["f"]) == {}


def test_tasks_that_are_started_may_run_in_any_order(tmp_path: Path) -> None:
    source = "import asyncio\nasync def f(n: int):\n    await asyncio.gather(g(), g())\nasync def g():\n    pass\n"
    viewed = program(source, tmp_path)

    assert "order of tasks" in next(iter(order_of_tasks(viewed, viewed.flows()["f"])))
    assert order_of_tasks(viewed, viewed.flows()["g"]) == {}


def test_a_file_that_cannot_be_read_may_change_anything(tmp_path: Path) -> None:
    assert program_text([str(tmp_path / "missing.py")]).rewrites


@pytest.mark.parametrize(
    ("call", "rewrites"),
    [
        ("mock.patch('shop.LIMIT', 5)", True),
        ("p('shop.LIMIT', 5)", True),
        ("mock.patch.dict('shop.TABLE', LIMIT=5)", True),
        ("session.setattr('shop.LIMIT', 5)", True),
        ("session.setattr(shop, 'LIMIT', 5)", False),  # the attribute counts as stored
        ("session.patch('/carts/3')", False),
    ],
)
def test_a_patch_may_change_anything(call: str, rewrites: bool, tmp_path: Path) -> None:
    imports = "from unittest import mock\nfrom unittest.mock import patch as p\n"
    (tmp_path / "patching.py").write_text(f"{imports}def change(session, shop): {call}\n")

    text = program_text([str(tmp_path / "patching.py")])

    assert text.rewrites is rewrites
    assert ("LIMIT" in text.stored) is ("(shop" in call)


def test_functions_are_lowered_once_until_the_file_changes(tmp_path: Path) -> None:
    before = program("def f(n: int) -> int:\n    return n\n", tmp_path).flows()["f"]
    again = program_of(tmp_path / "viewed.py").flows()["f"]
    changed = program("def f(n: int) -> int:\n    return n + 1\n", tmp_path).flows()["f"]

    assert again is before
    assert len(changed.statements) > len(before.statements)
