"""Names that a module binds, while it is imported, to something that it took from elsewhere.

`DEBUG = os.environ.get("DEBUG") == "1"` holds what this machine's environment said; another one
says something else. What a name is made of is told here, which of it is the system's is not. A
call of a function of the module is made of all that the function mentions, and of what those
mention that it may call: names decide, as a method may be that of any class of the module.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from symcrete.program.source.module import SHARED_TREES
from symcrete.program.state.by_name import ANY_ATTRIBUTE
from symcrete.program.state.by_process import differing
from symcrete.program.state.owners import IMPORTING
from symcrete.program.state.scopes import nodes_of
from symcrete.slotted import dataclass

Origin = tuple[str, str]  # a module, and what of it: "os", "environ"; "pathlib", "Path.home"
# Code that asks for it suits one version of Python or another, and is not told by the machine.
_OF_PYTHON: Origin = ("sys", "version")
_WITH_DEFAULT = frozenset({"get", "getenv", "setdefault", "pop"})  # their second argument is one
_BY_PROCESS: Origin = ("builtins", "hash")  # also of addresses, and of the order of a set
# What differs between two processes, beside what stands in for other functions in a run.
OF_THE_PROCESS: frozenset[Origin] = frozenset(
    [
        *(_BY_PROCESS, ("threading", "get_ident"), ("threading", "get_native_id")),
        *(("_thread", "get_ident"), ("_thread", "get_native_id"), ("sys", "getrefcount")),
        *(("gc", "get_count"), ("gc", "get_stats"), ("gc", "get_objects"), ("gc", "collect")),
        *(("os", "getpid"), ("os", "getppid"), ("os", "times"), ("resource", "getrusage")),
        *(("time", "thread_time"), ("time", "thread_time_ns"), ("time", "process_time_ns")),
        *(("time", "clock_gettime"), ("time", "clock_gettime_ns")),
    ]
)
MADE = "()"  # how the name of a class ends that is called, and not only asked for an attribute
STAR = "*"  # the name of all that `from module import *` binds
DECORATING = "@"  # how the name of a function begins that is a decorator
_MAKING = frozenset({"__init__", "__new__", "__post_init__"})  # what calling a class calls
# what using an object calls without naming it
_USING = frozenset({"__getattr__", "__getattribute__", "__getitem__", "__call__", "__iter__"})
_USING |= {"__contains__", "__len__", "__bool__", "__enter__", "__get__", "__missing__"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Expressions whose values are of built-in classes.
_DISPLAYS = (
    *(ast.Constant, ast.JoinedStr, ast.Dict, ast.List, ast.Tuple, ast.Set),
    *(ast.DictComp, ast.ListComp, ast.SetComp),
)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a name was made of at import."""

    origins: frozenset[Origin]
    defaults: tuple[str, ...]  # texts that stand for what is not there: `get("MODE", "dev")`
    chosen: bool = False  # by the test of an `if`: its values are those that the text gives it
    choices: tuple[int | float | str | None, ...] = ()  # these values, where all are constants


