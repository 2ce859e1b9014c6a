"""Chains and decision processes in PRISM's language, which PRISM and Storm read."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from symcrete.search.chains.markov import MarkovChain, State
from symcrete.search.chains.mdp import CoverageProcess, Mask


def chain_to_prism(chain: MarkovChain[State], covered: Collection[State] = ()) -> str:
    """A dtmc with the label "ended" and the reward structure "new", 1 for each uncovered state.

    `R{"new"}=? [F "ended"]` is then the expected reward of random testing.
    """
    number = {state: place for place, state in enumerate(chain.successors)}
    ended = len(number)
    lines = ["dtmc", "", "module program", f"  s : [0..{ended}] init {number[chain.initial]};"]
    for state, row in chain.successors.items():
        steps = {number[target]: probability for target, probability in row.items()}
        stop = 1.0 - sum(steps.values())
        if stop > 0 or not steps:
            steps[ended] = stop
        name = " ".join(str(state).split())
        lines.append(f"  [] s={number[state]} -> {_distribution(steps.items())};  // {name}")
    lines += [f"  [] s={ended} -> true;", "endmodule", "", f'label "ended" = s={ended};']
    lines += ["", 'rewards "new"', f"  s={ended} : 0;"]
    lines += [f"  s={number[state]} : 1;" for state in number if state not in covered]
    return "\n".join([*lines, "endrewards", ""])


def process_to_prism(process: CoverageProcess[State]) -> str:
    """An mdp with the label "covered" and the costs of actions as rewards.

    `Rmin=? [F "covered"]` is then the cost of the optimal strategy. Every action is offered in
    every reachable state, as in Definition 3.5.
    """
    number: dict[Mask, int] = {0: 0}
    work = [0]
    commands = []
    while work:
        covered = work.pop()
        if covered == process.goal:
            continue
        for label, action in enumerate(process.actions):
            following = process.step(covered, action)
            for after in following:
                if after not in number:
                    number[after] = len(number)
                    work.append(after)
            steps = _distribution((number[after], p) for after, p in following.items())
            commands.append(f"  [a{label}] s={number[covered]} -> {steps};")
    goal = number[process.goal]
    lines = ["mdp", "", "module testing", f"  s : [0..{len(number) - 1}] init 0;", *commands]
    lines += [f"  [done] s={goal} -> true;", "endmodule", "", f'label "covered" = s={goal};']
    lines += ["", "rewards"]
    lines += [f"  [a{label}] true : {a.cost!r};" for label, a in enumerate(process.actions)]
    return "\n".join([*lines, "endrewards", ""])


def _distribution(steps: Iterable[tuple[int, float]]) -> str:
    return " + ".join(f"{probability!r} : (s'={state})" for state, probability in steps)
