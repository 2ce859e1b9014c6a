from __future__ import annotations

from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest
from experiments import optimal, optimal_greedy, optimal_heuristics
from experiments.optimal_chains import SimulatedProgram, generate, load
from experiments.optimal_ledger import Attempt, Stall

from symcrete.search.chains.decision import Greedy, RandomTesting
from symcrete.search.chains.lookahead import LookAhead
from symcrete.search.chains.mdp import CoverageProcess

STORED = Path(__file__).parents[2].parent / "shared" / "experiments" / "markov_chains.json"


def program(seed: int, size: int = 10, rare: float = 0.2) -> SimulatedProgram:
    return generate(Random(seed), f"{size}-{seed}", size, density=0.5, rare=rare)


@pytest.mark.parametrize("size", [5, 10, 15, 20])
def test_fresh_chains_have_the_shape_the_paper_describes(size):
    chains = [program(seed, size) for seed in range(60)]

    for made in chains:
        assert made.chain.reachable() == set(range(size))
        assert size - 1 in made.chain.sinks
        assert 1 <= len(made.chain.sinks) <= size // 5
        assert all(2 <= cost <= 1000 for cost in made.costs.values())
        assert all(len(targets) <= 2 for targets in made.targets)
    smallest = min(p for m in chains for row in m.chain.successors.values() for p in row.values())
    assert 1e-4 <= smallest < 1e-3


@pytest.mark.parametrize("row", optimal.ROWS, ids=lambda row: row.name)
def test_every_strategy_covers_everything(row):
    for seed in range(8):
        attempt = Attempt(program(seed, rare=0.0), Random(seed), Random(seed))

        row.strategy(attempt)

        # The authors' version of RCN may stop early; see its docstring.
        stops_early = row.strategy is optimal_heuristics.cover_new_of_the_authors
        assert attempt.covered == attempt.program.everything or stops_early
        assert attempt.tests > 0


def mean_cost(strategy, made: SimulatedProgram, repetitions: int) -> tuple[float, float]:
    random = Random(7)
    costs = []
    for _ in range(repetitions):
        attempt = Attempt(made, random, random)
        strategy(attempt)
        costs.append(attempt.consistent)
    return fmean(costs), stdev(costs) / repetitions**0.5


@pytest.mark.parametrize("seed", range(4))
def test_skipping_ahead_costs_what_random_testing_costs_on_average(seed):
    made = program(seed, size=6, rare=0.5)

    mean, error = mean_cost(optimal_heuristics.random_testing, made, 2000)

    exact = CoverageProcess(made.chain, []).solve().cost
    assert mean == pytest.approx(exact, abs=4 * error + exact / 1000)


@pytest.mark.parametrize("seed", range(4))
def test_following_the_policy_costs_the_optimum_on_average(seed):
    made = program(seed, size=8)

    mean, error = mean_cost(optimal_heuristics.optimal, made, 1000)

    assert mean == pytest.approx(made.optimum.cost, abs=4 * error + 1e-9)


def test_no_strategy_beats_the_optimum():
    for seed in range(4):
        made = program(seed, size=8)
        for row in optimal.ROWS:
            mean, error = mean_cost(row.strategy, made, 50)
            assert mean >= made.optimum.cost - 4 * error - 1e-9


def test_random_tests_without_news_are_skipped_with_their_mean_length():
    made = program(1)
    covered = made.runs[0][0].mask

    stall = Stall.of(made, covered)

    assert stall.chance == pytest.approx(sum(run.probability for run in stall.news))
    assert all(run.mask & ~covered for run in stall.news)
    assert 0 < stall.edges < made.size


def test_foresight_changes_nothing_but_the_time():
    for seed in range(12):
        plain, foresighted = (
            Attempt(program(seed, size=15), Random(seed), Random(seed + 1)) for _ in range(2)
        )

        optimal_greedy.greedy(plain, foresight=False)
        optimal_greedy.greedy(foresighted, foresight=True)

        assert (plain.tests, plain.authors) == (foresighted.tests, foresighted.authors)


def decide_with(model, made: SimulatedProgram, random: Random, after_solving: Random, forget: bool):
    """A repetition by the library's own model; the tests and what they cost."""
    attempt = Attempt(made, random, after_solving)
    while attempt.going:
        choice = model.choose()
        if isinstance(choice, RandomTesting):
            for _ in range(choice.times):
                if model.observe(attempt.random_test().path):
                    break
        else:
            run = attempt.execute(choice.path)
            model.observe(run, forced=len(choice.path) - 1 if forget else 0)
    return attempt


@pytest.mark.parametrize("seed", range(12))
def test_the_simulated_greedy_strategy_decides_as_the_library_does(seed):
    made = program(seed)
    simulated = Attempt(made, Random(seed), Random(-seed))

    optimal_greedy.greedy(simulated, foresight=False)
    graph = dict(enumerate(made.targets))
    model = Greedy(0, graph, edge_cost=lambda a, b: made.costs[a, b])
    ours = decide_with(model, made, Random(seed), Random(-seed), forget=False)

    assert (ours.tests, ours.consistent) == (simulated.tests, pytest.approx(simulated.consistent))


@pytest.mark.parametrize("seed", range(12))
def test_the_simulated_greedy_plus_strategy_decides_as_the_library_does(seed):
    made = program(seed)
    simulated = Attempt(made, Random(seed), Random(-seed))

    optimal_greedy.greedy_plus(simulated)
    graph = dict(enumerate(made.targets))
    model = LookAhead(0, graph, edge_cost=lambda a, b: made.costs[a, b])
    ours = decide_with(model, made, Random(seed), Random(-seed), forget=True)

    assert (ours.tests, ours.consistent) == (simulated.tests, pytest.approx(simulated.consistent))


def test_greedy_plus_is_nearer_to_the_optimum_than_greedy():
    chains = [program(seed) for seed in range(30)]

    greedy = sum(mean_cost(optimal_greedy.greedy, made, 10)[0] for made in chains)
    plus = sum(mean_cost(optimal_greedy.greedy_plus, made, 10)[0] for made in chains)

    assert plus < 0.9 * greedy


def test_the_table_is_printed_with_the_papers_numbers(capsys):
    optimal.main(["--fresh", "2", "--repetitions", "2", "--workers", "1"])

    text = capsys.readouterr().out
    assert "As the authors counted" in text
    assert "Counted consistently" in text
    assert "(138.9)" in text


def test_a_missing_chain_file_is_named(capsys):
    assert optimal.main(["--chains", "no-such-file.json"]) == 2

    assert "no-such-file.json" in capsys.readouterr().err


@pytest.mark.skipif(not STORED.exists(), reason="the authors' chains are not beside the repository")
def test_the_authors_chains_give_the_papers_table():
    stored = [made for some in load(STORED).values() for made in some]
    measured = optimal.measure_all(stored, repetitions=30, seed="0", workers=2)

    for column, size in enumerate(optimal.SIZES):
        chains = [chain for chain in measured if chain.size == size]
        found = optimal.ratios(chains, lambda m: m.authors, lambda m: m.optimum_of_the_authors)
        by_name = dict(zip([row.name for row in optimal.ROWS], found, strict=True))
        for row in optimal.ROWS[1:]:
            if row.paper:
                assert by_name[row.name].value == pytest.approx(row.paper[column], rel=0.1)
        assert by_name["greedy-plus"].value < by_name["G (greedy)"].value
        if size >= 10:
            greedy = by_name["G (greedy)"].value
            heuristics = [row.name for row in optimal.ROWS[1:11]]
            assert all(by_name[name].value > greedy for name in heuristics)
