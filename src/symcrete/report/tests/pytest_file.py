"""The found inputs as pytest tests that a person would keep."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.inputs.literal import double_quoted
from symcrete.program.source.mangling import mangled
from symcrete.program.source.module import is_library
from symcrete.report.tests.layout import WIDTH, assignment, expression, laid_out, one_per_line

STABLE = ("returned", "raised")
# Raised where the sandbox has less memory or no standard input; a test elsewhere may see more.
OF_THE_SANDBOX = ("MemoryError", "EOFError")
# What pytest keeps for itself, and what the body of a test uses.
RESERVED = ("request", "pytest", "asyncio", "itertools", "math", "re", "list", "type", "repr")


class PytestFile:
    """One file for all targets of a report; `folder` is where the file will stand."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def emit(self, report: Report, out: TextIO) -> None:
        targets = [each for each in report.targets if _testable(each)]
        if targets:
            out.write("\n".join(self._file(targets)) + "\n")

    def _file(self, targets: list[TargetReport]) -> list[str]:
        body: list[str] = []
        names: list[str] = []
        for target in targets:
            for test in _tests(target, names):
                body += ["", "", *test]
        text = "\n".join(body)
        modules = sorted({target.module for target in targets})
        lines = [f'"""Tests of {", ".join(modules)}, found by Symcrete."""', ""]
        standard = [name for name in ("asyncio", "itertools", "math", "re") if f"{name}." in text]
        path = self._path_lines(targets)
        if path:
            standard.append("sys")
        lines += [f"import {name}" for name in sorted(standard)]
        if path:
            lines.append("from pathlib import Path")
        if standard:
            lines.append("")
        if "pytest." in text:
            lines += ["import pytest", ""]
        if path:
            lines += [*path, ""]
        lines += _imports(targets)
        return lines + body

    def _path_lines(self, targets: list[TargetReport]) -> list[str]:
        """Make the program importable from where the file stands, unless it is installed."""
        if self._folder is None:
            return []
        roots = sorted({t.root for t in targets if not is_library(Path(t.root) / "x")})
        lines = []
        for root in roots:
            up = os.path.relpath(root, self._folder.resolve())
            levels = up.split(os.sep).count("..")
            rest = [part for part in up.split(os.sep) if part not in ("..", ".")]
            place = f"Path(__file__).resolve().parents[{levels}]"
            place = f'{place} / "{"/".join(rest)}"' if rest else place
            lines += laid_out("sys.path.insert(", ["0", f"str({place})"], ")")
        return lines


def is_steady(found: FoundInput) -> bool:
    """Whether a test can assert what the input does."""
    elsewhere = found.error in OF_THE_SANDBOX and found.message is None
    return found.outcome in STABLE and not elsewhere and not found.harm


def _testable(target: TargetReport) -> bool:
    return any(map(is_steady, target.inputs))


def _imports(targets: list[TargetReport]) -> list[str]:
    wanted: dict[str, set[str]] = {}
    for target in targets:
        wanted.setdefault(target.module, set()).add(_renamed(target.scope.split(".")[0]))
        for found in target.inputs:
            if is_steady(found):
                for module, name in found.imports:
                    wanted.setdefault(module, set()).add(name.split(".")[0])
    lines: list[str] = []
    for module in sorted(wanted, key=lambda each: (each not in sys.stdlib_module_names, each)):
        if module != "builtins":
            lines += _import(module, sorted(wanted[module]))
    return lines


def _renamed(name: str) -> str:
    """pytest takes an imported `testme` for a test, under that name."""
    return f"{name} as _{name}" if name.startswith("test") else name


def _import(module: str, names: list[str]) -> list[str]:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return one_per_line(f"from {module} import (", names, ")")


def _tests(target: TargetReport, names: list[str]) -> Iterator[list[str]]:
    """One test for the results, one for each class of error; odd floats get their own."""
    stable = [each for each in target.inputs if is_steady(each)]
    plain = [e for e in stable if e.outcome == "returned" and not _special(e)]
    exact = [each for each in plain if each.returned is not None]
    vague = [each for each in plain if each.returned is None]
    if exact:
        name = _test_name(target, "", names)
        yield _test(target, name, exact, "expected", [e.returned or "" for e in exact])
    if vague:
        name = _test_name(target, "_gives_a", names)
        yield _test(target, name, vague, "kind", [f'"{each.result_type}"' for each in vague])
    for each in stable:
        if each.outcome == "returned" and _special(each):
            name = _test_name(target, f"_{_special(each)}", names)
            yield _special_test(target, name, each)
    errors: dict[str, list[FoundInput]] = {}
    for each in stable:
        if each.outcome == "raised":
            errors.setdefault(each.error or "Exception", []).append(each)
    for error, found in errors.items():
        name = _test_name(target, f"_raises_{_snake(error)}", names)
        yield _error_test(target, name, error, found)


