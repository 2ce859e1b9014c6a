"""What each command does; imported only when one runs."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from symcrete.errors import (
    INTERNAL_ERROR,
    BadOption,
    CannotWrite,
    InternalError,
    NothingToAnalyse,
    SymcreteError,
)
from symcrete.explore.findings import Report
from symcrete.explore.reach.reached import Goal, Reached, Undecided, Verdict
from symcrete.notation import Parameter
from symcrete.program.source.target import MOST_NAMES_LISTED, Target, targets_of
from symcrete.report.emitter import make_emitter
from symcrete.report.formats.reach_text import told
from symcrete.report.formats.terminal import progress_wanted
from symcrete.sandbox.driver import reaching
from symcrete.sandbox.journal.writing import check_writable, write_file
from symcrete.search.table import PATIENCE_PARAMETER, STRATEGIES
from symcrete.user import (
    check_folder,
    held_tests,
    options_of,
    protection_teller,
    targets_named,
    warn,
    with_values,
    write_tests,
)

GRAPH_SECONDS = 3.0  # seconds of exploring for a picture, which should not keep anybody waiting
PICTURES = {".svg": "svg", ".dot": "dot", ".gv": "dot"}
CHAINS = {".dot": "dot", ".gv": "dot", ".pm": "prism", ".prism": "prism"}
CHAIN_RUNS = 1000  # random inputs: probabilities of a chain to about three per cent


def cover(arguments: argparse.Namespace) -> int:
    """Inputs that cover every branch of many targets."""
    from symcrete import covering  # what it needs no other command does

    return covering.cover(arguments)


def resume(arguments: argparse.Namespace) -> int:
    """Go on with a run that was stopped."""
    from symcrete import covering

    return covering.resume(arguments)


def replay(arguments: argparse.Namespace) -> int:
    """Run again what an earlier run found; something that differs now is a finding."""
    from symcrete.report.formats.again_text import told_again  # few commands need these
    from symcrete.sandbox.driver.again import Again, replay_again
    from symcrete.sandbox.journal.runs import past_run

    past = past_run(arguments.journal)
    targets = [target for target in targets_named(past.texts) if past.known(target).found()]
    if not targets:
        raise NothingToAnalyse(f"{past.path} holds no inputs")
    found: list[Again] = []
    for each in replay_again([(t, past.known(t).found()) for t in targets], past.options):
        found.append(each)
        if not arguments.json and not arguments.quiet:
            for line in told_again(each, verbose=arguments.verbose):
                print(line, flush=True)
    differing = [each for each in found if each.now is not None and not each.same]
    if arguments.json:
        print(json.dumps({"schema": 1, "inputs": [each.as_json() for each in found]}, indent=1))
    elif not arguments.quiet:
        print(f"{len(found)} inputs, {len(differing)} of them do something else now")
    return 1 if differing else 0


def _progress(arguments: argparse.Namespace, target: Target | None) -> None:
    if arguments.quiet or not progress_wanted():
        return
    text = f"exploring {target.label} ..." if target else ""
    sys.stderr.write(f"\r\033[K{text}")
    sys.stderr.flush()


def explain(arguments: argparse.Namespace) -> int:
    """Print the path that one input takes through a function."""
    targets = targets_of(arguments.target)
    if len(targets) != 1:
        names = ", ".join(target.scope for target in targets[:MOST_NAMES_LISTED])
        raise BadOption(f"explain takes one function; {arguments.target} has {names}")
    told = reaching.explain(
        targets[0], options_of(arguments), arguments.input, protection_teller(arguments)
    )
    if arguments.json:
        print(json.dumps(told.as_json(), indent=1))
    else:
        print("\n".join(told.lines()))
    return 0


def reach(arguments: argparse.Namespace) -> int:
    """Print an input that gets to each place, or a proof that none does; 0 if all were reached."""
    options = options_of(arguments)
    goals = _goals(arguments)
    check_folder(arguments, [goal.target for goal in goals])
    verdicts: list[Verdict] = []
    failed = False  # by a mistake of ours
    protection = protection_teller(arguments)
    for goal in goals:
        try:
            verdicts.append(
                reaching.reach(goal, options, entry=arguments.entry, on_protection=protection)
            )
        except SymcreteError as error:
            if len(goals) == 1:
                raise
            verdicts.append(Undecided(goal.shown, goal.place.entry, 0.0, 0, str(error)))
            failed = failed or isinstance(error, InternalError)
        if arguments.quiet and not arguments.json:
            print(told(verdicts[-1])[0], flush=True)
        elif not arguments.json:
            shown = _with_its_test(verdicts[-1], arguments)
            print("\n".join(told(shown, verbose=arguments.verbose)), flush=True)
    if arguments.json:
        found = [verdict.as_json() for verdict in verdicts]
        print(json.dumps(found[0] if len(found) == 1 else found, indent=1))
    if arguments.output:
        reports = [verdict.report for verdict in verdicts if isinstance(verdict, Reached)]
        if not write_tests(arguments, Report(tuple(reports), options.seed))[1]:
            return CannotWrite.exit_code
    if failed:
        return INTERNAL_ERROR
    return 0 if all(isinstance(verdict, Reached) for verdict in verdicts) else 1


def _with_its_test(verdict: Verdict, arguments: argparse.Namespace) -> Verdict:
    """The verdict; if its test does not hold, or cannot be tried, with the reason."""
    if not isinstance(verdict, Reached):
        return verdict
    try:
        tried = held_tests(arguments, Report((verdict.report,))).targets[0]
    except BadOption as error:  # pytest is not installed
        inputs = [replace(each, untested=str(error)) for each in verdict.report.inputs]
        tried = replace(verdict.report, inputs=tuple(inputs))
    return replace(verdict, report=tried)


def _goals(arguments: argparse.Namespace) -> list[Goal]:
    from symcrete.explore.reach.goals import goal_at, goal_of_branch, goals_of_diff, goals_of_error

    places: list[str] = arguments.places
    if arguments.diff:
        return goals_of_diff(arguments.diff, Path.cwd())
    if not places:
        raise BadOption("what should be reached? give FILE:LINE, or --diff REV")
    if arguments.branch:
        return [
            goal_of_branch(place.rpartition("::")[0] or place, arguments.branch) for place in places
        ]
    if arguments.raises:
        return [goal for place in places for goal in goals_of_error(place, arguments.raises)]
    return [goal_at(place) for place in places]


def graph(arguments: argparse.Namespace) -> int:
    """Draw the control-flow graphs of the targets, or the Markov chains of their conditions."""
    from symcrete.sandbox.driver import driver  # few commands need it

    form = _picture_form(arguments)
    if arguments.output:
        check_writable(arguments.output, force=arguments.force)
    defaults: dict[str, Any] = {"replay": False, "path_conditions": False}
    if arguments.chain:
        defaults |= {"chain": True, "strategy": "random-input", "max_runs": CHAIN_RUNS}
    options = options_of(arguments, budget=GRAPH_SECONDS, **defaults)
    protection = protection_teller(arguments)
    targets = targets_of(arguments.target)
    if form == "prism" and len(targets) > 1:
        raise BadOption(f"a PRISM file holds one chain: name a function, {targets[0].label}")
    reports = []
    for target in targets:
        _progress(arguments, target)
        report = driver.Cover(target, options, None, on_protection=protection).run()
        reports.append(report)
        if report.error:
            print(f"symcrete: {target.label}: {report.error}", file=sys.stderr)
    _progress(arguments, None)
    if arguments.chain:
        text = "".join(_chain_text(report.chain, form) for report in reports if report.chain)
    else:
        out = io.StringIO()
        make_emitter(form).emit(Report(tuple(reports), options.seed), out)
        text = out.getvalue()
    if arguments.output:
        write_file(arguments.output, text, force=arguments.force)
        print(f"wrote {arguments.output}", file=sys.stderr)
    else:
        sys.stdout.write(text)
    return max(report.exit_code if report.error else 0 for report in reports)


def _chain_text(plain: dict[str, Any], form: str) -> str:
    from symcrete.explore.loop.random_testing import chain_from
    from symcrete.search.chains.markov import to_dot
    from symcrete.search.chains.prism import chain_to_prism

    return (chain_to_prism if form == "prism" else to_dot)(*chain_from(plain))


def _picture_form(arguments: argparse.Namespace) -> str:
    output, forms = arguments.output, CHAINS if arguments.chain else PICTURES
    if arguments.format and arguments.format not in forms.values():
        what = "a chain" if arguments.chain else "a graph without --chain"
        raise BadOption(f"{what} has no form {arguments.format!r}")
    ending = Path(output or "").suffix
    if output and not arguments.format and ending not in forms:
        what = "chain" if arguments.chain else "graph"
        raise BadOption(
            f"a {what} is written to a file that ends in {' or '.join(forms)}, not {output!r}"
        )
    return arguments.format or forms.get(ending, "dot")


def report(arguments: argparse.Namespace) -> int:
    """What the last run found, as a page or in another format."""
    from symcrete.report_file import with_report_file, write_report  # few commands need these
    from symcrete.sandbox.journal.runs import FOLDER, past_run

    past = past_run(arguments.journal)
    found = [known.report for known in past.targets.values() if known.report is not None]
    if not found:
        raise NothingToAnalyse(f"no function was finished in {past.path}")
    left = len(past.targets) - len(found)
    if left:
        warn(f"{left} functions were not finished; go on with: symcrete resume {past.path}")
    arguments = with_report_file(with_values(arguments, json=False))
    if arguments.output:
        raise BadOption(f"{arguments.output} is no file name for --emit {arguments.emit}")
    if arguments.emit == "html" and arguments.report_file is None:
        # A place of our own: what is there may go.
        arguments = with_values(arguments, report_file=f"{FOLDER}/report.html", force=True)
    write_report(arguments, Report(tuple(found), past.options.seed), arguments.emit)
    if arguments.open and arguments.report_file:
        import webbrowser

        webbrowser.open(Path(arguments.report_file).absolute().as_uri())
    return 0


def cache(arguments: argparse.Namespace) -> int:
    """Print how many results are kept in this folder, or forget them."""
    from symcrete.sandbox.journal.known_results import PLACE, Cache

    kept = Cache()
    if arguments.clear:
        print(f"{kept.clear()} results forgotten")
        return 0
    count, size = kept.size()
    print(f"{count} results in {PLACE}, {size / 1e6:.1f} MB")  # megabytes
    return 0


def strategies(arguments: argparse.Namespace) -> int:
    """Print the strategies, with their parameters and how to combine them."""
    _listed((name, row.what, row.parameters) for name, row in STRATEGIES.items())
    print(
        "\nParameters follow a colon, as in dfs:depth=40. Combined: a+b take turns, and a>b goes on"
    )
    print(f"with b when a brings nothing new; there each also has {PATIENCE_PARAMETER.shown()}.")
    return 0


def solvers(arguments: argparse.Namespace) -> int:
    """Print the solvers, with their parameters."""
    from symcrete.solve.solvers import OF_EVERY_SOLVER, named

    lacking = {True: "", False: " (not installed)"}
    _listed(
        (name, row.what + lacking[row.installed], row.parameters) for name, row in named().items()
    )
    print("\nParameters follow a colon, as in z3:seconds=5,slicing=no; of every solver:")
    for parameter in OF_EVERY_SOLVER:
        print(f"  {parameter.shown()}")
    return 0


def init(arguments: argparse.Namespace) -> int:
    """Set up the project in this folder."""
    from symcrete.shell.project_setup import set_up  # as below: few commands need these

    for line in set_up(Path.cwd(), recipe=not arguments.no_ci, force=arguments.force):
        print(line)
    return 0


def completion(arguments: argparse.Namespace) -> int:
    """Print the script with which a shell completes our commands."""
    from symcrete.cli import parser
    from symcrete.shell.completion import script

    sys.stdout.write(script(arguments.shell, parser()))
    return 0


def lsp(arguments: argparse.Namespace) -> int:
    """Serve an editor until it is closed."""
    from symcrete.editor.server import serve

    serve()
    return 0


def _listed(rows: Iterable[tuple[str, str, Sequence[Parameter]]]) -> None:
    listed = list(rows)
    width = max(len(name) for name, _, _ in listed)
    for name, what, parameters in listed:
        print(f"{name:<{width}}  {what}")
        for parameter in parameters:
            print(f"{'':<{width}}    {parameter.shown()}")