def taken_names(
    bound: Iterable[tuple[str, ast.expr]],
    attributes: Mapping[tuple[str, str], Sequence[ast.expr]],
    modules: Mapping[str, str],
    imported: Mapping[str, Origin],
    chosen: Iterable[tuple[str, ast.expr]] = (),
    nodes: Iterable[ast.AST] = (),
    every_value: Mapping[str, Sequence[ast.AST]] = MappingProxyType({}),
) -> dict[str, Taken]:
    """The names that are bound to something made of other modules' names, directly or by way of
    another such name, each with what it was made of; attributes of classes as `Config.token`.

    `bound`: the names of the module and what they are bound to, in the order of the text;
    `attributes`: what the bodies of its classes bind theirs to, by class and attribute; `modules`
    and `imported`: the modules, and the names of modules, that its own names mean; `chosen`: names,
    and attributes as `Config.token`, with the tests of the `if` that they are bound in; `nodes`:
    all of the module, with the functions that may be called; `every_value`: what binds a name of
    the module, an expression only where that is its value.
    """
    asked = {**modules, IMPORTING: IMPORTING} if modules or imported else modules
    decorators = {
        f"{DECORATING}{name}{end}": (module, f"{DECORATING}{original}{end}")
        for name, (module, original) in imported.items()
        for end in ("", MADE)
    }
    text = _Text(nodes, asked, {**imported, **decorators})
    if not text.takes:
        return {}
    found: dict[str, Taken] = {}
    every = [("", name, value, False) for name, value in (*bound, *_made_with(every_value))]
    every += [
        (f"{owner}.", name, value, False)
        for (owner, name), values in attributes.items()
        for value in values
    ]
    every += [("", name, test, True) for name, test in chosen]
    # The import executes the bodies of classes where they stand, among the module's statements,
    # and what chooses a name before the statement that binds it.
    every.sort(key=lambda each: (each[2].lineno, each[2].col_offset))
    of_class: dict[str, list[str]] = {}
    for owner, name in attributes:
        of_class.setdefault(f"{owner}.{ANY_ATTRIBUTE}", []).append(f"{owner}.{name}")
    for owner, own, value, chooses in every:
        if isinstance(value, ast.Constant | ast.Lambda):
            continue
        made = text.made_of(value, _seen_from(owner, found))
        if chooses:
            origins = made.origins - {_OF_PYTHON}
            former = found.get(own, Taken(frozenset(), (), chosen=True))
            if origins and former.chosen:
                choices = _constants(every_value.get(own, ()))
                found[own] = Taken(former.origins | origins, (), chosen=True, choices=choices)
            continue
        for name in of_class.get(f"{owner}{own}", [f"{owner}{own}"]) if made.origins else ():
            former = found.get(name, Taken(frozenset(), ()))
            # Each text once: what a name is made of anew holds all that it was made of before.
            defaults = dict.fromkeys((*former.defaults, *made.defaults))
            # Where a test on `os` chooses what is of `os` it may have any value; where what is
            # chosen is of another module, it has one of those that the text gives it.
            modules_asked = {module for module, _ in former.origins}
            is_chosen = former.chosen and not any(of in modules_asked for of, _ in made.origins)
            found[name] = Taken(former.origins | made.origins, tuple(defaults), is_chosen)
    return found


def _made_with(every_value: Mapping[str, Sequence[ast.AST]]) -> Iterator[tuple[str, ast.expr]]:
    """The functions and classes of a module, and methods as `Config.load`, each with its decorators
    and the classes that it extends.
    """
    for name, values in every_value.items():
        for node in values:
            if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
                yield from ((name, each) for each in _decorators(node))
            if isinstance(node, ast.ClassDef):
                yield from ((name, each) for each in node.bases)
                yield from ((name, each.value) for each in node.keywords)
                for inner in node.body:
                    if isinstance(inner, _FUNCTIONS):
                        own = f"{name}.{inner.name}"
                        yield from ((own, each) for each in _decorators(inner))


def _decorators(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
) -> Iterator[ast.expr]:
    """The decorators of a function or class, each as a mention of what its call executes, and the
    arguments of those that are called.
    """
    for each in node.decorator_list:
        call = each.func if isinstance(each, ast.Call) else each
        end = f"{MADE if isinstance(each, ast.Call) else ''}"
        match call:
            case ast.Name(id=name):
                yield ast.copy_location(ast.Name(f"{DECORATING}{name}{end}", ast.Load()), each)
            case ast.Attribute(value=of, attr=name):
                yield of
                by = ast.Attribute(of, f"{DECORATING}{name}{end}", ast.Load())
                yield ast.copy_location(by, each)
            case _:
                yield call
        if isinstance(each, ast.Call):
            yield from (*each.args, *(word.value for word in each.keywords))


