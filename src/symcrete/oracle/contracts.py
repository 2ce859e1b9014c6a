"""Contracts of icontract and deal as conditions that are asked in the program's own way.

Both packages wrap a function in code of theirs, in which values lose their terms. Where a contract
is of the common kind, conditions over arguments and result, it is taken out of the wrapper and
asked here; anything else is left to the wrapper. A copy of this file is part of a program under
test (`oracle/judged.py`). What is found is tried on the function with its wrapper.
"""

from __future__ import annotations

import types
from typing import Any

_SPREADS = 0x0C  # of a code object: it has *args or **kwargs

# A function without its wrapper, the names of its parameters, their defaults, groups of conditions
# of which one must hold before a call, conditions that must hold after it. A condition goes with
# the names of what it is given, "result" for what was returned. It is a tuple because whatever can
# be changed between two calls stands in the way of a proof.
Contract = tuple[Any, tuple[str, ...], tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]


def contract_of(function: Any) -> Any:
    """The contract of a function; the function itself if it has none that can be taken out."""
    return _of_icontract(function) or _of_deal(function) or function


def also_documented(function: Any, before: tuple[Any, ...], after: tuple[Any, ...]) -> Any:
    """The function, or its contract, with the conditions that its documentation states."""
    if not before and not after:
        return function
    if not isinstance(function, tuple):
        return _made(function, (before,) if before else (), after) or function
    body, names, defaults, groups, promised = function
    together = tuple([(*group, *before) for group in groups]) or ((before,) if before else ())
    return body, names, defaults, together, (*promised, *after)


def _made(body: Any, before: tuple[Any, ...], after: tuple[Any, ...]) -> Contract | None:
    """The contract of the function or class `body`; None if a condition asks for more than
    arguments and the result, or if the function has other wrappers, `*args` or `**kwargs`.
    """
    function = getattr(body, "__init__") if isinstance(body, type) else body  # noqa: B009
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__") or code.co_flags & _SPREADS:
        return None
    count = code.co_argcount
    # The object of a constructor and the class of a class method are no arguments of a call.
    names = code.co_varnames[isinstance(body, type | types.MethodType) : count]
    more = code.co_varnames[count : count + code.co_kwonlyargcount]
    wanted = {name for group in before for _, asked in group for name in asked}
    wanted |= {name for _, asked in after for name in asked}
    if not wanted <= {*names, *more, "result"}:
        return None
    last = function.__defaults__ or ()
    pairs = zip(names[len(names) - len(last) :], last, strict=True)
    return body, names, (*pairs, *(function.__kwdefaults__ or {}).items()), before, after


def _of_icontract(function: Any) -> Contract | None:
    if not hasattr(function, "__preconditions__") or function.__postcondition_snapshots__:
        return None
    before = tuple(
        [
            tuple([(each.condition, tuple(each.condition_args)) for each in group])
            for group in function.__preconditions__
        ]
    )
    posts = function.__postconditions__
    after = tuple([(each.condition, tuple(each.condition_args)) for each in posts])
    return _made(function.__wrapped__, before, after)


def _of_deal(function: Any) -> Contract | None:
    found = getattr(function, "__deal_contract", None)
    if found is None or found.reasons or found.patcher or found.raises:
        return None
    before = tuple([(each.raw_validator, _names(each.raw_validator)) for each in found.pres])
    posts = [(each.raw_validator, ("result",)) for each in found.posts]
    ensures = [(each.raw_validator, _names(each.raw_validator)) for each in found.ensures]
    return _made(found.func, (before,) if before else (), (*posts, *ensures))


def _names(condition: Any) -> tuple[str, ...]:
    code = getattr(condition, "__code__", None)
    # A name that no function has: the contract is left to its wrapper.
    return code.co_varnames[: code.co_argcount] if code is not None else ("?",)


def named(contract: Contract, positional: Any, keywords: Any) -> dict[str, Any]:
    """The arguments of a call by the names of the parameters."""
    _, names, defaults, _, _ = contract
    return {**dict(defaults), **dict(zip(names, positional, strict=False)), **keywords}


def may_be_called(contract: Contract, values: Any) -> Any:
    """Whether the preconditions hold: those of one group, where a class inherits several."""
    groups = contract[3]
    return not groups or any(
        all(condition(*[values[name] for name in names]) for condition, names in group)
        for group in groups
    )


def broken(contract: Contract, values: Any, result: Any) -> tuple[str, int] | None:
    """The kind and the line of the first promise that does not hold, or that cannot be asked as its
    condition raises; None if all hold.
    """
    values = {**values, "result": result}
    for condition, names in contract[4]:
        try:
            holds = bool(condition(*[values[name] for name in names]))
        except Exception:
            holds = False
        if not holds:
            return _place(condition.__code__)
    return None


def _place(code: Any) -> tuple[str, int]:
    """What a condition is and where it stands: one that a documentation states says so by its
    name (`oracle/documented.py`).
    """
    kind, _, line = code.co_name.rpartition("_line_")
    if kind not in ("documented", "invariant"):
        return "contract", int(code.co_firstlineno)
    return ("invariant" if kind == "invariant" else "contract"), int(line)
