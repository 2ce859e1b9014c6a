"""Functions of the library that read a text in ways no model describes: their terms are lost, but
it is remembered which input they read, so that texts which they understand are tried for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symcrete.inputs.draw.read_texts import READERS
from symcrete.inputs.draw.text import note_document
from symcrete.values.rows.model_rows import ModelRow, Pure
from symcrete.values.text.meaning.encodings import input_of
from symcrete.values.tracking.modelled import foreign


def note_reader(value: Any, reader: str) -> None:
    """Remember that the function `reader` read a text: draws for the input that the text is, or is
    cut from, are then texts which that function understands.
    """
    name = input_of(getattr(value, "content", None))
    if name:
        note_document(name, reader)


def reading(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """The result of the function, called as foreign code; the text that is its first argument is
    noted as one that it reads.
    """
    if args:
        note_reader(args[0], f"{function.__module__}.{function.__name__}")
    return foreign(function, *args, **kwargs)


def _row(reader: str) -> Pure:
    module, _, name = reader.rpartition(".")
    return Pure(module, name, reading)


MODELS: tuple[ModelRow, ...] = tuple([_row(reader) for reader in READERS if "." in reader])
