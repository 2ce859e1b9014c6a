"""Inputs without a solver: boundary values, constants mined from the source, and chance."""

from __future__ import annotations

import ast
import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from random import Random

from symcrete.inputs.draw.documents import Form, documents_by_form, written_documents
from symcrete.inputs.draw.known_texts import known_texts
from symcrete.program.source.module import walked
from symcrete.slotted import dataclass

# Numbers to draw before others: those that programs compare with, then where ranges end.
PLAIN_INTS = (0, 1, -1, 2, 3, 10, -2, 5, 7, 100)
WIDE_INTS = (255, 256, 1000, -1000, 2**31 - 1, -(2**31), 2**63)
PLAIN_FLOATS = (0.0, 1.0, -1.0, 0.5, 2.0, 10.0, -0.5, 100.0)
ODD_FLOATS = (-0.0, math.inf, -math.inf, math.nan, 1e-300, 1e300, 5e-324, 0.1)


# What a program mentions that reads documents.
_OF_DOCUMENTS = frozenset(
    {"json", "tomllib", "ConfigParser", "RawConfigParser", "reader", "DictReader"}
)


@dataclass(frozen=True, slots=True)
class Pool:
    """The constants that random inputs are drawn from, besides plain values."""

    integers: tuple[int, ...] = ()
    floats: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    blobs: tuple[bytes, ...] = field(default=())
    # All values alike, of 32-bit integers and of finite doubles by their bits, and no input is made
    # from an earlier one: the prior of "Towards Optimal Concolic Testing".
    uniform: bool = False
    documents: Mapping[Form, Sequence[str]] = field(default_factory=dict)  # for texts read as such

    def integer(self, random: Random) -> int:
        if self.uniform:
            return random.getrandbits(32) - 2**31
        kind = random.random()
        if self.integers and kind < 0.3:
            return random.choice(self.integers) + random.choice((0, 0, 0, 1, -1))
        if kind < 0.6:
            return random.choice(PLAIN_INTS)
        if kind < 0.85:
            return random.randint(-20, 20)
        if kind < 0.95:
            return random.randint(-1000, 1000)
        return random.choice(WIDE_INTS)

    def float(self, random: Random) -> float:
        if self.uniform:
            return _any_double(random)
        kind = random.random()
        if self.floats and kind < 0.25:
            return random.choice(self.floats) + random.choice((0.0, 0.0, 0.0, 1.0, -1.0))
        if kind < 0.5:
            return random.choice(PLAIN_FLOATS)
        if kind < 0.7:
            return float(random.randint(-20, 20))
        if kind < 0.95:
            return round(random.uniform(-100, 100), 2)
        return random.choice(ODD_FLOATS)


def _any_double(random: Random) -> float:
    while True:
        value: float = struct.unpack("<d", random.randbytes(8))[0]
        if math.isfinite(value):
            return value


def mine(trees: Iterable[ast.AST]) -> Pool:
    """The pool of the constants in a program, which are the values it compares with."""
    integers: dict[int, None] = {}
    floats: dict[float, None] = {}
    texts: dict[str, None] = {}
    blobs: dict[bytes, None] = {}
    read: dict[Form, dict[str, None]] = {}
    for tree in trees:
        documentation = _docstrings(tree)
        for node in walked(tree):
            if not isinstance(node, ast.Constant) or node in documentation:
                continue
            value = node.value
            if type(value) is int:
                integers[value] = None
                integers[-value] = None
                if abs(value) < 2**1000:
                    floats[float(value)] = None
            elif type(value) is float:
                floats[value] = None
                floats[-value] = None
                if abs(value) < 2**60:
                    integers[math.floor(value)] = None
            elif type(value) is str and len(value) <= 200:
                texts[value] = None
            elif type(value) is bytes and len(value) <= 200:
                blobs[value] = None
        for form, made in _read_by(tree, list(texts), list(integers)).items():
            read.setdefault(form, {}).update(dict.fromkeys(made))
            texts |= dict.fromkeys(made)
            blobs |= dict.fromkeys([each.encode() for each in made])
        texts |= dict.fromkeys(known_texts(tree))
    forms = {form: tuple(made) for form, made in read.items()}
    return Pool(tuple(integers), tuple(floats), tuple(texts), tuple(blobs), documents=forms)


def _read_by(tree: ast.AST, texts: list[str], integers: list[int]) -> dict[Form, list[str]]:
    """Documents that a program may read, by their form."""
    words = {node.id for node in walked(tree) if isinstance(node, ast.Name)}
    words |= {node.attr for node in walked(tree) if isinstance(node, ast.Attribute)}
    if words.isdisjoint(_OF_DOCUMENTS):
        return {}
    found = documents_by_form(tree)
    if "json" in words:
        more = [*written_documents(tree), *_documents(texts, integers)]
        found["json"] = [*found.get("json", []), *more]
    else:
        found.pop("json", None)  # `load` of something else
    return found


def _documents(texts: list[str], integers: list[int]) -> list[str]:
    """JSON documents with the keys and values that a program mentions."""
    words = [text for text in texts if text.isidentifier()][:8]
    number = next((each for each in integers if each > 0), 1)
    made = ["{}", "[]", "null", f"[{number}]"]
    made += [f'{{"{word}": {number}}}' for word in words]
    if len(words) > 1:
        made.append("{" + ", ".join([f'"{word}": 0' for word in words]) + "}")
    return made


def _docstrings(tree: ast.AST) -> set[ast.AST]:
    found: set[ast.AST] = set()
    for node in walked(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.add(first.value)
    return found
