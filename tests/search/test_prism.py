from __future__ import annotations

from random import Random

import pytest
from tests.search.direct_solutions import random_acyclic_chain, random_cyclic_chain, rewards

from symcrete.search.chains.markov import MarkovChain
from symcrete.search.chains.mdp import CoverageProcess, cheapest_executions
from symcrete.search.chains.prism import chain_to_prism, process_to_prism


def test_a_chain_is_written_with_its_end_and_its_rewards():
    chain = MarkovChain("a", {"a": {"b": 0.25, "c": 0.75}, "b": {"c": 0.5}, "c": {}})

    assert chain_to_prism(chain, covered={"a"}).splitlines() == [
        "dtmc",
        "",
        "module program",
        "  s : [0..3] init 0;",
        "  [] s=0 -> 0.25 : (s'=1) + 0.75 : (s'=2);  // a",
        "  [] s=1 -> 0.5 : (s'=2) + 0.5 : (s'=3);  // b",
        "  [] s=2 -> 1.0 : (s'=3);  // c",
        "  [] s=3 -> true;",
        "endmodule",
        "",
        'label "ended" = s=3;',
        "",
        'rewards "new"',
        "  s=3 : 0;",
        "  s=1 : 1;",
        "  s=2 : 1;",
        "endrewards",
    ]


def test_a_process_is_written_with_every_action_in_every_state():
    chain = MarkovChain(0, {0: {1: 0.5, 2: 0.5}, 1: {}, 2: {}})

    text = process_to_prism(CoverageProcess(chain, [((0, 1), 4.0)]))

    assert text.splitlines() == [
        "mdp",
        "",
        "module testing",
        "  s : [0..3] init 0;",
        "  [a0] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);",
        "  [a1] s=0 -> 1.0 : (s'=1);",
        "  [a0] s=2 -> 0.5 : (s'=3) + 0.5 : (s'=2);",
        "  [a1] s=2 -> 1.0 : (s'=3);",
        "  [a0] s=1 -> 0.5 : (s'=1) + 0.5 : (s'=3);",
        "  [a1] s=1 -> 1.0 : (s'=1);",
        "  [done] s=3 -> true;",
        "endmodule",
        "",
        'label "covered" = s=3;',
        "",
        "rewards",
        "  [a0] true : 1.0;",
        "  [a1] true : 4.0;",
        "endrewards",
    ]


@pytest.mark.parametrize("seed", range(20))
def test_storm_finds_the_same_optimum(seed):
    pytest.importorskip("stormpy")
    from experiments.optimal_storm import least_cost

    random = Random(seed)
    chain = random_acyclic_chain(random, random.randint(3, 9))
    costs = {
        (a, b): float(random.randint(2, 60)) for a in chain.states for b in chain.successors[a]
    }
    process = CoverageProcess(chain, cheapest_executions(chain, costs))

    assert process.solve().cost == pytest.approx(least_cost(process), rel=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_storm_finds_the_same_expected_reward(seed):
    pytest.importorskip("stormpy")
    from experiments.optimal_storm import expected_reward

    random = Random(seed)
    chain = random_cyclic_chain(random, random.randint(2, 9))
    covered = [state for state in chain.states if random.random() < 0.5]

    assert rewards(chain, covered)[0] == pytest.approx(expected_reward(chain, covered), rel=1e-6)
