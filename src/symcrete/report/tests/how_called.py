"""How a test calls a target: methods on their object, generators and coroutines run to the end."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace

from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.inputs.told_apart import renamed
from symcrete.program.source.mangling import mangled
from symcrete.program.source.special import CONSTRUCTING, IN_PLACE, spelling_of
from symcrete.program.source.target import INNER_TEST
from symcrete.report.tests.how_used import body_of, used_lines
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import FIXTURES, RESERVED, free
from symcrete.run.drain import MOST_ITEMS
from symcrete.run.use import Ending
from symcrete.slotted import dataclass

ITEMS_SHOWN = 10  # items of an endless iterator that a test compares: enough to tell it from others
WITHOUT_CONSTRUCTOR = (
    "    # Made without its constructor: no call of it was found that gives such an object."
)
_EMPTY = ("()", "[]", "{}")  # what is passed for `*args` or `**kwargs` where there is nothing
AMBIGUOUS = ("l", "O", "I")  # names that linters refuse, as they look like digits


@dataclass(frozen=True, slots=True)
class Written:
    """A call as the body of a test has it."""

    before: tuple[str, ...]  # lines, indented
    call: str
    context: str = ""  # what a `with` enters, if the error that a test expects is raised inside it
    body: str = ""  # the statement inside that `with`
    names: Mapping[str, str] = field(default_factory=dict)  # of arguments, by parameter


@dataclass(frozen=True, slots=True)
class Caller:
    """Writes the calls of one target; `function` is what the test file calls it."""

    target: TargetReport
    function: str
    layout: Layout

    @property
    def first(self) -> str:
        """The name that a call begins with."""
        return self.function.split(".")[0]

    def once(self, found: FoundInput, looked_at: Collection[str] = ()) -> Written:
        """The call with the input's own values. What is too long for one line, and the arguments
        that are looked at afterwards, are made and named in lines before it.
        """
        first = next(iter(found.args.values()), "")
        changed = changed_object(first) if self.target.is_method else None
        named, values = self._named(list(found.args.values()), 0 if changed is None else 1)
        names = self._names_for(found, looked_at)
        for index, label in enumerate(found.args):
            if label in names and not (self.target.is_method and index == 0):
                named += self._assigned(names[label], values[index])
                values[index] = names[label]
        made = self._once(found, named, values, changed, looked_at)
        return replace(made, names=names | dict(made.names))

    def _names_for(self, found: FoundInput, looked_at: Collection[str]) -> dict[str, str]:
        """What the arguments that are looked at are called; those that have a name keep it."""
        before = [node.id for text in found.setup for node in _names_set(text)]
        called = dict(zip(found.args, self.parameters(found), strict=True))
        return {
            label: found.args[label] if _is_name(found.args[label]) else free(called[label], before)
            for label in found.args
            if label in looked_at
        }

    def _assigned(self, name: str, text: str) -> list[str]:
        return [] if name == text else self.layout.assignment(name, text, 4)

    def _once(
        self,
        found: FoundInput,
        named: list[str],
        values: list[str],
        changed: tuple[str, list[str]] | None,
        looked_at: Collection[str],
    ) -> Written:
        short = self.layout.width - len("    assert  == 0")
        if not self.target.is_method or not values:
            return self._seen(named, self.call(values, found), found)
        label, first = next(iter(found.args.items()))
        call = self.call(values, found)
        plain = changed is None and len(call) <= short and not is_blank(first)
        if plain and label not in looked_at:
            return self._seen(named, call, found)
        short_name, texts = changed or ("", values[:1])
        name = free(self._of_class(), [self.first, *RESERVED, *FIXTURES])
        made = [WITHOUT_CONSTRUCTOR] if is_blank(texts[0]) else []
        made += self.layout.assignment(name, texts[0], 4)
        for text in texts[1:]:
            made += self._change(renamed(text, {short_name: name}))
        written = self._seen([*named, *made], self.call([name, *values[1:]], found), found)
        return replace(written, names={label: name})

    def _change(self, text: str) -> list[str]:
        """The lines of the statement for an expression that changes an object: `a.x = 1` for
        `setattr(a, "x", 1)`, `a += b` for `a.__iadd__(b)`.
        """
        match ast.parse(text, mode="eval").body:
            case ast.Call(
                func=ast.Name(id="setattr"),
                args=[ast.Name(id=holder), ast.Constant(value=str() as attribute), value],
            ) if _is_name(attribute):
                held = ast.get_source_segment(text, value) or ""
                return self.layout.assignment(f"{holder}.{attribute}", held, 4)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=holder), attr="__setitem__"),
                args=[key, value],
                keywords=[],
            ):
                item, held = [ast.get_source_segment(text, each) or "" for each in (key, value)]
                return self.layout.assignment(f"{holder}[{item}]", held, 4)
            case ast.Attribute():  # a property that changes its object when it is read
                return self.layout.assignment("_", text, 4)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=holder), attr=method),
                args=[value],
                keywords=[],
            ) if method in IN_PLACE:
                held = ast.get_source_segment(text, value) or ""
                return self.layout.expression(held, 4, before=f"{holder} {IN_PLACE[method]} ")
            case _:
                return self.layout.expression(text, 4)

    def _named(self, values: list[str], start: int) -> tuple[list[str], list[str]]:
        """Statements for what the values name with `:=`, and the values without it."""
        lines: list[str] = []
        for number in range(start, len(values)):
            changed = changed_object(values[number])
            if changed is not None and ":=" not in " ".join(changed[1]):
                name, (made, *changes) = changed
                lines += self.layout.assignment(name, made, 4)
                lines += [line for text in changes for line in self._change(text)]
                values[number] = name
            for name, text in _hoisted(values[number]):
                lines += self.layout.assignment(name, text, 4)
            values[number] = _without_names(values[number])
        return lines, values

    def of_parameters(self, parameters: list[str], inputs: list[FoundInput]) -> Written:
        """The call with the parameters of a test that stands for several inputs."""
        return self._seen([], self.call(parameters, inputs[0]), inputs[0])

    def parameters(self, found: FoundInput) -> list[str]:
        """The names a test gives to what varies; an object is called after its class."""
        names = [name.lstrip("*") for name in found.args]
        if self.target.is_method and names[0] == "self":
            names[0] = free(self._of_class(), names[1:])
        used = [*RESERVED, *FIXTURES, *AMBIGUOUS, self.first]
        return [free(name, [*used, *names]) if name in used else name for name in names]

    def _of_class(self) -> str:
        """What an object of the target's class is called: after it, without hiding a built-in."""
        return free(snake(self.target.scope.split(".")[-2]), dir(builtins))

    def call(self, values: list[str], found: FoundInput) -> str:
        """The call as one expression, written as people do: `a + b` for `__add__`, `C(...)` for a
        constructor, an attribute for a property.
        """
        passed = [
            each
            for label, value in zip(found.args, values, strict=True)
            for each in _passed(label, value, by_keyword=label in found.keywords)
        ]
        scope = self.target.scope
        around, _, written = scope.rpartition(".")
        stored = mangled(around.rpartition(".")[2], written)
        owner, _, name = self.function.rpartition(".")
        function = f"{owner}.{stored}" if around and name == written else self.function
        if self.target.kind == "property":
            return f"{passed[0]}.{stored}"
        if self.target.kind == "setter":
            return f'setattr({passed[0]}, "{stored}", {passed[1]})'
        if self.target.kind == "given":
            return f"{self.function}{INNER_TEST}({', '.join(passed)})"
        if self.target.is_method:
            spelling = spelling_of(scope, len(values))
            if spelling is not None and len(passed) == len(values):
                return spelling.written(passed)
            if written == "__call__":
                return f"{passed[0]}({', '.join(passed[1:])})"
            if next(iter(found.args)).startswith("*"):  # the object is among them
                return f"{function}({', '.join(passed)})"
            return f"{passed[0]}.{stored}({', '.join(passed[1:])})"
        if name in CONSTRUCTING:
            return f"{owner}({', '.join(passed)})"
        if scope.endswith(".__new__"):
            return f"{self.function}({', '.join([self.function.rpartition('.')[0], *passed])})"
        return f"{function}({', '.join(passed)})"

    def _seen(self, made: list[str], call: str, found: FoundInput) -> Written:
        """The call with what a test does to see its result: the uses of the input are made, a
        coroutine is run, an iterator is made a list.
        """
        if found.uses:
            taken = [self.first, *RESERVED, *FIXTURES, *[each.lstrip("*") for each in found.args]]
            lines, call, context = used_lines(self.layout, found, call, taken)
            made = [*made, *lines]
            if context:
                return Written(tuple(made), call, context, body_of(found.uses[-1]))
        match form_of(self.target, found):
            case "coroutine":
                call = f"asyncio.run({call})"
            case "generator":
                call = f"list({_iterated(call)})"
            case "endless":
                call = f"list(itertools.islice({_iterated(call)}, {ITEMS_SHOWN}))"
            case "asyncgen":
                name = free("items", [each.id for each in _names(call)])
                made = [*made, *([""] if made else []), f"    async def {name}():"]
                made += self.layout.expression(
                    f"[item async for item in {call}]", 8, before="return "
                )
                made, call = [*made, ""], f"asyncio.run({name}())"
            case _:
                pass
        return Written(tuple(made), call)


