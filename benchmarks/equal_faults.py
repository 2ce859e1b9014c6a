"""Whether a fault that is said to make no difference makes none on many inputs: by brute force.

Both versions of a module are executed as they are; the function is called on the same arguments,
drawn from small values of the kinds that its annotations name, and from all kinds without them.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
import itertools
import signal
import sys
from pathlib import Path
from random import Random
from types import FrameType, ModuleType
from typing import Any

MOST_CALLS = 3000  # of one function
SECONDS = 20  # for one fault
_INTS = (
    0,
    1,
    -1,
    2,
    -2,
    3,
    4,
    5,
    7,
    9,
    10,
    11,
    12,
    13,
    28,
    29,
    30,
    31,
    60,
    99,
    100,
    101,
    1000,
    1900,
)
_FLOATS = (0.0, 1.0, -1.0, 0.5, 0.3, 1.5, 2.0, 10.0, 100.0, 1e9, -0.0, float("inf"), float("nan"))
_TEXTS = ("", "a", "A", "0", "9", "12", "978", "-", " ", "x1", "abc", "a b", "10 kB", "1-2-3", "é")
_TRUTHS = (False, True)
_BY_NAME: dict[str, tuple[Any, ...]] = {
    "int": _INTS,
    "float": (*_FLOATS, *_INTS),
    "str": _TEXTS,
    "bool": _TRUTHS,
    "None": (None,),
    "list": ([], [0], [1, 2], [2, 1], [3, 1, 2], [1, 1], [5, 4, 3, 2]),
}
_ANY = (*_INTS[:8], *_TEXTS, None, *_TRUTHS, 0.5)


def differing_call(file: Path, module: str, scope: str, faulty: str) -> tuple[int, str]:
    """How many calls were made, and one on which the versions differ; "" if none does."""
    one = _loaded(module, file, file.read_text(encoding="utf-8"))
    other = _loaded(module, file, faulty)
    function, changed = _at(one, scope), _at(other, scope)
    if function is None or changed is None:
        return 0, ""
    calls = 0
    with _limited():
        for values in _arguments(one, scope):
            calls += 1
            mine, theirs = _did(function, values), _did(changed, values)
            if mine != theirs:
                return calls, f"{values}: {mine} and {theirs}"
    return calls, ""


@contextlib.contextmanager
def _limited() -> Any:
    """End what takes too long: the calls made until then count."""

    class Over(Exception):
        pass

    def ring(signum: int, frame: FrameType | None) -> None:
        raise Over

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    except Over:
        pass
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _loaded(name: str, file: Path, text: str) -> ModuleType:
    """A version of a module, under its own name while it is executed."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    made = importlib.util.module_from_spec(spec)
    root = str(file.parents[name.count(".")])
    before = sys.modules.get(name)
    sys.path.insert(0, root)
    sys.modules[name] = made
    try:
        exec(compile(text, str(file), "exec"), vars(made))
    finally:
        sys.path.remove(root)
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
    return made


def _at(module: ModuleType, scope: str) -> Any:
    found: Any = module
    for part in scope.split("."):
        found = getattr(found, part, None)
    return found


def _arguments(module: ModuleType, scope: str) -> list[tuple[Any, ...]]:
    """Arguments for a plain function: all combinations if they are few, else some of them."""
    code = _at(module, scope).__code__
    names = code.co_varnames[: code.co_argcount]
    annotations = getattr(_at(module, scope), "__annotations__", {})
    columns = [_values(str(annotations.get(name, ""))) for name in names]
    count = 1
    for each in columns:
        count *= len(each)
    if count <= MOST_CALLS:
        return list(itertools.product(*columns))
    random = Random(0)
    return [tuple(random.choice(each) for each in columns) for _ in range(MOST_CALLS)]


def _values(annotation: str) -> tuple[Any, ...]:
    found = [each for name, each in _BY_NAME.items() if name in annotation]
    return tuple(itertools.chain(*found)) or _ANY


def _did(function: Any, values: tuple[Any, ...]) -> tuple[str, str, str]:
    given = copy.deepcopy(values)
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            result = repr(function(*given))
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    return result, repr(given), out.getvalue()
