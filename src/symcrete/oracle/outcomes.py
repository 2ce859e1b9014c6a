"""What calls did, in a form that can be compared.

A copy of this file is part of a program under test (`oracle/joint.py`): it is imported beside the
functions that are compared and rewritten like them, so that "they differ" is a condition over the
inputs. Interpreters that replay import the copy as it is. Of ours it imports only what is copied
with it.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import enum
import itertools
import types
from typing import Any

from symcrete.oracle.traces import (
    at_home,
    chose_its_words,
    kinds_in,
    named_in,
    of_stdout,
    parts_of,
    print_to,
    slots_of,
)

# items of an iterator that may not end; as many as replays take (run/drain.py), which the copy of
# this file cannot import
MOST_ITEMS = 100
# containers and objects inside each other; what is deeper may contain itself and is not compared;
# chosen, not measured
MOST_NESTED_VALUES = 40
# Iterators whose items are compared.
_ITERATORS = (types.GeneratorType, map, filter, zip, enumerate)
# Modules whose exceptions unwind the program from outside: the engine's, and copies of ours.
_OF_ENGINE = ("symcrete.", "joint_")
_VIEWS: Any = (type({}.keys()), type({}.items()))  # of a dict; those of its values have no `==`
AT_ONCE = "at once"  # how a caller gets what a function gives that is no iterator or coroutine


class Incomparable(Exception):
    """Two values of which nothing tells whether they are the same."""


class Printed:
    """Stands for standard output: keeps what is written to it as it was given."""

    swallows = False  # while a program is explored its output is thrown away; this one is not

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        """Keep the text after what was written before."""
        self.text = self.text + text
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Keep each of the lines."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """There is nothing to wait for."""

    def __getattr__(self, name: str) -> Any:
        return of_stdout(name)


class Outcome:
    """What one call did: its result or exception, its arguments afterwards, what it printed."""

    def __init__(self, positional: Any, keywords: Any) -> None:
        self.positional = positional
        self.keywords = keywords
        self.returned: Any = None
        self.error: Any = None
        self.own_words = False  # a `raise` made the exception: what it says is the program's choice
        self.how = AT_ONCE  # how the caller gets the result or the exception
        self.printed: Any = ""
        self.given: Any = ()  # the `given` of `alike`: declared names and the arguments


def called(function: Any, positional: Any, keywords: Any) -> Outcome:
    """Call a function and tell what it did; its arguments are kept, and may be changed by it."""
    done = Outcome(positional, keywords)
    out = Printed()
    former = print_to(out)
    try:
        result = function(*positional, **keywords)
        if isinstance(result, (types.CoroutineType, *_ITERATORS)):
            done.how = "by awaiting" if isinstance(result, types.CoroutineType) else "by iterating"
        done.returned = drained(result)
    except BaseException as error:
        if not is_of_program(error):
            raise
        done.error = error
        done.own_words = chose_its_words()
    finally:
        print_to(former)
    done.printed = out.text
    return done


def is_of_program(error: BaseException) -> bool:
    """Whether the program raised the exception that is being handled, not the engine or a user who
    interrupts it.
    """
    usual = isinstance(error, Exception | SystemExit)
    return usual or (not type(error).__module__.startswith(_OF_ENGINE) and chose_its_words())


def drained(result: Any) -> Any:
    """An iterator's items and a coroutine's result; anything else as it is."""
    if isinstance(result, types.CoroutineType):
        import asyncio

        return asyncio.run(result)
    if isinstance(result, _ITERATORS):
        items = list(itertools.islice(result, MOST_ITEMS))
        if len(items) == MOST_ITEMS:
            raise Incomparable(f"an iterator of {MOST_ITEMS} items or more")
        return items
    return result


def function_at(module: Any, name: str) -> Any:
    """The function of a module that a dotted name means; a cache in front of it is left out."""
    found = named_in(module, name)
    return found.__wrapped__ if hasattr(found, "cache_info") else found


def both(
    one: Any,
    other: Any,
    positional: Any,
    keywords: Any,
    versions: Any = (),
    declared: Any = (),
) -> tuple[Outcome, Outcome]:
    """Call two functions with arguments that are equal and not the same objects.

    `declared`: the names in the declarations of their parameters. A `bool` may be given for an
    `int`; whether it comes back as True or as 1 is then no difference.

    `versions`: names of modules, each with another version of the module; what is given to the
    other function is made of the classes of those.
    """
    try:
        mine = copy.deepcopy((positional, keywords))
        theirs = copy.deepcopy((positional, keywords))
        if versions:
            theirs = moved(theirs, versions, [])
    except Exception as error:
        unknown = Outcome((), {})
        unknown.error = Incomparable(f"arguments that cannot be copied: {type(error).__name__}")
        return unknown, unknown
    first, second = called(one, *mine), called(other, *theirs)
    first.given = (declared, (*positional, *keywords.values()))
    return first, second


def _is_unusual(declared: Any, values: Any) -> bool:
    """Whether one of the values, or an element of one, is of a class that is allowed for what is
    declared and is not declared itself: a bool for an int, an int for a float, a class of its own.
    """
    for each in values:
        name = type(each).__name__
        if name not in declared and (
            (isinstance(each, int) and ("int" in declared or "float" in declared))
            or (isinstance(each, float) and "float" in declared)
            or (isinstance(each, str) and "str" in declared)
            or (isinstance(each, list) and "list" in declared)
        ):
            return True
        if isinstance(each, list | tuple) and _is_unusual(declared, each):
            return True
    return False


def _of_one_base(one: Any, other: Any) -> bool:
    """Whether two values are both numbers, both texts or both lists."""
    return any(isinstance(one, b) and isinstance(other, b) for b in (int | float, str, list))


def moved(value: Any, versions: Any, known: list[tuple[Any, Any]]) -> Any:
    """The value with its objects made of the other version of their classes; lists and dicts are
    changed in place. `known` has objects that were moved already, each with what became of it.
    """
    for former, made in known:
        if former is value:
            return made
    kind = type(value)
    if isinstance(value, list):
        known.append((value, value))
        for index in range(len(value)):
            value[index] = moved(value[index], versions, known)
    elif isinstance(value, dict):
        known.append((value, value))
        for key in list(value):
            value[key] = moved(value[key], versions, known)
    elif kind is tuple:
        return tuple([moved(each, versions, known) for each in value])
    else:
        for name, module in versions:
            if kind.__module__ == name:
                return _made_of(module, value, versions, known)
    return value


def _made_of(module: Any, value: Any, versions: Any, known: list[tuple[Any, Any]]) -> Any:
    """An object like this one, of the class of the same name in another version of its module."""
    twin = module
    for part in type(value).__qualname__.split("."):
        twin = getattr(twin, part)
    if isinstance(value, enum.Enum):
        return twin[value.name]
    if _keeps_more_than_attributes(type(value)):
        raise Incomparable(f"an argument of class {type(value).__qualname__}")
    made = twin.__new__(twin)
    known.append((value, made))
    for name, part in (attributes(value) or {}).items():
        part = moved(part, versions, known)
        if hasattr(made, "__dict__"):
            made.__dict__[name] = part  # also where the class forbids assignments
        else:
            object.__setattr__(made, name, part)
    return made


def same(one: Outcome, other: Outcome) -> Any:
    """Whether it is known that two calls did the same: returned equal results or raised equal
    exceptions, left equal arguments behind, and printed the same.
    """
    if isinstance(one.error, Incomparable) or isinstance(other.error, Incomparable):
        return False
    try:
        return (
            one.how == other.how
            and _same_error(one, other)
            and alike(one.returned, other.returned, one.given)
            and alike(one.positional, other.positional, one.given)
            and alike(one.keywords, other.keywords, one.given)
            and _printed_the_same(one, other)
        )
    except Incomparable:
        return False


def _same_error(one: Outcome, other: Outcome) -> Any:
    """Whether both raised an exception of one class, or none; with the same words, where the
    program chose them.
    """
    if one.error is None or other.error is None:
        return one.error is other.error
    if one.own_words and other.own_words:
        return alike(one.error, other.error)
    return same_class(type(one.error), type(other.error))


def _printed_the_same(one: Outcome, other: Outcome) -> Any:
    """Whether both printed the same; not asked where an operation failed, since what was printed
    before it does not matter then.
    """
    if one.error is not None and not (one.own_words and other.own_words):
        return True
    return one.printed == other.printed


def difference(one: Outcome, other: Outcome) -> list[tuple[str, str, str]]:
    """In what two calls differ, with the text of both: how the caller gets the result, returned,
    raised, arguments, printed; or why they cannot be compared.
    """
    for each in (one, other):
        if isinstance(each.error, Incomparable):
            return [("incomparable", str(each.error), "")]
    try:
        return _differences(one, other)
    except Incomparable as error:
        return [("incomparable", str(error), "")]


def _differences(one: Outcome, other: Outcome) -> list[tuple[str, str, str]]:
    found = []
    if one.how != other.how:
        found.append(("how", one.how, other.how))
    if not _same_error(one, other):
        found.append(_apart(one.error, other.error))
    elif not alike(one.returned, other.returned, one.given):
        found.append(("returned", shown(one.returned), shown(other.returned)))
    mine = (*one.positional, *one.keywords.values())
    theirs = (*other.positional, *other.keywords.values())
    if not alike(mine, theirs, one.given):
        found.append(("arguments", shown(mine), shown(theirs)))
    if not _printed_the_same(one, other):
        found.append(("printed", shown(one.printed), shown(other.printed)))
    return found


def _apart(one: Any, other: Any) -> tuple[str, str, str]:
    """In what two exceptions differ, or one and none: where it is not their class or what they are
    made of, in their attributes, such as `__notes__`.
    """
    if one is not None and other is not None and same_class(type(one), type(other)):
        if alike(one.args, other.args):
            return "exception", shown(attributes(one)), shown(attributes(other))
    return "raised", shown(one), shown(other)


def shown(value: Any) -> str:
    """The value's repr; its class and attributes where that fails or has an address in it."""
    text = " at 0x"
    with contextlib.suppress(Exception):
        text = repr(value)
    if " at 0x" not in text:
        return text
    parts = ", ".join([f"{name}={shown(part)}" for name, part in (attributes(value) or {}).items()])
    return f"<{type(value).__qualname__}{' with ' if parts else ''}{parts}>"


