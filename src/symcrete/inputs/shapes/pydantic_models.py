"""pydantic models as inputs: the fields with their constraints; pydantic need not be there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symcrete.errors import UnsupportedInput
from symcrete.inputs.shapes.annotated_bounds import bounded
from symcrete.inputs.shapes.objects import InstanceShape, Part

if TYPE_CHECKING:
    from symcrete.inputs.shapes.annotations import Reader


def is_model(kind: type) -> bool:
    """Whether a class is a pydantic model (version 2)."""
    named = any(b.__module__ == "pydantic.main" and b.__name__ == "BaseModel" for b in kind.__mro__)
    return named and isinstance(getattr(kind, "model_fields", None), dict)


class ModelShape(InstanceShape):
    """A pydantic model, made from what its fields take; pydantic checks and copies them as plain
    values.
    """

    @property
    def has_validators(self) -> bool:
        """Whether validators of the program decide what is valid."""
        own = getattr(self.kind, "__pydantic_decorators__", None)
        names = ("validators", "field_validators", "root_validators", "model_validators")
        return any(getattr(own, name, None) for name in names)

    def field_of(self, part: Part) -> str:
        """The attribute that a part is stored in; an alias is only for the constructor."""
        fields: dict[str, Any] = self.kind.model_fields  # type: ignore[attr-defined]
        return next(name for name, field in fields.items() if (field.alias or name) == part.name)


def model_parts(kind: Any, where: str, reader: Reader) -> tuple[Part, ...]:
    """A part for each field of a model; optional ones of unsupported types are left out."""
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
