"""Check our optimal costs against the model checker Storm (`pip install stormpy`).

python -m experiments.optimal_storm --chains FILE
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from experiments.optimal_chains import load
from symcrete.search.chains.markov import MarkovChain
from symcrete.search.chains.mdp import CoverageProcess
from symcrete.search.chains.prism import chain_to_prism, process_to_prism


def least_cost(process: CoverageProcess[int]) -> float:
    """Storm's answer for the cost of the optimal strategy."""
    return _check(process_to_prism(process), 'Rmin=? [F "covered"]')


def expected_reward(chain: MarkovChain[int], covered: Sequence[int]) -> float:
    """Storm's answer for the expected reward of random testing."""
    return _check(chain_to_prism(chain, covered), 'R{"new"}=? [F "ended"]')


def _check(model: str, question: str) -> float:
    import stormpy

    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.prism"
        path.write_text(model)
        program = stormpy.parse_prism_program(path)
    question_parsed = stormpy.parse_property(question, program)
    built = stormpy.build_model(program, question_parsed)
    environment = stormpy.environments.sound()
    environment.solver().min_max().precision = stormpy.Rational("1/1000000000")
    result = stormpy.model_checking(built, question_parsed, environment=environment)
    return float(result.get_value(built.initial_states[0]))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m experiments.optimal_storm")
    parser.add_argument("--chains", type=Path, required=True)
    options = parser.parse_args(arguments)
    for size, programs in load(options.chains).items():
        apart = [abs(p.optimum.cost / least_cost(p.process) - 1) for p in programs]
        print(f"{size} states: {len(apart)} chains, at most {max(apart):.1e} apart")
    return 0


if __name__ == "__main__":
    sys.exit(main())