def alike(one: Any, other: Any, given: Any = (), depth: int = 0) -> Any:
    """Whether two values are the same for whoever is given them: of one class, with equal parts.

    A nan is like a nan, and 0.0 like -0.0. Objects of the program are compared by their attributes,
    so also those of two versions of a class. `given`: the names in the declarations of parameters,
    and the arguments; if one of these is of a class that is allowed but not declared, values of two
    such classes are alike if they are equal. Raises Incomparable where nothing can be compared.
    """
    if one is None or other is None:
        return one is other
    if depth > MOST_NESTED_VALUES:
        raise Incomparable(f"values nested more than {MOST_NESTED_VALUES} deep")
    kind = type(one)
    if not same_class(kind, type(other)):
        if not (given and _of_one_base(one, other) and _is_unusual(*given)):
            return False
    if isinstance(one, enum.Enum):
        return one.name == other.name
    if isinstance(one, type):
        return same_class(one, other)
    if isinstance(one, _WITH_CONTENT):
        return _same_content(one, other, given, depth) and _same_additions(one, other, given, depth)
    return _same_object(one, other, given, depth)


# Values whose content is compared here, also where a class of the program is derived from them.
_NUMBERS, _SEQUENCES = (int, float, complex), (list, tuple, collections.deque)
_TEXTS, _SETS = (str, bytes, bytearray), (set, frozenset)
_WITH_CONTENT = (*_TEXTS, *_NUMBERS, *_SEQUENCES, *_SETS, dict, BaseException)


