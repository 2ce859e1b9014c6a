"""Modules that a program looks up while it runs: `sys.modules[name]`, `import_module(name)`.

Who sets an attribute of such a module binds a name of it that no text says. What a look-up gives is
followed through the module in which it stands: the names and attributes that it is kept under, the
functions that return it, and the containers that it is put in. Where it is handed to a plain
function of the module, its parameter is it. Where it is handed to another one, every parameter that
is not declared to be something else may be it, unless the function is one of another module and is
given none of this one to call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from symcrete.program.source.side_effects import MUTATORS
from symcrete.program.state.scopes import FUNCTIONS, Scopes, nodes_of

# Words without one of which a module looks up none, and is given none that is declared as one.
LOOKUP_WORDS = ("modules", "import_module", "__import__", "getmodule", "ModuleType")
_FINDERS = frozenset({"import_module", "__import__", "getmodule"})  # functions that give modules
_TABLE, _TABLE_OWNER = "modules", "sys"
_TYPE = "ModuleType"
_ANY_TYPE = (_TYPE, "Any", "object")  # how parameters are declared that may be modules
_OF_TABLES = frozenset({"get", "values", "items", "copy", "pop", "popitem", "setdefault"})
_OF_TABLES |= {"__getitem__"}
_PLAIN = frozenset({"str", "int", "bool", "float", "bytes", "None"})  # which hold no module
_WRITTEN_OUT = (ast.Constant, ast.JoinedStr)  # whose values are plain ones
_METHODS = (ast.FunctionDef, ast.AsyncFunctionDef)
# What gives, or holds, what is in it.
_AROUND = (
    *(ast.BoolOp, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.Await, ast.BinOp),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda),
)
# Functions that only look at what they are given, and those whose results hold it.
_LOOKING = frozenset({"len", "isinstance", "issubclass", "getattr", "hasattr", "setattr"})
_LOOKING |= {"delattr", "vars", "dir", "str", "repr", "print", "bool", "id", "type", "callable"}
_HOLDING = frozenset({"list", "tuple", "set", "frozenset", "dict", "sorted", "reversed", "iter"})
_HOLDING |= {"next", "enumerate", "zip", "filter", "reload"}
# Methods that only show what they are given, where the program has none of this name itself.
LOGGING = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})
_Method: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_Key: TypeAlias = tuple[ast.AST | None, str]  # a name, and the outermost function that has it


class LookedUp:
    """Which expressions of a module may give a module that is looked up, or hold some."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes
        self._given: set[ast.AST] = set()
        self._ahead: list[ast.AST] = []
        # Names, attributes and functions that are followed already.
        self._kept: set[_Key | str | ast.AST] = set()
        self._handed_on = False
        self._imported: set[str] = set()
        self._functions: set[str] = set()  # names of functions, methods and classes of the module
        self._classes: dict[str, ast.ClassDef] = {}  # that give an object of their own when called
        # functions and methods by their names, and those that make an object by that of its class
        self._defined: dict[str, list[_Method]] = {}
        self._constructors: dict[str, list[_Method]] = {}
        self._names: dict[str, list[ast.Name]] = {}
        self._attributes: dict[str, list[ast.Attribute]] = {}
        begins = list(self._begins())
        if begins:
            self._index()
        for node in begins:
            self._begin(node)
        while self._ahead:
            self._follow(self._ahead.pop())

    def is_module(self, owner: ast.expr) -> bool:
        """Whether an expression may be such a module, or what one holds."""
        while owner not in self._given:
            match owner:
                case ast.Attribute(value=of):
                    owner = of
                case ast.Call(func=ast.Name(id="getattr"), args=[of, *_]):
                    owner = of
                case _:
                    return False
        return True

    # -- where look-ups begin

    def _begins(self) -> Iterator[ast.AST]:
        """Names of functions and tables that give modules, and what is declared to be one."""
        imported, tables = {_TABLE_OWNER}, set()
        finders = set(_FINDERS)
        for node in self._scopes.nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                for alias in node.names:
                    name = alias.asname or alias.name.partition(".")[0]
                    imported.add(name)
                    if alias.name in _FINDERS:
                        finders.add(name)
                    elif alias.name == _TABLE:
                        tables.add(name)
        if _TABLE not in self._scopes.bound:
            tables.add(_TABLE)
        for node in self._scopes.nodes:
            match node:
                case ast.Name(id=name) if name in finders or name in tables:
                    yield node
                case ast.Attribute(attr=name) if name in _FINDERS:
                    yield node
                case ast.Attribute(value=of, attr=name) if name == _TABLE:
                    if _last_name(of) in imported:
                        yield node
                case ast.arg(annotation=ast.expr() as kind):
                    if _TYPE in ast.unparse(kind):
                        yield node
                case ast.AnnAssign(annotation=kind) if _TYPE in ast.unparse(kind):
                    yield node
                case (
                    ast.FunctionDef(returns=ast.expr() as kind)
                    | ast.AsyncFunctionDef(returns=ast.expr() as kind)
                ):
                    if _TYPE in ast.unparse(kind):
                        yield node

    def _begin(self, node: ast.AST) -> None:
        match node:
            case ast.arg(arg=name):
                self._keep_name((self._outermost(node), name))
            case ast.AnnAssign(target=target):
                self._keep(target)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._keep_everywhere(node, name)
            case _:
                self._reach(node)

    def _index(self) -> None:
        for node in self._scopes.nodes:
            if isinstance(node, ast.Name):
                self._names.setdefault(node.id, []).append(node)
            elif isinstance(node, ast.Attribute):
                self._attributes.setdefault(node.attr, []).append(node)
            elif isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
                self._imported |= names & self._scopes.bound_once
            elif isinstance(node, (*_METHODS, ast.ClassDef)):
                self._functions.add(node.name)
                if isinstance(node, ast.ClassDef):
                    self._index_class(node)
                else:
                    self._defined.setdefault(node.name, []).append(node)

    def _index_class(self, kind: ast.ClassDef) -> None:
        if _is_plain(kind):
            self._classes[kind.name] = kind
        for each in kind.body:
            if isinstance(each, _METHODS) and each.name == "__init__":
                self._constructors.setdefault(kind.name, []).append(each)

    # -- where they go

    def _reach(self, node: ast.AST) -> None:
        if node not in self._given:
            self._given.add(node)
            self._ahead.append(node)

    def _follow(self, node: ast.AST) -> None:
        """Go on to what takes the value of an expression."""
        around = self._scopes.parent.get(node)
        match around:
            case ast.Call(func=func):
                if func is node:
                    self._reach(around)
                else:
                    self._hand_on(around)
            case ast.keyword():
                call = self._scopes.parent.get(around)
                if isinstance(call, ast.Call):
                    self._hand_on(call)
            case ast.Attribute(attr=name) if name in _OF_TABLES:
                self._reach(around)
            case ast.Subscript(value=value) if value is node:
                self._reach(around)
            case ast.Assign(targets=targets, value=value) if value is node:
                for each in targets:
                    self._keep(each)
            case ast.NamedExpr(target=target, value=value) if value is node:
                self._keep(target)
                self._reach(around)
            case (
                ast.AnnAssign(target=target, value=value)
                | ast.AugAssign(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.withitem(optional_vars=ast.expr() as target, context_expr=value)
            ) if value is node:
                self._keep(target)
            case ast.Match(cases=cases):
                for choice in cases:
                    self._keep_pattern(choice.pattern)
            case ast.IfExp(test=test) if test is not node:
                self._reach(around)
            case ast.Return() | ast.Yield() | ast.YieldFrom():
                self._give_back(around)
            case ast.arguments():
                self._hand_to_any()
            case _ if isinstance(around, _AROUND):
                self._reach(around)

    def _give_back(self, node: ast.AST) -> None:
        """Follow what calls of the function around a node give."""
        for each in self._scopes.around(node):
            if isinstance(each, _METHODS):
                self._keep_everywhere(each, each.name)
                return

    def _hand_on(self, call: ast.Call) -> None:
        name = _last_name(call.func)
        is_method = isinstance(call.func, ast.Attribute)
        if name in _LOOKING:
            return
        if name in LOGGING and is_method and name not in self._functions:
            return
        if name in _HOLDING and not (is_method and name in self._defined):
            self._reach(call)
            return
        taken = self._taken_by(call)
        if taken is not None:
            for each in taken:
                self._keep_name((self._outermost(each), each.arg))
            if not _gives_plain(self._scopes.functions[name]):
                self._reach(call)
            return
        if isinstance(call.func, ast.Attribute) and name in MUTATORS:
            if not self._is_own(call.func.value):
                self._keep(call.func.value)
        elif not name.lstrip("_")[:1].isupper():  # an object that is made is no module
            self._reach(call)
        for each in self._taken_by_any(call):
            self._keep_name((self._outermost(each), each.arg))
        if not self._stays_outside(call):
            self._hand_to_any()

    def _taken_by(self, call: ast.Call) -> list[ast.arg] | None:
        """The parameters that get what is followed, where a function of the module is called by its
        name, one by one; None where others may get it, too.
        """
        match call.func:
            case ast.Name(id=name) if self._scopes.is_global(call.func):
                function = self._scopes.functions.get(name)
            case _:
                function = None
        if function is None or any(_shows_locals(each) for each in nodes_of(function)):
            return None
        return self._matched(call, function.args, 0)

    def _matched(self, call: ast.Call, taking: ast.arguments, given: int) -> list[ast.arg] | None:
        """The parameters that get what is followed, behind the first ones, which are given
        otherwise; None where the text does not tell.
        """
        by_place = [*taking.posonlyargs, *taking.args][given:]
        by_name = {each.arg: each for each in [*taking.args, *taking.kwonlyargs]}
        found: list[ast.arg | None] = []
        for place, arg in enumerate(call.args):
            if isinstance(arg, ast.Starred):
                return None
            if arg in self._given:
                found.append(by_place[place] if place < len(by_place) else taking.vararg)
        for keyword in call.keywords:
            if keyword.arg is None:
                return None
            if keyword.value in self._given:
                found.append(by_name.get(keyword.arg, taking.kwarg))
        return [each for each in found if each is not None]

    def _taken_by_any(self, call: ast.Call) -> Iterator[ast.arg]:
        """The parameters, however they are declared, that get what is followed if a call is one of
        a function or method of the module, or makes an object of a class of it.
        """
        name = _last_name(call.func)
        makes = name in self._constructors
        for method in (self._constructors if makes else self._defined).get(name, ()):
            static = any(_last_name(each) == "staticmethod" for each in method.decorator_list)
            of_class = any(_last_name(each) == "classmethod" for each in method.decorator_list)
            through = _last_name(getattr(call.func, "value", None)) in self._functions
            in_class = isinstance(self._scopes.parent.get(method), ast.ClassDef)
            has_none = static or not in_class or (through and not of_class and not makes)
            given = 0 if has_none else 1
            taken = self._matched(call, method.args, given)
            if taken is None:
                taken = [*method.args.posonlyargs, *method.args.args][given:]
                taken += method.args.kwonlyargs
            yield from taken

    def _stays_outside(self, call: ast.Call) -> bool:
        """Whether a call is one of another module that is given nothing of this one to call."""
        if not self._is_imported(call.func):
            return False
        given = [*call.args, *(each.value for each in call.keywords)]
        inner = [each for part in (call.func, *given) for each in nodes_of(part)]
        if any(isinstance(e, ast.Lambda) or _last_name(e) in self._functions for e in inner):
            return False
        return all(
            isinstance(each, ast.Constant) or each in self._given or self._is_imported(each)
            for each in given
        )

    def _is_imported(self, node: ast.expr) -> bool:
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id in self._imported

    def _hand_to_any(self) -> None:
        """Follow every parameter that may be a module."""
        if self._handed_on:
            return
        self._handed_on = True
        for node in self._scopes.nodes:
            match node:
                case ast.arg(arg=name, annotation=kind) if not self._is_first(node):
                    told = ast.unparse(kind) if kind is not None else _ANY_TYPE[0]
                    if any(each in told for each in _ANY_TYPE):
                        self._keep_name((self._outermost(node), name))

    # -- under what they are kept

    def _keep(self, target: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                is_global = self._scopes.is_global(target)
                self._keep_name((None if is_global else self._outermost(target), name))
                if self._is_in_class(target):
                    self._keep_attribute(name)
            case ast.Tuple(elts=inner) | ast.List(elts=inner):
                for each in inner:
                    self._keep(each)
            case ast.Starred(value=value) | ast.Subscript(value=value):
                self._keep(value)
            case ast.Attribute(attr=name):
                self._keep_attribute(name)

    def _keep_pattern(self, pattern: ast.pattern) -> None:
        """Follow the names that a pattern binds; the text of the pattern does not say whether they
        are declared to be global.
        """
        for each in nodes_of(pattern):
            match each:
                case (
                    ast.MatchAs(name=str() as name)
                    | ast.MatchStar(name=str() as name)
                    | ast.MatchMapping(rest=str() as name)
                ):
                    self._keep_name((self._outermost(pattern), name))
                    self._keep_name((None, name))

    def _keep_name(self, key: _Key) -> None:
        if key in self._kept:
            return
        self._kept.add(key)
        function, name = key
        for each in self._names.get(name, ()):
            outermost = None if self._scopes.is_global(each) else self._outermost(each)
            if isinstance(each.ctx, ast.Load) and outermost is function:
                self._reach(each)

    def _keep_attribute(self, name: str) -> None:
        if name in self._kept:
            return
        self._kept.add(name)
        for each in self._attributes.get(name, ()):
            if isinstance(each.ctx, ast.Load):
                self._reach(each)

    def _keep_everywhere(self, function: ast.AST, name: str) -> None:
        """Follow a function, whether it is a method, of the module or inside another one."""
        if function in self._kept:
            return
        self._kept.add(function)
        for attribute in self._attributes.get(name, ()):
            if isinstance(attribute.ctx, ast.Load) and not self._is_of_another(attribute, function):
                self._reach(attribute)
        for each in self._names.get(name, ()):
            if isinstance(each.ctx, ast.Load):
                self._reach(each)

    def _is_of_another(self, attribute: ast.Attribute, method: ast.AST) -> bool:
        """Whether this is a method of an object that is made there, by a class with its own."""
        match attribute.value:
            case ast.Call(func=ast.Name(id=name)) if name in self._scopes.bound_once:
                kind = self._classes.get(name)
                if kind is None or kind is self._scopes.parent.get(method):
                    return False
                own = {each.name for each in kind.body if isinstance(each, _METHODS)}
                return attribute.attr in own and "__new__" not in own
        return False

    # -- where a name stands

    def _outermost(self, node: ast.AST) -> ast.AST | None:
        found = None
        for each in self._scopes.around(node):
            if isinstance(each, FUNCTIONS):
                found = each
        return found

    def _is_in_class(self, name: ast.Name) -> bool:
        for each in self._scopes.around(name):
            if isinstance(each, (*FUNCTIONS, ast.ClassDef)):
                return isinstance(each, ast.ClassDef)
        return False

    def _is_own(self, owner: ast.expr) -> bool:
        """Whether a name is the first parameter of the method around it."""
        for each in self._scopes.around(owner):
            if isinstance(each, _METHODS) and isinstance(owner, ast.Name):
                arguments = [*each.args.posonlyargs, *each.args.args]
                own = bool(arguments) and arguments[0].arg == owner.id
                return own and self._is_first(arguments[0])
        return False

    def _is_first(self, parameter: ast.arg) -> bool:
        """Whether this is the parameter of a method that is given its object."""
        arguments = self._scopes.parent.get(parameter)
        method = self._scopes.parent.get(arguments) if arguments is not None else None
        if not isinstance(method, _METHODS) or not isinstance(arguments, ast.arguments):
            return False
        first = [*arguments.posonlyargs, *arguments.args][:1]
        static = any(_last_name(each) == "staticmethod" for each in method.decorator_list)
        in_class = isinstance(self._scopes.parent.get(method), ast.ClassDef)
        return in_class and not static and first == [parameter]


def _gives_plain(function: ast.FunctionDef) -> bool:
    """Whether a function gives a text, a number or nothing, by its declaration or by its text."""
    if function.returns is not None and ast.unparse(function.returns) in _PLAIN:
        return True
    inside = list(nodes_of(function))
    returned = [each.value for each in inside if isinstance(each, ast.Return)]
    plain = all(each is None or isinstance(each, _WRITTEN_OUT) for each in returned)
    return plain and not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in inside)


def _shows_locals(node: ast.AST) -> bool:
    """Whether a function with this node may hand on its variables without their names."""
    match node:
        case ast.Name(id="locals" | "eval" | "exec") | ast.Call(func=ast.Name(id="vars"), args=[]):
            return True
        case _:
            return False


def _is_plain(kind: ast.ClassDef) -> bool:
    return not (kind.bases or kind.keywords or kind.decorator_list)


def _last_name(node: ast.AST | None) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
