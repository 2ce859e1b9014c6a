"""How a test calls a target: methods on their object, generators and coroutines run to the end."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.program.source.mangling import mangled
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.names import FIXTURES, RESERVED, renamed
from symcrete.run.drain import MOST_ITEMS

AMBIGUOUS = ("l", "O", "I")  # names that linters refuse, as they look like digits


@dataclass(frozen=True, slots=True)
class Written:
    """A call as the body of a test has it."""

    before: tuple[str, ...]  # lines, indented
    call: str


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

    def once(self, found: FoundInput) -> Written:
        """The call with the input's own values; what is too long is made before it."""
        values = list(found.args.values())
        short = self.layout.width - len("    assert  == 0")
        if not self.target.is_method or not values:
            return self._seen([], self.call(values, found), found)
        call, changed = self.call(values, found), _changed(values[0])
        if changed is None and len(call) <= short:
            return self._seen([], call, found)
        short_name, texts = changed or ("", values[:1])
        name = free(snake(self.target.scope.split(".")[-2]), [self.first, *RESERVED, *FIXTURES])
        made = self.layout.assignment(name, texts[0], 4)
        for text in texts[1:]:
            made += self.layout.expression(renamed(text, {short_name: name}), 4)
        return self._seen(made, self.call([name, *values[1:]], found), found)

    def of_parameters(self, parameters: list[str], inputs: list[FoundInput]) -> Written:
        """The call with the parameters of a test that stands for several inputs."""
        call = self.call(parameters, inputs[0])
        endless = next((each for each in inputs if not ends(each)), inputs[0])
        return self._seen([], call, endless)

    def parameters(self, found: FoundInput) -> list[str]:
        """The names a test gives to what varies; an object is called after its class."""
        names = [name.lstrip("*") for name in found.args]
        if self.target.is_method and names[0] == "self":
            names[0] = free(snake(self.target.scope.split(".")[-2]), names[1:])
        used = [*RESERVED, *FIXTURES, *AMBIGUOUS, self.first]
        return [free(name, [*used, *names]) if name in used else name for name in names]

    def call(self, values: list[str], found: FoundInput) -> str:
        """The bare call."""
        passed = [
            _passed(label, value, by_keyword=label in found.keywords)
            for label, value in zip(found.args, values, strict=True)
        ]
        scope = self.target.scope
        if self.target.kind == "property":
            return f"{passed[0]}.{scope.rsplit('.', 1)[-1]}"
        if self.target.is_method:
            *_, owner, name = scope.split(".")
            if next(iter(found.args)).startswith("*"):  # the object is among them
                return f"{self.function}({', '.join(passed)})"
            return f"{passed[0]}.{mangled(owner, name)}({', '.join(passed[1:])})"
        if scope.endswith(".__new__"):
            return f"{self.function}({', '.join([self.function.rpartition('.')[0], *passed])})"
        return f"{self.function}({', '.join(passed)})"

    def _seen(self, made: list[str], call: str, found: FoundInput) -> Written:
        """With what has to be done to see the result."""
        match form_of(self.target, found):
            case "coroutine":
                call = f"asyncio.run({call})"
            case "generator" if ends(found):
                call = f"list({call})"
            case "generator":
                call = f"list(itertools.islice({call}, {MOST_ITEMS}))"
            case "asyncgen":
                made = [*made, *([""] if made else []), "    async def items():"]
                made += self.layout.expression(
                    f"[item async for item in {call}]", 8, before="return "
                )
                made, call = [*made, ""], "asyncio.run(items())"
            case _:
                pass
        return Written(tuple(made), call)


def form_of(target: TargetReport, found: FoundInput) -> str:
    """What a call gives: a generator, coroutine or asyncgen to run; or the result itself."""
    if found.drained is not None:
        return found.drained
    return target.kind if target.kind in ("coroutine", "generator", "asyncgen") else ""


def ends(found: FoundInput) -> bool:
    """Whether an iterator was seen to end, or to raise, before we stopped asking it."""
    if found.outcome != "returned":
        return True
    if found.returned is None:
        return False
    tree = ast.parse(found.returned, mode="eval").body
    return not isinstance(tree, ast.List) or len(tree.elts) < MOST_ITEMS


def _passed(label: str, value: str, *, by_keyword: bool) -> str:
    stars = "*" * (len(label) - len(label.lstrip("*")))
    return f"{label}={value}" if by_keyword and not stars else stars + value


def _changed(text: str) -> tuple[str, list[str]] | None:
    """Of `(name := made, name.change(...))[0]` the name and the parts."""
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


def free(name: str, taken: list[str]) -> str:
    """The name, with underscores behind it until nobody else has it."""
    return name if name not in taken else free(name + "_", taken)


def snake(name: str) -> str:
    """`ValueError` as `value_error`."""
    text = "".join("_" + char.lower() if char.isupper() else char for char in name)
    return text.replace(".", "_").strip("_")
