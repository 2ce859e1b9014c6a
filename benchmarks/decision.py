"""How long a decision between random testing and solving takes, by the size of the program.

    python -m benchmarks.decision

Programs are random nestings of sequences, branches and loops of 100 to 5,000 blocks, once as they
are and once with everything inside one more loop, which makes a single system of equations of it.
After each simulated run the time is taken to count it, to bring the expected rewards up to date and
to choose. "As printed" is the paper's equations, which count a loop's states at every visit; the
strategies count them once. Milliseconds of processor time; the median and the largest of 40
decisions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time

from symcrete.search.chains.decision import Greedy
from symcrete.search.chains.lookahead import LookAhead

BLOCKS = (100, 300, 1000, 3000, 5000)
DECISIONS = 40
LONGEST_RUN = 2000

Graph = dict[int, list[int]]


def structured(random: Random, blocks: int) -> Graph:
    """The control flow graph of a random structured program."""
    graph: Graph = {0: []}

    def new(*sources: int) -> int:
        state = len(graph)
        graph[state] = []
        for source in sources:
            graph[source].append(state)
        return state

    def body(entry: int, limit: int) -> int:
        """Statements from `entry` on, about up to `limit` blocks in the graph; the last block."""
        while len(graph) < limit:
            inner = min(limit, len(graph) + random.randint(1, max(1, (limit - len(graph)) // 3)))
            kind = random.choice(["statement", "if", "if else", "while"])
            if kind == "statement":
                entry = new(entry)
            elif kind == "if":
                entry = new(body(new(entry), inner), entry)
            elif kind == "if else":
                first = body(new(entry), inner)
                entry = new(first, body(new(entry), inner))
            else:
                head = new(entry)
                graph[body(new(head), inner)].append(head)
                entry = new(head)
        return entry

    last = body(0, blocks - 1)
    new(last)
    return graph


def inside_a_loop(graph: Graph) -> Graph:
    last = len(graph) - 1
    return {**graph, last: [0, last + 1], last + 1: []}


def runs(random: Random, graph: Graph) -> list[list[int]]:
    """Runs with uneven branches, some of them rare."""
    weights = {s: [max(1e-4, random.random() ** 3) for _ in graph[s]] for s in graph}
    made = []
    for _ in range(DECISIONS):
        run = [0]
        while graph[run[-1]] and len(run) < LONGEST_RUN:
            run += random.choices(graph[run[-1]], weights[run[-1]])
        made.append(run)
    return made


def measure(
    make: Callable[[Graph], Greedy[int] | LookAhead[int]], graph: Graph
) -> tuple[float, list[float]]:
    random = Random(2)
    start = process_time()
    model = make(graph)
    begun = process_time() - start
    times = []
    for run in runs(random, graph):
        start = process_time()
        model.observe(run)
        model.choose()
        times.append(process_time() - start)
    return begun, times


def main() -> int:
    def cost(source: int, target: int) -> float:
        return 5.0 + (source * 7 + target) % 50

    makers: dict[str, Callable[[Graph], Greedy[int] | LookAhead[int]]] = {
        "greedy": lambda graph: Greedy(0, graph, edge_cost=cost, once=True),
        "greedy, as printed": lambda graph: Greedy(0, graph, edge_cost=cost),
        "greedy-plus": lambda graph: LookAhead(0, graph, edge_cost=cost, beyond=False, once=True),
    }
    for title, shape in (("As they are", lambda graph: graph), ("In one loop", inside_a_loop)):
        print(f"\n{title:28}" + "".join(f"{blocks:>16,}" for blocks in BLOCKS) + "  blocks")
        graphs = [shape(structured(Random(blocks), blocks)) for blocks in BLOCKS]
        for name, make in makers.items():
            measured = [measure(make, graph) for graph in graphs]
            cells = [f"{median(t) * 1e3:.2f} / {max(t) * 1e3:.1f}" for _, t in measured]
            print(f"{name:28}" + "".join(f"{cell:>16}" for cell in cells) + "  ms")
            built = [f"{begun * 1e3:.1f}" for begun, _ in measured]
            print(f"{'  to begin':28}" + "".join(f"{cell:>16}" for cell in built) + "  ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
