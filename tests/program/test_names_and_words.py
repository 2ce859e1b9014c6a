"""Names that a statement binds, classes that a handler catches, outcomes in words, order of evaluation."""

from __future__ import annotations

import ast
import textwrap

import pytest
from tests.program.texts import Program

from symcrete.program.graph.expressions import branches, calls, parts
from symcrete.program.graph.frames import End, Growth
from symcrete.program.lowering.expression_values import BINARY, COMPARE, UNARY, Values
from symcrete.program.lowering.functions_of_module import lowered
from symcrete.program.lowering.local_names import (
    captured_names,
    caught_classes,
    default_values,
    local_names,
    own_nodes,
    parameter_names,
    suspends,
    written_names,
)
from symcrete.program.lowering.targets import Targets
from symcrete.program.lowering.three_address import Assign, Constant, Store
from symcrete.program.source.sites import Site
from symcrete.program.source.wording import LONGEST_WORDING, wording


def statement(text: str) -> ast.stmt:
    return ast.parse(textwrap.dedent(text)).body[0]


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def function(text: str) -> ast.FunctionDef:
    found = statement(text)
    assert isinstance(found, ast.FunctionDef)
    return found


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = b = 1", {"a", "b"}),
        ("a, (b, *c) = x", {"a", "b", "c"}),
        ("a.b = c[d] = 1", set()),
        ("for i in x: j = 1", {"i", "j"}),
        ("with x as y: pass", {"y"}),
        ("import os.path", {"os"}),
        ("from a import b as c", {"c"}),
        ("def f(x): y = 1", {"f"}),
        ("class A: y = 1", {"A"}),
        ("try: pass\nexcept E as e: pass", {"e"}),
        ("match x:\n case [a, *b]: pass\n case {'k': c, **d}: pass", {"a", "b", "c", "d"}),
        ("x = [y for y in z]", {"x"}),
        ("x = [(last := y) for y in z]", {"x", "last"}),
        ("f = lambda y: y", {"f"}),
        ("del a", {"a"}),
        ("if (n := 3): pass", {"n"}),
    ],
)
def test_a_statement_binds_the_names_that_python_says_it_binds(text: str, names: set[str]) -> None:
    assert written_names(statement(text)) == names


def test_what_is_local_is_what_python_compiles_as_local() -> None:
    text = """
    def f(a, /, b=1, *rest, c, **named):
        global shared
        shared = 1
        local = [x for x in rest]
        def inner():
            nonlocal local
            local = hidden = 2
        return inner
    """
    names, rebound = local_names(function(text))
    namespace: dict[str, object] = {}
    exec(textwrap.dedent(text), namespace)
    code = namespace["f"].__code__  # type: ignore[attr-defined]

    assert names == {*code.co_varnames, *code.co_cellvars} - {"x"}
    assert rebound == {"local", "shared"}


def test_nodes_of_inner_functions_are_not_a_function_s_own() -> None:
    node = function("def f():\n    a = 1\n    def g():\n        yield 2\n    return lambda: 3\n")

    own = list(own_nodes(node))

    assert not any(map(suspends, own))
    assert [each.value for each in own if isinstance(each, ast.Constant)] == [1]


def test_captures_of_a_pattern_are_its_names() -> None:
    match = statement("match x:\n case A(b, c=D(e)) | [*f] as g: pass")
    assert isinstance(match, ast.Match)

    assert captured_names(match.cases[0].pattern) == {"b", "e", "f", "g"}


def test_parameters_and_their_constant_defaults() -> None:
    arguments = function("def f(a, /, b=-1, *, c, d='x', e=[]): pass").args

    assert parameter_names(arguments) == ("a", "b", "c", "d", "e")
    known = {
        name: value.value if isinstance(value, Constant) else value
        for name, value in default_values(arguments).items()
    }
    assert known == {"b": -1, "d": "x", "e": None}


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("", ("BaseException",)),
        ("KeyError", ("KeyError",)),
        ("(KeyError, (OSError, socket.timeout))", ("KeyError", "OSError", "socket.timeout")),
        ("errors()", ("?",)),
    ],
)
def test_a_handler_catches_the_classes_it_names(text: str, classes: tuple[str, ...]) -> None:
    assert caught_classes(expression(text) if text else None) == classes


def site(text: str, kind: str = "if", *, implicit: bool = False) -> Site:
    return Site(0, kind, "m.py", 1, 0, "f", text, implicit)