def _names(text: str) -> list[ast.Name]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]


def _names_set(text: str) -> list[ast.Name]:
    """The names that a statement assigns to."""
    return [node for node in _names(text) if isinstance(node.ctx, ast.Store)]


def is_blank(text: str) -> bool:
    """Whether an expression makes an object without its constructor."""
    return text.startswith(("object.__new__(", "(self := object.__new__("))


def without_empty(inputs: Iterable[FoundInput]) -> list[FoundInput]:
    """The inputs without `*args` and `**kwargs` that are empty in all of them and not looked at
    after the call: nobody would write them.
    """
    kept = list(inputs)
    needed = {
        label
        for each in kept
        for label, text in each.args.items()
        if not label.startswith("*") or text not in _EMPTY
    }
    needed |= {seen.of for each in kept for seen in each.seen}
    return [
        replace(each, args={label: text for label, text in each.args.items() if label in needed})
        for each in kept
    ]


def _iterated(call: str) -> str:
    """What an expression `iter(c)` iterates over: a test that asks for all items need not call
    `iter`.
    """
    return call.removeprefix("iter(").removesuffix(")") if call.startswith("iter(") else call


def form_of(target: TargetReport, found: FoundInput) -> str:
    """What a call gives: "generator", "endless" for one that was not seen to end, "coroutine" or
    "asyncgen"; "" for a plain result.
    """
    form = found.drained
    if form is None:
        form = target.kind if target.kind in ("coroutine", "generator", "asyncgen") else ""
    return "endless" if form == "generator" and not ends(found) else form


