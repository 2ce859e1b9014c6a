"""The program under random testing as a Markov chain, estimated from the runs of an exploration.

Its states are the outcomes of conditions, as in the greedy strategy; what was solved for says
nothing about random inputs and is not counted ("Towards Optimal Concolic Testing", Definition 4.1).
"""

from __future__ import annotations

from typing import Any

from symcrete.explore.loop.parts import Parts
from symcrete.program.graph.icfg import program_graph
from symcrete.program.source.sites import Outcome
from symcrete.program.source.wording import wording
from symcrete.search.chains.markov import EstimatedChain, MarkovChain
from symcrete.search.chains.outcome_chain import BEFORE_ALL, OutcomeChain
from symcrete.search.strategy import Feedback, Flip


class RandomTesting:
    """The chain of one target, estimated from the steps it is told of."""

    def __init__(self, parts: Parts) -> None:
        source, files = parts.target.source, parts.imported.rewritten.files
        self._sites = parts.imported.rewritten.sites
        self._outcomes = OutcomeChain(
            program_graph(files, self._sites, str(source.file), parts.target.scope)
        )
        self._chain = EstimatedChain(BEFORE_ALL, self._outcomes.successors)

    def observe(self, feedback: Feedback) -> None:
        """Take in what a step of the exploration brought."""
        if feedback.trace is None:
            return
        aimed = feedback.step.node.depth if isinstance(feedback.step, Flip) else None
        way, position = self._outcomes.way(feedback.trace, aimed)
        if feedback.result == "diverged":
            position = len(way) - 1  # the place where chance took over cannot be told
        self._chain.observe(way, forced=max(1, position) if aimed is not None else 0)

    def as_plain(self) -> dict[str, Any]:
        """The chain as data for JSON: the states in words, and [from, to, probability]."""
        chain = self._chain
        return {
            "states": [self._words(state) for state in chain.states],
            "covered": list(chain.covered),
            "steps": [
                [state, target, probability]
                for state, targets in enumerate(chain.targets)
                for target, probability in zip(targets, chain.row(state), strict=True)
            ],
        }

    def _words(self, outcome: Outcome) -> str:
        if outcome == BEFORE_ALL:
            return "entry"
        site = self._sites[outcome[0]]
        return f"{site.line}: {wording(site, outcome[1])}"


def chain_from(plain: dict[str, Any]) -> tuple[MarkovChain[str], set[str]]:
    """The chain and its covered states; those with the same words are told apart by number."""
    names: list[str] = []
    for number, words in enumerate(plain["states"]):
        names.append(words if words not in names else f"{words} ({number})")
    rows: dict[str, dict[str, float]] = {name: {} for name in names}
    for state, target, probability in plain["steps"]:
        rows[names[state]][names[target]] = probability
    covered = {name for name, is_so in zip(names, plain["covered"], strict=True) if is_so}
    return MarkovChain(names[0], rows), covered