@pytest.mark.parametrize(
    ("shown", "true", "false"),
    [
        (site("a <= 0"), "a <= 0", "a > 0"),
        (site("a is None"), "a is None", "a is not None"),
        (site("x in y"), "x in y", "x not in y"),
        (site("ready"), "ready", "not ready"),
        (site("a + b"), "a + b", "not (a + b)"),
        (site("a < b < c"), "a < b < c", "not (a < b < c)"),
        (site("a + b // 2 <= c"), "a + b // 2 <= c", "a + b // 2 > c"),
        (site("not a == b"), "not a == b", "not (not a == b)"),
        (site("a if b == c else d"), "a if b == c else d", "not (a if b == c else d)"),
        (site("a == b and c"), "a == b and c", "not (a == b and c)"),
        (site("a & b == c"), "a & b == c", "a & b != c"),
        (site("x", "for"), "another x", "no more x"),
        (site("[a, *_]", "case"), "case [a, *_]", "not case [a, *_]"),
        (site("", "IndexError", implicit=True), "no IndexError", "IndexError"),
    ],
)
def test_an_outcome_is_told_as_a_person_would(shown: Site, true: str, false: str) -> None:
    assert (wording(shown, True), wording(shown, False)) == (true, false)


def test_a_long_condition_is_cut_and_can_still_be_denied() -> None:
    long = site(" or ".join(f"name_{i} == {i}" for i in range(20)))

    assert len(wording(long, True)) == LONGEST_WORDING
    assert wording(long, False) == f"not ({wording(long, True)})"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a + f(b)", False),
        ("a and b", True),
        ("a if b else c", True),
        ("a < b < c", True),
        ("a < b", False),
        ("[x for x in y]", True),
        ("lambda: a and b", False),
        ("lambda x=(a and b): x", True),
    ],
)
def test_an_expression_branches_where_evaluating_it_passes_a_condition(
    text: str, answer: bool
) -> None:
    assert branches(expression(text)) is answer


def test_callees_come_in_the_order_of_the_calls() -> None:
    found = calls(expression("f(g(1), key=h(2))(lambda: i())"))

    assert [ast.unparse(each) for each in found] == ["g", "h", "f", "f(g(1), key=h(2))"]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("x[i] = y", ["y", "x[i]"]),
        ("x: int = y", ["y", "x"]),
        ("f(a, k=b)", ["f(a, k=b)"]),
    ],
)
def test_parts_come_in_the_order_of_evaluation(text: str, order: list[str]) -> None:
    assert [ast.unparse(each) for each in parts(statement(text))] == order


def test_the_parts_of_a_dict_come_pair_by_pair() -> None:
    assert [ast.unparse(each) for each in parts(expression("{a: b, **c, d: e}"))] == [
        "a",
        "b",
        "c",
        "d",
        "e",
    ]


def test_a_way_out_is_caught_by_the_innermost_frame_that_takes_it() -> None:
    program = Program("def f():\n    pass\n")
    growth = Growth(program.cfg("f"), program.numbered, 0)
    outer, inner = growth.push("raise", "return"), growth.push("break", "continue")

    growth.leave("break", [End(1)])
    growth.leave("return", [End(2)])
    growth.pop()
    growth.leave("break", [End(3)])

    assert inner.caught == {"break": [End(1)]}
    assert outer.caught == {"return": [End(2)]}


def test_after_a_finally_whatever_led_into_it_goes_on_its_way() -> None:
    program = Program("def f():\n    pass\n")
    growth = Growth(program.cfg("f"), program.numbered, 0)
    outer, inner = growth.push("raise", "return"), growth.push("raise", "return")
    growth.leave("raise", [End(1, implicit=True)])
    growth.leave("return", [End(2)])
    growth.pop()

    growth.pass_on(inner, [End(9)])

    assert outer.caught == {"raise": [End(9, implicit=True)], "return": [End(9)]}


@pytest.mark.parametrize(
    ("table", "base"),
    [(BINARY, ast.operator), (UNARY, ast.unaryop), (COMPARE, ast.cmpop)],
    ids=["binary", "unary", "comparison"],
)
def test_every_operator_of_python_has_a_row(table: dict[type, str], base: type) -> None:
    assert set(table) == set(base.__subclasses__())


def test_an_assignment_to_an_attribute_is_a_store_and_one_to_a_local_a_copy() -> None:
    text = "def f(a, b):\n    a.x = b\n    b[0] = a\n    c, d = b\n    del a.x\n"

    flow = lowered(ast.parse(text), "m.py")["f"]

    stores = [each for each in flow.statements if isinstance(each, Store)]
    assert [each.attribute for each in stores] == ["x", None, "x"]
    copies = [each for each in flow.statements if isinstance(each, Assign)]
    assert [each.target for each in copies if each.operation == "copy"] == ["c", "d"]
    assert issubclass(Targets, Values)
