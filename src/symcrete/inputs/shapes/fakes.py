"""Stand-ins: objects that have just what is read of them, for parameters nobody can build.

What an attribute may be is told by what the module does with everything of that name. It is an
input of its own, made when a run first reads it; so is what a method answers. A stand-in is never
part of a proof: real objects may have other attributes, or refuse.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import keyword
import typing
from collections.abc import Callable, Mapping
from random import Random
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar

from symcrete.errors import UnsupportedInput
from symcrete.inputs.draw.sampling import Pool
from symcrete.inputs.infer.attributes import (
    is_asked_again,
    is_method,
    kinds_of_answer,
    kinds_of_attribute,
)
from symcrete.inputs.infer.class_source import set_by_constructor
from symcrete.inputs.infer.something import Something, asked_for
from symcrete.inputs.library_class import is_library_class
from symcrete.inputs.literal import NoLiteral
from symcrete.inputs.shapes.callables import RAISING_DRAWN, raising_text
from symcrete.inputs.shapes.hints import as_base, put_in
from symcrete.inputs.shapes.shape import (
    ConstantShape,
    Shape,
    Written,
    depth_of,
    joined,
    one_of,
    write,
)
from symcrete.program.source.module import parsed
from symcrete.slotted import dataclass
from symcrete.terms.evaluate import Assignment

if TYPE_CHECKING:
    from symcrete.inputs.shapes.annotations import Reader

NAMESPACE = ("types", "SimpleNamespace")
MOST_FAKE_ERRORS = 2  # classes of exceptions that a method is tried with; chosen, not measured
# Types that are tried for an attribute of which nothing is known, the most telling first.
UNKNOWN: tuple[Any, ...] = (str, int, None, list[int])
MOST_IN_TURN = 3  # different answers that a method gives one after another; chosen, not measured
OTHER_DRAWN = 0.4  # share of draws in which a further call gives another answer; chosen
DEEPEST_FAKE = 5  # levels of stand-ins within stand-ins; chosen, not measured


class Fake(SimpleNamespace):
    """A namespace whose attributes are found when they are first read."""

    __slots__ = ("_symcrete_find",)
    _symcrete_find: Callable[[str], Any]

    def __getattr__(self, attribute: str) -> Any:
        # A test could not give it an attribute whose name is no name.
        if attribute.startswith("__") or not _is_name(attribute):
            raise AttributeError(f"'SimpleNamespace' object has no attribute {attribute!r}")
        value = self._symcrete_find(attribute)
        setattr(self, attribute, value)
        return value


def fake(find: Callable[[str], Any]) -> Fake:
    """A stand-in whose attributes are what `find` gives for their names."""
    made = Fake()
    object.__setattr__(made, "_symcrete_find", find)
    return made


class AbsentShape:
    """An attribute that a stand-in does not have."""

    def plain(self, name: str, given: Assignment) -> Any:
        missing = name.rpartition(".")[2]
        raise AttributeError(f"'SimpleNamespace' object has no attribute {missing!r}")

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        pass

    def write(self, name: str, given: Assignment) -> Written:
        return ABSENT


ABSENT = Written("")  # stands for the text of an attribute that is not there


class FakeShape:
    """An object whose attributes have the shapes that `find` gives for their names; `made` is what
    a test calls to make it.
    """

    decides: ClassVar[bool] = True

    def __init__(
        self,
        find: Callable[[str, str], Shape],
        made: tuple[str, str] = NAMESPACE,
    ) -> None:
        self._find = find
        self._made = made
        # by the path of the object and the attribute, as read so far
        self._parts: dict[tuple[str, str], Shape] = {}

    def part(self, name: str, attribute: str) -> Shape:
        """The shape of an attribute of the object at this path."""
        found = self._parts.get((name, attribute))
        if found is None:
            found = self._parts[name, attribute] = self._find(name, attribute)
        return found

    def known(self, name: str) -> list[str]:
        """The attributes that some run has read of the object at this path."""
        return [attribute for path, attribute in self._parts if path == name]

    def plain(self, name: str, given: Assignment) -> Any:
        def find(attribute: str) -> Any:
            return self.part(name, attribute).plain(f"{name}.{attribute}", given)

        return fake(find)

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        for attribute in self.known(name):
            self.part(name, attribute).sample(f"{name}.{attribute}", pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        parts: list[Written] = []
        texts: list[str] = []
        for attribute in self.known(name):
            if not is_given(f"{name}.{attribute}", given):
                continue
            part = write(self.part(name, attribute), f"{name}.{attribute}", given)
            if part is not ABSENT:
                parts.append(part)
                texts.append(f"{attribute}={part.text}")
        made = joined(parts, f"{self._made[1]}({', '.join(texts)})")
        return Written(made.text, made.imports | {self._made})


class BlankShape(FakeShape):
    """An object of a class made without its constructor, with the attributes that are read of it.

    The last resort, for a class whose constructor takes nothing that was tried.
    """

    def __init__(
        self, kind: type, find: Callable[[str, str], Shape], named: tuple[str, str]
    ) -> None:
        super().__init__(find)
        self.kind = kind
        self._named = named  # the module and the name of the class
        self._reading = reading_class(kind)

    def blank(self, find: Callable[[str], Any]) -> Any:
        """The object; `find` gives the attributes that it does not have."""
        made: Any = object.__new__(self._reading)
        object.__setattr__(made, "_symcrete_find", find)
        return made

    def plain(self, name: str, given: Assignment) -> Any:
        def find(attribute: str) -> Any:
            return self.part(name, attribute).plain(f"{name}.{attribute}", given)

        return self.blank(find)

    def write(self, name: str, given: Assignment) -> Written:
        called = self._named[1]
        if "<" in called:
            raise NoLiteral(f"{called} has no name that a test could import")
        short = "".join(char if char.isalnum() else "_" for char in name).strip("_")
        # A class inside another is written with both names, of which the module has the first.
        imported = (self._named[0], called.split(".")[0])
        made = Written(f"object.__new__({called})", frozenset({imported}))
        parts = [made]
        for attribute in self.known(name):
            if is_given(f"{name}.{attribute}", given):
                part = write(self.part(name, attribute), f"{name}.{attribute}", given)
                if part is not ABSENT:
                    text = f'setattr({short}, "{attribute}", {part.text})'
                    parts.append(Written(text, part.imports))
        if len(parts) == 1:
            return made
        rest = ", ".join([each.text for each in parts[1:]])
        return joined(parts, f"({short} := {made.text}, {rest})[0]")


def _is_read_only(kind: type, attribute: str) -> bool:
    """Whether an attribute is a property without a setter, so that no object can be given it. This
    is asked only after the property itself has raised AttributeError.
    """
    found = inspect.getattr_static(kind, attribute, None)
    return isinstance(found, property) and found.fset is None


def reading_class(kind: type) -> type:
    """A subclass whose objects find the attributes that they do not have when these are read.

    A class that finds attributes itself is asked first; what it reads to do so is found for it.
    """
    own = getattr(kind, "__getattr__", None)
    asking: list[str] = []

    def find_attribute(self: Any, attribute: str) -> Any:
        hidden = attribute.startswith("__") or attribute == "_symcrete_find"
        if hidden or _is_read_only(kind, attribute):
            raise AttributeError(f"{kind.__name__!r} object has no attribute {attribute!r}")
        if own is not None and not asking:
            asking.append(attribute)
            try:
                return own(self, attribute)
            except AttributeError:
                pass
            finally:
                asking.clear()
        value = self._symcrete_find(attribute)
        object.__setattr__(self, attribute, value)
        return value

    # A class with slots gets a dictionary as well: what is found has to be kept somewhere.
    slots = ("_symcrete_find",) if kind.__dictoffset__ else ("_symcrete_find", "__dict__")
    named = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    names = {**named, "__slots__": slots, "__getattr__": find_attribute}
    try:
        made = type(kind)(kind.__name__, (kind,), names)
        object.__new__(made)
    except Exception as error:  # a metaclass or the layout of a built-in type may refuse
        raise UnsupportedInput(
            f"no {kind.__name__} can be made, by its constructor or without it: {error}"
        ) from None
    return made


@dataclass(frozen=True, slots=True)
class MethodShape:
    """A method of a stand-in: it gives one answer whatever it is asked, or it raises.

    Where the program asks again, each of the next calls may give another answer, from then on.
    """

    find: Callable[[str], Shape]  # the answer of the method at this path
    raises: tuple[type[Exception], ...] = ()
    asked_again: bool = False
    decides: ClassVar[bool] = True

    def other_name(self, name: str, call: int) -> str:
        """The variable that says whether this call, 2 or later, gives an answer of its own."""
        return f"{name}@{call}"

    def answer_name(self, name: str, call: int) -> str:
        """The path of the answer that is given from this call on."""
        return f"{name}()" if call == 1 else f"{name}()@{call}"

    def longer_name(self, name: str) -> str:
        """The variable that a run sets if it calls the method again after the last new answer."""
        return f"{name}@more"

    def answered(self, name: str, given: Assignment) -> list[int]:
        """For each call up to the last new answer: the call whose answer it gives."""
        found = [1]
        for call in range(2, MOST_IN_TURN + 1) if self.asked_again else ():
            found.append(call if given.get(self.other_name(name, call)) else found[-1])
        while len(found) > 1 and found[-1] == found[-2]:
            found.pop()
        return found

    def error_name(self, name: str) -> str:
        """The variable that says which exception is raised: 0 for none."""
        return f"{name}!"

    def error(self, name: str, given: Assignment) -> type[Exception] | None:
        """The class of the exception that every call raises; None if calls are answered."""
        which = given.get(self.error_name(name), 0)
        return self.raises[which - 1] if 0 < which <= len(self.raises) else None

    def plain(self, name: str, given: Assignment) -> Any:
        error = self.error(name, given)
        answers: dict[int, Any] = {}
        left = self.answered(name, given)

        def answer(*args: Any, **kwargs: Any) -> Any:
            if error is not None:
                raise error
            call = left.pop(0) if len(left) > 1 else left[0]
            if call not in answers:
                answers[call] = self.find(name).plain(self.answer_name(name, call), given)
            return answers[call]

        return answer

    def sample(self, name: str, pool: Pool, random: Random, given: Assignment) -> None:
        if self.raises:
            raising = random.random() < RAISING_DRAWN
            given[self.error_name(name)] = random.randint(1, len(self.raises)) if raising else 0
        for call in range(2, MOST_IN_TURN + 1) if self.asked_again else ():
            given[self.other_name(name, call)] = int(random.random() < OTHER_DRAWN)
        if depth_of(name) <= DEEPEST_FAKE:
            for call in dict.fromkeys(self.answered(name, given)):
                self.find(name).sample(self.answer_name(name, call), pool, random, given)

    def write(self, name: str, given: Assignment) -> Written:
        error = self.error(name, given)
        if error is not None:
            return raising_text(error)
        if not is_given(f"{name}()", given):
            return Written("lambda *args, **kwargs: None")
        calls = self.answered(name, given)
        answers = [write(self.find(name), self.answer_name(name, call), given) for call in calls]
        if len(answers) == 1:
            return Written(f"lambda *args, **kwargs: {answers[0].text}", answers[0].imports)
        texts = [each.text for each in answers]
        imports = {("unittest.mock", "Mock")}
        if given.get(self.longer_name(name)):
            imports |= {("itertools", "chain"), ("itertools", "repeat")}
            told = f"chain([{', '.join(texts[:-1])}], repeat({texts[-1]}))"
        else:
            told = f"[{', '.join(texts)}]"
        made = joined(answers, f"Mock(side_effect={told})")
        return Written(made.text, made.imports | imports)


def is_given(name: str, given: Assignment) -> bool:
    """Whether an input has variables below this path: a run that did not read it has none."""
    size = len(name)
    return any(
        each == name or (each.startswith(name) and not (each[size].isalnum() or each[size] == "_"))
        for each in given
    )


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


# -- what a stand-in has


def stand_in(reader: Reader, of: Any = None) -> Shape:
    """The shape of an object with the attributes that are read; what its class `of` declares of
    them holds.
    """
    parsed = ("argparse", "Namespace")
    made = parsed if is_library_class(of, *parsed) else NAMESPACE
    return FakeShape(_finding(reader, of), made)


def without_constructor(kind: type, named: tuple[str, str], reader: Reader) -> Shape:
    """The shape of an object made without its constructor, for a class of which no object could be
    made by calling it.
    """
    if inspect.isabstract(kind):
        raise UnsupportedInput(f"no {kind.__name__} can be made without its constructor")
    return BlankShape(kind, _finding(reader, kind), named)


def _finding(reader: Reader, of: Any) -> Callable[[str, str], Shape]:
    """The function that gives the shape of an attribute, by the path of its object and its name."""
    tree = tree_of(reader.names)
    variables = reader.variables  # what is found later is read with what they mean here

    def shaped(kinds: list[Any], name: str, attribute: str) -> Shape:
        if isinstance(of, type):
            holder = next((each for each in of.__mro__ if attribute in vars(each)), of)
            meant = as_base(of, holder, variables)
            kinds = [put_in(kind, meant) for kind in kinds]
        with reader.meaning(variables):
            return _of_kinds(kinds, name, reader)

    def part(name: str, attribute: str) -> Shape:
        member = inspect.getattr_static(of, attribute, None) if isinstance(of, type) else None
        if is_method(attribute, tree) or isinstance(member, FunctionType):
            raises = tuple(reader.told.catches[:MOST_FAKE_ERRORS])
            again = is_asked_again(attribute, tree)
            answers = answer(attribute, _declared(member, "return"))
            found: Shape = MethodShape(answers, raises, again)
        elif isinstance(of, type) and _declared(of, attribute):
            found = shaped(_declared(of, attribute), f"{name}.{attribute}", attribute)
        else:
            kinds = kinds_of_attribute(attribute, tree, reader.names)
            if isinstance(of, type):
                kinds = _as_constructed(of, attribute, kinds, reader)
            found = shaped(kinds, f"{name}.{attribute}", attribute)
        return one_of([found, AbsentShape()]) if attribute in asked_for(tree) else found

    def answer(method: str, declared: list[Any]) -> Any:
        known: dict[str, Shape] = {}

        def find(name: str) -> Shape:
            if name not in known:
                kinds = declared or kinds_of_answer(method, tree, reader.names)
                known[name] = shaped(kinds, f"{name}()", method)
            return known[name]

        return find

    return part


def _declared(holder: Any, name: str) -> list[Any]:
    """The annotation of an attribute of a class, or of what a function returns, as a list; empty
    if there is none.
    """
    try:
        hint = typing.get_type_hints(holder).get(name, Any)
    except Exception:  # names that are not there, or no class at all
        return []
    return [] if hint is Any else [hint]


def _as_constructed(of: type, attribute: str, kinds: list[Any], reader: Reader) -> list[Any]:
    """The types that uses tell, held against what the constructor of the class puts into the
    attribute: only those that agree are left, or that type where none does.
    """
    declared, put = set_by_constructor(of, attribute)
    if declared is not None:
        with contextlib.suppress(Exception):
            meant = eval(
                compile(ast.Expression(declared), "<annotation>", "eval"), dict(reader.names)
            )
            reader.shape(meant, attribute)
            return [meant]
    if put is None:
        return kinds
    same = [kind for kind in kinds if (typing.get_origin(kind) or kind) is put]
    return same or [put]


def _of_kinds(kinds: list[Any], name: str, reader: Reader) -> Shape:
    """A choice between these types; between `UNKNOWN` and a stand-in where the list is empty."""
    deep = depth_of(name) + name.count("(") > DEEPEST_FAKE
    wanted = [kind for kind in kinds or UNKNOWN if not (deep and kind is Something)]
    if not kinds and not deep:
        wanted.append(Something)
    shapes: list[Shape] = []
    for kind in wanted:
        with contextlib.suppress(UnsupportedInput):
            shapes.append(reader.shape(kind, name))
    return one_of(shapes) if shapes else ConstantShape(None)


def tree_of(names: Mapping[str, Any]) -> ast.Module:
    """The tree of the module with these names; an empty one if its text is not at hand."""
    try:
        return parsed(str(names.get("__file__")))
    except (OSError, SyntaxError, ValueError):
        return _NOTHING


_NOTHING = ast.Module([], [])
