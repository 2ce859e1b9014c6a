"""The found inputs as pytest tests that a person would keep."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from symcrete.explore.findings import FoundInput, Report, TargetReport
from symcrete.program.mangling import mangled
from symcrete.program.source import is_library
from symcrete.report.layout import WIDTH, laid_out, wrapped

STABLE = ("returned", "raised")
# Raised where the sandbox has less memory or no standard input; a test elsewhere may see more.
OF_THE_SANDBOX = ("MemoryError", "EOFError")


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
        for target in targets:
            for test in _tests(target):
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
    return laid_out(f"from {module} import (", names, ")", exploded=True)


def _tests(target: TargetReport) -> Iterator[list[str]]:
    """One test for the results, one for each class of error; odd floats get their own."""
    name = target.scope.replace(".", "_").strip("_").lower()
    stable = [each for each in target.inputs if is_steady(each)]
    plain = [e for e in stable if e.outcome == "returned" and not _special(e)]
    exact = [each for each in plain if each.returned is not None]
    vague = [each for each in plain if each.returned is None]
    if exact:
        yield _test(target, f"test_{name}", exact, "expected", [e.returned or "" for e in exact])
    if vague:
        kinds = [f'"{each.result_type}"' for each in vague]
        yield _test(target, f"test_{name}_gives_a", vague, "kind", kinds)
    for special in [e for e in stable if e.outcome == "returned" and _special(e)]:
        yield _special_test(target, f"test_{name}_{_special(special)}", special)
    errors: dict[str, list[FoundInput]] = {}
    for each in stable:
        if each.outcome == "raised":
            errors.setdefault(each.error or "Exception", []).append(each)
    for error, found in errors.items():
        yield _error_test(target, f"test_{name}_raises_{_snake(error)}", error, found)


def _special(found: FoundInput) -> str:
    """nan is not equal to itself, and -0.0 is equal to 0.0."""
    text = found.returned or ""
    if "nan" in text and text == 'float("nan")':
        return "is_nan"
    if text == "-0.0":
        return "is_negative_zero"
    return "has_nan" if 'float("nan")' in text else ""


def _special_test(target: TargetReport, name: str, found: FoundInput) -> list[str]:
    before, call = _written_call(target, found)
    lines = [f"def {name}():", *before]
    match _special(found):
        case "is_nan" if _is_short(f"    assert math.isnan({call})"):
            return [*lines, f"    assert math.isnan({call})"]
        case "is_nan":
            test = ["    assert math.isnan(result)"]
        case "is_negative_zero":
            test = ["    assert result == 0.0 and math.copysign(1.0, result) == -1.0"]
        case _:
            test = wrapped("assert repr(result) == ", f"repr({found.returned})", "", 4)
    return [*lines, *wrapped("result = ", call, "", 4), "", *test]


def _test(
    target: TargetReport, name: str, found: list[FoundInput], extra: str, values: list[str]
) -> list[str]:
    parameters = _parameters(target, found[0])
    label = _free(extra, parameters)
    if len(found) == 1:
        before, call = _written_call(target, found[0])
        return [f"def {name}():", *before, *_assertion(call, extra, values[0])]
    call = _call(target, parameters, found[0])
    rows = [([*e.args.values(), v], _identifier(e)) for e, v in zip(found, values, strict=True)]
    lines = _parametrised([*parameters, label], rows)
    lines += laid_out(f"def {name}(", [*parameters, label], "):")
    return lines + _assertion(call, extra, label)


def _parameters(target: TargetReport, found: FoundInput) -> list[str]:
    """The names a test gives to what varies; an object is called after its class."""
    names = [name.lstrip("*") for name in found.args]
    if target.is_method and names[0] == "self":
        names[0] = _free(_snake(target.scope.split(".")[-2]), names[1:])
    return names


def _assertion(call: str, extra: str, value: str) -> list[str]:
    if extra == "kind":
        flat = f"    assert type({call}).__qualname__ == {value}"
        test = [f"    assert type(result).__qualname__ == {value}"]
    else:
        operator = "is" if value in ("None", "True", "False") else "=="
        flat = f"    assert {call} {operator} {value}"
        test = wrapped(f"assert result {operator} ", value, "", 4)
        if not _is_short(flat) and _is_short(f"    assert {call} {operator} ("):
            return _against(f"assert {call} {operator} ", value)
        if not _is_short(test[0]):
            test = _against(f"assert result {operator} ", value)
    if _is_short(flat):
        return [flat]
    return [*wrapped("result = ", call, "", 4), "", *test]


def _against(before: str, value: str) -> list[str]:
    """No comma after the value: it would make a tuple of it."""
    return [f"    {before}(", *wrapped("", value, "", 8), "    )"]


def _is_short(line: str) -> bool:
    return len(line) <= WIDTH


def _written_call(target: TargetReport, found: FoundInput) -> tuple[list[str], str]:
    """The call of a test for one input; an object that would make it too long is made before."""
    values = list(found.args.values())
    call = _call(target, values, found)
    if not target.is_method or _is_short(f"    assert {call} == ("):
        return [], call
    name = _free(_snake(target.scope.split(".")[-2]), [])
    return wrapped(f"{name} = ", values[0], "", 4), _call(target, [name, *values[1:]], found)


def _error_test(target: TargetReport, name: str, error: str, found: list[FoundInput]) -> list[str]:
    parameters = _parameters(target, found[0])
    messages = {each.message for each in found}
    if len(found) == 1:
        before, call = _written_call(target, found[0])
        return [f"def {name}():", *before, *_raising(error, found[0].message, call)]
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
    lines += laid_out("with pytest.raises(", [error, f"match=re.escape({label})"], "):", 4)
    return [*lines, f"        {call}"]


def _raising(error: str, message: str | None, call: str) -> list[str]:
    arguments = [error]
    if message:
        arguments.append(f"match=re.escape({_quoted(message)})")
    opening = laid_out("with pytest.raises(", arguments, "):", 4)
    return [*opening, *wrapped("", call, "", 8)]


def _parametrised(names: list[str], rows: list[tuple[list[str], str]]) -> list[str]:
    seen: dict[str, int] = {}
    params: list[str] = []
    for values, identifier in rows:
        seen[identifier] = seen.get(identifier, 0) + 1
        unique = identifier if seen[identifier] == 1 else f"{identifier} ({seen[identifier]})"
        lines = laid_out("pytest.param(", [*values, f"id={_quoted(unique)}"], "),", 8)
        params.append("\n".join(line[8:] for line in lines))
    if len(names) == 1:
        shown = _quoted(names[0])
    else:
        shown = "(" + ", ".join(_quoted(name) for name in names) + ")"
    listed = ["[", *["    " + line for param in params for line in param.split("\n")], "]"]
    return laid_out("@pytest.mark.parametrize(", [shown, "\n".join(listed)], ")")


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
    shown = ascii(text)
    if shown[0] == "'" and '"' not in shown:
        return '"' + shown[1:-1].replace("\\'", "'") + '"'
    return shown


def _free(name: str, taken: list[str]) -> str:
    return name if name not in taken else _free(name + "_", taken)


def _snake(name: str) -> str:
    text = "".join("_" + char.lower() if char.isupper() else char for char in name)
    return text.replace(".", "_").strip("_")