def first_items(found: FoundInput) -> FoundInput:
    """An input whose iterator did not end, with as many items as a test compares."""
    if found.returned is None:
        return found
    tree = ast.parse(found.returned, mode="eval").body
    assert isinstance(tree, ast.List)
    parts = [ast.get_source_segment(found.returned, each) or "" for each in tree.elts]
    shown = f"[{', '.join(parts[:ITEMS_SHOWN])}]"
    return replace(found, returned=shown, drained="endless")


def ends(found: FoundInput) -> bool:
    """Whether an iterator was seen to end, or to raise, before we stopped asking it."""
    if found.outcome != Ending.RETURNED:
        return True
    if found.returned is None:
        return False
    tree = ast.parse(found.returned, mode="eval").body
    return not isinstance(tree, ast.List) or len(tree.elts) < MOST_ITEMS


def _passed(label: str, value: str, *, by_keyword: bool) -> list[str]:
    """The arguments that a call passes for one parameter: one, or any number for `*args` and
    `**kwargs`.
    """
    stars = "*" * (len(label) - len(label.lstrip("*")))
    if not stars:
        return [f"{label}={value}" if by_keyword else value]
    tree = ast.parse(value, mode="eval").body

    def text(node: ast.AST) -> str:
        return ast.get_source_segment(value, node) or ""

    match tree:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if stars == "*":
            return [text(part) for part in parts]
        case ast.Dict(keys=keys, values=parts) if stars == "**":
            names = [str(key.value) for key in keys if isinstance(key, ast.Constant)]
            if len(names) == len(parts) and all(map(_is_name, names)):
                return [f"{n}={text(part)}" for n, part in zip(names, parts, strict=True)]
        case _:
            pass
    return [stars + value]


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def changed_object(text: str) -> tuple[str, list[str]] | None:
    """The name and the parts of an expression `(name := made, name.change(...))[0]`; None for any
    other.
    """
    if ":=" not in text:
        return None
    match ast.parse(text, mode="eval").body:
        case ast.Subscript(
            value=ast.Tuple(elts=[ast.NamedExpr(target=ast.Name(id=name), value=made), *changes]),
            slice=ast.Constant(value=0),
        ):
            parts = [made, *changes]
            return name, [ast.get_source_segment(text, part) or "" for part in parts]
        case _:
            return None


def _namings(text: str) -> list[ast.NamedExpr]:
    """The parts of an expression that give a name to a value, innermost first."""
    if ":=" not in text:
        return []
    found: list[ast.NamedExpr] = []

    def visit(node: ast.AST) -> None:
        if isinstance(
            node, ast.Lambda | ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp
        ):
            return  # evaluated later, or many times
        for child in ast.iter_child_nodes(node):
            visit(child)
        if isinstance(node, ast.NamedExpr):
            found.append(node)

    visit(ast.parse(text, mode="eval"))
    return found


def _hoisted(text: str) -> list[tuple[str, str]]:
    """The names that an expression gives with `:=`, each with the expression of its value, in the
    order in which they are evaluated.
    """
    parts = [
        (each.target.id, ast.get_source_segment(text, each.value) or "") for each in _namings(text)
    ]
    return [(name, _without_names(part)) for name, part in parts]


def _without_names(text: str) -> str:
    """The expression with only the name in place of each `name := value`."""
    while found := _namings(text):
        outer = found[-1]
        part = ast.get_source_segment(text, outer) or ""
        bracketed = f"({part})"
        text = text.replace(bracketed if bracketed in text else part, outer.target.id, 1)
    return text


def snake(name: str) -> str:
    """`ValueError` as `value_error`, `HTTPError` as `http_error`."""
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return text.replace(".", "_").strip("_").lower()
