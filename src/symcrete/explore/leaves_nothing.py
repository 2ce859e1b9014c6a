"""Whether exploring a target leaves its process as it was, so that another one may follow there.

A fork for each target gives the same and costs more than exploring a small one: most of its memory
is copied when it is first written to. Decided from the code as its author wrote it, with everything
in doubt for "no".
"""

from __future__ import annotations

import functools
from types import CodeType, FunctionType

from symcrete.inputs.draw.text import ByteArrayShape, BytesShape, StrShape
from symcrete.inputs.shapes.arguments import Arguments
from symcrete.inputs.shapes.containers import DictShape, SequenceShape, SetShape
from symcrete.inputs.shapes.shape import (
    BoolShape,
    ChoiceShape,
    ConstantShape,
    FloatShape,
    IntShape,
    Shape,
    TupleShape,
)
from symcrete.program.source.module import Source
from symcrete.program.source.target import Target
from symcrete.run.untouched.self_contained import is_self_contained

_SCALARS = (IntShape, FloatShape, BoolShape, StrShape, BytesShape, ByteArrayShape)
_CONSTANTS = (type(None), bool, int, float, complex, str, bytes)
_KINDS = (list, tuple, set, frozenset, dict)


def leaves_nothing(
    target: Target, function: object, arguments: Arguments, *, sees_nothing: bool = False
) -> bool:
    """Whether no call of a target's function can change what another one sees: its code and what it
    calls use only what is new in every call and what nobody can change, and its arguments are of
    built-in types. With `sees_nothing` it reads no name of its module either but functions.
    """
    if target.subjects or target.is_method or type(function) is not FunctionType:
        return False
    if not all(_is_built_in(each.shape) for each in arguments.parameters):
        return False
    written = code_as_written(target.source)
    return is_self_contained(
        function,
        lambda each: written.get(_key(each.__code__)),
        reads_constants=not sees_nothing,
    )


@functools.lru_cache(maxsize=1)  # the functions of a module are explored one after the other
def code_as_written(source: Source) -> dict[tuple[str, str, int], CodeType | None]:
    """The code of every function of a file before it was rewritten, by file, name and line; None
    where two have the same.
    """
    found: dict[tuple[str, str, int], CodeType | None] = {}
    left = [compile(source.tree(), str(source.file), "exec", dont_inherit=True)]
    while left:
        inner = [each for each in left.pop().co_consts if isinstance(each, CodeType)]
        for code in inner:
            found[_key(code)] = None if _key(code) in found else code
        left += inner
    return found


def _key(code: CodeType) -> tuple[str, str, int]:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _is_built_in(shape: Shape) -> bool:
    """Whether all values of a shape are of built-in types, so that using them calls no code of a
    program.
    """
    match shape:
        case ChoiceShape():
            return all(_is_built_in(each) for each in shape.choices)
        case TupleShape():
            return shape.kind is None and all(_is_built_in(each) for each in shape.parts)
        case SequenceShape() | SetShape():
            return shape.kind in _KINDS and _is_built_in(shape.element)
        case DictShape():
            return shape.kind is dict and _is_built_in(shape.key) and _is_built_in(shape.value)
        case ConstantShape():
            return type(shape) is ConstantShape and type(shape.value) in _CONSTANTS
        case _:
            return type(shape) in _SCALARS
