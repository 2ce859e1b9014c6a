"""Inputs that a run speaks for: documents, once it turned out that a text is read as one, and texts
that a function of the library reads.
"""

from __future__ import annotations

from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.draw.text import documents_among, spread
from symcrete.run.trace import Trace
from symcrete.terms.evaluate import Assignment

MOST_SUGGESTED = 16  # documents for one text; chosen, not measured


def suggested(trace: Trace, pool: Pool, known: set[str]) -> list[Assignment]:
    """The input of a run with each text that it read as a document replaced by one after another;
    texts that are `known` have had their turn, and those that get it now become so.
    """
    found: list[Assignment] = []
    for name, form in documents_among(trace.assignment):
        if f"{form} {name}" in known:
            continue
        known.add(f"{form} {name}")
        # Of forms that the pool has no documents of, all are taken: they are few.
        most = MOST_SUGGESTED if form in pool.documents else None
        for document in pool.read_as(form)[:most]:
            changed = dict(trace.assignment)
            spread(name, [ord(char) for char in document], changed)
            found.append(changed)
    return found
