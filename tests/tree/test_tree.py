"""The execution tree keeps every branch in its context, and what is known of each side."""

from __future__ import annotations

from random import Random

import pytest
from tests.tree.traces import condition, trace

from symcrete.run.trace import Trace
from symcrete.tree.tree import ExecutionTree, Node, Side


def root_of(tree: ExecutionTree) -> Node:
    assert tree.root is not None
    return tree.root


def child_of(node: Node, side: bool) -> Node:
    child = node.children[side]
    assert child is not None
    return child


def nodes_of(tree: ExecutionTree) -> list[Node]:
    """Every branch, parents before children."""
    found: list[Node] = []
    waiting = [tree.root]
    while waiting:
        node = waiting.pop()
        found += [node] if node else []
        waiting += node.children if node else []
    return found


def test_a_run_without_branches_is_one_path_and_exhausts_the_tree() -> None:
    tree = ExecutionTree()

    first, second = tree.add(trace()), tree.add(trace())

    assert (first.is_new, second.is_new) == (True, False)
    assert (tree.paths, tree.size, tree.exhausted) == (1, 0, True)


def test_the_first_run_opens_the_other_side_of_each_of_its_branches() -> None:
    tree = ExecutionTree()

    grown = tree.add(trace(0, ~1))

    first, second = grown.nodes
    assert (first.site, second.site) == (0, 1)
    assert first.state == [Side.OPEN, Side.SEEN]
    assert second.state == [Side.SEEN, Side.OPEN]
    assert grown.last is second
    assert (tree.open_sides, tree.paths, tree.exhausted) == (2, 1, False)


def test_a_branch_knows_its_condition_its_place_and_the_run_that_found_it() -> None:
    tree, run = ExecutionTree(), trace(4, ~7)

    _, second = tree.add(run).nodes

    assert second.term is condition(7)
    assert (second.depth, second.taken, second.trace) == (1, True, run)
    assert list(second.ancestors()) == [root_of(tree)]


def test_a_run_that_turns_elsewhere_grows_the_tree_there_only() -> None:
    tree = ExecutionTree()
    tree.add(trace(0, 1, 2))

    grown = tree.add(trace(0, ~1, 3))

    assert [node.site for node in grown.nodes] == [3]
    assert child_of(root_of(tree), True).state == [Side.SEEN, Side.SEEN]
    assert (tree.size, tree.paths) == (4, 2)


def test_the_same_path_again_is_not_new() -> None:
    tree = ExecutionTree()
    tree.add(trace(0, 1))

    grown = tree.add(trace(0, 1))

    assert (grown.nodes, grown.is_new, grown.confused) == ((), False, False)
    assert tree.paths == 1


@pytest.mark.parametrize(
    "other",
    [trace(0, 5), trace(0), trace(0, 1, terms=(condition(0), condition(9)))],
    ids=["another branch", "it ends early", "another condition"],
)
def test_a_run_that_contradicts_an_earlier_one_is_confused_and_no_new_path(other: Trace) -> None:
    tree = ExecutionTree()
    tree.add(trace(0, 1))

    grown = tree.add(other)

    assert (grown.confused, grown.is_new, grown.nodes) == (True, False, ())
    assert tree.paths == 1


def test_what_is_proved_infeasible_exhausts_the_tree() -> None:
    tree = ExecutionTree()
    tree.add(trace(0))

    tree.settle(root_of(tree), False, Side.INFEASIBLE)

    assert tree.exhausted
    assert root_of(tree).closed


@pytest.mark.parametrize("state", [Side.UNKNOWN, Side.DIVERGED])
def test_what_was_given_up_on_is_not_open_and_does_not_exhaust_the_tree(state: Side) -> None:
    tree = ExecutionTree()
    tree.add(trace(0))

    tree.settle(root_of(tree), False, state, "timeout 5s")

    assert root_of(tree).reasons[False] == "timeout 5s"
    assert (tree.open_sides, tree.unsettled, tree.exhausted) == (0, 1, False)


def test_a_run_that_takes_a_side_given_up_on_makes_it_seen_and_opens_what_is_above() -> None:
    tree = ExecutionTree()
    tree.add(trace(0))
    tree.settle(root_of(tree), False, Side.UNKNOWN, "timeout")
    assert root_of(tree).closed

    tree.add(trace(~0, 1))

    assert root_of(tree).state == [Side.SEEN, Side.SEEN]
    assert (tree.unsettled, tree.open_sides) == (0, 1)
    assert not root_of(tree).closed


def test_a_branch_is_closed_once_nothing_is_open_in_it_or_below() -> None:
    tree = ExecutionTree()
    tree.add(trace(0, 1))
    root = root_of(tree)
    below = child_of(root, True)

    tree.settle(root, False, Side.INFEASIBLE)
    assert not root.closed
    tree.settle(below, False, Side.INFEASIBLE)

    assert below.closed
    assert root.closed


def test_a_run_aimed_at_a_branch_grows_the_tree_as_any_other() -> None:
    aimed, plain = ExecutionTree(), ExecutionTree()
    for tree in (aimed, plain):
        tree.add(trace(0, 1, 2))
    target = child_of(child_of(root_of(aimed), True), True)

    aimed.add(trace(0, 1, ~2, 3), target)
    plain.add(trace(0, 1, ~2, 3))

    assert [(n.site, n.state) for n in nodes_of(aimed)] == [
        (n.site, n.state) for n in nodes_of(plain)
    ]


def test_a_run_that_missed_the_branch_it_was_aimed_at_is_followed_from_the_root() -> None:
    tree = ExecutionTree()
    tree.add(trace(0, 1, 2))
    target = child_of(child_of(root_of(tree), True), True)

    tree.add(trace(~0, 5), target)

    assert root_of(tree).state == [Side.SEEN, Side.SEEN]
    assert target.state == [Side.OPEN, Side.SEEN]


def test_tries_count_what_was_aimed_at_in_vain_while_something_is_left_to_aim_at() -> None:
    tree = ExecutionTree()
    tree.add(trace(0, 0))
    first, second = root_of(tree), child_of(root_of(tree), True)

    assert tree.tries(0, False) == 0
    tree.settle(first, False, Side.UNKNOWN)
    assert tree.tries(0, False) == 1
    tree.settle(second, False, Side.UNKNOWN)
    assert tree.tries(0, False) > 1_000_000


def test_counts_agree_with_the_nodes_on_random_trees() -> None:
    random = Random(5)
    tree = ExecutionTree()
    for _ in range(200):
        path = [site if random.random() < 0.6 else ~site for site in range(6)]
        tree.add(trace(*path))
        waiting = [(n, s) for n in nodes_of(tree) for s in (False, True) if n.state[s] is Side.OPEN]
        node, side = random.choice(waiting or [(root_of(tree), True)])
        tree.settle(node, side, node.state[side] if not waiting else Side.UNKNOWN)

        states = [state for each in nodes_of(tree) for state in each.state]
        assert tree.size == len(nodes_of(tree))
        assert tree.open_sides == states.count(Side.OPEN)
        assert tree.unsettled == states.count(Side.UNKNOWN)
