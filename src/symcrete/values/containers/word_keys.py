"""A tracked text looked up among many plain ones: one condition, then a character at a time.

Compared with each stored text by itself, a table of a thousand words would make a thousand terms
and as many branches. Here the words are one condition in the shape of a tree of their characters,
with equal subtrees shared, and which word it is takes as many branches as characters that tell it
from the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symcrete.terms import integers
from symcrete.terms.characters import member, ranges_of, same
from symcrete.terms.logic import both, disjoin
from symcrete.terms.operations import MODELLED
from symcrete.terms.term import FALSE, TRUE, Operation, Sort, Term, const, int_const, memo
from symcrete.terms.texts import apply, modelled
from symcrete.values.text.content.contents import Content
from symcrete.values.text.content.marks import decide_length
from symcrete.values.text.content.strings import content_of
from symcrete.values.tracking import recording

# stored texts that are compared one by one; among more the tree of their characters is asked;
# chosen, not measured
FEW = 32
FEW_CODES = 3  # characters that are compared one by one, not as ranges; chosen, not measured
_AMONG = Operation("among", Sort.BOOL, lambda whole, words: whole in words, "", opaque=True)
_terms: dict[Any, Term] = memo()
Codes = tuple[int, ...]


class Words:
    """The plain texts that a tracked one of the same kind may be equal to."""

    def __init__(self, key: Any, words: Iterable[Any]) -> None:
        self._content: Content = content_of(key)
        self._words = {tuple(self._content.kind.codes(word)): word for word in words}

    def is_there(self) -> Term:
        """The condition that the text is one of the words."""
        words = frozenset(self._words.values())
        key = (self._content.key, words)
        found = _terms.get(key)
        if found is None:
            exact = apply(_AMONG, self._content.whole, const(words))
            found = _terms[key] = modelled(exact, self._model())
        return found

    def _model(self) -> Term:
        by_length: dict[int, set[Codes]] = {}
        for codes in self._words:
            by_length.setdefault(len(codes), set()).add(codes)
        found: list[Term] = []
        for count in sorted(by_length):
            so_long = integers.eq(self._content.length, int_const(count))
            if so_long is not FALSE:
                elements = self._content.given(count)
                tree = _tree(frozenset(by_length[count]), elements, 0, {})
                found.append(both(so_long, tree))
        return disjoin(found)

    def picked(self, value: Any) -> Any:
        """The stored word that is equal in this run; what tells it from the others are branches."""
        mine = tuple(self._content.kind.codes(value))
        left = [codes for codes in self._words if len(codes) == len(mine)]
        if len(left) < len(self._words):
            decide_length(self._content.length, len(mine))
        elements = self._content.given(len(mine))
        for index, code in enumerate(mine):
            alike = [codes for codes in left if codes[index] == code]
            if len(alike) < len(left):
                _decide(elements[index], code)
            left = alike
        return self._words[mine]


def _decide(element: Term, code: int) -> None:
    """Report as branches that the element is this character and none of the others."""
    if not element.is_const:
        is_it = lambda each: same(element, int_const(each))
        recording.active().fork("key", element, code, is_it)


def _tree(
    words: frozenset[Codes], elements: Sequence[Term], index: int, known: dict[Any, Term]
) -> Term:
    """That the elements from an index on are one of these words, all of them of one length."""
    if index == len(elements):
        return TRUE
    key = (words, index)
    if key not in known:
        rests: dict[int, set[Codes]] = {}
        for codes in words:
            rests.setdefault(codes[0], set()).add(codes[1:])
        codes_of: dict[frozenset[Codes], list[int]] = {}
        for code, rest in rests.items():
            codes_of.setdefault(frozenset(rest), []).append(code)
        known[key] = disjoin(
            [
                both(_one_of(elements[index], codes), _tree(rest, elements, index + 1, known))
                for rest, codes in sorted(codes_of.items(), key=lambda pair: min(pair[1]))
            ]
        )
    return known[key]


def _one_of(element: Term, codes: list[int]) -> Term:
    if len(codes) > FEW_CODES and element.op is not MODELLED:
        return member(element, ranges_of(codes))
    return disjoin([same(element, int_const(code)) for code in sorted(codes)])
