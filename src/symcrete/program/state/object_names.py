"""Which names of a module stand for objects where they are declared or called, and never for a
class or a module, as the text tells.

What is declared as `Shape` is an object unless `Shape` is a protocol, which classes and modules may
follow too, a metaclass, a type variable or another name of `type[...]`. What `Shape()` gives is an
object if `Shape` is a class that makes objects of its own, not a function.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Set

from symcrete.program.state.scopes import Scopes

LATEST_NAMES = 8  # modules whose names are remembered while they are read; chosen
# Words in the declaration of a parameter that may be given a class or a module.
_OF_ANY_KIND = frozenset({"type", "Type", "Any", "object", "ModuleType", "Callable", "Hashable"})
_OF_CLASSES = frozenset({"type", "EnumType"})  # classes whose objects are classes
_AS_METACLASS = ("Meta", "MetaClass", "Metaclass")  # how names of metaclasses end
# Names of type variables and of protocols, as they are usual, where another module defines them.
_ABSTRACT = re.compile(
    r"_?[A-Z]?T\d*(?:_co|_contra)?|_?[A-Z]\d*(?:_co|_contra)?|_?T_\w+|_?T[A-Z][a-z]\w*"
    r"|\w*[a-z\d]_?T|Supports\w+|\w+(?:Protocol|TypeVar)"
)
# Functions that make a class of objects, as a statement of a module calls them.
_CLASS_MAKERS = frozenset({"NewType", "namedtuple", "NamedTuple", "TypedDict", "make_dataclass"})
_CLASS_MAKERS |= {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@functools.lru_cache(maxsize=LATEST_NAMES)
def object_names(scopes: Scopes) -> ObjectNames:
    """What is known of the names of a module."""
    return ObjectNames(scopes)


class ObjectNames:
    """What the names of one module stand for."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._classes: dict[str, list[ast.ClassDef]] = {}
        self._functions: dict[str, list[ast.FunctionDef | ast.AsyncFunctionDef]] = {}
        self._values: dict[str, list[ast.expr]] = {}
        self._imported: set[str] = set()
        self._variables: set[str] = set()  # type variables, which may stand for a class
        self._metaclasses: set[str] = set()
        self._known: dict[str, bool] = {}
        self._making: dict[ast.ClassDef, bool] = {}  # whether their objects are classes
        for node in scopes.nodes:
            self._enter(node, later=scopes.runs_later(node))

    def _enter(self, node: ast.AST, *, later: bool) -> None:
        # `def f[T](kind: T)`, since Python 3.12
        self._variables |= {each.name for each in getattr(node, "type_params", ())}
        match node:
            case ast.ClassDef(name=name, keywords=keywords):
                self._classes.setdefault(name, []).append(node)
                self._metaclasses |= {
                    _last_name(each.value) for each in keywords if each.arg == "metaclass"
                }
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._functions.setdefault(name, []).append(node)
            case ast.alias(name=name, asname=other):
                self._imported.add(other or name.partition(".")[0])
            case ast.Assign(targets=targets, value=value) if not later:
                for each in targets:
                    self._enter_value(each, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) if not later:
                self._enter_value(target, value)
            case _ if type(node).__name__ == "TypeAlias":  # `type Kind = ...`, since Python 3.12
                self._enter_value(node.name, node.value)  # type: ignore[attr-defined]

    def _enter_value(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._values.setdefault(target.id, []).append(value)
            if isinstance(value, ast.Call) and "TypeVar" in _last_name(value.func):
                self._variables.add(target.id)

    def declares_object(self, annotation: ast.expr) -> bool:
        """Whether only objects are declared so, and containers of objects."""
        return all(self._is_of_objects(each) for each in _words(annotation))

    def _is_of_objects(self, word: str) -> bool:
        """Whether a word in a declaration lets no class and no module in."""
        if word not in self._known:
            self._known[word] = True  # a name that is defined by way of itself
            self._known[word] = self._finds_objects(word)
        return self._known[word]

    def _finds_objects(self, word: str) -> bool:
        if word in _OF_ANY_KIND | _OF_CLASSES | self._variables | self._metaclasses:
            return False
        if word.endswith(_AS_METACLASS) and word not in self._classes:
            return False
        if any(_is_protocol(each) or self.makes_classes(each) for each in self._named(word)):
            return False
        values = self._values.get(word, ())
        if not all(self._names_objects(each) for each in values):
            return False
        is_defined = word in self._classes or values
        return bool(is_defined) or not _ABSTRACT.fullmatch(word)

    def _names_objects(self, value: ast.expr) -> bool:
        """Whether what a name is given is, as a declaration, one of objects."""
        if isinstance(value, ast.Call):
            return self._makes_class(value)
        return self.declares_object(value)

    def _makes_class(self, value: ast.expr) -> bool:
        """Whether an expression makes a class whose objects are no classes."""
        if not isinstance(value, ast.Call) or _last_name(value.func) not in _CLASS_MAKERS:
            return False
        # `NewType("Kind", type)` gives what it is given.
        return _last_name(value.func) != "NewType" or all(map(self.declares_object, value.args))

    def _named(self, name: str) -> list[ast.ClassDef]:
        return self._classes.get(name, [])

    def gives_object(self, call: ast.Call) -> bool:
        """Whether a call makes an object of a class."""
        name = _last_name(call.func)
        if self._is_variable(call.func):
            return False
        classes, values = self._named(name), self._values.get(name, ())
        functions = self._functions.get(name, ())
        if functions:
            told = [each.returns for each in functions]
            return all(each is not None and self.declares_object(each) for each in told)
        if classes or values:
            makers = all(map(self._makes_class, values))
            return makers and all(map(self._makes_own, classes))
        is_unknown = isinstance(call.func, ast.Name) and name in self._scopes.bound
        if is_unknown and name not in self._imported:
            return False
        if name in self._metaclasses | _CLASS_MAKERS or name.endswith(_AS_METACLASS):
            return False
        return name.lstrip("_")[:1].isupper()

    def _is_variable(self, func: ast.expr) -> bool:
        """Whether a name belongs to a function, where the module has another one of that name."""
        if not isinstance(func, ast.Name) or func.id in self._imported | self._scopes.bound_once:
            return False
        return not self._scopes.is_global(func)

    def _makes_own(self, kind: ast.ClassDef) -> bool:
        """Whether calling a class gives an object of it, unless the text says otherwise."""
        if self.makes_classes(kind):
            return False
        for each in self._with_bases(kind):
            if any(_gives_class(part) for part in each.body):
                return False
            named = [part.value for part in each.keywords if part.arg == "metaclass"]
            metaclasses = [found for part in named for found in self._named(_last_name(part))]
            bodies = [
                part for one in metaclasses for of in self._with_bases(one) for part in of.body
            ]
            if any(isinstance(part, _FUNCTIONS) and part.name == "__call__" for part in bodies):
                return False
        return True

    def makes_classes(self, kind: ast.ClassDef) -> bool:
        """Whether the objects of a class are classes, as those of a metaclass are."""
        if kind not in self._making:
            self._making[kind] = any(
                each.name in self._metaclasses or any(map(self._is_metaclass, each.bases))
                for each in self._with_bases(kind)
            )
        return self._making[kind]

    def _is_metaclass(self, base: ast.expr) -> bool:
        name = _last_name(base)
        if isinstance(base, ast.Call):  # `class Meta(type(Base))`
            return name == "type"
        others = {_last_name(each) for each in self._values.get(name, ())}
        return bool({name, *others} & _OF_CLASSES) or name.endswith(_AS_METACLASS)

    def _with_bases(self, kind: ast.ClassDef) -> Iterator[ast.ClassDef]:
        """A class and those of the module that it derives from."""
        ahead, seen = [kind], {kind}
        for each in ahead:
            yield each
            found = [one for base in each.bases for one in self._named(_last_name(base))]
            ahead += [one for one in dict.fromkeys(found) if one not in seen]
            seen.update(found)


def _words(annotation: ast.expr) -> Set[str]:
    return set(re.findall(r"\b[A-Za-z_]\w*", ast.unparse(annotation)))


def _is_protocol(kind: ast.ClassDef) -> bool:
    return any(_last_name(each) == "Protocol" for each in kind.bases)


def _gives_class(part: ast.stmt) -> bool:
    """Whether this is a `__new__` that returns its class."""
    if not isinstance(part, ast.FunctionDef) or part.name != "__new__":
        return False
    first = [each.arg for each in (*part.args.posonlyargs, *part.args.args)][:1]
    returned = [each.value for each in ast.walk(part) if isinstance(each, ast.Return)]
    return any(isinstance(each, ast.Name) and each.id in first for each in returned)


def _last_name(node: ast.AST | None) -> str:
    """The last part of the name of a class or function, also of `Box[int]` and of `make(...)`."""
    while isinstance(node, ast.Subscript | ast.Call):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return str(getattr(node, "id", getattr(node, "attr", "")))
