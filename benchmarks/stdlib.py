"""Branch coverage of functions of the standard library, beside CrossHair and Hypothesis.

    python -m benchmarks.stdlib [--only NAME] [--tool NAME] [--budget 10] [--results FILE] [--again]

Each tool gets the same annotated entry (`benchmarks/programs/library.py`) and the same processor
time, so that it does not matter what else the machine does; `--command` runs `symcrete cover`
itself instead of the engine alone, by the clock on the wall. The inputs it found are then run on
the untouched library under coverage.py, and the branch arcs of the one function named in the table
are counted: for all tools alike. CrossHair prints an example for every path it explored, Hypothesis
draws from the types of the entry. Results are kept in a file as they come, so that a run which was
cut off goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "benchmarks/programs/library.py"
TOOLS = ("symcrete", "crosshair", "hypothesis")


@dataclass(frozen=True, slots=True)
class Row:
    """An entry, and the library function whose branches count."""

    entry: str
    counted: str  # module:function
    also: tuple[str, ...] = ()  # modules the function needs rewritten beside its own

    @property
    def module(self) -> str:
        return self.counted.partition(":")[0]


ROWS = (
    Row("split_words", "shlex:shlex.read_token"),
    Row("split_url", "urllib.parse:urlsplit"),
    Row("join_urls", "urllib.parse:urljoin"),
    Row("parse_query", "urllib.parse:parse_qsl"),
    Row("unquote_bytes", "urllib.parse:unquote_to_bytes"),
    Row("address_of_4", "ipaddress:_BaseV4._ip_int_from_string"),
    Row("address_of_6", "ipaddress:_BaseV6._ip_int_from_string"),
    Row("summarised", "ipaddress:summarize_address_range"),
    Row("translated_pattern", "fnmatch:translate"),
    Row("relative_path", "posixpath:relpath"),
    Row("common_path", "posixpath:commonpath"),
    Row("expanded_variables", "posixpath:expandvars"),
    Row("dedented", "textwrap:dedent"),
    Row("wrapped", "textwrap:TextWrapper._wrap_chunks"),
    Row("json_string", "json.decoder:py_scanstring"),
    Row("json_value", "json.scanner:py_make_scanner", also=("json.decoder",)),
    Row("json_object", "json.decoder:JSONObject", also=("json.scanner",)),
    Row("settings", "configparser:RawConfigParser._read"),
    Row("unescaped", "html:_replace_charref"),
    Row("parsed_date", "email._parseaddr:_parsedate_tz"),
    Row("address_pair", "email._parseaddr:AddrlistClass", also=("email.utils",)),
    Row("weekday_of", "calendar:monthrange"),
    Row("month_days", "calendar:Calendar.itermonthdays2"),
    Row("fraction_of", "fractions:Fraction.__new__"),
    Row("near_fraction", "fractions:Fraction.limit_denominator"),
    Row("quantiles_of", "statistics:quantiles"),
    Row("median_grouped_of", "statistics:median_grouped"),
    Row("to_hls", "colorsys:rgb_to_hls"),
    Row("from_hsv", "colorsys:hsv_to_rgb"),
    Row("guessed_quotes", "csv:Sniffer._guess_quote_and_delimiter"),
    Row("guessed_delimiter", "csv:Sniffer._guess_delimiter"),
    Row("formatted", "string:Formatter._vformat"),
    Row("substituted", "string:Template.safe_substitute"),
    Row("operations", "difflib:SequenceMatcher.get_opcodes"),
    Row("longest_match", "difflib:SequenceMatcher.find_longest_match"),
    Row("literal", "ast:literal_eval"),
    Row("pattern", "re._parser:_parse"),
    Row("replacement", "re._parser:parse_template"),
    Row("encoding_name", "tokenize:_get_normal_name"),
    Row("detected_encoding", "tokenize:detect_encoding"),
    Row("untokenized", "tokenize:Untokenizer.compat"),
)


def main() -> int:
    line = argparse.ArgumentParser(prog="python -m benchmarks.stdlib")
    line.add_argument("--only", default="", help="a function, or several with commas")
    line.add_argument("--tool", default="", choices=("", *TOOLS))
    line.add_argument("--budget", type=float, default=10.0, help="seconds per function and tool")
    line.add_argument("--results", type=Path, default=ROOT / "build/stdlib.json")
    line.add_argument(
        "--command", action="store_true", help="run `symcrete cover` itself, by wall clock"
    )
    line.add_argument("--again", action="store_true", help="measure also what is in the results")
    line.add_argument("-v", "--verbose", action="store_true", help="the arcs each tool misses")
    options = line.parse_args()
    chosen = set(options.only.split(",")) if options.only else {row.entry for row in ROWS}
    unknown = chosen - {name for row in ROWS for name in (row.entry, row.counted)}
    if unknown:
        line.error(f"no such function: {', '.join(sorted(unknown))}")
    options.results.parent.mkdir(parents=True, exist_ok=True)
    results: dict[str, Any] = {}
    if options.results.exists():
        results = json.loads(options.results.read_text())
    print(f"{'library function':42}{'arcs':>5}" + "".join(f"{tool:>12}" for tool in TOOLS))
    rows = [row for row in ROWS if chosen & {row.entry, row.counted}]
    for row in rows:
        for tool in TOOLS:
            key = f"{row.counted} {tool} {options.budget:g}"
            if options.tool not in ("", tool) or (key in results and not options.again):
                continue
            use = "command" if options.command and tool == "symcrete" else tool
            results[key] = measured(row, use, options.budget)
            options.results.write_text(json.dumps(results, indent=1))
        _tell(row, results, options)
    _summary(rows, results, options.budget)
    return 0


def measured(row: Row, tool: str, budget: float) -> dict[str, Any]:
    """What the tool's inputs cover, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        found = Path(folder) / "inputs.json"
        error = _run(tool, row, budget, found)
        took = time.perf_counter() - began
        inputs = found if found.exists() else Path("-")
        done = subprocess.run(
            [
                *(sys.executable, "-X", "frozen_modules=off", "-m", "benchmarks.arcs"),
                *(row.counted, row.entry, str(inputs)),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=600,
        )
    if done.returncode:
        raise RuntimeError(f"{row.counted} {tool}: {done.stderr[-2000:]}")
    arcs: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return arcs | {"seconds": round(took, 1), "error": error}


def _run(tool: str, row: Row, budget: float, found: Path) -> str:
    """Let a tool write its inputs to a file; what went wrong, if anything did."""
    command = [sys.executable, "-m", "benchmarks.tools", tool, row.entry, str(budget), str(found)]
    modules = [row.counted, row.module, *row.also]
    try:
        done = subprocess.run(
            [*command, *modules], cwd=ROOT, capture_output=True, text=True, timeout=budget * 20 + 60
        )
    except subprocess.TimeoutExpired:
        return "did not end"
    return "" if done.returncode == 0 else done.stderr[-400:]


def _tell(row: Row, results: dict[str, Any], options: argparse.Namespace) -> None:
    cells, total = "", 0
    for tool in TOOLS:
        found = results.get(f"{row.counted} {tool} {options.budget:g}")
        if found is None:
            cells += f"{'-':>12}"
            continue
        total = found["total"]
        share = f"{found['covered']}/{100 * found['covered'] / total:.0f}%"
        cells += f"{share + ('!' if found['error'] else ''):>12}"
    print(f"{row.counted:42}{total:>5}{cells}", flush=True)
    if options.verbose:
        for tool in TOOLS:
            found = results.get(f"{row.counted} {tool} {options.budget:g}")
            if found is not None:
                print(f"    {tool} misses {found['missing']} {found['error'][-300:]}")


def _summary(rows: list[Row], results: dict[str, Any], budget: float) -> None:
    shares: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    lower: dict[str, list[str]] = {tool: [] for tool in TOOLS[1:]}
    for row in rows:
        found = [results.get(f"{row.counted} {tool} {budget:g}") for tool in TOOLS]
        if not all(found):
            continue
        for tool, each in zip(TOOLS, found, strict=True):
            shares[tool].append(each["covered"] / each["total"])
            if tool != TOOLS[0] and each["covered"] > found[0]["covered"]:
                lower[tool].append(row.counted)
    count = len(shares[TOOLS[0]])
    if not count:
        return
    print(f"\nmean of {count} functions, after {budget:g} s each:")
    for tool in TOOLS:
        print(f"  {tool:12}{100 * sum(shares[tool]) / count:6.1f} %")
    for tool, names in lower.items():
        print(f"  symcrete is below {tool} on {len(names)}: {', '.join(names) or 'none'}")


if __name__ == "__main__":
    sys.exit(main())
