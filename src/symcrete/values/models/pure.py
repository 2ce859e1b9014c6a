"""Library functions without side effects, kept in the constraint as they are.

No solver knows them, but evaluation does: the term is the function applied to the numbers and texts
that its arguments are made of. A function may take and give tuples, lists and dicts: what they are
made of is decided, the numbers in them stay terms. Only the names are listed here, so that nothing
is imported that the program does not use.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from symcrete.inputs.subtypes import is_hashable
from symcrete.terms.term import TRUE, Operation, Sort, Term, intern
from symcrete.terms.texts import BYTES, STR
from symcrete.values.rows.model_rows import Pure
from symcrete.values.rows.tables import OPEN, family_of
from symcrete.values.text.content.contents import Computed
from symcrete.values.text.content.strings import content_of, is_tracked_text, text
from symcrete.values.tracking import lengths, recording
from symcrete.values.tracking.comparing import raw, traced
from symcrete.values.tracking.modelled import foreign
from symcrete.values.tracking.numeric import (
    concolic_float,
    concolic_int,
    number_term,
    tracked,
    untracked,
)
from symcrete.values.tracking.truth import truth

NAMES: dict[str, str] = {
    "math": "fsum dist sumprod",
    "statistics": "mean fmean geometric_mean harmonic_mean median median_low median_high mode "
    "median_grouped pstdev pvariance stdev variance correlation covariance quantiles",
    "colorsys": "rgb_to_yiq yiq_to_rgb rgb_to_hls hls_to_rgb rgb_to_hsv hsv_to_rgb",
    "calendar": "isleap leapdays monthrange weekday",
    "zlib": "crc32 adler32",
    "binascii": "crc32 crc_hqx",
    "_struct": "pack unpack unpack_from calcsize",
    "unicodedata": "bidirectional category combining decimal decomposition digit east_asian_width "
    "is_normalized mirrored normalize numeric",
    "cmath": "phase isnan isinf isfinite isclose",
}
# Modules whose functions give values of different classes: an int for some numbers and a float for
# others, or a default.
_OF_SEVERAL_KINDS = frozenset({"statistics", "unicodedata"})
# Functions whose results have the same length for every input of one format.
_OF_ONE_LENGTH: set[tuple[str, str]] = {("_struct", "pack")}
_SORTS = {int: Sort.INT, float: Sort.FLOAT, bool: Sort.BOOL}


class _Apart:
    """A value taken apart: the shape of what it is made of, and the numbers and texts in it."""

    def __init__(self) -> None:
        self.terms: list[Term] = []
        self.numbers: list[Any] = []  # of `terms` in this run: plain numbers and texts
        self.complete = True  # False if a part has terms that are not in `terms`, or no hash

    def take(self, value: Any) -> Any:
        """The picture of a value: what it is made of, hashable, with `_NUMBER` in place of each
        number and each tracked text.
        """
        kind = type(value)
        if is_tracked_text(value):
            self.terms.append(content_of(value).whole)
            self.numbers.append(untracked(value))
            return _NUMBER
        term = number_term(value)
        if term is not None and (tracked(value) or kind in _SORTS):
            self.terms.append(term)
            self.numbers.append(untracked(value))
            return _NUMBER
        family = family_of(kind)
        if family in ("list", "tuple") and kind in (list, tuple, *OPEN):
            lengths.fixed_kind(value)
            return family, tuple([self.take(each) for each in raw(value, family)])
        if family == "dict" and kind in (dict, *OPEN):
            lengths.fixed_kind(value)
            pairs = [(self.take(key), self.take(each)) for key, each in dict.items(value)]
            return family, tuple(pairs)
        if traced(value) or tracked(value) or not is_hashable(value):
            self.complete = False
        return _Constant(value)


_NUMBER, _TEXT = "number", "text"


class _Constant:
    """A part of a value that is not taken apart; equal to that of an equal value of the same
    class.
    """

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Constant) or type(self.value) is not type(other.value):
            return False
        return bool(self.value == other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


def _put_together(picture: Any, numbers: Any) -> Any:
    """The value that a picture is of, with its numbers and texts taken from `numbers` in turn."""
    if picture is _NUMBER:
        return next(numbers)
    if isinstance(picture, _Constant):
        return picture.value
    family, parts = picture
    if family == "dict":
        return {_put_together(k, numbers): _put_together(v, numbers) for k, v in parts}
    made = [_put_together(part, numbers) for part in parts]
    return tuple(made) if family == "tuple" else made


class _Application:
    """A function applied to the numbers in its arguments; there is one object for each function
    and picture.
    """

    made: dict[Any, _Application] = {}  # noqa: RUF012

    def __init__(self, function: Callable[..., Any], picture: Any, label: str) -> None:
        self.function, self.picture, self.label = function, picture, label
        self._operations: dict[Any, Operation] = {}

    def __call__(self, *numbers: Any) -> Any:
        args, kwargs = _put_together(self.picture, iter(numbers))
        return self.function(*args, **kwargs)

    def succeeds(self, *numbers: Any) -> bool:
        """Whether the application to these numbers raises nothing."""
        try:
            self(*numbers)
        except Exception:
            return False
        return True

    def raised(self, *numbers: Any) -> type[Exception] | None:
        """The class of what it raises; None if it succeeds."""
        try:
            self(*numbers)
        except Exception as error:
            return type(error)
        return None

    def raises(self, terms: tuple[Term, ...]) -> Callable[[type], Term]:
        """For a class of exceptions, the condition that the application raises one of it."""

        def condition(kind: type) -> Term:
            def compute(*numbers: Any) -> bool:
                return self.raised(*numbers) is kind

            return intern(self.operation(("raises", kind), Sort.BOOL, compute), terms)

        return condition

    def is_a(self, terms: tuple[Term, ...]) -> Callable[[type], Term]:
        """For a class, the condition that the result of the application is of it."""

        def condition(kind: type) -> Term:
            def compute(*numbers: Any) -> bool:
                return type(self(*numbers)) is kind

            return intern(self.operation(("is a", kind), Sort.BOOL, compute), terms)

        return condition

    def operation(self, what: Any, sort: Sort, compute: Callable[..., Any]) -> Operation:
        """The opaque operation that computes `what` about the application; the same one for the
        same `what`.
        """
        found = self._operations.get(what)
        if found is None:
            label = f"{self.label}{_suffix(what)}"
            found = Operation(label, sort, _computing(compute), "", opaque=True)
            self._operations[what] = found
        return found


def _computing(compute: Callable[..., Any]) -> Callable[..., Any]:
    """The function with ArithmeticError for all it may raise, since that is what evaluation
    expects.
    """

    def computed(*numbers: Any) -> Any:
        try:
            return compute(*numbers)
        except Exception as error:
            raise ArithmeticError("cannot be computed") from error

    return computed


def _suffix(what: Any) -> str:
    """What is shown behind the function's name for a question about its result."""
    match what:
        case str():
            return f".{what}"
        case ("raises", type() as kind):
            return f" raises {kind.__name__}"
        case ("is a", type() as kind):
            return f".is_{kind.__name__}"
        case (_, int() as index):
            return f"[{index}]"
        case _:
            return ""


