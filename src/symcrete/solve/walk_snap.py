"""Round numbers near a point: what people write into programs is seldom 0.9999999."""

from __future__ import annotations

from symcrete.solve.walk_search import Search
from symcrete.terms.term import Sort

MOST_DIGITS = 15


def snap(search: Search) -> bool:
    """Round the values, all together and one by one, to ever more digits: people write such."""
    here = dict(search.point)
    names = [
        name
        for name, variable in search.variables.items()
        if variable.sort is Sort.FLOAT and abs(here[name]) < 1e15
    ]
    for digits in range(MOST_DIGITS + 1):
        together = {**here, **{name: round(here[name], digits) for name in names}}
        if search.offer(together) and search.is_there:
            return True
        for name in names:
            search.offer({**search.point, name: together[name]})
    return search.is_there
