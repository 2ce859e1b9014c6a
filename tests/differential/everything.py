"""Every modelled operation against CPython: numbers, collections and objects, texts.

    python -m tests.differential.everything [--each 5000] [--only PART] [--results FILE]

Each operation is tried on so many random and boundary inputs; a disagreement in value, type,
exception or mutation, or of a term, is printed and makes the exit code 1. There are no exceptions.
What is done is kept in a file, so that a run which was cut off goes on where it was; `--again`
starts anew.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.differential import texts
from tests.values import catalogue
from tests.values import test_numbers_differential as numbers
from tests.values.long_differential import tried

from symcrete.terms import term as terms

ROOT = Path(__file__).parents[2]
Check = Callable[[int], None]  # on so many inputs; raises where something disagrees


@dataclass(frozen=True)
class Operation:
    name: str
    check: Check
    share: int = 1  # so many rows are forms of one operation, whose inputs they share

    def inputs(self, each: int) -> int:
        return -(-each // self.share)


def operations() -> Iterator[Operation]:
    for name in [*numbers.BINARY, *numbers.UNARY]:
        yield Operation(f"number: {name}", _on_numbers(name))
    for entry in catalogue.entries():
        yield Operation(entry.name, _on_collections(entry))
    for each in texts.entries():
        yield Operation(f"text: {each.text}", _on_texts(each), each.share)


def _on_numbers(name: str) -> Check:
    return lambda inputs: numbers.check_operation(name, inputs)


def _on_collections(entry: catalogue.Entry) -> Check:
    def check(inputs: int) -> None:
        terms.forget()
        _, wrong = tried(entry, inputs)
        assert not wrong, wrong

    return check


def _on_texts(entry: texts.Entry) -> Check:
    def check(inputs: int) -> None:
        texts.check(entry, inputs, seed=0, models=64)

    return check


def main() -> int:
    line = argparse.ArgumentParser(prog="python -m tests.differential.everything")
    line.add_argument("--each", type=int, default=5000, help="inputs for each operation")
    line.add_argument("--only", default="", help="operations whose name contains this")
    line.add_argument("--results", type=Path, default=ROOT / "build/differential.json")
    line.add_argument("--again", action="store_true", help="try also what is in the results")
    options = line.parse_args()
    options.results.parent.mkdir(parents=True, exist_ok=True)
    done: dict[str, int] = {}
    if options.results.exists() and not options.again:
        done = json.loads(options.results.read_text())
    chosen = [each for each in operations() if options.only in each.name]
    wrong, began = 0, time.perf_counter()
    gc.disable()  # terms are many and live until they are forgotten
    for each in chosen:
        inputs = each.inputs(options.each)
        if done.get(each.name, 0) >= inputs:
            continue
        gc.collect()
        try:
            each.check(inputs)
        except AssertionError as error:
            wrong += 1
            print(f"DISAGREES {each.name}: {str(error)[:1500]}", flush=True)
            continue
        done[each.name] = inputs
        options.results.write_text(json.dumps(done, indent=1))
    tried_on = [done[each.name] for each in chosen if each.name in done]
    print(
        f"{len(tried_on)} of {len(chosen)} operations on {sum(tried_on)} inputs, {wrong} disagree, "
        f"{time.perf_counter() - began:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