def origins_of(
    name: str,
    tree: ast.Module,
    taken: Mapping[str, Taken],
    modules: Mapping[str, str],
    imported: Mapping[str, Origin],
) -> frozenset[Origin]:
    """What something that another module mentions is made of: a name of this module, a function
    such as `load` or `Config.load`, or an object of a class, `Config()`; the other parameters are
    those of `taken_names` and what that found.
    """
    first, _, inside = name.partition(".")
    if first in imported:
        module, original = imported[first]
        return frozenset([(module, ".".join(filter(None, (original, inside))))])
    if name.startswith(DECORATING) and (plain := name.strip(f"{DECORATING}{MADE}")) in imported:
        module, original = imported[plain]
        return frozenset([(module, name.replace(plain, original))])
    # A function may be taken itself, by its decorator, and give something else.
    chosen = taken.get(name, taken.get(STAR, Taken(frozenset(), ()))).origins
    text = _text_of(tree, tuple(modules.items()), tuple(imported.items()))
    return text.made_by(name.rpartition(".")[2], taken) | chosen


@functools.lru_cache(maxsize=SHARED_TREES)
def _text_of(
    tree: ast.Module, modules: tuple[tuple[str, str], ...], imported: tuple[tuple[str, Origin], ...]
) -> _Text:
    return _Text(nodes_of(tree), dict(modules), dict(imported))


@dataclass(frozen=True, slots=True)
class _Mentioned:
    """What stands in an expression or a function."""

    origins: frozenset[Origin]
    defaults: tuple[str, ...]
    names: frozenset[str]  # of the module, or of its classes as `Config.token`
    calls: frozenset[str]  # functions and methods by their last names, classes as `Config()`


