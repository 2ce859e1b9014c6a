"""What values know while a program runs: one frozen object, taken into use as a whole.

The operators of Python have no room for an argument that says which kinds there are: so the tables
that values look things up in belong to the process. They are empty until somebody who is about to
run a program takes a vocabulary into use; importing a module never changes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from symcrete.slotted import dataclass
from symcrete.values.build.variables import Builder, use_builders
from symcrete.values.rows.kind_rows import Family, Kind, Meeting
from symcrete.values.rows.model_rows import ModelRow
from symcrete.values.rows.tables import use_kinds
from symcrete.values.tracking.modelled import use_models
from symcrete.values.vocabulary.builders import BUILDERS
from symcrete.values.vocabulary.families import FAMILIES, MEETINGS
from symcrete.values.vocabulary.models import MODELS
from symcrete.values.vocabulary.tracked_kinds import KINDS


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The rows of all tables; those that are not given are the listed ones."""

    kinds: tuple[Kind, ...] = KINDS
    families: tuple[Family, ...] = FAMILIES
    meetings: tuple[Meeting, ...] = MEETINGS
    models: tuple[ModelRow, ...] = MODELS
    builders: Mapping[type, Builder] = field(default_factory=lambda: BUILDERS)


LISTED = Vocabulary()
_in_use: list[Vocabulary] = []


def use(vocabulary: Vocabulary = LISTED) -> None:
    """From now on values of this process know this vocabulary, and no other."""
    if _in_use and _in_use[0] is vocabulary:
        return
    use_kinds(vocabulary.kinds, vocabulary.families, vocabulary.meetings)
    use_models(vocabulary.models)
    use_builders(vocabulary.builders)
    _in_use[:] = [vocabulary]
