"""What the user asked for in flags and configuration, and what the user is told besides results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from symcrete.errors import BadOption
from symcrete.explore.findings import Report
from symcrete.explore.options import Options, option_names, options_from
from symcrete.notation import nearest
from symcrete.program.source.target import Target, targets_of

if TYPE_CHECKING:
    from symcrete.report.tests.kept import Wanted
    from symcrete.report.trial.trial import Conditions

_OPTIONS = [
    "budget",
    "quick",
    "patience",
    "max_runs",
    "strategy",
    "solver",
    "ippc",
    "instrument",
    "within",
    "types",
    "seed",
    "start",
    "order",
    "prior",
    "allow",
    "lazy",
    "only_returning",
    "goals",
]


# Keys of `[tool.symcrete]` that are no options of an exploration.
PROPERTY_BUDGET = "property_budget"  # of each test under `symcrete.forall`
OF_TESTS = {"assertions": ("exact", "types", "none"), "style": ("pytest", "unittest")}
OF_PROJECTS = ("exclude", "workers", "cluster", "total_budget", *OF_TESTS, PROPERTY_BUDGET)


def with_values(arguments: argparse.Namespace, **values: Any) -> argparse.Namespace:
    """The command line as if it said this, too, or instead."""
    return argparse.Namespace(**vars(arguments) | values)


def options_of(arguments: argparse.Namespace, **defaults: Any) -> Options:
    """The options of a command. Flags win over `[tool.symcrete]`, which wins over the command's own
    defaults.
    """
    return options_from(options_asked_for(arguments), defaults)


def options_asked_for(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of an exploration that flags or `[tool.symcrete]` set, by name."""
    given = configuration_of_options(Path.cwd())[0]
    for name in _OPTIONS:
        value = getattr(arguments, name, None)
        if value is not None:
            given[name] = value
    if arguments.no_sandbox:
        given["sandbox"] = False
    if getattr(arguments, "all_inputs", False):
        given["paths"] = True
    return given


def configuration_of_options(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """`[tool.symcrete]` in two parts: options of an exploration, and what is none."""
    options: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for key, value in configuration(folder).items():
        name = key.replace("-", "_")
        (others if name in OF_PROJECTS else options)[name] = value
    return options, others


def configuration(folder: Path) -> dict[str, Any]:
    """`[tool.symcrete]` of the nearest pyproject.toml, in the folder or above it; empty if there is
    none.
    """
    for place in (folder, *folder.parents):
        file = place / "pyproject.toml"
        if file.exists():
            import tomllib  # many folders have no such file

            try:
                table = tomllib.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError) as error:
                raise BadOption(f"cannot read {file}: {error}") from None
            found: dict[str, Any] = table.get("tool", {}).get("symcrete", {})
            _check_keys(found, file)
            return found
    return {}


def _check_keys(table: dict[str, Any], file: Path) -> None:
    """Raise for a key that nobody would read."""
    known = [name.replace("_", "-") for name in sorted(option_names())]
    known += [name.replace("_", "-") for name in OF_PROJECTS]
    for key in table:
        if key.replace("_", "-") not in known:
            raise BadOption(f"{file}: no key {key!r} in [tool.symcrete]; {nearest(key, known)}")


def targets_named(texts: list[str]) -> list[Target]:
    """All targets; one that does not exist is an error before any work is done."""
    return [target for text in texts for target in targets_of(text)]


def protection_teller(arguments: argparse.Namespace) -> Callable[[list[str]], None]:
    """A function that prints lines about protection, each only once: with --verbose all, else only
    where something is not protected that the user did not give up by --no-sandbox.
    """
    from symcrete.sandbox.walls.effects import NOT_PROTECTED  # few commands need it

    said: set[str] = set()

    def say(lines: list[str]) -> None:
        lacking = any(line.startswith(NOT_PROTECTED) for line in lines)
        chosen = getattr(arguments, "no_sandbox", False)
        for line in lines:
            if line not in said and (arguments.verbose or (lacking and not chosen)):
                said.add(line)
                warn(line)

    return say


def warn(text: str) -> None:
    print(f"symcrete: {text}", file=sys.stderr)


# Writing tests takes a quarter of the driver's modules: only who asks for tests loads them.


def check_folder(arguments: argparse.Namespace, targets: Sequence[Target]) -> None:
    """Fail before the work, not after it, where tests are asked for that cannot be written."""
    if arguments.output:
        from symcrete.report.tests.kept import check_output

        check_output(_wanted(arguments), [target.source for target in targets])
    elif getattr(arguments, "emit", None) == "pytest":
        from symcrete.report.tests.kept import check_pytest

        check_pytest()


def held_tests(arguments: argparse.Namespace, report: Report) -> Report:
    """The report, with the reason for each input whose test does not hold; no file is written."""
    from symcrete.report.tests.kept import held

    return held(report, _conditions(arguments), chosen_for_tests(arguments, "assertions"))


def _wanted(arguments: argparse.Namespace) -> Wanted:
    from symcrete.report.tests.kept import Wanted

    prune = bool(getattr(arguments, "prune", False))
    return Wanted(
        Path(arguments.output),
        bool(arguments.force),
        prune,
        _conditions(arguments),
        chosen_for_tests(arguments, "assertions"),
        chosen_for_tests(arguments, "style"),
    )


def chosen_for_tests(arguments: argparse.Namespace, name: str) -> str:
    """What the flag or `[tool.symcrete]` says about tests: their `assertions` or their `style`."""
    others = configuration_of_options(Path.cwd())[1]
    known = OF_TESTS[name]
    how = getattr(arguments, name, None) or others.get(name, known[0])
    if how not in known:
        raise BadOption(f"{name} of tests: {', '.join(known)}, not {how!r}")
    return str(how)


def _conditions(arguments: argparse.Namespace) -> Conditions:
    from symcrete.report.trial.trial import Conditions

    return Conditions(confined=not getattr(arguments, "no_sandbox", False))


def write_tests(arguments: argparse.Namespace, report: Report) -> tuple[Report, bool]:
    """Write the tests that hold, and print which files were written. Gives the report, with the
    reason for each input that has no test, and whether every file could be written.
    """
    from symcrete.report.tests.kept import keep_tests

    outcome = keep_tests(report, _wanted(arguments))
    for file in outcome.written:
        print(f"wrote {file}", file=sys.stderr)
    for note in outcome.notes:
        warn(note)
    for why, text in outcome.unwritten:
        warn(why)
        if text:
            print(text, file=sys.stderr if arguments.json else sys.stdout)
    return outcome.report, not outcome.unwritten


def say_untested(report: Report) -> None:
    """Print which inputs have no test and why, on standard error: the output is tests alone."""
    for target in report.targets:
        for found in target.inputs:
            if found.untested:
                given = ", ".join(f"{name}={text}" for name, text in found.args.items())
                warn(f"no test of {target.target} with {given}: {found.untested}")