class _Text:
    """What the expressions of one module are made of, by what stands in them and in what they call;
    each function is read once.
    """

    def __init__(
        self, nodes: Iterable[ast.AST], modules: Mapping[str, str], imported: Mapping[str, Origin]
    ) -> None:
        nodes = list(nodes)
        self._modules, self._imported = modules, imported
        self._differing = differing(nodes)
        self.takes = bool(modules or imported or self._differing)
        self._called = _called_in(nodes)
        self._built_in = _built_in_values(nodes)
        self._read: dict[str, _Mentioned] = {}
        self._closures: dict[str, _Mentioned] = {}

    def made_of(self, value: ast.AST, taken: Mapping[str, Taken]) -> Taken:
        """What an expression is made of; `taken` are names that it may mention."""
        self._learn(getattr(value, "id", getattr(value, "attr", "")))
        return self._with_calls(self._mentioned([value]), taken)

    def made_by(self, called: str, taken: Mapping[str, Taken]) -> frozenset[Origin]:
        """What the functions of this last name, or the class `Config()`, give."""
        self._learn(called)
        calls = frozenset([called]) & self._called.keys()
        return self._with_calls(_Mentioned(frozenset(), (), frozenset(), calls), taken).origins

    def _learn(self, name: str) -> None:
        """Get to know what a decorator does, where this is the name of one."""
        if name.startswith(DECORATING) and name not in self._called:
            nodes = _decorating(name, self._called)
            self._called |= {name: nodes} if nodes else {}

    def _with_calls(self, first: _Mentioned, taken: Mapping[str, Taken]) -> Taken:
        origins, defaults = set(first.origins), [*first.defaults]
        for each in [first, *map(self._closure, sorted(first.calls))]:
            origins |= each.origins
            defaults += each.defaults
            for name in sorted(each.names & taken.keys()):
                origins |= taken[name].origins
                defaults += taken[name].defaults
        return Taken(frozenset(origins), tuple(dict.fromkeys(defaults)))

    def _closure(self, called: str) -> _Mentioned:
        """What stands in the functions of this last name, and in all that they may call."""
        if called not in self._closures:
            found = {called: self._read_function(called)}
            ahead = [*found.values()]
            while ahead:
                new = sorted(ahead.pop().calls - found.keys())
                found |= {each: self._read_function(each) for each in new}
                ahead += [found[each] for each in new]
            inside = found.values()
            self._closures[called] = _Mentioned(
                frozenset().union(*[each.origins for each in inside]),
                tuple(dict.fromkeys([text for each in inside for text in each.defaults])),
                frozenset().union(*[each.names for each in inside]),
                frozenset(found),
            )
        return self._closures[called]

    def _read_function(self, called: str) -> _Mentioned:
        if called not in self._read:
            self._read[called] = self._mentioned(self._called[called])
        return self._read[called]

    def _mentioned(self, inside: Iterable[ast.AST]) -> _Mentioned:
        origins: set[Origin] = set()
        defaults: list[str] = []
        names: set[str] = set()
        calls: set[str] = set()
        for node in (node for each in inside for node in nodes_of(each)):
            if node in self._differing:
                origins.add(_BY_PROCESS)
            match node:
                case ast.Name(id=name):
                    names.add(name)
                    calls.add(name)
                    origins.update(_origins(node, self._modules, self._imported))
                case ast.Attribute(value=of, attr=name):
                    names.add(f"{of.id}.{name}" if isinstance(of, ast.Name) else f".{name}")
                    calls.add("" if self._is_built_in(of) else name)
                    origins.update(_origins(node, self._modules, self._imported))
                case ast.Call(
                    func=ast.Name(id="getattr"),
                    args=[ast.Name() as of, ast.Constant(value=str() as name), *_],
                ):
                    named = ast.Attribute(of, name)
                    origins.update(_origins(named, self._modules, self._imported))
                case ast.Call(func=ast.Attribute() | ast.Name() as function, args=args):
                    made = _origins(function, self._modules, self._imported)
                    origins.update((module, f"{name}{MADE}") for module, name in made)
                    called = function.id if isinstance(function, ast.Name) else function.attr
                    names.add(f"{called}{MADE}")
                    calls.add(f"{called}{MADE}")
                    match args:
                        case [_, ast.Constant(value=str() as default)] if called in _WITH_DEFAULT:
                            defaults.append(default)
        known = frozenset(calls & self._called.keys())
        return _Mentioned(frozenset(origins), tuple(defaults), frozenset(names), known)

    def _is_built_in(self, value: ast.expr) -> bool:
        """Whether a value is of a built-in class, so that its methods are none of the module's."""
        return isinstance(value, _DISPLAYS) or (
            isinstance(value, ast.Name) and value.id in self._built_in
        )


def _built_in_values(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """The names that are bound to nothing but texts, numbers and containers as they are written."""
    displayed, bound = list[str](), list[str]()
    for node in nodes:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if isinstance(value, _DISPLAYS):
                displayed.append(name)
            case ast.arg(arg=name) | ast.alias(asname=str() as name) | ast.alias(name=name):
                bound += [name, name.partition(".")[0]]
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                bound.append(name)
            case ast.ClassDef(name=name):
                bound.append(name)
            case ast.ExceptHandler(name=str() as name) | ast.MatchAs(name=str() as name):
                bound.append(name)
            case ast.MatchStar(name=str() as name) | ast.MatchMapping(rest=str() as name):
                bound.append(name)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.append(name)
    once = Counter(displayed)
    return frozenset(name for name, many in Counter(bound).items() if once[name] == many)


def _constants(values: Sequence[ast.AST]) -> tuple[int | float | str | None, ...]:
    """The constants that some expressions are, each once; none where one is something else."""
    found: dict[tuple[type, object], int | float | str | None] = {}
    for each in values:
        match each:
            case ast.Constant(value=int() | float() | str() | None as value):
                found[type(value), value] = value
            case _:
                return ()
    return tuple(found.values())


def _seen_from(owner: str, taken: Mapping[str, Taken]) -> Mapping[str, Taken]:
    """What was found so far, with the attributes of a class, `Config.`, by their bare names too."""
    if not owner:
        return taken
    return {**taken, **{name.removeprefix(owner): each for name, each in taken.items()}}


def _called_in(nodes: Iterable[ast.AST]) -> dict[str, list[ast.AST]]:
    """What calls execute, by the last name of a function, or of a class as `Config()`."""
    found: dict[str, list[ast.AST]] = {}
    for node in nodes:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.setdefault(name, []).append(node)
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda())
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Lambda())
            ):
                found.setdefault(name, []).append(node)
            case ast.ClassDef(name=name, body=body, bases=bases):
                inside = [
                    e for e in body if not isinstance(e, _FUNCTIONS) or e.name in _MAKING | _USING
                ]
                made = [ast.Call(each, [], []) for each in bases]  # as those are made, too
                found.setdefault(f"{name}{MADE}", []).extend([*inside, *made])
    return found


