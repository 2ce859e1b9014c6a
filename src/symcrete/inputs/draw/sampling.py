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
from symcrete.inputs.draw.read_texts import texts_read_by
from symcrete.program.source.module import walked
from symcrete.slotted import dataclass

# Numbers to draw before others: those that programs compare with, then where ranges end.
PLAIN_INTS = (0, 1, -1, 2, 3, 10, -2, 5, 7, 100)
WIDE_INTS = (255, 256, 1000, -1000, 2**31 - 1, -(2**31), 2**63)
PLAIN_FLOATS = (0.0, 1.0, -1.0, 0.5, 2.0, 10.0, -0.5, 100.0)
ODD_FLOATS = (-0.0, math.inf, -math.inf, math.nan, 1e-300, 1e300, 5e-324, 0.1)

# One random number between 0 and 1 says of which kind a number is drawn: of the first kind whose
# limit is above it, and what is above all limits is of the last kind. Chosen, not measured.
OF_THE_PROGRAM_BELOW = 0.3  # an integer that the program mentions, or one beside it
PLAIN_INT_BELOW = 0.6  # one of PLAIN_INTS
SMALL_INT_BELOW = 0.85  # within SMALL_NUMBER of zero
MIDDLE_INT_BELOW = 0.95  # within MIDDLE_INT of zero; else one of WIDE_INTS
FLOAT_OF_THE_PROGRAM_BELOW = 0.25  # a float that the program mentions, or one beside it
PLAIN_FLOAT_BELOW = 0.5  # one of PLAIN_FLOATS
WHOLE_FLOAT_BELOW = 0.7  # a whole number within SMALL_NUMBER of zero
SHORT_FLOAT_BELOW = 0.95  # two decimals, within SHORT_FLOAT of zero; else one of ODD_FLOATS

# How far from zero those kinds reach; chosen, not measured.
SMALL_NUMBER = 20
MIDDLE_INT = 1000
SHORT_FLOAT = 100

# How often an integer of the program is drawn as it is, with one added, and with one less; chosen.
BESIDE_INT = (0, 0, 0, 1, -1)
BESIDE_FLOAT = (0.0, 0.0, 0.0, 1.0, -1.0)  # the same of a float

# What is taken from a program's text; chosen, not measured.
LARGEST_AS_FLOAT = 2**1000  # integers below it are floats too: a double goes up to 2**1024
LARGEST_AS_INT = 2**60  # floats below it are integers too
LONGEST_MINED = 200  # characters of a text, or bytes
MOST_KEYS_MINED = 8  # words that become keys of JSON documents

# Names that a program mentions if it reads documents.
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
    # Whether all 32-bit integers, and all finite doubles, are drawn equally often, and no input is
    # made from an earlier one: the prior of "Towards Optimal Concolic Testing".
    uniform: bool = False
    documents: Mapping[Form, Sequence[str]] = field(default_factory=dict)  # for texts read as such

    def read_as(self, form: Form | str) -> Sequence[str]:
        """The documents of a form, or texts for a function of the library that reads them."""
        found = self.documents.get(form)  # type: ignore[arg-type]
        return found or texts_read_by(form, self.texts, self.blobs, self.integers)

    def integer(self, random: Random) -> int:
        """A random integer: of the program, a plain one, or any of 32 bits if `uniform`."""
        if self.uniform:
            return random.getrandbits(32) - 2**31  # of 32 bits, with a sign
        kind = random.random()
        if self.integers and kind < OF_THE_PROGRAM_BELOW:
            return random.choice(self.integers) + random.choice(BESIDE_INT)
        if kind < PLAIN_INT_BELOW:
            return random.choice(PLAIN_INTS)
        if kind < SMALL_INT_BELOW:
            return random.randint(-SMALL_NUMBER, SMALL_NUMBER)
        if kind < MIDDLE_INT_BELOW:
            return random.randint(-MIDDLE_INT, MIDDLE_INT)
        return random.choice(WIDE_INTS)

    def float(self, random: Random) -> float:
        """A random float: of the program, a plain one, or any finite one if `uniform`."""
        if self.uniform:
            return _any_double(random)
        kind = random.random()
        if self.floats and kind < FLOAT_OF_THE_PROGRAM_BELOW:
            return random.choice(self.floats) + random.choice(BESIDE_FLOAT)
        if kind < PLAIN_FLOAT_BELOW:
            return random.choice(PLAIN_FLOATS)
        if kind < WHOLE_FLOAT_BELOW:
            return float(random.randint(-SMALL_NUMBER, SMALL_NUMBER))
        if kind < SHORT_FLOAT_BELOW:
            return round(random.uniform(-SHORT_FLOAT, SHORT_FLOAT), 2)
        return random.choice(ODD_FLOATS)


def _any_double(random: Random) -> float:
    while True:
        value: float = struct.unpack("<d", random.randbytes(8))[0]  # its 8 bytes
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
            if type(node) is not ast.Constant or node in documentation:
                continue
            value = node.value
            if type(value) is int:
                integers[value] = None
                integers[-value] = None
                if abs(value) < LARGEST_AS_FLOAT:
                    floats[float(value)] = None
            elif type(value) is float:
                floats[value] = None
                floats[-value] = None
                if abs(value) < LARGEST_AS_INT:
                    integers[math.floor(value)] = None
            elif type(value) is str and len(value) <= LONGEST_MINED:
                texts[value] = None
            elif type(value) is bytes and len(value) <= LONGEST_MINED:
                blobs[value] = None
        for form, made in _read_by(tree, list(texts), list(integers)).items():
            read.setdefault(form, {}).update(dict.fromkeys(made))
            texts |= dict.fromkeys(made)
            blobs |= dict.fromkeys([each.encode() for each in made])
        texts |= dict.fromkeys(known_texts(tree))
    forms = {form: tuple(made) for form, made in read.items()}
    return Pool(tuple(integers), tuple(floats), tuple(texts), tuple(blobs), documents=forms)


def _read_by(tree: ast.AST, texts: list[str], integers: list[int]) -> dict[Form, list[str]]:
    """Documents that a program may read, by form; none where it mentions no reader of them."""
    words = {node.id for node in walked(tree) if type(node) is ast.Name}
    words |= {node.attr for node in walked(tree) if type(node) is ast.Attribute}
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
    words = [text for text in texts if text.isidentifier()][:MOST_KEYS_MINED]
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


# How slices are drawn, which are an input as a whole; chosen, not measured.
LARGEST_SHORT_BOUND = 3  # a short bound of a slice is within this of zero, either way
LARGEST_LONG_BOUND = 12  # a long bound of a slice is between zero and this


def drawn_slice(pool: Pool, random: Random) -> slice:
    """A slice whose bounds are mostly short."""
    return slice(_bound(pool, random), _bound(pool, random), _bound(pool, random))


def _bound(pool: Pool, random: Random) -> int | None:
    known = random.choice(pool.integers) if pool.integers else 0
    short = random.randint(-LARGEST_SHORT_BOUND, LARGEST_SHORT_BOUND)
    long = random.randint(0, LARGEST_LONG_BOUND)
    return random.choice((None, None, short, long, known))