def _application(function: Callable[..., Any], picture: Any) -> _Application:
    key = (function, picture)
    found = _Application.made.get(key)
    if found is None:
        label = f"{function.__module__.lstrip('_')}.{function.__name__}"
        found = _Application.made[key] = _Application(function, picture, label)
    return found


def pure_function(function: Callable[..., Any], module: str, name: str) -> Callable[..., Any]:
    """The function, to be shown as `module.name`; its results must be texts that are all of one
    length.
    """
    function.__module__, function.__name__ = module, name
    _OF_ONE_LENGTH.add((module, name))
    return function


def applied_whole(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a pure function; its result carries terms, and that it raises is a branch."""
    if not traced(args) and not any(traced(each) for each in kwargs.values()):
        return function(*args, **kwargs)
    apart = _Apart()
    picture = apart.take((args, kwargs))
    if not apart.complete:
        return foreign(function, *args, **kwargs)
    application, terms = _application(function, picture), tuple(apart.terms)
    record = recording.active()
    name = (function.__module__, function.__name__)
    sure = name in _SURE and _SURE[name](*args)
    well = (
        TRUE
        if sure
        else intern(application.operation("succeeds", Sort.BOOL, application.succeeds), terms)
    )
    fine = record.implicit("ValueError", well, application.succeeds(*apart.numbers))
    if not fine:
        raised = application.raised(*apart.numbers)
        record.fork("error", (application, terms), raised, application.raises(terms))
    result = application(*apart.numbers)  # raises
    assert fine
    kind = type(result)
    if function.__module__ in _OF_SEVERAL_KINDS:
        record.fork("result", (application, terms), kind, application.is_a(terms))
    if kind in _SORTS:
        op = application.operation((_NUMBER, kind), _SORTS[kind], application)
        return _number(result, intern(op, terms))
    if kind in (str, bytes):
        whole = intern(application.operation((_TEXT, kind), Sort.OBJECT, application), terms)
        alike = STR if kind is str else BYTES
        return text(result, Computed(alike, whole, len(result), sized=name in _OF_ONE_LENGTH))
    return _structured(application, terms, result, sure=sure)


def _packs_only_doubles(form: Any, *numbers: Any) -> bool:
    """Whether a call of `struct.pack` is given doubles only, which always fit; integers and
    shorter floats may not.
    """
    letters = form.lstrip("@=<>!") if type(form) is str else ""
    return bool(letters) and set(letters) == {"d"} and all(isinstance(n, float) for n in numbers)


def _unpacks_the_right_number(form: Any, data: Any = b"") -> bool:
    """Whether a call of `struct.unpack` is given as many bytes as its format takes, for every
    input on this path.
    """
    if type(form) is not str or not is_tracked_text(data):
        return False
    length = content_of(data).length
    return length.is_const and bool(struct.calcsize(form) == length.value)


# By module and name: whether a call succeeds for every input, with a result of one shape.
_SURE: dict[tuple[str, str], Callable[..., bool]] = {
    ("_struct", "pack"): _packs_only_doubles,
    ("_struct", "unpack"): _unpacks_the_right_number,
}


def _number(value: Any, term: Term) -> Any:
    if type(value) is float:
        return concolic_float(value, term)
    return truth(value, term) if type(value) is bool else concolic_int(value, term)


def _structured(
    application: _Application, terms: tuple[Term, ...], result: Any, *, sure: bool
) -> Any:
    """A result made of several numbers: what it is made of is a branch, its numbers are terms."""
    apart = _Apart()
    picture = apart.take(result)
    if not apart.complete or picture is _NUMBER or isinstance(picture, _Constant):
        recording.active().lose(f"{application.label}()")
        return result

    def is_like(other: Any) -> Term:
        def compute(*numbers: Any) -> bool:
            return bool(_Apart().take(application(*numbers)) == other)

        return intern(application.operation(("like", other), Sort.BOOL, compute), terms)

    if not sure:
        recording.active().fork("result", (application, terms), picture, is_like)
    numbers: list[Any] = []
    for index, value in enumerate(apart.numbers):
        op = application.operation((picture, index), _SORTS[type(value)], _part(application, index))
        numbers.append(_number(value, intern(op, terms)))
    return _put_together(picture, iter(numbers))


def _part(application: _Application, index: int) -> Callable[..., Any]:
    def compute(*numbers: Any) -> Any:
        apart = _Apart()
        apart.take(application(*numbers))
        return apart.numbers[index]

    return compute


MODELS = tuple(Pure(module, names, applied_whole) for module, names in NAMES.items())
