"""The inputs of one target as tests: one for the results, one for each class of error.

An input whose result cannot be compared with `==` (nan, -0.0), or that needs something set up
first, has a test of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from types import MappingProxyType

from symcrete.explore.findings import FoundInput, TargetReport
from symcrete.report.tests.asserted import assertion, comparison
from symcrete.report.tests.how_called import (
    Caller,
    Written,
    changed_object,
    first_items,
    form_of,
    is_blank,
    snake,
    without_empty,
)
from symcrete.report.tests.how_used import within_both
from symcrete.report.tests.layout import Layout
from symcrete.report.tests.looked import (
    Look,
    assertions,
    columns_of,
    ending_of,
    labels_looked_at,
    looks_of,
    with_unchanged,
)
from symcrete.report.tests.names import (
    FIXTURES,
    Bindings,
    Import,
    different,
    free,
    identifier,
    in_words,
    listed_as,
    quoted,
    renamed_input,
    telling,
)
from symcrete.report.tests.situated import imported_above, laid_out
from symcrete.report.tests.untestable import names_a_place, untestable
from symcrete.run.use import Ending
from symcrete.slotted import dataclass

MOST_EXPECTED = 2000  # characters of a result that a test spells out; of longer ones only the class
_BLIND = ("Exception", "BaseException")  # linters refuse `pytest.raises` of these without `match`
# In the name of a test of errors without a message of the program, if others of the class have one.
_IN_AN_OPERATION = "_in_an_operation"
_MODULES = ("asyncio", "io", "itertools", "logging", "math", "re", "sys")  # that tests may use


@dataclass(frozen=True, slots=True)
class WrittenTest:
    """One test function, and which inputs of its target it has."""

    scope: str
    name: str
    lines: tuple[str, ...]
    imports: frozenset[Import]
    cases: tuple[tuple[str, int], ...]  # the id of each case, empty without cases; its input

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True, slots=True)
class Asserting:
    """What tests assert."""

    how: str = "exact"  # exact, types (of results and errors) or none
    # inputs, by target, of which only the result is asserted: the rest did not hold
    results_only: Mapping[str, Collection[int]] = field(default_factory=dict)


@dataclass(slots=True)
class TargetTests:
    """Writes the tests of one target."""

    target: TargetReport
    bindings: Bindings
    layout: Layout
    left_out: Mapping[int, str]  # inputs that get no test, and why
    taken: set[str]  # names of tests in the file
    stdin: bool = False  # the target reads standard input, which a test has to set
    asserting: Asserting = field(default_factory=Asserting)
    _caller: Caller = field(init=False)
    _imports: dict[int, frozenset[Import]] = field(init=False, default_factory=dict)
    _inputs: dict[int, FoundInput] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        target = self.target
        first, _, rest = target.scope.partition(".")
        own = self.bindings.bind(target.module, first)
        function = f"{own.bound}.{rest}" if rest else own.bound
        self._caller = Caller(target, function, self.layout)
        for number, found in enumerate(target.inputs):
            if number in self.left_out or untestable(target, found, stdin=self.stdin):
                continue
            named = [(m, n.split(".")[0]) for m, n in found.imports if m != "builtins"]
            imports = [self.bindings.bind(*each) for each in named]
            names = {each.name or each.module: each.local for each in imports if each.local}
            self._imports[number] = frozenset({own, *imports})
            shown = first_items(found) if form_of(target, found) == "endless" else found
            self._inputs[number] = self._asserted(number, renamed_input(shown, names))
        complete = without_empty(with_unchanged(self._inputs.values()))
        self._inputs = dict(zip(self._inputs, complete, strict=True))

    def _asserted(self, number: int, found: FoundInput) -> FoundInput:
        """The input without what a test of it is not to assert."""
        if self.asserting.how != "exact":
            return replace(found, message=None, seen=(), compared="")
        if number in self.asserting.results_only.get(self.target.target, ()):
            return replace(found, seen=())
        seen = [each for each in found.seen if not names_a_place(self.target, found, each.value)]
        if any(each.kind == "variable" for each in seen):
            module = self.bindings.bind_module(self.target.module)
            if module is None or module.bound in found.args:
                seen = [each for each in seen if each.kind != "variable"]
            else:
                self._imports[number] |= {module}
        return replace(found, seen=tuple(seen))

    def tests(self) -> Iterator[WrittenTest]:
        """The tests, in the order a reader would have them."""
        results = [n for n, each in self._inputs.items() if each.outcome != Ending.RAISED]
        if self.asserting.how == "none":
            for numbers in self._groups(results):
                yield self._compared(numbers, "_returns", "", ["None" for _ in numbers])
            results = []
        plain = [number for number in results if not self._special(number)]
        for numbers in self._groups([n for n in plain if self._is_exact(n)]):
            values = [self._inputs[n].returned or "" for n in numbers]
            yield self._compared(numbers, "", "expected", values)
        for numbers in self._groups([n for n in plain if not self._is_exact(n)]):
            values = [f'"{self._inputs[n].result_type}"' for n in numbers]
            yield self._compared(numbers, _giving(values), "kind", values)
        for number in results:
            if self._special(number):
                yield self._special_test(number)
        errors: dict[str, list[int]] = {}
        for number, each in self._inputs.items():
            if each.outcome == Ending.RAISED:
                errors.setdefault(each.caught or each.error or "Exception", []).append(number)
        for error, numbers in errors.items():
            # `match=""` fits every message, so errors without one have a test of their own.
            silent = [number for number in numbers if not self._inputs[number].message]
            telling = [number for number in numbers if number not in silent]
            for group in self._groups(telling):
                yield self._error_test(group, error)
            for group in self._groups(silent):
                yield self._error_test(group, error, _IN_AN_OPERATION if telling else "")

    def _is_exact(self, number: int) -> bool:
        found = self._inputs[number]
        short = found.returned is not None and len(found.returned) <= MOST_EXPECTED
        return short and found.compared == "=="

    def _special(self, number: int) -> str:
        """The name of the check that a test makes in place of `==`, empty where there is none: nan
        is not equal to itself, and -0.0 is equal to 0.0.
        """
        found = self._inputs[number]
        text = found.returned or ""
        if self.asserting.how != "exact":
            return ""
        if text == 'float("nan")':
            return "is_nan"
        if text == "-0.0":
            return "is_negative_zero"
        if len(text) > MOST_EXPECTED:
            return ""
        return "has_nan" if 'float("nan")' in text or found.compared == "repr" else ""

    def _groups(self, numbers: list[int]) -> list[list[int]]:
        """The inputs that one test can have together: they are called alike and need nothing set up
        before; every other input is a group of its own.
        """
        groups: dict[object, list[int]] = {}
        for number in numbers:
            found = self._inputs[number]
            alone = _is_set_up(found)
            looked = tuple([each.place for each in found.seen])
            key = (form_of(self.target, found), tuple(found.args), looked, number if alone else -1)
            groups.setdefault(key, []).append(number)
        return list(groups.values())

    # -- tests

    def _compared(
        self, numbers: list[int], ending: str, extra: str, values: list[str]
    ) -> WrittenTest:
        inputs = [self._inputs[number] for number in numbers]
        looks = looks_of(inputs)
        kind = ending if extra == "kind" and _is_of_kind(looks) else ""
        if extra == "kind" and set(values) == {quoted(self.target.scope.partition(".")[0])}:
            # The class is imported already.
            extra, values = "of", [self._caller.first for _ in values]
        endings = [each for each in (kind, ending_of(looks, inputs)) if each]
        name = self._name(("_and".join(endings) or ending) + self._when(numbers))
        if len(numbers) == 1:
            made = self._caller.once(inputs[0], labels_looked_at(inputs[0]))
            taken = [self._caller.first, *_names_in(made.before)]
            return self._single(numbers[0], name, self._body(made, extra, values[0], looks, taken))
        parameters = self._caller.parameters(inputs[0])
        made = self._caller.of_parameters(parameters, inputs)
        made = replace(made, names=dict(zip(inputs[0].args, parameters, strict=True)))
        alike = extra in ("kind", "of") and len(set(values)) == 1
        told = alike or _is_told(looks, values)  # what is looked at says all there is
        label = free(extra, [self._caller.first, *parameters])
        columns = columns_of(looks, [self._caller.first, *parameters, label])
        body = self._body(made, extra, values[0] if told else label, looks, parameters, columns)
        rows = [list(each.args.values()) for each in inputs]
        for index, row in enumerate(rows):
            row += [] if told else [values[index]]
            row += [looks[each].values[index] for each in columns]
        shown = [*parameters, *([] if told else [label]), *columns.values()]
        return self._parametrised(numbers, name, shown, rows, body)

    def _body(
        self,
        made: Written,
        extra: str,
        value: str,
        looks: list[Look],
        taken: list[str],
        columns: Mapping[int, str] = MappingProxyType({}),
    ) -> list[str]:
        """The lines that make the call, assert its result, and assert what it left behind."""
        result = free("result", taken)
        names = {**made.names, "": result}  # what is looked at in the result is of no argument
        after = assertions(looks, columns, names, self.target.module, self.layout)
        gap = [""] if made.before and made.before[-1] else []
        same = [look.seen.of for look in looks if look.seen.part == "is"]
        if same:
            asserted = assertion(self.layout, made.call, "is", made.names[same[0]], taken)
            return [*made.before, *gap, *asserted, *after]
        if any(look.seen.kind == "result" for look in looks):
            lines = self.layout.assignment(result, made.call, 4)
            made_here = self.target.scope.endswith("__init__")  # of what class goes without saying
            telling = extra in ("kind", "of") and not made_here
            of_class = [comparison(result, extra, "==", value)] if telling else []
            return [*made.before, *gap, *lines, "", *of_class, *after]
        if not looks and extra:
            return [*made.before, *assertion(self.layout, made.call, extra, value, taken)]
        if value == "None":
            done = [line[4:] for line in self._done(made.call)]
            return [*made.before, *gap, *done, *([""] if after else []), *after]
        return [*made.before, *gap, *assertion(self.layout, made.call, extra, value, taken), *after]

    def _special_test(self, number: int) -> WrittenTest:
        found, name = self._inputs[number], self._name(f"_{self._special(number)}")
        made, layout = self._caller.once(found), self.layout
        lines, call = list(made.before), made.call
        match self._special(number):
            case "is_nan" if len(call) + len("    assert math.isnan()") <= layout.width:
                lines.append(f"    assert math.isnan({call})")
            case "is_nan":
                lines += [
                    *layout.assignment("result", call, 4),
                    "",
                    "    assert math.isnan(result)",
                ]
            case "is_negative_zero":
                lines += layout.assignment("result", call, 4)
                lines += ["", "    assert result == 0.0 and math.copysign(1.0, result) == -1.0"]
            case _:
                lines += layout.assignment("expected", found.returned or "", 4)
                lines += layout.assignment("result", call, 4)
                lines += ["", "    assert repr(result) == repr(expected)"]
        return self._single(number, name, lines)

    def _error_test(self, numbers: list[int], error: str, where: str = "") -> WrittenTest:
        inputs = [self._inputs[number] for number in numbers]
        looks = looks_of(inputs)
        also = ending_of(looks, inputs)
        told = f"_raises_{snake(error)}{where}{'_and' if also else ''}{also}"
        name = self._name(told + self._when(numbers))
        messages = {each.message for each in inputs}
        if len(numbers) == 1:
            made = self._caller.once(inputs[0], labels_looked_at(inputs[0]))
            body = self._raising(error, _escaped(inputs[0].message), made)
            after = assertions(looks, {}, made.names, self.target.module, self.layout)
            return self._single(numbers[0], name, [*body, *([""] if after else []), *after])
        parameters = self._caller.parameters(inputs[0])
        made = self._caller.of_parameters(parameters, inputs)
        rows = [list(each.args.values()) for each in inputs]
        shown, match = parameters, _escaped(inputs[0].message)
        if len(messages) > 1:
            label = free("message", [self._caller.first, *parameters])
            shown, match = [*parameters, label], f"re.escape({label})"
            for row, each in zip(rows, inputs, strict=True):
                row.append(quoted(each.message or ""))
        columns = columns_of(looks, shown)
        for index, row in enumerate(rows):
            row += [looks[each].values[index] for each in columns]
        names = dict(zip(inputs[0].args, parameters, strict=True))
        after = assertions(looks, columns, names, self.target.module, self.layout)
        body = [*self._raising(error, match, made), *([""] if after else []), *after]
        return self._parametrised(numbers, name, [*shown, *columns.values()], rows, body)

    def _single(self, number: int, name: str, body: list[str]) -> WrittenTest:
        found = self._inputs[number]
        # One statement may set several things that were read.
        settings = dict.fromkeys([each.set for each in found.situation])
        above = [imported_above(each, self.bindings) for each in settings]
        needed = [each for imports, _ in above for each in imports]
        self._imports[number] = self._imports[number].union(needed)
        lines = laid_out([left for _, left in above], self.layout)
        lines += [line for each in found.setup for line in self._statement(each)]
        return self._test([number], name, [], ["", *lines, *body], [""])

    def _statement(self, text: str) -> list[str]:
        """The lines of a statement that comes before the call."""
        match ast.parse(text).body:
            case [ast.Assign(targets=[target], value=value)] if "\n" not in text:
                made = ast.get_source_segment(text, value) or ""
                return self.layout.assignment(ast.get_source_segment(text, target) or "", made, 4)
            case [ast.Expr()] if "\n" not in text:
                return self.layout.expression(text, 4)
            case _:
                return [f"    {line}".rstrip() for line in text.splitlines()]

    def _parametrised(
        self,
        numbers: list[int],
        name: str,
        parameters: list[str],
        rows: list[list[str]],
        body: list[str],
    ) -> WrittenTest:
        identifiers = different([identifier(self._inputs[number]) for number in numbers])
        shown = [quoted(each) for each in parameters]
        listed = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
        above = ["@pytest.mark.parametrize("]
        above += [*self.layout.expression(listed, 4, after=","), "    ["]
        for values, unique in zip(rows, identifiers, strict=True):
            case = f"pytest.param({', '.join([*values, f'id={quoted(unique)}'])})"
            above += self.layout.expression(case, 8, after=",")
        above += ["    ],", ")"]
        return self._test(numbers, name, above, [", ".join(parameters), *body], identifiers)

    def _test(
        self, numbers: list[int], name: str, above: list[str], body: list[str], ids: list[str]
    ) -> WrittenTest:
        """The whole test. The first element of `body` is its parameters, the others are lines."""
        parameters, *lines = body
        if self.stdin and not any('"sys.stdin"' in line for line in lines):
            lines.insert(0, '    monkeypatch.setattr(sys, "stdin", io.StringIO())')
        given = [each for each in parameters.split(", ") if each]
        given += [each for each in _used(lines) if each in FIXTURES and each not in given]
        above += self.layout.laid_out(f"def {name}(", given, "):")
        used = _used([*above, *lines])
        modules = {Import(each) for each in (*_MODULES, "pytest") if each in used}
        needed = {i for n in numbers for i in self._imports[n] if i.bound in used}
        cases = tuple(zip(ids, numbers, strict=True))
        needs = frozenset(modules | needed)
        return WrittenTest(listed_as(self.target), name, tuple(above + lines), needs, cases)

    # -- pieces

    def _when(self, numbers: list[int]) -> str:
        """The end of a test's name that says which condition its input covers. Only a test that has
        one input, because something is set up for it, needs it; for others it is empty.
        """
        found = self._inputs[numbers[0]]
        if len(numbers) > 1 or len(self._inputs) < 2 or not _is_set_up(found):
            return ""
        told = [*telling(found.covers), *found.shows]
        # That it raises an error is in the name already.
        return in_words(next((text for text in told if text != found.error), ""))

    def _name(self, ending: str) -> str:
        """A name that no test in the file has: the second of two tests of one name hides the
        first.
        """
        *owners, name = self.target.scope.split(".")
        plain = name.strip("_") if name.endswith("__") else name
        called = "init" if name == "__post_init__" else plain
        base = f"test_{'_'.join([*owners, called]).strip('_').lower()}{ending}"
        name, count = base, 1
        while name in self.taken:
            count += 1
            name = f"{base}_{count}"
        self.taken.add(name)
        return name

    def _raising(self, error: str, match: str, made: Written) -> list[str]:
        if not match and error in _BLIND:
            match = 'r".*"'  # says that whatever is raised will do
        raises = f"pytest.raises({error}, match={match})" if match else f"pytest.raises({error})"
        if made.context:
            return [*made.before, *within_both(self.layout, raises, made)]
        within = self.layout.expression(raises, 4, before="with ", after=":")
        return [*made.before, *within, *self._done(made.call)]

    def _done(self, call: str) -> list[str]:
        """The lines of a call whose result is not used. Linters refuse `setattr` with a constant
        name and expressions that do nothing, so these become assignments.
        """
        node = ast.parse(call, mode="eval").body
        match node:
            case ast.Call(
                func=ast.Name(id="setattr"), args=[owner, ast.Constant(value=str() as name), value]
            ) if name.isidentifier():
                target = f"{ast.get_source_segment(call, owner)}.{name}"
                return self.layout.assignment(target, ast.get_source_segment(call, value) or "", 8)
            case ast.Call() | ast.Await():
                return self.layout.expression(call, 8)
            case _:
                return self.layout.expression(call, 8, before="_ = ")


def _is_set_up(found: FoundInput) -> bool:
    """Whether something is done before the call, or an object is made in several steps."""
    if found.setup or found.situation or found.uses:
        return True
    texts = found.args.values()
    return is_blank(next(iter(texts), "")) or any(changed_object(text) for text in texts)


def _is_of_kind(looks: list[Look]) -> bool:
    """Whether the class of the result is worth telling: it is no argument that is given back."""
    return not any(look.seen.part == "is" for look in looks)


def _is_told(looks: list[Look], values: list[str]) -> bool:
    """Whether the cases need no column for results: all have the same one, and the test looks at
    its parts, or it is None and the test looks at something else.
    """
    of_result = any(look.seen.kind == "result" for look in looks)
    return len(set(values)) == 1 and (of_result or (values[0] == "None" and bool(looks)))


def _giving(kinds: list[str]) -> str:
    """The end of a test's name for the class of the results: `_gives_a_cart`, or `_gives_a_kind` if
    there are several.
    """
    name = snake(kinds[0].strip('"')) if len(set(kinds)) == 1 else ""
    if not name.isidentifier():
        return "_gives_a_kind"
    return f"_gives_{'an' if name[0] in 'aeiou' else 'a'}_{name}"


def _escaped(message: str | None) -> str:
    return f"re.escape({quoted(message)})" if message else ""


def _names_in(lines: tuple[str, ...]) -> list[str]:
    return [line.split(" = ")[0].strip() for line in lines]


def _used(lines: list[str]) -> list[str]:
    """The names that stand in the lines of a function, or of its body, in order."""
    is_whole = any(line.startswith("def ") for line in lines)
    tree = ast.parse("\n".join(lines if is_whole else ["def f():", *lines]))
    found = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return list(dict.fromkeys(found))
