"""Three-address form means what the program means: it is interpreted and compared with CPython."""

import ast
import builtins
import textwrap
from random import Random
from typing import Any

import pytest
from tests.backward.generated import Writer

from symcrete.backward.python_operators import PYTHON
from symcrete.program.lowering.bodies import Lowering
from symcrete.program.lowering.functions_of_module import lowered
from symcrete.program.lowering.three_address import (
    FLOW_ENTRY,
    UNCAUGHT,
    Assign,
    Branch,
    Call,
    Caught,
    Compute,
    Constant,
    Edge,
    Flow,
    Mark,
    Raise,
    Return,
)

SOME = [(a, b) for a in (-5, -1, 0, 1, 2, 3, 6) for b in (-4, -1, 0, 1, 3, 7)]


class Interpreter:
    """Runs flows statement by statement."""

    def __init__(self, text: str) -> None:
        self.namespace: dict[str, Any] = {}
        exec(text, self.namespace)
        self.flows = lowered(ast.parse(text), "program.py")

    def call(self, scope: str, *args: Any) -> Any:
        flow = self.flows[scope]
        names: dict[str, Any] = dict(zip(flow.parameters, args, strict=False))
        for name, default in flow.defaults.items():
            if name not in names and default is not None:
                names[name] = default.value
        at = FLOW_ENTRY
        for _ in range(100_000):
            statement = flow.statements[at]
            try:
                side = self._execute(flow, statement, names)
            except Exception as error:
                edge = self._handler(flow, at, error)
                if edge is None or edge.target == UNCAUGHT:
                    raise
                at = edge.target
                names["%error"] = error
                continue
            if isinstance(statement, Return):
                return self._value(statement.operand, names)
            (edge,) = [e for e in flow.after[at] if e.catches is None and e.side is side]
            at = edge.target
        raise AssertionError("does not end")

    def _execute(self, flow: Flow, statement: Any, names: dict[str, Any]) -> bool | None:
        match statement:
            case Assign(target=target, operation="global", args=(Constant(value=name),)):
                names[target] = eval(name, self.namespace)
            case Assign(target=target, operation=operation, args=args):
                values = [self._value(arg, names) for arg in args]
                names[target] = PYTHON[operation](*values)
            case Call(target=target, callee=str() as callee, args=args, keywords=keywords):
                values = [self._value(arg, names) for arg in args]
                given = {name: self._value(value, names) for name, value in keywords}
                if callee in self.flows and not given:
                    names[target] = self.call(callee, *values)
                else:
                    names[target] = eval(callee, self.namespace)(*values, **given)
            case Call(target=target, function=function, args=args) if function is not None:
                values = [self._value(arg, names) for arg in args]
                names[target] = self._value(function, names)(*values)
            case Compute(target=target, node=node):
                names[target] = eval(ast.unparse(node), {**self.namespace, **names})
            case Branch(operand=operand):
                return bool(self._value(operand, names))
            case Caught(target=str() as target):
                names[target] = names["%error"]
            case Raise(error=str() as error):
                raise eval(error, self.namespace)
            case Raise():
                raise names["%error"]
            case Mark() | Return() | Caught():
                pass
            case _:
                raise AssertionError(f"no meaning for {statement}")
        return None

    def _value(self, operand: Any, names: dict[str, Any]) -> Any:
        if isinstance(operand, Constant):
            return operand.value
        if operand not in names:
            raise UnboundLocalError(operand)
        return names[operand]

    def _handler(self, flow: Flow, at: int, error: Exception) -> Edge | None:
        """The edge that an exception takes."""
        for edge in flow.after[at]:
            if edge.catches is None:
                continue
            if self._is_one_of(error, edge.catches) and not self._is_one_of(error, edge.passes):
                return edge
        return None

    def _is_one_of(self, error: Exception, names: tuple[str, ...]) -> bool:
        return any(isinstance(error, getattr(builtins, name)) for name in names)


def outcome(function: Any, *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error)


@pytest.mark.parametrize("group", range(4))
def test_generated_programs_mean_the_same_in_three_address_form(group: int) -> None:
    for seed in range(group, 100, 4):
        text = Writer(Random(seed)).program()
        interpreter = Interpreter(text)
        for args in SOME:
            expected = outcome(interpreter.namespace["f"], *args)
            assert outcome(interpreter.call, "f", *args) == expected, (seed, args)


@pytest.mark.parametrize(
    "body",
    [
        "return [a, b][a > b] + (a, b)[0]",
        "c = d = a\nc += b\nreturn c * d",
        "c, (d, e) = a, (b, 3)\nreturn c - d * e",
        "return (c := a + 1) * c + b",
        "return a + (a := 5) + a",
        "a += (a := 5)\nreturn a",
        "c = (a, b)\nc, d = e = c\nreturn e[0] + e[1] + c",
        "for i in range(5, a, -2):\n    b += i\nreturn b",
        "for i in range(b):\n    if i == 3:\n        break\nelse:\n    return 77\nreturn i",
        "for i in range(4):\n    if i < a:\n        continue\n    b += i\nreturn b",
        "while True:\n    a += 1\n    if a > b:\n        return a",
        "try:\n    return a // b\nfinally:\n    a = 9\n",
        "try:\n    c = a // b\nexcept ArithmeticError as e:\n    return 5\nelse:\n    return c\n",
        "try:\n    try:\n        c = 1 // a\n    finally:\n        b += 10\nexcept ZeroDivisionError:\n"
        "    return b\nreturn c",
        "for i in range(3):\n    try:\n        if i == a:\n            break\n    finally:\n        b += 1\n"
        "return b",
        "try:\n    if a > b:\n        raise KeyError(a)\n    raise ValueError\nexcept (KeyError, IndexError):\n"
        "    return 1\nexcept Exception:\n    return 2",
        "match a:\n    case 1:\n        return b\n    case c if c > 2:\n        return c\n"
        "    case None:\n        return 0\n    case _:\n        return -1",
        "assert a > b\nreturn 1",
        "return 1 < a <= b < 7",
        "return a and b or 3",
        "return not a if b else -a",
        "return sum([i * a for i in range(3)]) + max(a, b)",
        "return int.__add__(a, b) + abs(b)",
        "return a.bit_length()",
    ],
)
def test_statements_mean_the_same_in_three_address_form(body: str) -> None:
    text = "def f(a: int, b: int = 2):\n" + textwrap.indent(body, "    ") + "\n"
    interpreter = Interpreter(text)

    for args in SOME:
        expected = outcome(interpreter.namespace["f"], *args)
        assert outcome(interpreter.call, "f", *args) == expected, args


def test_a_function_is_lowered_once_and_only_when_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run: list[str] = []
    whole = Lowering.run

    def noted(self: Lowering) -> Flow:
        run.append(self.flow.scope)
        return whole(self)

    monkeypatch.setattr(Lowering, "run", noted)
    flows = lowered(ast.parse("def f(): pass\ndef g(): pass\nclass C:\n def m(self): pass"), "m.py")
    assert (list(flows), len(flows)) == (["f", "g", "C.m"], 3)
    assert "g" in flows and "h" not in flows and flows.get("h") is None and run == []
    assert flows["g"] is flows["g"] and run == ["g"]
    assert len(list(flows.values())) == 3 and run == ["g", "f", "C.m"]