def _same_content(one: Any, other: Any, given: Any, depth: int) -> Any:
    """Whether two texts, numbers, containers or exceptions have the same content."""
    if isinstance(one, _TEXTS):
        return one == other
    if isinstance(one, _NUMBERS):
        return one == other or (one != one and other != other)
    if isinstance(one, _SEQUENCES):
        one, other = parts_of(one, other)
        if len(one) != len(other) or getattr(one, "maxlen", 0) != getattr(other, "maxlen", 0):
            return False
        return _all_alike(one, other, given, depth)
    if isinstance(one, _SETS):
        return one == other and _same_keys(one, other, given, depth)
    if isinstance(one, dict):
        return (
            one.keys() == other.keys()
            and _same_keys(one, other, given, depth)
            and _all_alike(one.values(), [other[key] for key in one], given, depth)
        )
    return alike(one.args, other.args, given, depth + 1)


def _same_keys(one: Any, other: Any, given: Any, depth: int) -> Any:
    """Whether equal sets, or dicts with equal keys, have elements or keys of the same classes, as
    `{1}` and `{True}` do not; the order counts only where the class says so.
    """
    if isinstance(one, collections.OrderedDict) and list(one) != list(other):
        return False
    factories = getattr(one, "default_factory", None), getattr(other, "default_factory", None)
    if factories[0] is not factories[1] and not alike(*factories):
        return False
    if isinstance(one, dict):
        keys = {key: key for key in other}
        return _all_alike(list(one), [keys[key] for key in one], given, depth)
    try:
        mine, theirs = sorted(one), sorted(other)
    except TypeError:
        mine, theirs = [], []
    if not mine or isinstance(mine[0], frozenset):  # without an order
        return kinds_in(one) == kinds_in(other) or (bool(given) and _is_unusual(*given))
    return _all_alike(mine, theirs, given, depth)


