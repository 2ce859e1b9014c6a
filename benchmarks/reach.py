"""Lines picked at random from the standard library: what `reach` decides, beside plain forward
search.

    python -m benchmarks.reach                   # 70 lines, 10 s each and for each of the two
    python -m benchmarks.reach --budget 2s --lines 30

Each line runs in a process of its own, first with `reach`, then with ordinary exploration of the
function around the line, which stops when the line is executed. Inputs of both are confirmed by a
replay. Same seed, same lines.
"""

from __future__ import annotations

import argparse
import inspect
import multiprocessing
import statistics
import time
from collections import Counter
from random import Random
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.compose import prepare
from symcrete.explore.confirm_line import confirmed
from symcrete.explore.options import options_from, seconds
from symcrete.explore.reached import Goal
from symcrete.explore.symcretic import reach
from symcrete.program.place import executable_lines, place_of
from symcrete.program.sites import functions
from symcrete.program.source import source_of_module
from symcrete.run.runner import Limits
from symcrete.run.watch_line import LineWatch, WatchedRunner

MODULES = "shlex textwrap urllib.parse ipaddress configparser "
MODULES += "fractions statistics calendar difflib posixpath"
SLACK = 8.0  # seconds after the budget until a process is ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--budget", default="10s", help="for each line and each search")
    parser.add_argument("--lines", type=int, default=70)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-v", "--verbose", action="store_true", help="the reasons too")
    given = parser.parse_args()
    budget = seconds(given.budget)
    picked = pick(given.lines, given.seed)
    tallies: dict[str, Counter[str]] = {"reach": Counter(), "forward": Counter()}
    times: dict[str, list[float]] = {"reach": [], "forward": []}
    print(f"{'line':<26} {'reach':<22} {'forward':<20}  text")
    for module, line in picked:
        cells = []
        for kind, work in (("reach", by_reach), ("forward", by_forward)):
            verdict, took, detail = apart(work, module, line, budget)
            tallies[kind][verdict] += 1
            times[kind].append(took)
            cells.append((f"{verdict} {took:.1f} s", detail))
        text = place(module, line).text[:44]
        print(
            f"{module + ':' + str(line):<26} {cells[0][0]:<22} {cells[1][0]:<20}  {text}",
            flush=True,
        )
        if given.verbose and cells[0][1]:
            print(f"    {cells[0][1][:150]}")
    print(f"\n{len(picked)} lines, {budget:g} s each")
    for kind, tally in tallies.items():
        decided = tally["reached"] + tally["unreachable"]
        words = ", ".join(f"{count} {word}" for word, count in tally.most_common())
        mean = statistics.mean(times[kind])
        print(f"{kind:<8} decides {decided:>3}: {words}; mean {mean:.2f} s")


def pick(count: int, seed: int) -> list[tuple[str, int]]:
    """The same number from each module, as far as it goes."""
    random = Random(seed)
    modules = MODULES.split()
    found = []
    for number, module in enumerate(modules):
        source = source_of_module(module)
        tree = source.tree()
        bodies = [
            range(node.body[0].lineno, (node.end_lineno or 0) + 1) for _, node in functions(tree)
        ]
        runs = executable_lines(tree, str(source.file))
        lines = [line for line in runs if any(line in body for body in bodies)]
        share = count // len(modules) + (number < count % len(modules))
        found += [(module, line) for line in sorted(random.sample(sorted(set(lines)), share))]
    return found


def place(module: str, line: int) -> Any:
    return place_of(source_of_module(module), line, module)


def by_reach(module: str, line: int, budget: float) -> tuple[str, str]:
    verdict = reach(Goal(place(module, line), f"{module}:{line}"), options_from({"budget": budget}))
    detail = getattr(verdict, "reason", "") or getattr(verdict, "phase", "")
    return str(verdict.as_json()["verdict"]), detail


def by_forward(module: str, line: int, budget: float) -> tuple[str, str]:
    where = place(module, line)
    began = time.perf_counter()
    goal = Goal(where, f"{module}:{line}")
    options = options_from({"budget": budget})
    exploration, world = prepare(goal.target, options, began)
    watch = LineWatch(str(where.source.file), where.line)
    exploration.whole_tree = True
    runner = WatchedRunner(
        exploration.runner.function,
        exploration.arguments,
        world.record,
        world.hooks,
        Limits(options.run_steps, options.run_seconds),
    )
    runner.watch = watch
    exploration.runner = runner
    strategy = exploration.strategy
    chosen = strategy.choose
    real: list[bool] = []

    def choose(tree: Any) -> Any:
        trace, runner.reached = runner.reached, None
        if trace is not None and not real:
            found = confirmed(trace, where.line, goal.target, exploration, world, options)
            if found is not None:
                real.append(True)
        return None if real else chosen(tree)

    strategy.choose = choose  # type: ignore[method-assign]
    exploration.explore()
    if real:
        return "reached", ""
    # Without declared types a whole tree proves nothing, here as in `reach`.
    typed = all(
        parameter.annotation is not parameter.empty
        for parameter in inspect.signature(runner.function).parameters.values()
    )
    return ("unreachable", "") if exploration.proved_whole and typed else ("undecided", "")


def apart(work: Any, module: str, line: int, budget: float) -> tuple[str, float, str]:
    """The answer of a process of its own, and how long it took."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()

    def run() -> None:
        try:
            theirs.send(work(module, line, budget))
        except SymcreteError as error:
            theirs.send(("undecided", str(error)))
        except BaseException as error:
            theirs.send(("crashed", f"{type(error).__name__}: {error}"))

    process = context.Process(target=run, daemon=True)
    began = time.perf_counter()
    process.start()
    verdict, detail = "hung", ""
    if ours.poll(budget + SLACK):
        verdict, detail = ours.recv()
    took = time.perf_counter() - began
    process.kill()
    process.join()
    return verdict, took, detail


if __name__ == "__main__":
    main()
