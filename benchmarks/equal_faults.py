"""Whether a fault that is said to make no difference makes none on many inputs: by brute force.

    python -m benchmarks.equal_faults [--most 60] [FILE ...]

Seeds the faults of `symcrete cover --goals mutants` into the functions of files, the examples and
programs of this repository if none are named; what a few calls do not show is compared by
`symcrete diff`, and what that calls the same is called on thousands of arguments. What was compared is kept in
`benchmarks/results/equal_faults.json`, so that a run goes on where another was ended.

Both versions of a module are executed as they are; the function is called on the same arguments,
drawn from the constants of its source and their neighbours and from small values of the kinds that
its annotations name, and from all kinds without them.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.util
import io
import itertools
import json
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType, ModuleType
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.options import Options
from symcrete.oracle.differing import diff_version
from symcrete.oracle.mutants.seeding import mutants_of, mutated
from symcrete.oracle.other_version import copied
from symcrete.program.source.sites import functions
from symcrete.program.source.target import Target, targets_of

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "benchmarks" / "results" / "equal_faults.json"
FILES = (
    "benchmarks/programs/pairs.py",
    "benchmarks/programs/deep_pairs.py",
    "benchmarks/programs/promises.py",
    "examples/triangle.py",
    "examples/dates.py",
    "examples/discount.py",
    "examples/rental.py",
    "examples/shop.py",
    "examples/till.py",
)
FEW_CALLS = 300  # that most faults do not survive; what does is worth a comparison
FEW_VALUES = 5  # of a column, that half of the calls are made of
COMPARED_SECONDS = 6.0  # for one fault
MOST_CALLS = 3000  # of one function
SECONDS = 20  # for the calls of one fault that is proved equal
FEW_SECONDS = 2  # for few calls: what takes longer may not end, which is a difference
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("files", nargs="*", default=[str(ROOT / each) for each in FILES])
    parser.add_argument("--most", type=int, default=60, help="faults proved equal, then end")
    given = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for name, target, number in _rare_faults([Path(each).resolve() for each in given.files]):
        equal = [each for each in kept.values() if each["verdict"] == "same"]
        if len(equal) >= given.most:
            break
        if name not in kept:
            kept[name] = _compared(target, number)
            KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
            print(f"{kept[name]['verdict']:10} {name} {kept[name]['differs']}", flush=True)
    equal = [each for each in kept.values() if each["verdict"] == "same"]
    refuted = [each for each in equal if each["differs"]]
    calls = sum(each["calls"] for each in equal)
    print(f"{len(kept)} compared, {len(equal)} proved equal: {calls} calls, {len(refuted)} refuted")
    return 1 if refuted else 0


def _rare_faults(files: list[Path]) -> Iterator[tuple[str, Target, int]]:
    """The faults of the functions of files that a few calls do not show, under a name each."""
    for file in files:
        whole = None
        for target in targets_of(str(file)):
            nodes = [
                node for scope, node in functions(target.source.tree()) if scope == target.scope
            ]
            node = nodes[0] if nodes and "." not in target.scope else None
            if not isinstance(node, ast.FunctionDef) or node.decorator_list:
                continue
            whole = whole or _loaded(target.source.module, file, file.read_text(encoding="utf-8"))
            alone = ast.Module([node], [])
            for fault in mutants_of(alone, target.scope):
                changed = ModuleType(whole.__name__)
                vars(changed).update(vars(whole))
                text = ast.unparse(mutated(alone, target.scope, fault.number))
                exec(f"from __future__ import annotations\n{text}", vars(changed))
                constants = _constants(file, target.scope)
                calls, differs = _differing(whole, changed, target.scope, constants, FEW_CALLS)
                if calls == FEW_CALLS and not differs:
                    name = f"{file.name}::{target.scope} {fault.number} {fault.text}"
                    yield name, target, fault.number


def _compared(target: Target, number: int) -> dict[str, Any]:
    """The verdict of `diff` on a fault; many calls, if that is "same"."""
    source = target.source
    text = ast.unparse(mutated(source.tree(), target.scope, number))
    own = source.file.relative_to(source.root.resolve()).as_posix()

    def read(path: str) -> str | None:
        place = source.root / path
        there = place.read_text(encoding="utf-8") if place.is_file() else None
        return text if path == own else there

    try:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made).resolve()
            version = copied(target, read, folder, "with a fault")
            verdict = diff_version(target, version, folder, Options(budget=COMPARED_SECONDS))
    except SymcreteError as error:
        return {"verdict": "error", "calls": 0, "differs": "", "told": str(error)[:200]}
    calls, differs = 0, ""
    if verdict.verdict == "same":
        calls, differs = differing_call(source.file, source.module, target.scope, text)
    told = verdict.reason or verdict.proof or str(verdict.differences[0].a.args)
    return {"verdict": verdict.verdict, "calls": calls, "differs": differs, "told": told[:200]}


def differing_call(file: Path, module: str, scope: str, faulty: str) -> tuple[int, str]:
    """How many calls were made, and one on which the versions differ; "" if none does."""
    one = _loaded(module, file, file.read_text(encoding="utf-8"))
    other = _loaded(module, file, faulty)
    return _differing(one, other, scope, _constants(file, scope), MOST_CALLS)


def _differing(
    one: ModuleType, other: ModuleType, scope: str, constants: tuple[Any, ...], most: int
) -> tuple[int, str]:
    function, changed = _at(one, scope), _at(other, scope)
    if function is None or changed is None:
        return 0, ""
    calls = 0
    with _limited(SECONDS if most > FEW_CALLS else FEW_SECONDS):
        for values in _arguments(one, scope, constants, most):
            calls += 1
            mine, theirs = _did(function, values), _did(changed, values)
            if mine != theirs:
                return calls, f"{values}: {mine} and {theirs}"
    return calls, ""


@contextlib.contextmanager
def _limited(seconds: int) -> Any:
    """End what takes too long: the calls made until then count."""

    class Over(BaseException):  # which no program that is called here may catch
        pass

    def ring(signum: int, frame: FrameType | None) -> None:
        raise Over

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
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


def _constants(file: Path, scope: str) -> tuple[Any, ...]:
    """The constants of a function, their neighbours, and the letters of its texts."""
    found: dict[Any, None] = {}
    for name, node in functions(ast.parse(file.read_text(encoding="utf-8"))):
        for each in ast.walk(node) if name == scope else ():
            value = each.value if isinstance(each, ast.Constant) else None
            if isinstance(value, int) and not isinstance(value, bool):
                found |= dict.fromkeys((value, value - 1, value + 1, -value, value * 2))
            elif isinstance(value, str) and len(value) < 12:
                found |= dict.fromkeys((value, value.upper(), value + "x", *value))
    return tuple(found)


def _arguments(
    module: ModuleType, scope: str, constants: tuple[Any, ...], most: int
) -> list[tuple[Any, ...]]:
    """Arguments for a plain function: all combinations if they are few, else some of them."""
    code = _at(module, scope).__code__
    names = code.co_varnames[: code.co_argcount]
    annotations = getattr(_at(module, scope), "__annotations__", {})
    columns = [_values(str(annotations.get(name, "")), constants) for name in names]
    count = 1
    for each in columns:
        count *= len(each)
    if FEW_CALLS < count <= most:
        return list(itertools.product(*columns))
    random = Random(0)
    # Half of them of few values, so that two arguments are often equal or neighbours.
    drawn = []
    for number in range(most):
        among = [each[:FEW_VALUES] if number % 2 else each for each in columns]
        drawn.append(tuple([random.choice(each) for each in among]))
    return drawn


def _values(annotation: str, constants: tuple[Any, ...]) -> tuple[Any, ...]:
    """Values of the kinds that an annotation names; of all kinds if it names none."""
    found = [value for name, each in _BY_NAME.items() if name in annotation for value in each]
    kinds = tuple([kind for kind in (int, str) if kind.__name__ in annotation]) or (int, str)
    more = [each for each in constants if isinstance(each, kinds)]
    if "tuple" in annotation or "list" in annotation:
        numbers = [each for each in constants if isinstance(each, int)]
        width = max(1, annotation.count("int"))
        made = [tuple(numbers[i : i + width]) for i in range(len(numbers))]
        return tuple([each for each in found if isinstance(each, list)]) + tuple(
            list(each) if "list" in annotation else each for each in made
        )
    return tuple(found or _ANY) + tuple(more)


def _did(function: Any, values: tuple[Any, ...]) -> tuple[str, str, str]:
    given = copy.deepcopy(values)
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            result = repr(function(*given))
    except Exception as error:
        result = f"{type(error).__name__}: {error}"
    return result, repr(given), out.getvalue()


if __name__ == "__main__":
    raise SystemExit(main())
