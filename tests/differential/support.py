"""What is symbolic of texts, told by running it: a table of operations.

    python -m tests.differential.support

An operation is `solved` if solvers see a model of every condition and result, `evaluated` if some are known
to evaluation alone, and `concrete` if a term is dropped.
"""

from __future__ import annotations

import random
import sys

from tests.differential.judge import World, terms_of
from tests.differential.texts import Entry, entries

from symcrete.constraint.theory import OPAQUE, theory
from symcrete.terms import term as terms
from symcrete.terms.term import Sort

INPUTS = 25


def verdict(entry: Entry) -> str:
    terms.forget()
    operation = World().compile(entry.source)
    r = random.Random(entry.text)
    evaluated = False
    for _ in range(INPUTS):
        values = {name: entry.draw(name, r) for name in operation.names}
        run = operation.run(values, frozenset())
        if run.losses:
            return "concrete"
        seen = [*run.conditions, *terms_of(run.result)]
        evaluated = evaluated or any(
            theory(each) & OPAQUE for each in seen if each.sort is not Sort.OBJECT
        )
    return "evaluated" if evaluated else "solved"


def main() -> int:
    counts: dict[str, int] = {}
    group = ""
    for entry in entries():
        if entry.group != group:
            group = entry.group
            print(f"\n| {group.replace('_', ' ')} | |\n|---|---|")
        found = verdict(entry)
        counts[found] = counts.get(found, 0) + 1
        print(f"| `{entry.text}` | {found} |".replace("\\|", "|"))
    print("\n" + ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
