"""The strategies of Table 1 that choose without probabilities, as they act on a simulated program.

Where the paper leaves a choice open, the variant that gives its printed numbers on its own chains
is used; the docstrings say which.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence

from experiments.optimal_ledger import Attempt


def optimal(attempt: Attempt) -> None:
    """Follow the best policy of the decision process."""
    policy = attempt.program.optimum.policy
    while attempt.going:
        action = policy[attempt.covered]
        if action.path is not None:
            attempt.execute(action.path)
        elif all(gained & ~attempt.covered for gained, _ in action.outcomes):
            attempt.random_test()
        else:
            attempt.random_tests_until_something_new()  # the policy is the same until then


def random_testing(attempt: Attempt) -> None:
    while attempt.going:
        attempt.random_tests_until_something_new()


def cover_new(attempt: Attempt) -> None:
    """From a covered state, the shortest way to an uncovered one; equally short ones by lot."""
    targets = attempt.program.targets
    arrivals: dict[int, tuple[int, ...]] = {}
    _remember(arrivals, attempt.random_test().path)
    while attempt.going:
        ways = [
            (*arrival, target)
            for state, arrival in sorted(arrivals.items())
            for target in targets[state]
            if attempt.missing(target)
        ]
        _remember(arrivals, attempt.execute(attempt.random.choice(ways)))


def _remember(arrivals: dict[int, tuple[int, ...]], path: tuple[int, ...]) -> None:
    for place, state in enumerate(path):
        if state not in arrivals or place + 1 < len(arrivals[state]):
            arrivals[state] = path[: place + 1]


def cover_new_of_the_authors(attempt: Attempt) -> None:
    """`cover_new` with the three slips that the paper's numbers contain.

    From each covered state only ways to the uncovered state with the largest number count. A state
    first covered by a symbolic execution is believed to be reached through the whole first random
    run. And no path is solved twice, so that the search may end with states uncovered.
    """
    first = attempt.random_test().path
    arrivals = {state: first[:place] for place, state in enumerate(first)}
    solved: set[tuple[int, ...]] = set()
    while attempt.going:
        goal = max(state for state in range(attempt.program.size) if attempt.missing(state))
        ways = _shortest_unsolved_ways(attempt, arrivals, goal, solved)
        if not ways:
            return
        way = attempt.random.choice(ways)
        solved.add(way)
        path = attempt.execute(way)
        for place, state in enumerate(path):
            if state not in arrivals:
                arrivals[state] = first
            elif place < len(arrivals[state]):
                arrivals[state] = path[:place]


def _shortest_unsolved_ways(
    attempt: Attempt,
    arrivals: Mapping[int, tuple[int, ...]],
    goal: int,
    solved: Collection[tuple[int, ...]],
) -> list[tuple[int, ...]]:
    """The shortest ways from covered states to the goal, cut after their last choice."""
    targets = attempt.program.targets
    shortest: list[tuple[int, ...]] = []
    length = attempt.program.size + 1
    for state, arrival in sorted(arrivals.items()):
        for path in _paths_to(targets, (state,), goal):
            way = _cut_after_last_choice(targets, arrival + path)
            if way in solved or len(path) > length:
                continue
            if len(path) < length:
                shortest.clear()
                length = len(path)
            shortest.append(way)
    return shortest


def _paths_to(
    targets: Sequence[Sequence[int]], prefix: tuple[int, ...], goal: int
) -> Iterator[tuple[int, ...]]:
    for target in targets[prefix[-1]]:
        if target == goal:
            yield (*prefix, goal)
        else:
            yield from _paths_to(targets, (*prefix, target), goal)


def _cut_after_last_choice(
    targets: Sequence[Sequence[int]], path: tuple[int, ...]
) -> tuple[int, ...]:
    place = len(path) - 2
    while place > 0 and len(targets[path[place]]) < 2:
        place -= 1
    return path[: place + 2]


def random_state(attempt: Attempt) -> None:
    """Fork at every branch and go on with any of the states: paths by fair choices, solved whole.

    Paths are drawn again and again, also those that were solved before.
    """
    targets = attempt.program.targets
    while attempt.going:
        path = [attempt.program.chain.initial]
        while targets[path[-1]]:
            path.append(attempt.random.choice(targets[path[-1]]))
        attempt.execute(path)


def random_path(attempt: Attempt) -> None:
    """Fair choices down the execution tree. Without loops this is the law of `random_state`."""
    random_state(attempt)


def depth_first(attempt: Attempt) -> None:
    """Whole paths in lexicographic order."""
    for path in _paths(attempt.program.targets, (attempt.program.chain.initial,)):
        if not attempt.going:
            return
        attempt.execute(path)


def _paths(targets: Sequence[Sequence[int]], prefix: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not targets[prefix[-1]]:
        yield prefix
    for target in targets[prefix[-1]]:
        yield from _paths(targets, (*prefix, target))


def dart(attempt: Attempt) -> None:
    """Flip the last branch of the newest run whose other side is not covered yet."""
    paths = [attempt.random_test().path]
    while attempt.going and paths:
        flipped = _deepest_flip(attempt, paths[-1])
        if flipped is None:
            paths.pop()
        else:
            paths.append(attempt.execute(flipped))


def _deepest_flip(attempt: Attempt, path: Sequence[int]) -> tuple[int, ...] | None:
    for place in range(len(path) - 2, -1, -1):
        for target in attempt.program.targets[path[place]]:
            if target != path[place + 1] and attempt.missing(target):
                return (*path[: place + 1], target)
    return None


def generational(attempt: Attempt) -> None:
    """Flip every branch below the bound whose other side is not covered yet; children in turn."""
    targets = attempt.program.targets
    seeds = deque([(attempt.random_test().path, 0)])
    while attempt.going and seeds:
        path, bound = seeds.popleft()
        children = [
            ((*path[: place + 1], target), place + 1)
            for place in range(bound, len(path) - 1)
            for target in targets[path[place]]
            if target != path[place + 1] and attempt.missing(target)
        ]
        for flipped, below in children:
            seeds.append((attempt.execute(flipped), below))


def context_guided(attempt: Attempt) -> None:
    """Flip each branch once per context of the last k states, k growing, breadth first."""
    targets = attempt.program.targets
    tree = [attempt.random_test().path]
    solved: set[tuple[int, ...]] = set()
    deepest = max(len(run.path) for run in attempt.program.runs[attempt.program.chain.initial])
    for k in range(1, deepest + 1):
        contexts: set[tuple[int, ...]] = set()
        depth = k - 1
        while attempt.going and depth < max(len(path) for path in tree) - 1:
            for path in list(tree):
                context = path[depth + 1 - k : depth + 1]
                if depth >= len(path) - 1 or context in contexts:
                    continue
                contexts.add(context)
                for target in targets[path[depth]]:
                    flipped = (*path[: depth + 1], target)
                    if target != path[depth + 1] and flipped not in solved:
                        solved.add(flipped)
                        tree.append(attempt.execute(flipped))
            depth += 1


def subpath_guided(attempt: Attempt) -> None:
    """Extend the pending path whose last states, a fifth of all, were extended least often."""
    targets = attempt.program.targets
    length = attempt.program.size // 5
    seen: Counter[tuple[int, ...]] = Counter()
    pending: list[tuple[int, ...]] = [(attempt.program.chain.initial,)]
    while attempt.going and pending:
        least = min(seen[path[-length:]] for path in pending)
        path = attempt.random.choice([p for p in pending if seen[p[-length:]] == least])
        pending.remove(path)
        seen[path[-length:]] += 1
        if targets[path[-1]]:
            pending.extend((*path, target) for target in targets[path[-1]])
        else:
            attempt.execute(path)
