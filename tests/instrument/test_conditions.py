"""A module whose conditions tell their sides does what the untouched one does."""

import ast
import builtins
import textwrap
from pathlib import Path
from typing import Any

import pytest

from symcrete.instrument.conditions import Watched


def both(text: str) -> tuple[dict[str, Any], dict[str, Any], Watched]:
    """The names of the untouched module, of the watched one, and who watches."""
    source = textwrap.dedent(text)
    untouched: dict[str, Any] = {}
    exec(source, untouched)
    watched = Watched("program.py")
    names: dict[str, Any] = {}
    exec(watched.compile(source.encode()), names)
    return untouched, names, watched


def sides(watched: Watched) -> set[tuple[str, bool]]:
    assert watched.sites is not None
    own = {site.number: site for site in watched.sites.own("")}
    return {(own[number].text, side) for number, side in watched.taken()}


PROGRAMS: list[tuple[str, list[Any]]] = [
    ("def f(x): return 1 if x > 2 else 0", [0, 3]),
    ("def f(x):\n    return x or 'empty'", ["", "a", [], [1]]),
    ("def f(x):\n    return x and x[0] and [x]", ["", "a", [0], [1]]),
    ("def f(x): return 0 < x < 10", [-1, 5, 10]),
    ("def f(x):\n    y = 0 <= x <= len('abc') != 4\n    return y", [-1, 2, 9]),
    ("def f(x):\n    if not (x > 1 and x < 5) or x == 7: return 'a'\n    return 'b'", [0, 3, 7]),
    ("def f(x):\n    while x > 0:\n        x -= 1\n        if x == 3: break\n    else: return 'e'\n    return x", [0, 2, 9]),
    ("def f(x):\n    for i in range(x):\n        if i == 2: continue\n    else:\n        return 'all'\n    return 0", [0, 3]),
    ("def f(x): return [a for a in range(x) if a % 2 if a > 1]", [0, 5]),
    ("def f(x): return {a: b for a in range(x) for b in range(a)}", [0, 4]),
    ("def f(x):\n    assert x != 3, 'three'\n    return x", [1, 3]),
    ("def f(x):\n    match x:\n        case [a, b] if a > b: return 1\n        case [a, b]: return 2\n        case 'x' | 'y': return 3\n    return 4", [[2, 1], [1, 2], "y", 0]),
    ("def f(x):\n    match x:\n        case int(): return 1\n        case _: return 2", [1, "a"]),
    ("def f(x):\n    match x:\n        case True: return 1\n        case [None, False]: return 2\n    return 3", [True, 1, [None, False], [None, 0]]),
    ("def f(x):\n    def g(y=x or 5): return y is not None\n    return g() if x is None else (lambda z: z in (1, 2))(x)", [None, 1, 3]),
    ("class A:\n    n = 3 if True else 4\n    def m(self): return self.n in (3, 4)\ndef f(x): return A().m() and A.n is 3 if x else x not in [0]", [0, 1]),
    ("import asyncio\nasync def g(n):\n    for i in range(n): yield i\nasync def h(n): return [i async for i in g(n) if i]\ndef f(x): return asyncio.run(h(x))", [0, 3]),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*is.*literal:SyntaxWarning")
@pytest.mark.parametrize(("text", "inputs"), PROGRAMS)
def test_a_watched_function_does_the_same(text: str, inputs: list[Any]) -> None:
    untouched, names, _ = both(text)

    for given in inputs:
        assert outcome(names["f"], given) == outcome(untouched["f"], given)


def outcome(function: Any, given: Any) -> Any:
    try:
        return function(given)
    except Exception as error:
        return repr(error)


def test_a_truth_is_asked_for_once() -> None:
    text = """
    class Truth:
        asked = 0
        def __bool__(self):
            self.asked += 1
            return True
    def f(x):
        t = Truth()
        if t and x: pass
        return t.asked, (t or x).asked
    """
    untouched, names, _ = both(text)

    assert names["f"](1) == untouched["f"](1) == (1, 2)


def test_the_sides_of_the_last_call_are_told() -> None:
    _, names, watched = both("def f(a, b): return 2 if a is not b and a != 5 else 1")

    watched.start()
    names["f"](0, 0)
    assert sides(watched) == {("a is not b", False)}

    watched.start()
    names["f"](5, 0)
    assert sides(watched) == {("a is not b", True), ("a != 5", False)}


def test_a_case_that_matched_before_may_not_match_again() -> None:
    text = """
    def f(items):
        for x in items:
            match x:
                case 1:
                    pass
                case 2:
                    pass
    """
    _, names, watched = both(text)

    watched.start()
    names["f"]([1, 2])

    assert {("1", True), ("1", False), ("2", True)} <= sides(watched)


def test_only_the_file_itself_is_watched(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("x = 1 if [] else 2\n")

    assert Watched(str(tmp_path / "two.py")).find_spec("one", [str(tmp_path)]) is None
    spec = Watched(str(tmp_path / "one.py")).find_spec("one", [str(tmp_path)])
    assert spec is not None


def test_every_hook_that_is_called_is_there() -> None:
    both("x = 1 if [] else 2")
    code = Path("src/symcrete/instrument/reporting.py").read_text()
    called = {
        str(node.args[1].value)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("call", "do")
        and isinstance(node.args[1], ast.Constant)
    }

    assert called and all(hasattr(builtins, "_symcrete_" + str(name)) for name in called)