def _same_additions(one: Any, other: Any, given: Any, depth: int) -> Any:
    """Whether the program gave two values the same attributes, besides their content: an object of
    `class Row(list)` may have a name. A built-in class has none; of an exception, any has some.
    """
    kind = type(one)
    if kind.__module__ == "builtins" and not isinstance(one, BaseException):
        return True
    if not same_class(kind, type(other)):
        return True
    return alike(attributes(one) or {}, attributes(other) or {}, given, depth + 1)


def same_class(one: type, other: type) -> bool:
    """Whether two classes are one, or two versions of one: both of the program, of one name. Raises
    Incomparable for classes of one name that calls make, as `type("Row", (), {})` does.
    """
    if one is other:
        return True
    builtin = one.__module__ == "builtins" or other.__module__ == "builtins"
    fields = getattr(one, "_fields", ())  # of named tuples
    if one.__qualname__ != other.__qualname__ or builtin or fields != getattr(other, "_fields", ()):
        return False
    if fields or (at_home(one) and at_home(other)):
        return True
    raise Incomparable(f"classes {one.__qualname__} that calls make")


def _all_alike(some: Any, others: Any, given: Any, depth: int) -> Any:
    return all(alike(one, other, given, depth + 1) for one, other in zip(some, others, strict=True))


def _same_object(one: Any, other: Any, given: Any, depth: int) -> Any:
    """Whether two objects are the same: those that have attributes by these, others by their `==`.
    Raises Incomparable for functions, iterators and objects without either.
    """
    if callable(one) or hasattr(one, "__next__"):
        raise Incomparable(f"results of class {type(one).__qualname__}")
    parts, theirs = attributes(one), attributes(other)
    if parts is not None and theirs is not None:
        if _keeps_more_than_attributes(type(one)) and not _same_inherited(one, other):
            return False
        return alike(parts, theirs, given, depth + 1)
    if type(one).__eq__ is object.__eq__:  # type: ignore[comparison-overlap]
        raise Incomparable(f"results of class {type(one).__qualname__}")
    if one != one and other != other:
        return True
    return one == other and _same_form(one, other)


def _same_form(one: Any, other: Any) -> Any:
    """Whether equal objects of Python's library also look the same: decimals of other digits, noon
    in two time zones, `slice(1)` and `slice(True)`, arrays of other types are equal and do not.
    """
    if isinstance(one, slice | range):
        return alike((one.start, one.stop, one.step), (other.start, other.stop, other.step))
    if isinstance(one, _VIEWS):
        made = dict.fromkeys if isinstance(one, _VIEWS[0]) else dict
        return alike(made(one), made(other))
    if hasattr(one, "as_tuple"):
        return one.as_tuple()[1:] == other.as_tuple()[1:]  # the sign of a zero does not count
    if hasattr(one, "utcoffset"):
        return one.utcoffset() == other.utcoffset() and one.fold == other.fold
    return getattr(one, "typecode", "") == getattr(other, "typecode", "")


def _keeps_more_than_attributes(kind: type) -> bool:
    """Whether objects of a class have content that is no attribute: they take more room than their
    attributes do, as those of `class Names(set)`.
    """
    # An offset of 0 means that there is none; a negative one, that it is outside of the object.
    pointers = (kind.__dictoffset__ > 0) + (kind.__weakrefoffset__ > 0) + len(slots_of(kind))
    # An object without anything has two pointers' room: the count of references, and its class.
    size = object.__basicsize__ // 2 * (2 + pointers)
    return kind.__itemsize__ > 0 or kind.__basicsize__ > size


def _same_inherited(one: Any, other: Any) -> Any:
    """Whether the content that two objects inherit is equal for the class they have it from, which
    is not written in Python. Raises Incomparable if that class compares nothing but identities.
    """
    for base in type(one).__mro__:
        equal = vars(base).get("__eq__")
        if base is not object and isinstance(equal, types.WrapperDescriptorType):
            if not isinstance(other, base):
                return False
            return equal(one, other) is True or not (equal(one, one) or equal(other, other))
    raise Incomparable(f"results of class {type(one).__qualname__}")


def attributes(value: Any) -> dict[str, Any] | None:
    """The attributes of an object of a Python class, by name; None for an object without any."""
    found: dict[str, Any] | None = None
    for name in slots_of(type(value)):
        found = found or {}
        if hasattr(value, name):
            found[name] = getattr(value, name)
    if hasattr(value, "__dict__"):
        found = {**(found or {}), **value.__dict__}
    return found
