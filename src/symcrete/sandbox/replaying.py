"""Replay found inputs in confined workers, one for each of two hash seeds."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

from symcrete.explore.confirm import call_of_input, confirmed
from symcrete.explore.findings import FoundInput
from symcrete.program.target import Target
from symcrete.run.replay import Replayed, combined, replayed_from
from symcrete.run.replayer import Replayer
from symcrete.sandbox.effects import Allowance
from symcrete.sandbox.process import Task
from symcrete.sandbox.watch import watch
from symcrete.sandbox.worker import Link

HASH_SEEDS = ("0", "1")
ENTRY = "symcrete.sandbox.replaying:replay_calls"


def replay_calls(job: dict[str, Any], link: Link) -> None:
    """The entry of a worker: every call that no earlier worker ended over."""
    link.doing(job["seconds"], importing=job["module"])
    replayer = Replayer(job["path"], job["module"], job["scope"], job["file"])
    for index in range(job["from"], len(job["calls"])):
        link.doing(job["seconds"], call=index)
        link.send("replayed", index=index, answer=replayer.answer(job["calls"][index]))


def confirm_all(
    target: Target,
    file: str,
    inputs: tuple[FoundInput, ...],
    allow: Allowance,
    *,
    confined: bool,
    memory: int | None,
    seconds: float,
    budget: float,
) -> list[FoundInput]:
    """The inputs as both replays saw them; those there was no time for are left out.

    `file` is where the lines are that the inputs claim to execute.
    """
    source = target.source
    job = {
        "path": [str(source.root)],
        "module": source.module,
        "scope": target.scope,
        "file": file,
        "seconds": seconds,
        "from": 0,
        "calls": [
            {"args": c.args, "keywords": c.keywords, "imports": c.imports}
            for c in map(call_of_input, inputs)
        ],
    }
    answers: list[dict[int, Replayed]] = [{}, {}]

    def collect(which: int) -> None:
        environment = {"PYTHONHASHSEED": HASH_SEEDS[which]}
        task = Task(ENTRY, allow, memory=memory, confined=confined, environment=environment)
        for index, answer in _answers(task, job, budget):
            answers[which][index] = answer

    # Each thread starts its worker and lives as long: the kernel ends a worker with its thread.
    threads = [threading.Thread(target=collect, args=(which,), daemon=True) for which in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, second = answers
    return [
        confirmed(found, combined(first[index], second[index]))
        for index, found in enumerate(inputs)
        if index in first and index in second
    ]


def _answers(task: Task, job: dict[str, Any], budget: float) -> Iterator[tuple[int, Replayed]]:
    """Each call's answer; a call that ends the process is answered by how it ended."""
    ended: dict[int, Replayed] = {}

    def resume(former: dict[str, Any], outcome: dict[str, Any]) -> dict[str, Any] | None:
        doing = outcome.get("doing") or {}
        if "call" not in doing:
            return None
        ended[doing["call"]] = how_it_ended(outcome)
        return {**former, "from": doing["call"] + 1}

    for event in watch(task, job, budget=budget, resume=resume):
        if event["event"] == "replayed":
            yield event["index"], replayed_from(event["answer"])
    yield from ended.items()


def how_it_ended(outcome: dict[str, Any]) -> Replayed:
    """The end of a worker as an outcome of the input it was running."""
    match outcome["event"]:
        case "worker-died":
            return Replayed("crashed", reason=f"target crashed: {outcome['signal']}")
        case "worker-exited":
            return Replayed("crashed", reason=f"target ended the process (code {outcome['code']})")
        case "worker-hung":
            return Replayed("timeout", reason=f"does not end within {outcome['seconds']:g} s")
        case _:
            return Replayed("crashed", reason="the process of the target ended")
