"""pydantic models as inputs: the fields with their constraints. Nothing here needs pydantic installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.bounds import bounded
from symcrete.inputs.objects import Part

if TYPE_CHECKING:
    from symcrete.inputs.annotations import Reader


def is_model(kind: type) -> bool:
    """Whether a class is a pydantic model (version 2)."""
    named = any(b.__module__ == "pydantic.main" and b.__name__ == "BaseModel" for b in kind.__mro__)
    return named and isinstance(getattr(kind, "model_fields", None), dict)


def model_parts(kind: Any, where: str, reader: Reader) -> tuple[Part, ...]:
    parts: list[Part] = []
    for name, field in kind.model_fields.items():
        try:
            shape = bounded(
                reader.shape(field.annotation, f"{where}.{name}"), tuple(field.metadata)
            )
        except UnsupportedInput:
            if field.is_required():
                raise
            continue
        parts.append(Part(field.alias or name, shape, by_keyword=True))
    return tuple(parts)