def _test_name(target: TargetReport, ending: str, names: list[str]) -> str:
    """Different from those given so far: the second of two tests of one name hides the first."""
    base = f"test_{target.scope.replace('.', '_').strip('_').lower()}{ending}"
    name, count = base, 1
    while name in names:
        count += 1
        name = f"{base}_{count}"
    names.append(name)
    return name


def _special(found: FoundInput) -> str:
    """nan is not equal to itself, and -0.0 is equal to 0.0."""
    text = found.returned or ""
    if "nan" in text and text == 'float("nan")':
        return "is_nan"
    if text == "-0.0":
        return "is_negative_zero"
    return "has_nan" if 'float("nan")' in text else ""


def _special_test(target: TargetReport, name: str, found: FoundInput) -> list[str]:
    made, call = _written(target, found)
    lines = [f"def {name}():", *made]
    match _special(found):
        case "is_nan" if len(call) + len("    assert math.isnan()") <= WIDTH:
            lines.append(f"    assert math.isnan({call})")
        case "is_nan":
            lines += [*assignment("result", call, 4), "", "    assert math.isnan(result)"]
        case "is_negative_zero":
            lines += assignment("result", call, 4)
            lines += ["", "    assert result == 0.0 and math.copysign(1.0, result) == -1.0"]
        case _:
            lines += assignment("expected", found.returned or "", 4)
            lines += assignment("result", call, 4)
            lines += ["", "    assert repr(result) == repr(expected)"]
    return lines


def _test(
    target: TargetReport, name: str, found: list[FoundInput], extra: str, values: list[str]
) -> list[str]:
    if len(found) == 1:
        made, call = _written(target, found[0])
        taken = [target.scope.split(".")[0], *_names_in(made)]
        return [f"def {name}():", *made, *_assertion(call, extra, values[0], taken)]
    parameters = _parameters(target, found[0])
    label = _free(extra, parameters)
    call = _call(target, parameters, found[0])
    rows = [([*e.args.values(), v], _identifier(e)) for e, v in zip(found, values, strict=True)]
    lines = _parametrised([*parameters, label], rows)
    lines += laid_out(f"def {name}(", [*parameters, label], "):")
    return lines + _assertion(call, extra, label, parameters)


def _written(target: TargetReport, found: FoundInput) -> tuple[list[str], str]:
    """The statements that make the object whose method is called, and the call."""
    values = list(found.args.values())
    call = _call(target, values, found)
    changed = _changed(values[0]) if target.is_method and values else None
    if not target.is_method or (changed is None and len(call) <= WIDTH - 12):
        return [], call
    short, texts = changed or ("", values[:1])
    name = _free(_snake(target.scope.split(".")[-2]), [target.scope.split(".")[0], *RESERVED])
    made = assignment(name, texts[0], 4)
    for text in texts[1:]:
        made += expression(_renamed_in(text, short, name), 4)
    return made, _call(target, [name, *values[1:]], found)


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


def _renamed_in(text: str, old: str, new: str) -> str:
    source = text.encode()
    nodes = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Name)]
    for node in sorted(nodes, key=lambda each: -each.col_offset):
        if node.id == old:
            source = source[: node.col_offset] + new.encode() + source[node.end_col_offset :]
    return source.decode()


def _names_in(lines: list[str]) -> list[str]:
    return [line.split(" = ")[0].strip() for line in lines]


def _parameters(target: TargetReport, found: FoundInput) -> list[str]:
    """The names a test gives to what varies; an object is called after its class."""
    names = [name.lstrip("*") for name in found.args]
    if target.is_method and names[0] == "self":
        names[0] = _free(_snake(target.scope.split(".")[-2]), names[1:])
    used = [*RESERVED, target.scope.split(".")[0]]
    return [_free(name, [*used, *names]) if name in used else name for name in names]


def _assertion(call: str, extra: str, value: str, taken: list[str]) -> list[str]:
    """What is too long for one line is given a name first."""
    operator = "is" if value in ("None", "True", "False") else "=="
    line = _comparison(call, extra, operator, value)
    if len(line) <= WIDTH:
        return [line]
    expected, result = _free("expected", taken), _free("result", taken)
    short = _comparison(call, extra, operator, expected)
    if len(value) > len(expected) and len(short) <= WIDTH and operator == "==":
        return [*assignment(expected, value, 4), "", short]
    line = _comparison(result, extra, operator, value)
    if len(line) <= WIDTH:
        return [*assignment(result, call, 4), "", line]
    made = [*assignment(expected, value, 4), *assignment(result, call, 4)]
    return [*made, "", _comparison(result, extra, operator, expected)]


