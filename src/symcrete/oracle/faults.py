"""Whether a call did what it must not: a failed assertion, an exception that nobody announced.

A copy of this file is part of a program under test (`oracle/judged.py`), rewritten like what it
calls, so that "it fails" is a condition over the inputs. Of ours it imports only what is copied
with it.
"""

from __future__ import annotations

import itertools
from typing import Any

from symcrete.oracle.contracts import broken, may_be_called, named
from symcrete.oracle.outcomes import drained, is_of_program
from symcrete.oracle.traces import broke_precondition, chose_its_words, line_in

UNUSED = "unused"  # no fault: a function or an iterator came back that nothing uses here
# parts of a container that are looked at: each is a condition on its length; chosen, not measured
FIRST_PARTS = 3
# Who has one of these computes something when it is used.
_LAZY = ("__next__", "__anext__", "__await__")
# what icontract, deal, beartype and typeguard raise
_OF_CONTRACTS = ("ViolationError", "ContractError", "BeartypeCallHintViolation", "TypeCheckError")
# as explore/findings.py has them, which the copy of this file cannot import
_OF_WRONG_TYPES = ("TypeError", "AttributeError")


def fault_of(
    function: Any, positional: Any, keywords: Any, announced: Any, guessed: Any, file: Any
) -> Any:
    """What a call did that it must not, as a kind, the line in the file and the class raised; None
    if nothing.

    `function` is a function or what `contract_of` made of one. `announced` are names of exceptions
    that may be raised, `guessed` whether the types of arguments are, so that operations may fail on
    them. Arguments that break a precondition are no fault of the function.
    """
    contract = function if isinstance(function, tuple) else None
    if contract is not None:
        function, values = contract[0], named(contract, positional, keywords)
        if not may_be_called(contract, values):
            return None
    try:
        result = drained(function(*positional, **keywords))
    except BaseException as error:
        if not is_of_program(error):
            raise
        return told(error, announced, guessed, file)
    if is_unused(result):
        return (UNUSED, 0, "")
    place = broken(contract, values, result) if contract is not None else None
    return (*place, "") if place is not None else None


def is_unused(result: Any) -> bool:
    """Whether a result, or one of the first parts of a container, is a function, an iterator or an
    awaitable, which may fail only when it is used.
    """
    if isinstance(result, list | tuple):
        # By their places: iterating would have a path for every length.
        return any(place < len(result) and is_unused(result[place]) for place in range(FIRST_PARTS))
    if isinstance(result, dict):
        return any(is_unused(each) for each in itertools.islice(result.values(), FIRST_PARTS))
    if isinstance(result, type):
        return False
    return callable(result) or any(hasattr(result, name) for name in _LAZY)


def told(error: Any, announced: Any, guessed: Any, file: Any) -> Any:
    """The fault that the exception being handled is, as `fault_of` gives it; None if it may be
    raised.
    """
    names = [each.__name__ for each in type(error).__mro__]
    if any(name in announced for name in names) or broke_precondition():
        return None
    if guessed and names[0] in _OF_WRONG_TYPES and not chose_its_words():
        return None
    if any(name in _OF_CONTRACTS for name in names):
        kind = "contract"
    else:
        kind = "assert" if "AssertionError" in names else "exception"
    return (kind, line_in(file), names[0])
