"""What a user can set, with the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any, Literal

from symcrete.errors import BadOption
from symcrete.search.table import check_strategy
from symcrete.slotted import dataclass, field_names

GOALS = ("branches", "boundaries", "outcomes", "misuse", "mcdc", "mutants")
# Seconds of processor time without a find, after which a target ends. Of what functions of
# benchmarks.stdlib find in 10 s each, it kept 95 to 99 % in two fifths of the time (docs/scale.md).
QUICK_PATIENCE = 0.7
# strategies that are asked for nothing but coverage: they end when little more is to be expected,
# and what they leave is handed to the search backward
FOR_COVERAGE = frozenset({"auto", "priced"})
# a query of a solver takes no more than the budget divided by this; chosen, not measured
QUERIES_IN_A_BUDGET = 4
# seconds of processor time without a find, after which a target ends where several functions are
# covered without a budget (docs/scale.md)
PATIENCE_WITH_MANY = 2.0


@dataclass(frozen=True, slots=True)
class Options:
    """All that a user can set; flags, `[tool.symcrete]` and keyword arguments end here."""

    budget: float = 10.0  # seconds per target
    max_runs: int | None = None  # a budget of runs instead, which is the same on every machine
    both_limits: bool = False  # whether seconds were asked for beside runs: the first limit holds
    # Seconds of processor time without a find, after which a target ends; None: its budget ends it.
    patience: float | None = None
    strategy: str = "auto"
    solver: str = "auto"
    ippc: str = "on"  # on, paper, off
    seed: int = 0
    order: Literal["deepest", "earliest"] = "deepest"
    prior: Literal["mined", "uniform"] = "mined"  # what random inputs are drawn from
    types: Mapping[str, str] = field(default_factory=dict)
    start: str = ""  # the first input, "a=0, b=1"
    instrument: tuple[str, ...] = ()  # library modules to rewrite too
    within: str = ""  # count the branches of this "module" or "module:function" instead
    lazy: tuple[str, ...] | None = None  # callees to abstract; () for all of the project
    lazy_as_published: bool = False  # whether lazy exploration is LATEST as published
    lazy_alone: bool = False  # whether lazy exploration is not raced with plain search
    only_returning: bool = False  # lazily: realise no path that ends in an exception
    # what tests are to show
    goals: tuple[str, ...] = ("branches", "boundaries", "outcomes", "misuse")
    paths: bool = False  # go on until every path is explored
    chain: bool = False  # estimate the Markov chain of the program
    solver_seconds: float = 2.0  # seconds for one query
    run_seconds: float = 1.0  # seconds for one run
    run_steps: int = 100_000  # loop steps of one run
    plain_seconds: float = 0.05  # seconds for one run without terms, of which there are many
    plain_steps: int = 10_000  # loop steps of one such run
    # seconds for one call of the untouched function, without its import
    replay_seconds: float = 5.0
    import_steps: int = 50_000_000  # loop steps while the module is imported
    replay: bool = True
    path_conditions: bool = True  # as text, for each input
    slicing: bool = True
    cache: bool = True
    incremental: bool = True  # what two queries share stays asserted between them
    sandbox: bool = True
    allow: tuple[str, ...] = ()  # effects the program may have: files, network, ...
    memory: int = 2 << 30  # bytes of address space for the program

    def __post_init__(self) -> None:
        if self.budget <= 0:
            raise BadOption(f"a budget of {self.budget:g} s leaves no time; give for example 10s")
        if self.patience is not None and self.patience <= 0:
            raise BadOption(f"a patience of {self.patience:g} s is none; give for example 2s")
        if self.max_runs is not None and self.max_runs < 1:
            raise BadOption(f"--max-runs {self.max_runs} allows no run at all")
        if self.ippc not in ("on", "paper", "off"):
            raise BadOption(f"ippc is on, paper or off, not {self.ippc!r}")
        check_strategy(self.strategy)
        if self.solver != "auto":
            # The driver loads nothing of the solvers unless one is asked for.
            from symcrete.solve.choose import check_solver

            check_solver(self.solver)
        wrong = [each for each in self.goals if each not in GOALS]
        if wrong:
            raise BadOption(f"goals are {', '.join(GOALS)}, not {wrong[0]!r}")
        if self.prior not in ("mined", "uniform"):
            raise BadOption(f"prior is mined or uniform, not {self.prior!r}")
        if self.order not in ("deepest", "earliest"):
            raise BadOption(f"order is deepest or earliest, not {self.order!r}")


def options_from(
    given: Mapping[str, Any], defaults: Mapping[str, Any] = MappingProxyType({})
) -> Options:
    """Options from keyword arguments or a configuration; a budget may be text such as "10s", and
    `quick` stands for little patience.

    `defaults` hold where the user gave nothing; their seconds end nothing that the user gave in
    runs.
    """
    known = option_names()
    values: dict[str, Any] = {}
    for name, value in {**defaults, **given}.items():
        key = name.replace("-", "_")
        if key not in known:
            import difflib  # only for mistakes

            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(sorted(known))}"
            raise BadOption(f"no option {name!r}; {hint}")
        values[key] = value
    if values.pop("quick", False):
        values.setdefault("patience", QUICK_PATIENCE)
    for name in ("budget", "patience"):
        if values.get(name) is not None:
            values[name] = seconds(values[name])
    if isinstance(values.get("types"), str):
        values["types"] = parse_types(values["types"])
    for name in ("instrument", "allow", "goals"):
        if name in values:
            values[name] = _names(values[name])
    if "lazy" in values:
        values["lazy"] = lazy_names(values["lazy"])
    asked = {name.replace("-", "_") for name, value in given.items() if value is not None}
    limited = values.get("budget") is not None and values.get("max_runs") is not None
    both = limited and ("budget" in asked or "max_runs" not in asked)
    return Options(**values, both_limits=both)


def option_names() -> set[str]:
    """The names of the options that `options_from` takes."""
    return {"quick", *field_names(Options)} - {"both_limits"}


def lazy_names(given: Any) -> tuple[str, ...] | None:
    """The callees to abstract: () for all where True or "" is given, these for "lex,strcmp" or a
    list, None for False or None.
    """
    if given is None or given is False:
        return None
    if given is True:
        return ()
    return _names(given)


def _names(given: Any) -> tuple[str, ...]:
    """The names in a text such as `"lex, strcmp"`, or in a list."""
    parts = given.split(",") if isinstance(given, str) else given
    return tuple([part.strip() for part in parts if part.strip()])


def seconds(text: str | float) -> float:
    """The seconds that a text means: `10s`, `500ms`, `2m`, `1h` or a number."""
    if isinstance(text, int | float):
        return float(text)
    units = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}  # seconds
    number = text.strip().lower()
    for unit in sorted(units, key=len, reverse=True):
        if number.endswith(unit):
            number, factor = number[: -len(unit)], units[unit]
            break
    else:
        factor = 1.0
    try:
        return float(number) * factor
    except ValueError:
        raise BadOption(f"{text!r} is not a time; write 10s, 500ms or 2m") from None


def parse_types(text: str) -> dict[str, str]:
    """The types by parameter that a text such as `a: int, s: list[str]` gives."""
    found: dict[str, str] = {}
    depth, part, parts = 0, "", []
    for char in text:
        depth += (char in "[(") - (char in "])")
        if char == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += char
    for each in [*parts, part]:
        if each.strip():
            name, colon, kind = each.partition(":")
            if not colon:
                raise BadOption(f'types are given as "a: int, s: str", not {text!r}')
            found[name.strip()] = kind.strip()
    return found
