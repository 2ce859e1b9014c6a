"""The command line: `symcrete cover shop.py`. Nothing heavy is imported before a command runs."""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import os
import re
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from symcrete import VERSION
from symcrete.errors import INTERNAL_ERROR, InternalError, SymcreteError
from symcrete.shell.told_once import keep_as_told, untested_python, was_told

MISUSED = 4  # exit code: a command that is not understood
INTERRUPTED = 130  # exit code: 128 and the number of SIGINT, as shells have it

_FORMATS = (
    "print as table, json, pytest, examples (for Hypothesis tests), html, dot, svg, sarif, junit, "
    "github (annotations) or coverage (a file); into FILE if -o names one that ends so"
)


class _Parser(argparse.ArgumentParser):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(*args, **kwargs)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, and let a command itself complain of flags that it does not know: its message can
        then name the flags that it has.
        """
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def format_help(self) -> str:
        """The help text, with examples; they are imported for it and for nothing else."""
        from symcrete.shell.help_texts import EXAMPLES

        self.epilog = EXAMPLES.get(self.prog)
        return super().format_help()

    def error(self, message: str) -> Any:
        said = re.sub(r" \(choose from .*\)", "", message)
        self.exit(MISUSED, f"symcrete: {said}{self._nearest(message)}\nsee {self.prog} --help\n")

    def _nearest(self, message: str) -> str:
        """The flags or commands that those in a message may have been meant to be, as a question;
        all that there are, where none is near.
        """
        import difflib  # few commands have a mistake in them

        wrong = [word.partition("=")[0] for word in message.split() if word.startswith("--")]
        known = list(self._option_string_actions)
        chosen = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        if chosen is not None:
            wrong, known = [chosen[1]], re.findall(r"[\w-]+", chosen[2])
        close = [near for word in wrong for near in difflib.get_close_matches(word, known, n=1)]
        meant = [near for near in close if near not in wrong]
        if meant:
            return f"; did you mean {' and '.join(meant)}?"
        return f"; one of {', '.join(known)}" if chosen is not None else ""


if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[_Parser]


def parser(only: str = "") -> argparse.ArgumentParser:
    """The parser of all commands, or of this one alone, which takes a sixth of the time."""
    top = _Parser(
        prog="symcrete",
        description="Find the inputs that cover every branch of a Python function.",
    )
    top.add_argument("--version", action="version", version=f"symcrete {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    builders = (_cover, _resume, _replay, _reach, _check, _diff, _explain, _graph, _report)
    alone = [build for build in (*builders, _init) if build.__name__ == f"_{only}"]
    for build in alone or builders:
        build(commands)
    if alone:
        return top
    cache = commands.add_parser("cache", help="results kept of functions that have not changed")
    cache.add_argument("--clear", action="store_true", help="forget them")
    commands.add_parser("strategies", help="what search strategies there are")
    commands.add_parser("solvers", help="what solvers there are")
    _init(commands)
    commands.add_parser(
        "lsp",
        help="serve an editor: lenses, findings by line, tests",
        description="Serve an editor over standard input and output, by the language server "
        "protocol. It needs pygls: pip install 'symcrete[lsp]'. See docs/editors.md.",
    )
    completion = commands.add_parser(
        "completion",
        help="a script with which a shell completes commands and flags",
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"))
    return top


def _cover(commands: Commands) -> None:
    cover = commands.add_parser("cover", help="inputs that cover every branch")
    cover.add_argument(
        "targets", nargs="+", metavar="TARGET", help="file.py, file.py::func, module:func, folder"
    )
    cover.add_argument("-o", "--output", metavar="DIR", help="write pytest tests into this folder")
    _asserting(cover)
    cover.add_argument(
        "--goals",
        metavar="NAMES",
        help="what inputs are to show: branches, boundaries (of comparisons), outcomes (each kind "
        "of result), misuse (values of other types that the program refuses), mcdc (each condition "
        "of a decision decides it), mutants (seeded faults); "
        "default: branches,boundaries,outcomes,misuse",
    )
    cover.add_argument("--emit", metavar="FORMAT", help=_FORMATS)
    cover.add_argument("--json", action="store_true", help="the same as --emit json")
    cover.add_argument(
        "--jsonl", action="store_true", help="one JSON line per event, as it happens"
    )
    cover.add_argument(
        "--all-inputs", action="store_true", help="explore every path and report an input for each"
    )
    cover.add_argument(
        "--only-returning",
        action="store_true",
        default=None,
        help="with --lazy: no inputs for paths that raise",
    )
    cover.add_argument(
        "--fail-under", type=float, metavar="PERCENT", help="exit 1 below this branch coverage"
    )
    cover.add_argument("--force", action="store_true", help="overwrite test files that were edited")
    cover.add_argument(
        "--prune", action="store_true", help="remove tests of functions that are gone"
    )
    cover.add_argument(
        "--workers", type=int, metavar="N", help="functions explored at a time (default: the cores)"
    )
    cover.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="explore on a Dask cluster: tcp://host:8786, or local (needs symcrete[dask])",
    )
    cover.add_argument(
        "--total-budget", metavar="10m", help="wall clock over all targets; see also --budget"
    )
    cover.add_argument(
        "--exclude", action="append", metavar="GLOB", help="files or functions to leave out"
    )
    cover.add_argument(
        "--changed",
        nargs="?",
        const="HEAD",
        metavar="REV",
        help="only functions changed since a git revision (HEAD), and those that call them",
    )
    cover.add_argument(
        "--coverage", metavar="FILE", help="only what this data file of coverage.py lacks"
    )
    cover.add_argument(
        "--learn-from",
        metavar="DIR",
        help="begin with the calls that these tests make; they are run once, confined",
    )
    cover.add_argument("--no-cache", action="store_true", help="explore again what has not changed")
    cover.add_argument("--list", action="store_true", help="only show what would be covered")
    cover.add_argument("--journal", metavar="FILE", help="append what is found to this file")
    cover.add_argument(
        "--no-journal", action="store_true", help="keep nothing of this run in .symcrete"
    )
    _common(cover)


def _resume(commands: Commands) -> None:
    resume = commands.add_parser("resume", help="go on with a run that was stopped")
    _journal(resume)
    resume.add_argument("-o", "--output", metavar="DIR", help="write pytest tests into this folder")
    resume.add_argument("--emit", metavar="FORMAT", help=_FORMATS)
    resume.add_argument("--json", action="store_true", help="the same as --emit json")
    resume.add_argument(
        "--jsonl", action="store_true", help="one JSON line per event, as it happens"
    )
    _loudness(resume)


def _replay(commands: Commands) -> None:
    replay = commands.add_parser("replay", help="run again what was found")
    _journal(replay)
    replay.add_argument("--json", action="store_true")
    _loudness(replay)


def _reach(commands: Commands) -> None:
    reach = commands.add_parser(
        "reach",
        help="an input that executes a line, or a proof of none",
    )
    reach.add_argument("places", nargs="*", metavar="FILE:LINE")
    reach.add_argument("--from", dest="entry", metavar="FUNC", help="the function to start from")
    reach.add_argument("--branch", metavar="LINE:true", help="one side of the branch in a line")
    reach.add_argument(
        "--raises", metavar="ERROR", help="raise this class, in a `raise` or an operation"
    )
    reach.add_argument("--diff", metavar="REV", help="each line changed since a git revision")
    _tests(reach)
    reach.add_argument("--json", action="store_true")
    _common(reach)


def _check(commands: Commands) -> None:
    check = commands.add_parser(
        "check",
        help="inputs that break an assert, a contract, or a promise",
    )
    check.add_argument(
        "targets", nargs="+", metavar="TARGET", help="file.py, file.py::func, module:func, folder"
    )
    check.add_argument(
        "--expect", action="append", metavar="ERROR", help="an exception that may be raised"
    )
    _tests(check)
    check.add_argument("--emit", metavar="FORMAT", help="print as json, sarif, junit or github")
    check.add_argument("--json", action="store_true")
    _common(check)


def _diff(commands: Commands) -> None:
    diff = commands.add_parser(
        "diff",
        help="inputs on which two functions differ, or a proof",
    )
    diff.add_argument(
        "functions", nargs="*", metavar="TARGET", help="two functions, or one; with --diff files"
    )
    diff.add_argument("--rev", metavar="REV", help="the same function at this git revision")
    diff.add_argument("--diff", metavar="REV", help="each function changed since a git revision")
    _tests(diff)
    diff.add_argument("--json", action="store_true")
    _common(diff)


def _tests(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("-o", "--output", metavar="DIR", help="write pytest tests into this folder")
    _asserting(command)
    add("--force", action="store_true", help="overwrite test files that were edited")
    add("--prune", action="store_true", help="remove tests of functions that are gone")


def _explain(commands: Commands) -> None:
    explain = commands.add_parser("explain", help="the path that one input takes")
    explain.add_argument("target", metavar="TARGET")
    explain.add_argument("--input", required=True, metavar='"a=1, b=2"', help="the arguments")
    explain.add_argument("--json", action="store_true")
    _common(explain)


def _graph(commands: Commands) -> None:
    graph = commands.add_parser(
        "graph",
        help="the control-flow graph with its covered, open and infeasible branches",
        description="Draw the control-flow graph of a function, or of each function of a file. "
        "It is explored for a moment first: covered branches are drawn green, open ones orange "
        "and dashed, those proved infeasible grey and dotted.",
    )
    graph.add_argument("target", metavar="TARGET", help="file.py, file.py::func, module:func")
    graph.add_argument(
        "-o", "--output", metavar="FILE", help="write to FILE.svg or FILE.dot instead of stdout"
    )
    graph.add_argument(
        "--format", choices=("dot", "svg", "prism"), help="default: what FILE ends in, else dot"
    )
    graph.add_argument(
        "--chain",
        action="store_true",
        help="instead, the Markov chain of its conditions under random inputs (.dot, or .pm for "
        "PRISM and Storm)",
    )
    graph.add_argument("--force", action="store_true", help="overwrite a file that was edited")
    _common(graph)


def _report(commands: Commands) -> None:
    report = commands.add_parser(
        "report", help="the page of the last run, or another format, without exploring again"
    )
    _journal(report)
    report.add_argument(
        "-o", "--output", metavar="FILE", help="default for the page: .symcrete/report.html"
    )
    report.add_argument("--emit", metavar="FORMAT", default="html", help=_FORMATS)
    report.add_argument("--open", action="store_true", help="show the page in a browser")
    report.add_argument("--force", action="store_true", help="overwrite a page that was edited")


def _init(commands: Commands) -> None:
    init = commands.add_parser(
        "init",
        help="[tool.symcrete] in pyproject.toml, and a CI recipe",
        description="Add [tool.symcrete] to pyproject.toml of this folder, and a workflow for "
        "GitHub that covers what a pull request touches. What is there already stays.",
    )
    init.add_argument("--no-ci", action="store_true", help="no CI recipe")
    init.add_argument("--force", action="store_true", help="overwrite a recipe that was edited")


def _common(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--budget", metavar="10s", help="wall clock per target, at most (default 10s)")
    add(
        "--quick",
        action="store_true",
        default=None,
        help="little patience: 0.7s",
    )
    add(
        "--patience",
        metavar="2s",
        help="end a function before its budget after so long without a find (default: 2s for "
        "several functions without a --budget)",
    )
    add(
        "--max-runs",
        type=int,
        metavar="N",
        help="a budget of work: the same result on every machine, unless a budget beside it "
        "(--budget or [tool.symcrete]) ends it before",
    )
    add(
        "--strategy",
        metavar="NAME",
        help='see `symcrete strategies`; NAME:k=3, A+B in turn, "A>B" on stagnation (auto)',
    )
    add(
        "--solver",
        metavar="NAME",
        help="see `symcrete solvers`; NAME:slicing=no,seconds=5 (auto)",
    )
    add(
        "--ippc",
        nargs="?",
        const="on",
        choices=("on", "paper"),
        help="solve partial path constraints first",
    )
    add(
        "--no-ippc",
        dest="ippc",
        action="store_const",
        const="off",
        help="solve whole path constraints",
    )
    add("--instrument", action="append", metavar="MODULE", help="rewrite this library module too")
    add(
        "--within",
        metavar="MODULE:FUNC",
        help="cover the branches of this instrumented function instead of the target's own",
    )
    add("--types", metavar='"a: int"', help="types of parameters without annotation")
    add(
        "--lazy",
        nargs="?",
        const="",
        metavar="lex,strcmp",
        help="by turns with plain search, expand called functions only where needed: all, or those "
        "named (--lazy=NAMES)",
    )
    add("--seed", type=int, metavar="N", help="of all chance (default 0)")
    add("--start", metavar='"a=0, b=1"', help="the first input")
    add("--order", choices=("deepest", "earliest"), help="for --strategy dfs")
    add(
        "--prior",
        choices=("mined", "uniform"),
        help="random inputs near what the program mentions, or all values alike (mined)",
    )
    add("--no-sandbox", action="store_true", help="run the program without confinement")
    add("--allow", action="append", metavar="EFFECT", help="files, network, processes, signals ...")
    _loudness(command)


def _asserting(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--assertions",
        choices=("exact", "types", "none"),
        help="what tests assert: all that a call did (default), the class of results and errors, "
        "or only that it returns",
    )
    command.add_argument(
        "--style",
        choices=("pytest", "unittest"),
        help="functions for pytest (default), or methods of unittest.TestCase",
    )


def _journal(command: argparse.ArgumentParser) -> None:
    newest = "default: the newest in .symcrete"
    command.add_argument("journal", nargs="?", metavar="JOURNAL", help=newest)


def _loudness(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("-q", "--quiet", action="store_true", help="no progress, no table")
    add("-v", "--verbose", action="store_true", help="path conditions too")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line, that of this process if none is given; the exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    top = parser(given[0] if given else "")
    try:
        arguments = top.parse_args(given)
    except SystemExit as stop:
        return int(stop.code or 0)
    if arguments.command is None:
        top.print_help()
        return MISUSED
    newer = untested_python(sys.version_info[:2])
    told = not newer or was_told(newer)
    if not told:
        print(f"symcrete: {newer}", file=sys.stderr)
    code = _outcome(arguments)
    if not told:
        keep_as_told(newer)  # afterwards, since a first run is one that finds no folder
    if argv is None:
        # The work is done: Ctrl-C while the interpreter ends has nothing to interrupt.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if code == INTERRUPTED:
            _leave(code)
    return code


def _leave(code: int) -> None:
    """Exit at once with this code. The usual way out may lose the code: after a KeyboardInterrupt
    at an unlucky place Python ends itself by a signal.
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)


def _outcome(arguments: argparse.Namespace) -> int:
    try:
        return _run(arguments)
    except SymcreteError as error:
        print(f"symcrete: {error}", file=sys.stderr)
        if isinstance(error, InternalError) and getattr(arguments, "verbose", False):
            print(error.traceback, file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("symcrete: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return 0  # the reader has seen enough
    except Exception as error:
        place = _own_place(error)
        print(
            f"symcrete: internal error: {type(error).__name__}: {error} ({place})", file=sys.stderr
        )
        if getattr(arguments, "verbose", False):
            import traceback

            traceback.print_exc()
        return INTERNAL_ERROR


def _run(arguments: argparse.Namespace) -> int:
    places = {"cover": "covering", "check": "judging", "diff": "judging"}
    gc.disable()  # importing leaves no garbage, and looking for it takes a tenth of the time
    try:
        module = importlib.import_module(f"symcrete.{places.get(arguments.command, 'commands')}")
    finally:
        gc.enable()
    result: int = getattr(module, arguments.command)(arguments)
    return result


def _own_place(error: BaseException) -> str:
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename.rsplit('symcrete/', 1)[-1]}:{frames[-1].lineno}; -v shows more"


if __name__ == "__main__":
    sys.exit(main())
