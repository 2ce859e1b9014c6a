"""The families of containers, and how two containers meet in an operator."""

from __future__ import annotations

import collections

from symcrete.values.containers import dicts, lists, sets
from symcrete.values.containers.keys import has_key
from symcrete.values.models import collection_types
from symcrete.values.rows.kind_rows import Family, Meeting
from symcrete.values.tracking import comparing

FAMILIES: tuple[Family, ...] = (
    Family(
        "list",
        elements=list.__iter__,
        equal=comparing.sequences_equal,
        contains=comparing.contains,
    ),
    Family(
        "tuple",
        elements=tuple.__iter__,
        equal=comparing.sequences_equal,
        contains=comparing.contains,
    ),
    Family(
        "dict",
        elements=comparing.raw_dict,
        equal=dicts.dicts_equal,
        contains=has_key,
        get_item=dicts.read,
        set_item=dicts.store,
        del_item=dicts.delete,
    ),
    Family("set", elements=comparing.raw_set, equal=sets.equal, contains=has_key),
    Family(
        "deque",
        elements=collections.deque.__iter__,
        equal=collection_types.deques_equal,
        contains=collection_types.deque_has,
    ),
    Family("view", elements=iter, contains=collection_types.view_has),
)
_OF_SEQUENCES = {**comparing.COMPARISONS_OF_SEQUENCES, "add": lists.concatenated}
MEETINGS: tuple[Meeting, ...] = (
    Meeting("list", "list", _OF_SEQUENCES),
    Meeting("tuple", "tuple", _OF_SEQUENCES),
    Meeting("deque", "deque", collection_types.OPERATORS_OF_DEQUES),
    Meeting("set", "set", sets.OPERATORS_OF_SETS),
    Meeting("dict", "dict", dicts.OPERATORS_OF_DICTS),
    Meeting("dict", "dict", collection_types.OPERATORS_OF_COUNTERS),
    Meeting("view", "view", collection_types.OPERATORS_OF_VIEWS),
    Meeting("view", "set", collection_types.OPERATORS_OF_VIEWS),
    Meeting("set", "view", collection_types.OPERATORS_OF_VIEWS),
)
