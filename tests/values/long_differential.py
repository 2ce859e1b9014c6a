"""The long form of the differential test: so many inputs for every operation of the catalogue.

    python -m tests.values.long_differential 5000 [part of a name]

Prints what disagrees, and how much was tried; exits with 1 if anything disagreed.
"""

from __future__ import annotations

import sys
import time
from random import Random

from tests.values.catalogue import Entry, entries
from tests.values.differential import Operation, World, operation

FORGET_AFTER = 500  # inputs; the paths seen so far are dropped, and the terms with them


def tried(entry: Entry, inputs: int) -> tuple[Operation, str]:
    """The operation after so many inputs, and what was wrong."""
    world = World()
    made = operation(entry, world)
    random = Random(entry.name)
    for index in range(inputs):
        if index % FORGET_AFTER == FORGET_AFTER - 1:
            made.paths.clear()
        try:
            made.check(random)
        except AssertionError as error:
            return made, str(error)
    return made, ""


def main(inputs: int, part: str = "") -> int:
    began = time.perf_counter()
    agreed = elsewhere = lost = 0
    wrong: list[str] = []
    chosen = [entry for entry in entries() if part in entry.name]
    for entry in chosen:
        made, error = tried(entry, inputs)
        agreed, elsewhere, lost = agreed + made.agreed, elsewhere + made.elsewhere, lost + made.lost
        if error:
            wrong.append(error)
            print(f"DISAGREES {error}", flush=True)
    seconds = time.perf_counter() - began
    print(
        f"{len(chosen)} operations, {agreed} inputs agree, terms agree on {elsewhere} more, "
        f"{lost} runs say that they dropped a term, {len(wrong)} disagreements, {seconds:.0f} s"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[1]), *sys.argv[2:3]))
