"""What is known not to work: conditions on the results of calls that they cannot satisfy."""

from __future__ import annotations

from typing import Any

from symcrete.run.trace import Called
from symcrete.slotted import dataclass
from symcrete.terms.term import Term

MOST_LEMMAS = 100  # lemmas kept with the same newest condition; chosen, not measured


@dataclass(frozen=True, slots=True)
class Lemma:
    """Conditions on the results of calls that they cannot satisfy when all of them are made."""

    calls: frozenset[tuple[str, Any]]  # names and keys of the calls
    conditions: frozenset[Term]


class Lemmas:
    """The lemmas learned so far."""

    def __init__(self) -> None:
        self._known: dict[Term, list[Lemma]] = {}  # by their newest condition

    def refuting(self, conditions: tuple[Term, ...], calls: tuple[Called, ...]) -> Lemma | None:
        """A lemma that says that no results of these calls satisfy the conditions; None if none
        does.
        """
        if not self._known:
            return None
        held = frozenset(conditions)
        concerned = self._known.keys() & held
        if not concerned:
            return None
        made = frozenset([(call.name, call.key) for call in calls])
        for condition in concerned:
            for each in self._known[condition]:
                if each.conditions <= held and each.calls <= made:
                    return each
        return None

    def learn(self, blame: frozenset[Term], calls: list[Called]) -> None:
        """Remember that no results of these calls satisfy the conditions to blame."""
        made = frozenset([(call.name, call.key) for call in calls])
        if not blame or any(key is None for _, key in made):
            return
        lemmas = self._known.setdefault(max(blame, key=lambda term: term.index), [])
        if len(lemmas) < MOST_LEMMAS:
            lemmas.append(Lemma(made, blame))
