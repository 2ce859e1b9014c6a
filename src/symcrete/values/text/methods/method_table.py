"""The methods of texts by name: those of str, and those of bytes."""

from __future__ import annotations

from symcrete.values.text.methods import making, questions
from symcrete.values.text.methods.calling import Method

_SHARED: dict[str, Method] = {**questions.METHODS, **making.METHODS}
OF_STR: dict[str, Method] = {**_SHARED, **questions.STR_ONLY, **making.STR_ONLY}
OF_BYTES: dict[str, Method] = {**_SHARED, **making.BYTES_ONLY}
