"""`python -m tests.truth.libraries SITE-PACKAGES semver/*.py`: claims about library functions, judged.

Every reported input is run on a copy of its module in which each condition reports: what it is said
to cover it has to take. Then thousands of other inputs are run: none may take a side that was called
infeasible. Branches are counted by coverage.py's rules nowhere here; lines are those of the statements.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import inspect
import io
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from tests.truth.referee import Referee, TooLong

import symcrete
from symcrete.explore.findings import FoundInput, TargetReport

DRAWS = 2_000  # further inputs for each function with an infeasible claim
SECONDS = 10  # for all of them


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.truth.libraries", description=__doc__)
    parser.add_argument("root", type=Path, help="the folder that is imported from")
    parser.add_argument("files", nargs="+", help="in that folder")
    parser.add_argument("--budget", default="3s")
    parser.add_argument("--functions", type=int, default=3, help="chosen from each file")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    sys.path.insert(0, str(given.root))
    random, false, functions, inputs, infeasible = Random(given.seed), 0, 0, 0, 0
    for name in given.files:
        file = given.root / name
        names = top_functions(file)
        for function in sorted(random.sample(names, min(given.functions, len(names)))):
            (report,) = symcrete.cover(f"{file}::{function}", budget=given.budget).targets
            claims = judged(report, file, given.root, function, random)
            functions, inputs = functions + 1, inputs + len(report.inputs)
            infeasible, false = infeasible + len(report.infeasible), false + len(claims)
            for claim in claims:
                print(f"FALSE {name}::{function}: {claim}", flush=True)
    print(f"{functions} functions, {inputs} inputs, {infeasible} infeasible, {false} false claims")
    return 1 if false else 0


def top_functions(file: Path) -> list[str]:
    """The functions of a module that take plain arguments."""
    return [
        node.name
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and (node.args.args or node.args.kwonlyargs)
        and not (node.args.vararg or node.args.kwarg or node.args.posonlyargs)
        and not node.decorator_list
    ]


def judged(report: TargetReport, file: Path, root: Path, name: str, random: Random) -> list[str]:
    """The false claims of a report, as sentences."""
    if report.error:
        return [f"failed: {report.error}"] if report.exit_code == 3 else []
    module = ".".join(file.relative_to(root).with_suffix("").parts)
    importlib.import_module(module)
    referee = Referee(file.read_text(encoding="utf-8"), str(file), module)
    with _quiet():
        claims = [claim for each in report.inputs for claim in _input(referee, name, each)]
        taken = _taken_by_draws(referee, name, report, random) if report.infeasible else set()
    own = {(*key[:2], side) for key, side in taken}
    alone = {place for place, keys in referee.conditions.items() if len(keys) == 1}
    return claims + [
        f"called infeasible, but taken: line {spot.line} column {spot.column} {spot.side}"
        for spot in report.infeasible
        if (spot.line, spot.column) in alone and (spot.line, spot.column, spot.side) in own
    ]


def _input(referee: Referee, name: str, given: FoundInput) -> list[str]:
    """What one input is wrongly said to cover."""
    if given.situation or given.setup or given.outcome not in ("returned", "raised"):
        return []
    names = dict(referee.names)
    for module, imported in given.imports:
        names[imported or module] = _imported(module, imported)
    try:
        arguments = {each: eval(text, names) for each, text in given.args.items()}
        taken = referee.run(name, arguments)[1]
    except TooLong:
        return []
    except Exception as error:
        return [f"{given.args} cannot be run: {error!r}"]
    sides = {(*key[:2], side) for key, side in taken.sides}
    return [
        f"{given.args} is said to cover line {spot.line} column {spot.column} {spot.side}"
        for spot in given.covers
        if not spot.kind and (spot.line, spot.column) in referee.conditions
        if (spot.line, spot.column, spot.side) not in sides
    ]


def _imported(module: str, name: str) -> Any:
    found = importlib.import_module(module)
    return getattr(found, name) if name else found


def _taken_by_draws(
    referee: Referee, name: str, report: TargetReport, random: Random
) -> set[tuple[Any, bool]]:
    """The sides that many inputs take, drawn from constants, from what was reported and from chance."""
    parameters = inspect.signature(referee.names[name]).parameters.values()
    texts = [text for each in report.inputs for text in each.args.values()]
    known = list(_values(texts, referee.names))
    found: set[tuple[Any, bool]] = set()
    with _alarm(SECONDS), contextlib.suppress(TimeoutError):
        for _ in range(DRAWS):
            arguments = {each.name: _drawn(each, known, random) for each in parameters}
            with contextlib.suppress(TooLong):
                found |= referee.run(name, arguments)[1].sides
    return found


def _values(texts: list[str], names: dict[str, Any]) -> Iterator[Any]:
    for text in texts:
        with contextlib.suppress(Exception):
            yield eval(text, names)


def _drawn(parameter: inspect.Parameter, known: list[Any], random: Random) -> Any:
    """A value that fits the annotation, where it is one of the plain ones; else anything."""
    shown = str(parameter.annotation)
    if parameter.default is not parameter.empty and random.random() < 0.3:
        return parameter.default
    for kind, draw in _DRAWS.items():
        if f"'{kind}'" in shown or shown == kind:
            fitting = [each for each in known if type(each).__name__ == kind]
            return random.choice(fitting) if fitting and random.random() < 0.3 else draw(random)
    drawn = random.choice(list(_DRAWS.values()))(random)
    return random.choice(known) if known and random.random() < 0.5 else drawn


def _text(random: Random) -> str:
    alphabet = random.choice(["0123456789", "abcXYZ", "0123456789-. ", "aé ß\n\t_-:/", "AB12-X"])
    return "".join(
        [random.choice(alphabet) for _ in range(random.choice([0, 1, 2, 3, 5, 8, 9, 13]))]
    )


def _number(random: Random) -> int:
    return random.choice(
        [0, 1, -1, 2, 10, 100, 1000, random.randint(-99, 99), 10 ** random.randint(3, 20)]
    )


_DRAWS: dict[str, Callable[[Random], Any]] = {
    "str": _text,
    "int": _number,
    "float": lambda random: random.choice([0.0, 0.5, -1.5, 1e9, float("inf"), random.random()]),
    "bool": lambda random: random.random() < 0.5,
    "list": lambda random: [_number(random) for _ in range(random.randint(0, 3))],
    "NoneType": lambda random: None,
}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


@contextlib.contextmanager
def _alarm(seconds: int) -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    former = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)


if __name__ == "__main__":
    sys.exit(main())
