"""What counts as an effect of a function besides its result."""

import ast
import textwrap

import pytest

from symcrete.program.source.side_effects import ModuleText, effect_of, effects_of


def effect(source: str, name: str = "g") -> str:
    return effect_of(ModuleText(ast.parse(textwrap.dedent(source))).by_scope[name])


@pytest.mark.parametrize(
    "body",
    [
        "return x + 1",
        "found = []\n    found.append(x)\n    return len(found)",
        "table = {}\n    table[x] = 1\n    return sorted(table)",
        "return math.sqrt(abs(x))",
        "if x < 0:\n        raise ValueError(x)\n    return max(x, 3)",
        "return x if x < 2 else g(x - 1)",
        "return helper(x)",
        "point = Point(x)\n    return point.x",
    ],
)
def test_computing_a_result_is_no_effect(body):
    source = f"""\
import math


def helper(x):
    total = 0
    for i in range(x):
        total += i
    return total


class Point:
    def __init__(self, x):
        self.x = x


def g(x):
    {body}
"""

    assert effect(source) == ""


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("global n\n    n = x", "writes n"),
        ("items.append(x)", "calls items.append()"),
        ("items[0] = x", "changes items"),
        ("items.first = x", "changes items"),
        ("del items[0]", "changes items"),
        ("items += [x]", "may change items"),
        ("alias = items\n    alias += [x]", "may change alias"),
        ("alias = items\n    alias.pop()", "calls alias.pop()"),
        ("print(x)", "calls print()"),
        ("return random.random()", "calls random.random()"),
        ("items(x)", "calls items()"),
        ("other(items)", "calls other(), which calls items.clear()"),
        ("yield x", "is a generator"),
        ("import os", "imports a module"),
    ],
)
def test_everything_else_a_call_leaves_behind_is_one(body, reason):
    source = f"""\
import random

n = 0


def other(items):
    items.clear()


def g(x, items):
    {body}
"""

    assert effect(source) == reason


LEXER = """\
class Lexer:
    def skip(self):
        while self.text[self.at] == " ":
            self.at += 1

    def lex(self):
        self.skip()
        self.last = self.at
        return self.text[self.at]

    def again(self, other):
        other.skip()
        return self.again(other) if other.at < 9 else self.lex()

    @staticmethod
    def reset(lexer):
        lexer.at = 0

    def through_static(self):
        self.reset(self)


def rebinds(lexer):
    lexer = lexer.inner
    lexer.at = 1


def hidden(lexer):
    lexer.inner.at = 1


def into(lexer, items):
    items[0] = lexer.lex()


def closed(lexer):
    return [lambda lexer: lexer.skip() for _ in "ab"]
"""


@pytest.mark.parametrize(
    ("name", "writes"),
    [
        ("Lexer.skip", {("self", "at")}),
        ("Lexer.lex", {("self", "at"), ("self", "last")}),
        ("Lexer.again", {("self", "at"), ("self", "last"), ("other", "at")}),
        ("Lexer.reset", {("lexer", "at")}),
        ("Lexer.through_static", {("self", "at")}),
    ],
)
def test_attributes_that_are_set_of_parameters_are_told_apart_through_calls_and_recursion(
    name, writes
):
    effects = effects_of(ModuleText(ast.parse(LEXER)).by_scope[name])

    assert (effects.said, effects.writes) == ("", writes)
    assert effect(LEXER, name).startswith("changes ")


@pytest.mark.parametrize("name", ["rebinds", "hidden", "into", "closed"])
def test_what_is_changed_of_others_than_the_parameters_themselves_is_an_effect(name):
    assert effects_of(ModuleText(ast.parse(LEXER)).by_scope[name]).said


@pytest.mark.parametrize(
    ("body", "hidden"),
    [
        ("out = x\n    out += more", True),
        ("rows = [x]\n    rows[0] += more", True),
        ("list(map(x.append, more))", True),
        ("x.__setitem__(0, 1)", True),
        ("helper(x)", True),
        ("total = 0\n    total += more", False),
        ("total = x\n    total += 1", False),
        ("found = []\n    list(map(found.append, more))", False),
        ("return len(x) + sum(more)", False),
    ],
)
def test_a_container_changed_through_another_name_is_a_hidden_change(body, hidden):
    source = f"""\
def helper(rows):
    for row in rows:
        row += rows


def g(x, more):
    {body}
"""

    routine = ModuleText(ast.parse(source)).by_scope["g"]
    assert effects_of(routine).hidden is hidden


def test_a_name_that_a_pattern_or_an_inner_function_binds_is_not_of_its_own_making():
    matched = "def g(x):\n    y = []\n    match x:\n        case y:\n            y.append(1)\n"
    inner = "def g(x):\n    y = []\n    def h(y):\n        y.append(1)\n    return h(x)\n"

    assert effect(matched) == "calls y.append()"
    assert effect(inner).endswith("calls y.append()")
