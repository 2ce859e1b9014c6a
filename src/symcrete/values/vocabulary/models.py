"""The files of models: a new one is listed here, and nowhere else."""

from __future__ import annotations

from symcrete.values.library import (
    date_texts,
    dates,
    enumerations,
    json_writing,
    moments,
    noted_readers,
    pure_paths,
    text_files,
)
from symcrete.values.models import (
    blobs,
    collection_types,
    container_functions,
    hashes,
    hypothesis_calls,
    iteration,
    json_text,
    math_functions,
    number_functions,
    ordering,
    pure,
    regex_functions,
    text_functions,
    type_functions,
)
from symcrete.values.numbers import complexes, decimal_texts, rationals
from symcrete.values.rows.model_rows import ModelRow

MODELS: tuple[ModelRow, ...] = (
    *type_functions.MODELS,
    *number_functions.MODELS,
    *math_functions.MODELS,
    *text_functions.MODELS,
    *regex_functions.MODELS,
    *container_functions.MODELS,
    *collection_types.MODELS,
    *iteration.MODELS,
    *ordering.MODELS,
    *blobs.MODELS,
    *json_text.MODELS,
    *json_writing.MODELS,
    *pure.MODELS,
    *hashes.MODELS,
    *hypothesis_calls.MODELS,
    *complexes.MODELS,
    *decimal_texts.MODELS,
    *rationals.MODELS,
    *dates.MODELS,
    *moments.MODELS,
    *date_texts.MODELS,
    *enumerations.MODELS,
    *noted_readers.MODELS,
    *pure_paths.MODELS,
    *text_files.MODELS,
)
