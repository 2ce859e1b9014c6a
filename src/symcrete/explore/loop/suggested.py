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
    """Copies of the input of a run, in each of which a text that the run read as a document is
    replaced by a document of its form. Texts that are `known` have had their turn; those that get
    it now are added to them.
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
