"""Comparisons as compiled functions from a point to a difference.

The difference of left and right has the sign that the comparison needs, exactly: 0 only if both
sides are equal, nan if either side is nan, `FAILED` if a side cannot be computed. Two doubles that
differ by more than a double can say differ by the largest one.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from symcrete.errors import TimeLimit
from symcrete.solve.walk.terrain.goal import Comparison
from symcrete.solve.walk.terrain.opaque_calls import Calls
from symcrete.terms.evaluate import Assignment, Evaluator, computed, evaluator, literal_text
from symcrete.terms.operations import AND, ITE, LINEAR, LSHIFT, OR, POW, TOTAL
from symcrete.terms.term import CONST, VAR, Sort, Term
from symcrete.terms.visit import names, postorder

Difference: TypeAlias = Callable[[Assignment], Any]

FAILED = math.inf
LARGEST_DOUBLE = sys.float_info.max
_LARGEST_INT = int(LARGEST_DOUBLE)
# characters of source text; a longer expression becomes a statement of its own; chosen, not
# measured
LONGEST_EXPRESSION = 400
MOST_SUMMED = 3  # variables of a sum that needs no compiling; chosen, not measured
# bits of a power or a shifted number: the walk tries exponents that no program would; chosen
MOST_COMPUTED_BITS = 1 << 16
LEAST_DOUBLE = 5e-324  # above 0
# Operations that do not compute every argument at every point.
_LAZY = frozenset({AND, OR, ITE})


class Compiler:
    """Compiles for one solver; what it made is kept for the next constraint with the same parts."""

    MOST_KEPT = 20_000  # compiled functions kept; beyond, all are forgotten; chosen, not measured

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._made: dict[tuple[Any, ...], Difference] = {}

    def difference(
        self, comparison: Comparison, definitions: Mapping[str, Term] | None = None
    ) -> Difference:
        """The function that gives the difference at a point; a defined variable is computed, not
        looked up.
        """
        if definitions and _needs(comparison, definitions):
            return self._compiled(comparison, definitions)
        key = (comparison.left, comparison.right)
        found = self._made.get(key)
        if found is None:
            if len(self._made) >= self.MOST_KEPT:
                self._made.clear()
            found = self._made[key] = self._made_for(comparison)
        return found

    def _made_for(self, comparison: Comparison) -> Difference:
        left, right = comparison.left, comparison.right
        # For short sums, most of a long path, compiling costs more than it saves.
        if _is_zero(right) and _is_plain_sum(left):
            return _closure(evaluator(left), 1)
        if _is_zero(left) and _is_plain_sum(right):
            return _closure(evaluator(right), -1)
        return self._compiled(comparison, {})

    def _compiled(self, comparison: Comparison, definitions: Mapping[str, Term]) -> Difference:
        left, right = comparison.left, comparison.right
        writer = _Writer(self._calls, definitions)
        sides = [writer.statements(side) for side in (left, right)]
        if left.sort is Sort.BOOL:
            writer.lines.append(f"return bool({sides[0]}) - bool({sides[1]})")
        elif left.sort is Sort.INT and right.sort is Sort.INT:
            difference = sides[0] if _is_zero(right) else " - ".join(sides)
            writer.lines.append(f"d = {difference}")
            writer.lines.append("return d if -LARGEST_INT < d < LARGEST_INT else whole(d)")
        elif left.sort is right.sort:
            writer.lines.append(f"l = {sides[0]}; r = {sides[1]}; d = l - r")
            writer.lines.append(
                "return d if -LARGEST_DOUBLE <= d <= LARGEST_DOUBLE else beyond(l, r)"
            )
        else:
            writer.lines.append(f"return mixed({sides[0]}, {sides[1]})")
        return writer.function()


class _Writer:
    """Turns terms into the statements of one function."""

    def __init__(self, calls: Calls, definitions: Mapping[str, Term]) -> None:
        self.lines: list[str] = []
        self._calls = calls
        self._definitions = definitions
        self._namespace: dict[str, Any] = dict(_SUPPORT)
        self._text: dict[Term, str] = {}
        self._loaded: dict[str, str] = {}

    def function(self) -> Difference:
        loads = [f"{local} = a[{name!r}]" for name, local in self._loaded.items()]
        body = "\n        ".join([*loads, *self.lines])
        source = (
            "def difference(a):\n"
            "    try:\n"
            f"        {body}\n"
            "    except (Exception, TimeLimit):\n"
            "        return FAILED\n"
        )
        exec(compile(source, "<walk>", "exec"), self._namespace)
        made: Difference = self._namespace["difference"]
        return made

    def statements(self, root: Term) -> str:
        """Write the statements that compute a term, and return the expression for its value."""
        fresh = [node for node in self._order(root) if node not in self._text]
        uses: dict[Term, int] = {}
        for node in fresh:
            for arg in self._below(node):
                uses[arg] = uses.get(arg, 0) + 1
        # Under a condition (`x // y if y else 0`) what may raise is computed only where it is used.
        guarded = any(node.op in _LAZY for node in fresh)
        raising: set[Term] = set()
        for node in fresh:
            if node.op not in TOTAL or any(arg in raising for arg in self._below(node)):
                raising.add(node)
            text = self._expression(node)
            shared = uses.get(node, 0) > 1 and node.op is not CONST and not text.isidentifier()
            # A name for what is used twice, and for what would be too deep to parse.
            if shared or len(text) > LONGEST_EXPRESSION:
                name = f"t{len(self._text)}"
                if guarded and node in raising:
                    self.lines.append(f"{name} = lambda: {text}")
                    name += "()"
                else:
                    self.lines.append(f"{name} = {text}")
                text = name
            self._text[node] = text
        return self._text[root]

    def _order(self, root: Term) -> list[Term]:
        """The nodes below a term, arguments and definitions before what uses them."""
        order: dict[Term, None] = {}
        pending = [root]
        while pending:
            nodes = postorder([pending[-1]], computed)
            missing = [
                definition
                for node in nodes
                if node.op is VAR
                and (definition := self._definitions.get(node.args[0])) is not None
                and definition not in order
            ]
            if missing:
                pending += missing
                continue
            order.update(dict.fromkeys(nodes))
            pending.pop()
        return list(order)

    def _below(self, node: Term) -> list[Term]:
        if node.op is VAR:
            definition = self._definitions.get(node.args[0])
            return [] if definition is None else [definition]
        return computed(node)

    def _expression(self, node: Term) -> str:
        op, args = node.op, node.args
        if op is VAR:
            definition = self._definitions.get(args[0])
            return self._load(args[0]) if definition is None else self._text[definition]
        if op is CONST:
            return self._constant(args[0])
        parts = [self._text[arg] for arg in computed(node)]
        if op.reads is not None:
            return f"{self._name(op.function)}(a, {args[0]!r})"
        if op is LINEAR:
            return _sum(args[0], parts, args[2::2])
        if op is AND:
            return "(" + " and ".join(parts) + ")"
        if op is OR:
            return "(" + " or ".join(parts) + ")"
        if op is POW or op is LSHIFT:
            return f"{'power' if op is POW else 'shifted'}({parts[0]}, {parts[1]})"
        if op.template:
            return op.template.format(*parts)
        return f"{self._name(self._calls.wrap(op.function))}({', '.join(parts)})"

    def _load(self, name: str) -> str:
        return self._loaded.setdefault(name, f"x{len(self._loaded)}")

    def _constant(self, value: Any) -> str:
        return literal_text(value) or self._name(value)

    def _name(self, value: Any) -> str:
        name = f"v{len(self._namespace)}"
        self._namespace[name] = value
        return name


def _needs(comparison: Comparison, definitions: Mapping[str, Term]) -> bool:
    return not definitions.keys().isdisjoint(names(comparison.left) | names(comparison.right))


def _is_plain_sum(term: Term) -> bool:
    """Whether a term is a sum of few integer variables."""
    if term.sort is not Sort.INT or len(term.args) > 2 * MOST_SUMMED + 1:
        return False
    return term.op is VAR or (term.op is LINEAR and all(a.op is VAR for a in term.args[1::2]))


def _is_zero(term: Term) -> bool:
    return term.is_const and term.sort is Sort.INT and bool(term.value == 0)


def _closure(value: Evaluator, sign: int) -> Difference:
    def difference(a: Assignment) -> Any:
        d = sign * value(a)
        return d if -_LARGEST_INT < d < _LARGEST_INT else _whole(d)

    return difference


def _sum(constant: int, parts: list[str], factors: tuple[int, ...]) -> str:
    text = "" if constant == 0 else f"{constant}"
    for part, factor in zip(parts, factors, strict=True):
        size = part if abs(factor) == 1 else f"{abs(factor)} * {part}"
        sign = "-" if factor < 0 else "+" if text else ""
        text += f" {sign} {size}" if text else f"{sign}{size}"
    return f"({text})"


def _whole(difference: int) -> float:
    """The largest double with the sign of a difference of integers that is too large for one."""
    if difference != difference:  # an application that should have given an integer
        return math.nan
    return LARGEST_DOUBLE if difference > 0 else -LARGEST_DOUBLE


def _beyond(left: float, right: float) -> float:
    """The difference of two doubles whose subtraction gives an infinity or nan."""
    if left == right:
        return 0.0
    if left != left or right != right:
        return math.nan
    return LARGEST_DOUBLE if left > right else -LARGEST_DOUBLE


def _mixed(left: Any, right: Any) -> Any:
    """The difference between an integer and a double, which Python compares exactly but subtracts
    rounded.
    """
    if left == right:
        return 0.0
    if left != left or right != right:
        return math.nan
    try:
        difference = float(left - right)
    except OverflowError:
        difference = math.inf
    if left > right:
        return min(max(difference, LEAST_DOUBLE), LARGEST_DOUBLE)
    return max(min(difference, -LEAST_DOUBLE), -LARGEST_DOUBLE)


def _power(base: int, exponent: int) -> Any:
    """The power; OverflowError if it has more than 65,536 bits, since the walk tries exponents
    that no program would.
    """
    if exponent > 0 and base.bit_length() * exponent > MOST_COMPUTED_BITS:
        raise OverflowError
    return base**exponent


def _shifted(value: int, places: int) -> int:
    if places > MOST_COMPUTED_BITS:
        raise OverflowError
    return value << places


_SUPPORT = {
    "FAILED": FAILED,
    "LARGEST_DOUBLE": LARGEST_DOUBLE,
    "LARGEST_INT": _LARGEST_INT,
    "TimeLimit": TimeLimit,
    "beyond": _beyond,
    "math": math,
    "mixed": _mixed,
    "power": _power,
    "shifted": _shifted,
    "whole": _whole,
}
