"""What values know while a program runs: one frozen object, taken into use as a whole.

The operators of Python have no room for an argument that says which kinds there are: so the tables
that values look things up in belong to the process. They are empty until somebody who is about to
run a program takes a vocabulary into use, and importing a module never changes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from symcrete.values.tracking.model_rows import ModelRow
from symcrete.values.tracking.modelled import use_models
from symcrete.values.vocabulary.models import MODELS


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The models that rewritten code finds."""

    models: tuple[ModelRow, ...] = MODELS


LISTED = Vocabulary()
_in_use: list[Vocabulary] = []


def use(vocabulary: Vocabulary) -> None:
    """From now on values of this process know this vocabulary, and no other."""
    if _in_use and _in_use[0] is vocabulary:
        return
    use_models(vocabulary.models)
    _in_use[:] = [vocabulary]
