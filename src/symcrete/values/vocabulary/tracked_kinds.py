"""Every class of values that is special in some way, one row each.

What the fields of a row mean is said in `values/rows/kind_rows.py`.
"""

from __future__ import annotations

import collections
import datetime
import enum
import io
import pathlib
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType
from typing import Any
from uuid import UUID

from symcrete.terms.texts import BYTES, STR
from symcrete.values.containers import dict_inputs, lists, sequences, set_inputs, sets
from symcrete.values.containers.keys import has_key
from symcrete.values.library import (
    dates,
    enumerations,
    identifiers,
    moments,
    pure_paths,
    text_files,
)
from symcrete.values.models import collection_types, text_functions
from symcrete.values.numbers import complexes, decimals, rationals
from symcrete.values.regex import matches
from symcrete.values.rows.kind_rows import Kind
from symcrete.values.text.content import positions, strings
from symcrete.values.text.methods import bytearrays, text_classes
from symcrete.values.tracking import arithmetic, comparing, numeric, operators, ranges, truth

_NUMBERS = (
    Kind(
        numeric.ConcolicInt,
        stands_for=int,
        plain=int.__int__,
        operand=True,
        methods=arithmetic.INT_METHODS,
    ),
    Kind(
        numeric.ConcolicFloat,
        stands_for=float,
        plain=float.__pos__,
        operand=True,
        methods=arithmetic.FLOAT_METHODS,
    ),
    Kind(truth.Truth, stands_for=bool, plain=int.__bool__, operand=True),
    Kind(
        complexes.ConcolicComplex,
        stands_for=complex,
        plain=complex.__pos__,
        operand=True,
        lift=complexes.lifted,
    ),
    Kind(
        decimals.ConcolicDecimal,
        stands_for=Decimal,
        plain=decimals.plain_decimal,
        operand=True,
        lift=decimals.lifted,
        to_int=decimals.as_int,
        to_float=decimals.as_float,
    ),
    Kind(
        rationals.ConcolicFraction,
        stands_for=Fraction,
        plain=rationals.plain_fraction,
        operand=True,
        lift=rationals.lifted,
        to_int=rationals.ConcolicFraction.__trunc__,
        to_float=rationals.as_float,
    ),
    Kind(range, contains=operators.in_range),
    Kind(
        ranges.ConcolicRange,
        stands_for=range,
        contains=ranges.range_contains,
        steps=ranges.ConcolicRange.steps,
    ),
)

_TEXTS = (
    Kind(
        str,
        text=STR,
        contains=text_classes.inside,
        formats=text_classes.percent_of_plain,
        get_item=text_functions.plain_item,
    ),
    Kind(
        bytes,
        text=BYTES,
        contains=text_classes.inside,
        formats=text_classes.percent_of_plain,
        get_item=text_functions.plain_item,
    ),
    Kind(bytearray, text=BYTES),
    Kind(
        strings.ConcolicStr,
        stands_for=str,
        plain=str.__str__,
        text=STR,
        truth=text_classes.truth_of_text,
        equals=text_classes.equal_condition,
        contains=text_classes.inside,
        get_item=positions.item,
        length=positions.counted,
        to_int=text_functions.int_of_text,
        to_float=text_functions.float_of_text,
        steps=positions.steps,
        methods=text_classes.STR_METHODS,
    ),
    Kind(
        strings.ConcolicBytes,
        stands_for=bytes,
        plain=strings.plain_bytes,
        text=BYTES,
        truth=text_classes.truth_of_text,
        equals=text_classes.equal_condition,
        contains=text_classes.inside,
        get_item=positions.item,
        length=positions.counted,
        to_int=text_functions.int_of_text,
        to_float=text_functions.float_of_text,
        steps=positions.steps,
        methods=text_classes.BYTES_METHODS,
    ),
    Kind(
        bytearrays.ConcolicByteArray,
        stands_for=bytearray,
        plain=bytearrays.plain_array,
        text=BYTES,
        get_item=bytearrays.item,
        set_item=bytearrays.ConcolicByteArray.__setitem__,
        del_item=bytearrays.ConcolicByteArray.__delitem__,
        length=positions.counted,
        steps=bytearrays.array_steps,
    ),
    Kind(matches.ConcolicMatch, stands_for=re.Match),
    Kind(text_files.TrackedStringIO, stands_for=io.StringIO),
)

_CONTAINERS = (
    Kind(
        lists.ConcolicList,
        stands_for=list,
        family="list",
        count=list.__len__,
        contains=comparing.contains,
        get_item=sequences.item,
        set_item=lists.ConcolicList.__setitem__,
        del_item=lists.ConcolicList.__delitem__,
        steps=sequences.steps,
    ),
    Kind(
        lists.ConcolicTuple,
        stands_for=tuple,
        family="tuple",
        count=tuple.__len__,
        contains=comparing.contains,
        get_item=sequences.item,
        steps=sequences.steps,
    ),
    Kind(
        dict_inputs.ConcolicDict,
        stands_for=dict,
        family="dict",
        count=dict.__len__,
        contains=has_key,
        steps=dict_inputs.steps,
    ),
    Kind(
        dict_inputs.OpenView,
        contains=collection_types.open_view_has,
        steps=lambda view, site: dict_inputs.steps(view.of, site, view.view),
    ),
    Kind(
        set_inputs.ConcolicSet,
        stands_for=set,
        family="set",
        count=set.__len__,
        contains=has_key,
        steps=sets.steps,
    ),
    Kind(
        set_inputs.ConcolicFrozenset,
        stands_for=frozenset,
        family="set",
        count=frozenset.__len__,
        contains=has_key,
        steps=sets.steps,
    ),
    Kind(set, steps=lambda items, site: sets.ordered(items)),
    Kind(frozenset, steps=lambda items, site: sets.ordered(items)),
    Kind(collections.deque, family="deque", get_item=collection_types.deque_item),
    Kind(
        collections.OrderedDict,
        family="dict",
        steps=lambda items, site: collection_types.ordered_steps(items),
    ),
    Kind(type({}.keys()), family="view"),
    Kind(type({}.items()), family="view"),
    Kind(type({}.values()), family="view"),
    Kind(
        MappingProxyType,
        contains=enumerations.proxy_has,
        get_item=enumerations.proxy_item,
    ),
    Kind(enum.EnumType, get_item=enumerations.member_by_name),
)


def _path(kind: type) -> Kind:
    return Kind(
        pure_paths.TRACKED_PATHS[kind],
        stands_for=kind,
        plain=pure_paths.plain_path,
        operand=True,
    )


def _library(kind: type, stands_for: type, plain: Callable[[Any], Any]) -> Kind:
    return Kind(kind, stands_for=stands_for, plain=plain, operand=True)


_LIBRARY = (
    _library(dates.ConcolicDate, datetime.date, dates.plain_date),
    _library(moments.ConcolicTimedelta, datetime.timedelta, moments.plain_duration),
    _library(moments.ConcolicTime, datetime.time, moments.plain_time),
    _library(moments.ConcolicDatetime, datetime.datetime, moments.plain_datetime),
    _library(identifiers.ConcolicUUID, UUID, identifiers.plain_uuid),
    _path(pathlib.PurePosixPath),
    _path(pathlib.PosixPath),
)

KINDS: tuple[Kind, ...] = (*_NUMBERS, *_TEXTS, *_CONTAINERS, *_LIBRARY)
