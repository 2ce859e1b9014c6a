"""Dicts and sets with tracked keys: which stored key a key is equal to is a question with branches.

The keys are stored as they are, with their terms, hashed by their concrete value; so the container
that C code sees is the one CPython would have. What a look-up means is recorded here before the
look-up is done in silence. A plain dict cannot say by itself that it holds tracked keys: the
recording remembers those for a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from symcrete.terms.logic import disjoin
from symcrete.terms.term import TRUE, Term, const
from symcrete.values.containers.word_keys import FEW, Words
from symcrete.values.rows.tables import OPEN, TEXTS, class_name, family_of
from symcrete.values.text.content.strings import ConcolicBytes, ConcolicStr
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.comparing import equality, raw, raw_dict, traced
from symcrete.values.tracking.numeric import ConcolicInt, number_term, pinned, tracked, untracked
from symcrete.values.tracking.recording import holders, silently
from symcrete.values.tracking.truth import Truth, truth, truth_term

# stored keys compared in one condition; among more, tracked keys are pinned to their value, a
# branch each; chosen, not measured
MOST_KEYS_COMPARED = 128
# By the class of a tracked text: the class of the plain texts that it may be equal to.
WORDS: dict[type, type] = {ConcolicStr: str, ConcolicBytes: bytes}
# Classes of plain keys, which compare and hash without code of the program.
SCALARS = frozenset({int, str, float, bool, bytes, type(None)})


class _Absent:
    """What a look-up gives where no stored key is equal to the one sought."""

    def __repr__(self) -> str:
        return "absent"


ABSENT = _Absent()


def keyed(container: Any) -> bool:
    """Whether keys of a dict or set may carry terms."""
    return id(container) in holders or type(container) in OPEN


def note(container: Any, key: Any) -> None:
    """Remember that a container holds a tracked key, so that reading it asks for the key's term."""
    if type(container) not in OPEN and traced(key):
        holders[id(container)] = container


def note_copy(container: Any, origin: Any) -> Any:
    """The container, noted as one with tracked keys if `origin`, whose keys it has, is one."""
    if keyed(origin):
        note_all(container, container)
    return container


def note_all(container: Any, keys: Iterable[Any]) -> Any:
    """The container, noted as one with tracked keys if any of these keys is tracked."""
    if type(container) not in OPEN and any(traced(key) for key in keys):
        holders[id(container)] = container
    return container


def concerns(container: Any, key: Any) -> bool:
    """Whether looking up a key in a dict or set depends on anything tracked."""
    if type(key) not in SCALARS and traced(key):
        return True
    return keyed(container)


def expressible(key: Any) -> bool:
    """Whether a key is of a kind whose hash and equality run no code of the program."""
    kind = type(key)
    if kind in SCALARS or tracked(key) or kind in TEXTS:
        return True
    if family_of(kind) == "tuple":
        return all(expressible(each) for each in tuple.__iter__(key))
    if isinstance(key, frozenset) and family_of(kind) == "set":
        return all(expressible(each) for each in frozenset.__iter__(key))
    own: tuple[Any, Any] = (kind.__eq__, kind.__hash__)
    return own == (object.__eq__, object.__hash__)


def matches(stored: Iterable[Any], key: Any, present: bool) -> list[tuple[Any, Any]] | None:
    """Each stored key that may be equal to this one, with the condition; None if that cannot be
    said.

    `present` is whether the container has the key in this run: among untracked keys that is all
    there is to know.
    """
    found: list[tuple[Any, Any]] = []
    plain = not traced(key)
    for each in stored:
        if plain and type(each) in SCALARS:
            if present and (each is key or each == key):
                return [(each, True)]
            continue
        equal = equality(each, key)
        if equal is None:
            return None
        if equal is True:
            return [(each, True)]
        if equal is not False:
            found.append((each, equal))
    return found


def among(found: list[tuple[Any, Any]], present: bool) -> Any:
    """Whether the key sought is equal to one of those found, as a Truth or bool; `present` is the
    answer in this run.
    """
    conditions: list[Term] = []
    for _, equal in found:
        term = truth_term(equal)
        assert term is not None
        conditions.append(term)
    return truth(present, disjoin(conditions))


def candidates(container: Any, key: Any) -> tuple[list[tuple[Any, Any]], bool] | None:
    """The stored keys a key may be equal to, and whether it is there in this run.

    None, with the loss noted, where the program's own code decides what is equal.
    """
    found, present = None, False
    if expressible(key):
        lengths.fixed_kind(container)
        fixed_inside(key)
        key = few_enough(container, key)
        present = silently(_has(container), container, key)
        found = matches(asked_keys(container), key, present)
    if found is None:
        lose_key(key)
        return None
    return found, present


