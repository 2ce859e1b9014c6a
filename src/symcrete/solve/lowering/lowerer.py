"""From our terms to a backend's: what every lowering shares.

A lowered node is the backend's expression, the facts that define it, and whether it was narrowed.
Nodes nobody can express (an opaque application) become unknowns of the backend: that only adds
solutions, so "unsat" stays a proof. Narrowing (reals for doubles, bounded widths) can lose
solutions, and then it is none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from symcrete.constraint.theory import PRODUCT, theory
from symcrete.terms import operations as ops
from symcrete.terms.term import CONST, VAR, Operation, Term
from symcrete.terms.visit import seen_by_solvers


class Lowered(NamedTuple):
    """A node in a backend's form: the expression, the facts that define it, and whether it was
    narrowed.
    """

    expression: Any
    facts: tuple[Any, ...] = ()
    narrowed: bool = False


_DIVISIONS = frozenset(
    {ops.FLOORDIV, ops.MOD, ops.TRUEDIV, ops.FDIV, ops.FFLOORDIV, ops.FMOD},
)
# Operations whose evaluation may end after the first argument.
_LAZY = frozenset({ops.AND, ops.OR, ops.ITE})


class CannotLower(Exception):
    """This lowering has no form for a condition; another may."""


Row = Callable[[Term, "list[Any]"], Any]


class Lowering:
    """One fold over a condition, cached on the nodes; subclasses fill `rows`, one per operation."""

    def __init__(self) -> None:
        self.rows: dict[Operation, Row] = {}
        self._node_key = object()
        self._root_key = object()
        self._facts: list[Any] = []
        self._narrowed = False
        self.nodes = 0  # nodes that the backend holds

    def condition(self, term: Term) -> tuple[Any, bool]:
        """The condition with the facts its nodes need, and whether it was narrowed."""
        notes = term.notes
        if notes is not None:
            found = notes.get(self._root_key)
            if found is not None:
                return found  # type: ignore[no-any-return]
        made = self.at_once(term)
        if made is None:
            made = self._with_facts(term)
        term.begin_notes()[self._root_key] = made
        return made

    def at_once(self, term: Term) -> tuple[Any, bool] | None:
        """What `condition` returns, where its shape allows that without a fold; else None."""
        return None

    def _with_facts(self, term: Term) -> tuple[Any, bool]:
        node = self.node(term)
        divisors = _strict_divisors(term) if theory(term) & PRODUCT else None
        if divisors:
            # A condition whose division fails is not true; a backend would choose a quotient for
            # it.
            facts = tuple([self.nonzero(divisor) for divisor in divisors])
            node = node._replace(facts=node.facts + facts)
        return self.conjunction(node), node.narrowed

    def conjunction(self, node: Lowered) -> Any:
        """The expression and its facts as one condition."""
        raise NotImplementedError  # abstract: each subclass has its own

    def nonzero(self, divisor: Term) -> Any:
        """The backend's condition that a term is not zero."""
        raise NotImplementedError  # abstract: each subclass has its own

    def node(self, term: Term) -> Lowered:
        """The term in the backend's form, made once and kept with the term."""
        key = self._node_key
        stack = [term]
        while stack:
            top = stack[-1]
            notes = top.notes
            if notes is not None and key in notes:
                stack.pop()
                continue
            missing = [arg for arg in self.parts(top) if arg.notes is None or key not in arg.notes]
            if missing:
                stack += missing
                continue
            made = self._one(top)
            if notes is None:
                notes = top.begin_notes()
            notes[key] = made
            self.nodes += 1
            stack.pop()
        assert term.notes is not None
        return term.notes[key]  # type: ignore[no-any-return]

    def parts(self, term: Term) -> list[Term]:
        """The terms to be lowered before this one; none below what is opaque."""
        if term.op is VAR or term.op is CONST:
            return []
        return seen_by_solvers(term)

    def _one(self, term: Term) -> Lowered:
        key = self._node_key
        below: list[Lowered] = [arg.notes[key] for arg in self.parts(term)]  # type: ignore[index]
        row = self.rows.get(term.op)
        if row is None:
            row = self.unknown
        self._facts = []
        self._narrowed = any(part.narrowed for part in below)
        expression = row(term, [part.expression for part in below])
        facts: dict[int, Any] = {}
        for part in below:
            for fact in part.facts:
                facts[id(fact)] = fact
        for fact in self._facts:
            facts[id(fact)] = fact
        return Lowered(expression, tuple(facts.values()), self._narrowed)

    def unknown(self, term: Term, parts: list[Any]) -> Any:
        """An expression whose value the backend may choose, in place of a term it cannot
        express.
        """
        raise NotImplementedError  # abstract: each subclass has its own

    def fact(self, condition: Any) -> None:
        """Add a condition that defines the node being lowered; where it excludes inputs, `narrow`
        has to be called as well.
        """
        self._facts.append(condition)

    def narrow(self) -> None:
        """Note that the node being lowered stands for fewer values than the term."""
        self._narrowed = True


def _strict_divisors(term: Term) -> list[Term]:
    """The terms that a condition divides by in every evaluation of it."""
    found: dict[Term, None] = {}
    seen = {term}
    todo = [term]
    while todo:
        node = todo.pop()
        if node.op.opaque or node.op is VAR or node.op is CONST:
            continue
        if node.op in _DIVISIONS and node.args[1].op is not CONST:
            found[node.args[1]] = None
        for arg in node.args[:1] if node.op in _LAZY else node.args:
            if arg.__class__ is Term and arg not in seen:
                seen.add(arg)
                todo.append(arg)
    return list(found)
