"""Reach a line, or explain an input, in a confined worker."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from symcrete.errors import SymcreteError
from symcrete.explore.findings import report_from, to_plain
from symcrete.explore.options import Options
from symcrete.explore.reach.reached import Goal, Reached, Undecided, Unreachable, Verdict
from symcrete.explore.told_path import Explanation
from symcrete.program.source.place import Place
from symcrete.program.source.target import Target
from symcrete.run.replay import replayed_from
from symcrete.run.runner import Runner
from symcrete.sandbox.driver.asking import NoAnswer, ask, replay_by
from symcrete.sandbox.messages.job import job_of, options_from, target_from, text_of
from symcrete.sandbox.walls import audit
from symcrete.sandbox.worker.worker import Link
from symcrete.terms.evaluate import Assignment

REACH = "symcrete.sandbox.driver.reaching:reach_goal"
EXPLAIN = "symcrete.sandbox.driver.reaching:explain_input"
ANSWERED_BY = 0.95  # of the budget: an answer that comes late is none
SLACK = 1.0  # seconds after which a run that did not end by itself is the driver's to end

Plain = dict[str, Any]


def reach(
    goal: Goal,
    options: Options,
    *,
    entry: str | None = None,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
) -> Verdict:
    """The answer for one goal; `entry` names the function to start from."""
    began = time.perf_counter()
    target = goal.from_entry(entry)
    place = {
        name: getattr(goal.place, name) for name in ("line", "scope", "entry", "text", "statement")
    }
    job = {
        **job_of(target, options),
        "entry": entry,
        "goal": {"place": place, "shown": goal.shown, "side": goal.side, "error": goal.error},
    }
    try:
        answer = ask(REACH, job, target, options, on_protection)
        verdict = _verdict(answer)
        if isinstance(verdict, Undecided):
            verdict = replace(verdict, reason="; ".join([*answer["ways"], verdict.reason]))
    except NoAnswer as reason:
        verdict = Undecided(goal.shown, target.label, 0.0, 0, str(reason))
    return replace(verdict, seconds=time.perf_counter() - began)


def explain(
    target: Target,
    options: Options,
    text: str,
    on_protection: Callable[[list[str]], None] = lambda lines: None,
) -> Explanation:
    """The path that the input takes."""
    try:
        job = {**job_of(target, options), "input": text}
        told = ask(EXPLAIN, job, target, options, on_protection)
    except NoAnswer as reason:
        raise SymcreteError(f"no explanation: {reason}") from None
    del told["ways"]
    branches = tuple([(line, text, condition) for line, text, condition in told["branches"]])
    return Explanation(**{**told, "branches": branches, "result": replayed_from(told["result"])})


# -- in the worker


def reach_goal(job: Plain, link: Link) -> None:
    from symcrete.explore.reach import symcretic  # the engine, which the driver does not load

    target = target_from(job)
    given = job["goal"]
    goal = Goal(
        Place(target.source, **given["place"]), given["shown"], given["side"], given["error"]
    )

    def search(options: Options) -> Plain:
        verdict = symcretic.reach(
            goal,
            options,
            entry=job["entry"],
            replay=functools.partial(replay_by, link),
            begin=_announcing(job, link, options),
        )
        kind = type(verdict).__name__
        fields = {name: getattr(verdict, name) for name in verdict.__slots__}
        if isinstance(verdict, Reached):
            fields["report"] = to_plain(verdict.report)
        return {"kind": kind, "fields": fields}

    _answering(job, link, search)


def explain_input(job: Plain, link: Link) -> None:
    from symcrete.explore.explain import explanation  # the engine, as above

    def explained(options: Options) -> Plain:
        begin = _announcing(job, link, options)
        told = explanation(
            target_from(job), options, job["input"], functools.partial(replay_by, link), begin
        )
        fields = asdict(told)
        fields["result"]["lines"] = sorted(told.result.lines)
        return fields

    _answering(job, link, explained)


def _answering(job: Plain, link: Link, question: Callable[[Options], Plain]) -> None:
    options = replace(options_from(job), replay=True)
    options = replace(options, budget=max(0.3, job["budget"] * ANSWERED_BY))
    link.doing(options.budget + SLACK, importing=job["target"][1])
    try:
        answer = question(options)
    except SymcreteError as error:
        link.send("mistake", text=str(error), code=error.exit_code)
    else:
        link.send("answer", answer=answer)


def _announcing(job: Plain, link: Link, options: Options) -> Callable[[Runner], None]:
    """Before each run, say with what: whoever ends the process by it is not run again."""
    refused = frozenset(job.get("refused", ()))

    def begin(runner: Runner) -> None:
        def announce(given: Assignment) -> bool:
            shown = text_of(given)
            audit.reset()
            link.doing(options.run_seconds + SLACK, input=shown)
            return shown not in refused

        def interference() -> list[str]:
            link.doing(options.budget + SLACK, searching=True)
            return [str(each) for each in audit.blocked()]

        runner.announce = announce
        runner.interference = interference
        link.doing(options.budget + SLACK, searching=True)

    return begin


def _verdict(answer: Plain) -> Verdict:
    fields = answer["fields"]
    match answer["kind"]:
        case "Reached":
            route = tuple([(line, text) for line, text in fields["route"]])
            return Reached(**{**fields, "route": route, "report": report_from(fields["report"])})
        case "Unreachable":
            return Unreachable(**{**fields, "proof": tuple(fields["proof"])})
        case _:
            return Undecided(**fields)