def fixed_inside(key: Any, site: int | None = None) -> Any:
    """A key with the lengths of all tuples and frozensets in it fixed: its hash depends on them."""
    if type(key) in OPEN:
        lengths.fixed(key, site)
    family = family_of(type(key))
    if family in ("tuple", "set"):
        for each in raw(key, family):
            fixed_inside(each, site)
    return key


def lose_key(key: Any) -> None:
    """Note the loss of a key that only the program's own code can compare; a key without a hash is
    found nowhere, so nothing is lost.
    """
    if type(key).__hash__ is not None:
        recording.active().lose(f"a key of type {class_name(key)}")


def stored_key(container: Any, key: Any, kind: str = "key") -> Any:
    """The stored key that this key is equal to, or ABSENT; every question on the way is a branch.

    `kind` names the error that an absent key raises, if it does. NotImplemented where the program's
    own code decides.
    """
    many = words(container, key)
    if many is not None:
        present = silently(_has(container), container, key)
        there = recording.active().implicit(kind, many.is_there(), present)
        return many.picked(untracked(key)) if there else ABSENT
    answer = candidates(container, key)
    return NotImplemented if answer is None else picked(*answer, kind)


def picked(found: list[tuple[Any, Any]], present: bool, kind: str = "key") -> Any:
    """The one of the stored keys that the key is equal to, or ABSENT; whether there is one is a
    branch.
    """
    record = recording.active()
    is_there = among(found, present)
    if type(is_there) is Truth:
        record.implicit(kind, is_there.term, present)
    if not present:
        return ABSENT
    for each, equal in found[:-1]:
        term = truth_term(equal) or TRUE
        if record.implicit("key", term, int.__bool__(equal)):
            return each
    return found[-1][0]


def has_key(container: Any, key: Any) -> Any:
    """`key in container` as a Truth or bool; NotImplemented if Python should say."""
    if not concerns(container, key):
        return NotImplemented
    many = words(container, key)
    if many is not None:
        return truth(silently(_has(container), container, key), many.is_there())
    answer = candidates(container, key)
    return NotImplemented if answer is None else among(*answer)


def words(container: Any, key: Any) -> Words | None:
    """The plain texts of a container as one question, where a tracked text is sought among more
    than FEW; else None.
    """
    kind = type(key)
    if kind not in WORDS or keyed(container) or _size(container) <= FEW:
        return None
    alike = []
    for each in raw_keys(container):
        if type(each) not in SCALARS:
            return None
        if type(each) is WORDS[kind]:
            alike.append(each)
    return Words(key, alike)


def distinct(keys: Iterable[Any]) -> None:
    """Report as branches which of the keys are equal to one before them: what putting them into a
    set depends on.
    """
    kept: list[Any] = []
    for key in keys:
        found = None
        if expressible(key):
            fixed_inside(key)
            found = matches(kept, key, True)
        if found is None:
            lose_key(key)
            continue
        present = any(int.__bool__(equal) for _, equal in found)
        if picked(found, present) is ABSENT:
            kept.append(key)


def few_enough(container: Any, key: Any) -> Any:
    """The key; where there are more than `MOST_KEYS_COMPARED` to compare it with, it and all stored
    keys are pinned to their values.
    """
    if _size(container) <= MOST_KEYS_COMPARED:
        return key
    for each in asked_keys(container):
        if traced(each):
            settle(each)
    return settle(key)


def settle(key: Any) -> Any:
    """The key with tracked ints in it pinned to their value, each a branch; a key of another kind
    as it is.
    """
    if type(key) is ConcolicInt or type(key) is Truth:
        return pinned(key)
    if type(key) is tuple:
        return tuple([settle(each) for each in key])
    return key


def asked_keys(container: Any) -> list[Any]:
    """The stored keys in an order that does not depend on their values, as conditions need it."""
    found = list(raw_keys(container))
    return found if isinstance(container, dict) or len(found) < 2 else sorted(found, key=_rank)


def _rank(key: Any) -> tuple[int, ...]:
    """What stored keys are sorted by: the order in which their terms were first built."""
    if isinstance(key, tuple):
        return tuple([rank for each in tuple.__iter__(key) for rank in _rank(each)])
    term = number_term(key)
    if term is not None:
        return (term.index,)
    if type(key) in SCALARS:
        return (const(key).index,)
    return (getattr(getattr(key, "term", None), "index", 0),)


def raw_keys(container: Any) -> Any:
    """An iterator over the stored keys that records nothing."""
    if isinstance(container, dict):
        return raw_dict(container)
    return set.__iter__(container) if isinstance(container, set) else frozenset.__iter__(container)


def _size(container: Any) -> int:
    if isinstance(container, dict):
        return dict.__len__(container)
    return set.__len__(container) if isinstance(container, set) else frozenset.__len__(container)


def _has(container: Any) -> Callable[[Any, Any], bool]:
    if isinstance(container, dict):
        return dict.__contains__
    return set.__contains__ if isinstance(container, set) else frozenset.__contains__
