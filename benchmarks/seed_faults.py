"""All the faults that cosmic-ray seeds into one module, as texts: JSON on standard output.

Run by an interpreter that has cosmic-ray: `python seed_faults.py FILE`. A fault is
`[operator, line, text of the module]`; two faults with the same text are one.
"""

from __future__ import annotations

import json
import sys

from cosmic_ray.mutating import mutate_code  # type: ignore[import-not-found,unused-ignore]
from cosmic_ray.plugins import (  # type: ignore[import-not-found,unused-ignore]
    get_operator,
    operator_names,
)

MOST_OCCURRENCES = 200  # of one operator in one module


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    found: dict[str, tuple[str, int]] = {}
    for name in sorted(operator_names()):
        made = get_operator(name)
        for operator in [made(**each) for each in _arguments(made)]:
            for occurrence in range(MOST_OCCURRENCES):
                changed = mutate_code(text, operator, occurrence)
                if changed is None:
                    break
                if changed != text:
                    found.setdefault(changed, (name, _first_change(text, changed)))
    json.dump([[name, line, changed] for changed, (name, line) in found.items()], sys.stdout)


def _arguments(operator: object) -> list[dict[str, object]]:
    """What an operator is made with: nothing, for all but a few."""
    arguments = getattr(operator, "arguments", tuple)()
    return [{}] if not arguments else []


def _first_change(text: str, changed: str) -> int:
    pairs = zip(text.splitlines(), changed.splitlines(), strict=False)
    return next((number for number, (a, b) in enumerate(pairs, 1) if a != b), 1)


if __name__ == "__main__":
    main()
