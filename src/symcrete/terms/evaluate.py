"""What a term is worth under an assignment, exactly as CPython computes it.

Small terms become nested closures, which are made forty times faster than a function is compiled;
deep or much-shared ones become one compiled function with a statement per shared node, which
computes it once (benchmarks/hot_code.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from operator import mul
from typing import Any, TypeAlias

from symcrete.terms.operations import (
    AND,
    EQ0,
    ITE,
    LE0,
    LINEAR,
    LSHIFT,
    MODELLED,
    NOT,
    OR,
    POW,
    TOTAL,
)
from symcrete.terms.term import CONST, VAR, Sort, Term
from symcrete.terms.visit import children, postorder

Assignment: TypeAlias = dict[str, Any]
Evaluator: TypeAlias = Callable[[Assignment], Any]

DEEPEST_CLOSURE = 60  # levels: each costs two frames of Python's stack, which is the program's too
LARGEST_CLOSURE = 120  # nodes, shared ones counted each time: beyond them compiling pays
SMALLEST_STEPS = 12  # nodes: smaller terms compute few things twice, even where those are texts
# digits of an integer that compiled code has in decimal: longer ones are parsed faster in
# hexadecimal; chosen, not measured
MOST_COMPILED_DIGITS = 18
# characters of an expression in compiled code: a longer one gets a name, before it is too deep to
# parse; chosen, not measured
LONGEST_COMPILED = 400
# what evaluating a term raises where the program's own operations would
NOT_COMPUTABLE = (ArithmeticError, ValueError, TypeError, LookupError)
_LAZY = frozenset({AND, OR, ITE})
# computed by their functions, which refuse results that are too large
_BOUNDED = frozenset({POW, LSHIFT})


def evaluate(term: Term, assignment: Assignment) -> Any:
    """The value of the term. Raises what the operations raise."""
    return evaluator(term)(assignment)


def holds(term: Term, assignment: Assignment) -> bool:
    """Whether a condition is true; one that cannot be computed is not."""
    try:
        return bool((term.evaluator or evaluator(term))(assignment))
    except NOT_COMPUTABLE:
        return False


def all_hold(terms: Iterable[Term], assignment: Assignment) -> bool:
    """Whether an assignment satisfies all conditions; one that cannot be computed is not
    satisfied.
    """
    return first_broken(terms, assignment) is None


def first_broken(terms: Iterable[Term], assignment: Assignment) -> Term | None:
    """The first condition that the assignment does not satisfy, or that cannot be computed; None
    if there is none.
    """
    try:
        for term in terms:
            if not (term.evaluator or evaluator(term))(assignment):
                return term
    except NOT_COMPUTABLE:
        return term
    return None


def evaluator(term: Term) -> Evaluator:
    """The function that computes the term for an assignment; made once and kept with the term."""
    found = term.evaluator
    if found is None:
        if term.size > SMALLEST_STEPS and _computes_objects(term):
            found = _in_steps(term)
        elif term.depth > DEEPEST_CLOSURE or term.size > LARGEST_CLOSURE:
            found = compiled([term])
        else:
            found = _closure(term)
        term.compute_by(found)
    return found


def _closure(term: Term) -> Evaluator:
    op, args = term.op, term.args
    if op is VAR:
        name = args[0]
        return lambda a: a[name]
    if op is CONST:
        value = args[0]
        return lambda a: value
    if op is LE0 or op is EQ0:
        return _comparison("<=" if op is LE0 else "==", args[0])
    if op is LINEAR:
        return _linear(args)
    if op is NOT:
        if args[0].op is LE0 or args[0].op is EQ0:
            return _comparison(">" if args[0].op is LE0 else "!=", args[0].args[0])
        inner = evaluator(args[0])
        return lambda a: not inner(a)
    if op is ITE:
        test, then, other = map(evaluator, args)
        return lambda a: then(a) if test(a) else other(a)
    if op is AND:
        parts = [evaluator(arg) for arg in args]
        return lambda a: all(part(a) for part in parts)
    if op is OR:
        parts = [evaluator(arg) for arg in args]
        return lambda a: any(part(a) for part in parts)
    function = op.function
    if op is MODELLED:
        return evaluator(args[0])
    if op.reads is not None:
        name = args[0]
        return lambda a: function(a, name)
    if len(args) == 1:
        only = evaluator(args[0])
        return lambda a: function(only(a))
    if len(args) == 2:
        left, right = evaluator(args[0]), evaluator(args[1])
        return lambda a: function(left(a), right(a))
    each = [evaluator(arg) for arg in args]
    return lambda a: function(*[part(a) for part in each])


def _computes_objects(term: Term) -> bool:
    """Whether a term is, or compares, what is computed from texts and the like: parts of these that
    are used twice should not be computed twice.
    """
    while term.op is NOT or term.op is MODELLED or term.op is LE0 or term.op is EQ0:
        term = term.args[0]
    parts = term.args[1::2] if term.op is LINEAR else (term,)
    return any(_of_objects(part) for part in parts)


def _of_objects(term: Term) -> bool:
    if term.op is MODELLED:
        term = term.args[0]
    return term.op.opaque and any(
        arg.__class__ is Term and arg.sort is Sort.OBJECT for arg in term.args
    )


def _in_steps(term: Term) -> Evaluator:
    """An evaluator that computes each node once, arguments first; `and`, `or` and if-then-else are
    computed by the usual evaluators, which skip what is not needed.
    """
    order = postorder([term], _strict)
    place = {node: number for number, node in enumerate(order)}
    steps: list[tuple[Callable[..., Any], tuple[int, ...] | None]] = []
    for node in order:
        below = [place[arg] for arg in _strict(node)]
        if node.op is MODELLED:
            steps.append((_same, tuple(below)))
        elif node.op is LINEAR:
            steps.append((_weighted(node.args), tuple(below)))
        elif below:
            steps.append((node.op.function, tuple(below)))
        else:
            steps.append((evaluator(node), None))

    def run(a: Assignment) -> Any:
        values: list[Any] = []
        for function, args in steps:
            if args is None:
                values.append(function(a))
            elif len(args) == 1:
                values.append(function(values[args[0]]))
            else:
                values.append(function(*[values[arg] for arg in args]))
        return values[-1]

    return run


def _strict(node: Term) -> list[Term]:
    """The arguments that are always computed before the node."""
    return [] if node.op in _LAZY or node.op.reads is not None else computed(node)


def _same(value: Any) -> Any:
    return value


def _weighted(args: tuple[Any, ...]) -> Callable[..., Any]:
    constant, factors = args[0], args[2::2]
    return lambda *values: constant + sum(map(mul, values, factors))


def _linear(args: tuple[Any, ...]) -> Evaluator:
    constant = args[0]
    if all(atom.op is VAR for atom in args[1::2]):
        if len(args) == 3:
            name, factor = args[1].args[0], args[2]
            return lambda a: constant + factor * a[name]
        if len(args) == 5:
            one, first, two, second = args[1].args[0], args[2], args[3].args[0], args[4]
            return lambda a: constant + first * a[one] + second * a[two]
        named = [(args[i].args[0], args[i + 1]) for i in range(1, len(args), 2)]
        return lambda a: constant + sum([a[name] * factor for name, factor in named])
    pairs = [(evaluator(args[i]), args[i + 1]) for i in range(1, len(args), 2)]
    return lambda a: constant + sum([part(a) * factor for part, factor in pairs])


def _comparison(sign: str, inner: Term) -> Evaluator:
    """An evaluator for a sum compared with zero; for sums of one or two inputs, the commonest, a
    single call.
    """
    of_one, of_two, of_any = _COMPARISONS[sign]
    if inner.op is VAR:
        return of_one(0, inner.args[0], 1)
    if inner.op is LINEAR and all(atom.op is VAR for atom in inner.args[1::2]):
        args = inner.args
        if len(args) == 3:
            return of_one(args[0], args[1].args[0], args[2])
        if len(args) == 5:
            return of_two(args[0], args[1].args[0], args[2], args[3].args[0], args[4])
    return of_any(evaluator(inner))


def _made(parameters: str, body: str) -> Callable[..., Evaluator]:
    made: Callable[..., Evaluator] = eval(f"lambda {parameters}: lambda a: {body}")
    return made


_COMPARISONS = {
    sign: (
        _made("constant, one, first", f"constant + first * a[one] {sign} 0"),
        _made(
            "constant, one, first, two, second",
            f"constant + first * a[one] + second * a[two] {sign} 0",
        ),
        _made("value", f"value(a) {sign} 0"),
    )
    for sign in ("<=", ">", "==", "!=")
}


def compiled(terms: list[Term]) -> Evaluator:
    """One function that computes a list of terms: the value of one, or whether all conditions hold.

    Conditions are tested in order and the rest is skipped at the first that fails, so that a later
    term which could not be computed then is not.
    """
    writer = _Writer()
    for position, term in enumerate(terms):
        text = writer.statements(term)
        last = position == len(terms) - 1
        writer.lines.append(f"    return {text}" if last else f"    if not {text}: return False")
    source = "def evaluator(a):\n" + "\n".join(writer.lines)
    exec(compile(source, "<terms>", "exec"), writer.namespace)
    made: Evaluator = writer.namespace["evaluator"]
    return made


def _once(compute: Callable[[], Any]) -> Callable[[], Any]:
    """A function that computes its value when it is first called and gives the same value again:
    nested terms that use a value twice at each level would compute it exponentially often.
    """
    found: list[Any] = []

    def value() -> Any:
        if not found:
            found.append(compute())
        return found[0]

    return value


def computed(node: Term) -> list[Term]:
    """The arguments that evaluation looks at: of a modelled term only the exact one."""
    return [node.args[0]] if node.op is MODELLED else children(node)


def literal_text(value: Any) -> str:
    """A number or truth as it is written in compiled code; "" for what has no such text."""
    if type(value) is int:
        return f"({value})" if abs(value) < 10**MOST_COMPILED_DIGITS else f"({value:#x})"
    if type(value) is bool or (type(value) is float and math.isfinite(value)):
        return f"({value!r})"
    return ""


class _Writer:
    """Turns terms into the statements of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.namespace: dict[str, Any] = {"math": math, "once": _once}
        self._text: dict[Term, str] = {}

    def statements(self, term: Term) -> str:
        fresh = [node for node in postorder([term], computed) if node not in self._text]
        uses: dict[Term, int] = {}
        for node in fresh:
            for arg in computed(node):
                uses[arg] = uses.get(arg, 0) + 1
        # Under a condition (`x // y if y else 0`) what may raise is computed only where it is used.
        guarded = any(node.op in _LAZY for node in fresh)
        raising: set[Term] = set()
        for node in fresh:
            if node.op not in TOTAL or any(arg in raising for arg in computed(node)):
                raising.add(node)
            text = self._expression(node)
            # A name for what is used twice, and for what would be too deep to parse.
            shared = uses.get(node, 0) > 1 and node.op is not VAR and node.op is not CONST
            if shared or len(text) > LONGEST_COMPILED:
                name = f"t{len(self._text)}"
                if guarded and node in raising:
                    self.lines.append(f"    {name} = once(lambda: {text})")
                    name += "()"
                else:
                    self.lines.append(f"    {name} = {text}")
                text = name
            self._text[node] = text
        return self._text[term]

    def _expression(self, node: Term) -> str:
        op, args = node.op, node.args
        if op is VAR:
            return f"a[{args[0]!r}]"
        if op is CONST:
            return self._constant(args[0])
        parts = [self._text[arg] for arg in computed(node)]
        if op is LINEAR:
            products = [f"{f} * {p}" for p, f in zip(parts, args[2::2], strict=True)]
            return "(" + " + ".join([str(args[0]), *products]) + ")"
        if op is AND:
            return "(" + " and ".join(parts) + ")"
        if op is OR:
            return "(" + " or ".join(parts) + ")"
        if op.reads is not None:
            return f"{self._name(op.function)}(a, {args[0]!r})"
        if op.template and op not in _BOUNDED:
            return op.template.format(*parts)
        return f"{self._name(op.function)}({', '.join(parts)})"

    def _constant(self, value: Any) -> str:
        return literal_text(value) or self._name(value)

    def _name(self, value: Any) -> str:
        name = f"v{len(self.namespace)}"
        self.namespace[name] = value
        return name