def _comparison(call: str, extra: str, operator: str, value: str) -> str:
    if extra == "kind":
        return f"    assert type({call}).__qualname__ == {value}"
    return f"    assert {call} {operator} {value}"


def _error_test(target: TargetReport, name: str, error: str, found: list[FoundInput]) -> list[str]:
    messages = {each.message for each in found}
    if len(found) == 1:
        made, call = _written(target, found[0])
        return [f"def {name}():", *made, *_raising(error, found[0].message, call)]
    parameters = _parameters(target, found[0])
    call = _call(target, parameters, found[0])
    if len(messages) == 1:
        rows = [(list(each.args.values()), _identifier(each)) for each in found]
        lines = _parametrised(parameters, rows)
        lines += laid_out(f"def {name}(", parameters, "):")
        return lines + _raising(error, found[0].message, call)
    label = _free("message", parameters)
    rows = [
        ([*each.args.values(), _quoted(each.message or "")], _identifier(each)) for each in found
    ]
    lines = _parametrised([*parameters, label], rows)
    lines += laid_out(f"def {name}(", [*parameters, label], "):")
    return [*lines, *_with(error, f"re.escape({label})"), *expression(call, 8)]


def _raising(error: str, message: str | None, call: str) -> list[str]:
    match = f"re.escape({_quoted(message)})" if message else ""
    return [*_with(error, match), *expression(call, 8)]


def _with(error: str, match: str) -> list[str]:
    raises = f"pytest.raises({error}, match={match})" if match else f"pytest.raises({error})"
    return expression(raises, 4, before="with ", after=":")


def _parametrised(names: list[str], rows: list[tuple[list[str], str]]) -> list[str]:
    seen: dict[str, int] = {}
    shown = [_quoted(name) for name in names]
    listed = shown[0] if len(names) == 1 else f"({', '.join(shown)})"
    lines = ["@pytest.mark.parametrize(", *expression(listed, 4, after=","), "    ["]
    for values, identifier in rows:
        seen[identifier] = seen.get(identifier, 0) + 1
        unique = identifier if seen[identifier] == 1 else f"{identifier} ({seen[identifier]})"
        case = f"pytest.param({', '.join([*values, f'id={_quoted(unique)}'])})"
        lines += expression(case, 8, after=",")
    return [*lines, "    ],", ")"]


def _call(target: TargetReport, values: list[str], found: FoundInput) -> str:
    """The call as a test writes it: methods on their object, generators and coroutines run."""
    passed = [
        _passed(label, value, by_keyword=label in found.keywords)
        for label, value in zip(found.args, values, strict=True)
    ]
    if target.is_method:
        *_, owner, name = target.scope.split(".")
        call = f"{passed[0]}.{mangled(owner, name)}({', '.join(passed[1:])})"
    elif target.scope.endswith(".__new__"):
        call = f"{target.scope}({', '.join([target.scope.rpartition('.')[0], *passed])})"
    else:
        function = _renamed(target.scope).rpartition(" ")[2]
        call = f"{function}({', '.join(passed)})"
    match target.kind:
        case "property":
            return f"{passed[0]}.{target.scope.rsplit('.', 1)[-1]}"
        case "coroutine":
            return f"asyncio.run({call})"
        case "generator":
            return f"list(itertools.islice({call}, 100))"
        case _:
            return call


def _passed(label: str, value: str, *, by_keyword: bool) -> str:
    stars = "*" * (len(label) - len(label.lstrip("*")))
    return f"{label}={value}" if by_keyword and not stars else stars + value


def _identifier(found: FoundInput) -> str:
    """What the input newly covers, as the name of the case."""
    words = [spot.text for spot in found.covers] or ["again"]
    text = ", ".join(words[:2])
    text = text.encode("ascii", "replace").decode().replace("\n", " ")
    return text if len(text) <= 60 else text[:57] + "..."


def _quoted(text: str) -> str:
    return double_quoted(ascii(text))


def _free(name: str, taken: list[str]) -> str:
    return name if name not in taken else _free(name + "_", taken)


def _snake(name: str) -> str:
    text = "".join("_" + char.lower() if char.isupper() else char for char in name)
    return text.replace(".", "_").strip("_")
