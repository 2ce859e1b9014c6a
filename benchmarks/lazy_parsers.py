"""Code behind a parser: what lazy expansion covers of it, beside plain search, in the same time.

    python -m benchmarks.lazy_parsers [--budget 10s]

The parsers read fixed fields (cards, a query form), lines and words of a fixed width (a calculator,
settings as in an INI file, documents in the grammar of JSON) or a text of any length with tokens
that begin where the last one ended (a condition as in SQL, a lexer object that keeps its place, and
the standard library's own decoder of JSON). For each the table says how many conditions of the function under test were covered, in
how many runs and seconds, and how many inputs were found that the parser accepts. In the condition
a token's end is an unknown too, which the next one takes: left to itself lazy search abstracts the
tokens and follows what is called inside them. The decoder is where nothing can be abstracted: its
results can be anything, and all that it calls is called where it catches what they raise.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from symcrete.clock import processor
from symcrete.explore.compose import cover
from symcrete.explore.findings import TargetReport
from symcrete.explore.options import options_from
from symcrete.program.source.target import targets_of

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Parser:
    name: str
    target: str
    lengths: dict[str, int]  # codes in each input that has a fixed length
    callees: str = ""  # those to abstract; all if not said
    fixed: tuple[tuple[str, str], ...] = ()
    instrument: str = ""  # modules of the library to follow too

    def types(self) -> dict[str, str]:
        cells = {name: f"tuple[{', '.join(['int'] * n)}]" for name, n in self.lengths.items()}
        return cells | dict(self.fixed)


SUBJECTS = "experiments/subjects/lazy"
PARSERS = (
    Parser("cards", "benchmarks/programs/cards.py::assemble", {"cards": 48}),
    Parser("query form", "benchmarks/programs/fields.py::answer", {"form": 33}),
    Parser(
        "calculator",
        f"{SUBJECTS}/calculator.py::calculate",
        {"text": 28},
        "lex, number",
        (("operations", "Literal[3]"),),
    ),
    Parser("INI settings", "benchmarks/programs/ini.py::start", {"text": 30}),
    Parser("JSON words", "benchmarks/programs/json_words.py::describe", {"text": 42}, "lex"),
    Parser("SQL condition", "benchmarks/programs/where.py::where", {}),
    Parser("token stream", "benchmarks/programs/stream.py::parse", {}),
    Parser(
        "Python's json",
        "benchmarks/programs/json_text.py::describe",
        {},
        instrument="json.decoder, json.scanner",
    ),
)


def search(parser: Parser, *, lazy: bool, **options: object) -> TargetReport:
    given: dict[str, object] = {"types": parser.types(), "replay": False} | options
    if parser.instrument:
        given["instrument"] = parser.instrument
    if lazy:
        given["lazy"] = parser.callees
    # Processor time: beside other work both searches get what they would get alone.
    target = targets_of(f"{ROOT}/{parser.target}")[0]
    return cover(target, options_from(given), clock=processor)


def main(arguments: Sequence[str] | None = None) -> int:
    line = argparse.ArgumentParser(prog="python -m benchmarks.lazy_parsers")
    line.add_argument("--budget", default="10s", help="per parser and search")
    options = line.parse_args(arguments)
    print(f"{'parser':<15}{'search':<8}{'conditions':<13}{'accepted':<10}{'runs':<7}seconds")
    for parser in PARSERS:
        for lazy in (False, True):
            report = search(parser, lazy=lazy, budget=options.budget)
            done = f"{report.conditions.covered} of {report.conditions.total}"
            accepted = sum(found.outcome == "returned" for found in report.inputs)
            print(
                f"{parser.name:<15}{'lazy' if lazy else 'plain':<8}{done:<13}{accepted:<10}"
                f"{report.runs:<7}{report.seconds:.1f}",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