def _decorating(name: str, called: Mapping[str, list[ast.AST]]) -> list[ast.AST]:
    """What is executed where a function or class stands as a decorator, or where its call does, by
    the name that `_decorators` gives that: not what the functions do that it returns.
    """
    plain = name.removeprefix(DECORATING).removesuffix(MADE)
    is_called = name.endswith(MADE)
    found: list[ast.AST] = []
    for node in called.get(plain, ()):
        inner = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else node
        body = getattr(inner, "body", [])
        statements = body if isinstance(body, list) else [body]
        found += _executed(statements, deeper=is_called)
    for node in called.get(f"{plain}{MADE}", ()):
        if not isinstance(node, _FUNCTIONS) or node.name in _MAKING:
            found.append(node)
        elif is_called and node.name == "__call__":
            found += _executed(node.body, deeper=False)
    return found


def _executed(body: Sequence[ast.AST], *, deeper: bool) -> list[ast.expr]:
    """The expressions in some statements, without the functions in them that these do not call;
    `deeper`: what is returned is called as well, so that only functions in those are left out.
    """
    found: list[ast.expr] = []
    inner: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda] = []
    own, called = _functions_in(body), set[str]()
    ahead = [*body]
    while ahead:
        node = ahead.pop()
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                inner.append(node)
                ahead += node.decorator_list
                continue
            case ast.Lambda():
                inner.append(node)
                continue
            case ast.Name(id=name) if name in own:
                continue  # it is handed on
            case ast.Call(func=ast.Name(id=name)):
                called.add(name)
        if isinstance(node, ast.expr) and not _mentions_function(node, own):
            found.append(node)
        else:
            ahead += ast.iter_child_nodes(node)
    for each in inner:
        if deeper or getattr(each, "name", "") in called:
            statements = [each.body] if isinstance(each, ast.Lambda) else each.body
            found += _executed(statements, deeper=False)
    return found


def _functions_in(body: Iterable[ast.AST]) -> set[str]:
    """The names of the functions that some statements define."""
    nodes = [node for each in body for node in nodes_of(each)]
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def _mentions_function(expression: ast.expr, names: Set[str]) -> bool:
    """Whether there is a lambda in an expression, or a function of one of these names."""
    return any(
        isinstance(each, ast.Lambda) or (isinstance(each, ast.Name) and each.id in names)
        for each in nodes_of(expression)
    )


def _origins(
    node: ast.Name | ast.Attribute, modules: Mapping[str, str], imported: Mapping[str, Origin]
) -> Iterator[Origin]:
    """What a dotted name means, if its first part is a module or of one."""
    parts: list[str] = []
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        parts.insert(0, inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name):
        return
    if inner.id in imported:
        module, name = imported[inner.id]
        yield module, ".".join((name, *parts))
    elif inner.id in modules and parts:
        *path, name = parts
        yield ".".join((modules[inner.id], *path)), name
        if path:  # a method of a class: `pathlib.Path.home`
            yield modules[inner.id], ".".join(parts)
