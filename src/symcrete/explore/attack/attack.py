"""Try to refute a finished tree before anything is called infeasible.

A finished tree is a claim about every input: that it takes one of the paths seen. So inputs are run
that the search had no reason to try, spread around the leaves, of subtypes and aliased, and unsat
answers are asked for again of another solver. A run that takes a new path, or a side said to be
infeasible, refutes the tree.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from random import Random

from symcrete.clock import Moment, after_work
from symcrete.explore.attack.other_kinds import variants
from symcrete.explore.attack.second_solver import doubted
from symcrete.explore.loop.loop import Exploration, Explored
from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.progress import CallBeyond, Progress, largest
from symcrete.explore.options import Options
from symcrete.explore.proof.standing import Standing
from symcrete.inputs.draw.mutation import mutated
from symcrete.inputs.literal import NoLiteral
from symcrete.program.source.wording import wording
from symcrete.run.trace import Trace
from symcrete.run.use import FINISHED
from symcrete.terms.evaluate import Assignment, all_hold
from symcrete.tree.coverage import bit, outcomes

# inputs of the declared types: boundaries, constants of the source, large, negative; chosen, not
# measured
MOST_DRAWN_INPUTS = 40
AROUND = 60  # inputs near those that led to the leaves; chosen, not measured
# seconds at most, unless work is counted; the tree of a small function takes 0.02 to 0.1
MOST_ATTACK_SECONDS = 0.4
# the greatest number that is drawn: larger ones make loops that only the clock ends; chosen, not
# measured
LARGEST_DRAWN = 100_000
MOST_SIDES_NAMED = 3  # sides in one sentence: the others are left out; chosen, not measured
REPORT = "please report it with the program: a proof of ours was wrong"
RAISE = "SYMCRETE_REFUTED"  # the environment variable that makes a refuted proof an error of ours


class RefutedProof(AssertionError):
    """A proof of ours was wrong; raised in our own tests only."""


def attack(found: Explored, options: Options) -> None:
    """Run inputs against what the exploration is about to call infeasible; refutations are noted
    in its progress.
    """
    parts, progress = found.parts, found.progress
    claims = _claims(found) if found.proved_before_losses else 0
    if not claims:
        _attack_types(found, options)
        return
    with parts.runner:
        if _by_runs(found, claims, options) and os.environ.get(RAISE) == "raise":
            raise RefutedProof("; ".join(progress.refuted))
        _by_other_kinds(found, claims, options)


def _attack_types(found: Explored, options: Options) -> None:
    """Attack what the declared types decide: values of subtypes are of those types too."""
    coverage = found.parts.coverage
    claims = sum(bit(*each) for each in coverage.impossible if not coverage.has(*each))
    if claims:
        with found.parts.runner:
            _by_other_kinds(found, claims, options)


def _claims(found: Explored) -> int:
    """The sides that are about to be called infeasible, as a set of bits."""
    coverage = found.parts.coverage
    by_type = sum(bit(*each) for each in coverage.impossible if not coverage.has(*each))
    if not coverage.wanted:
        return by_type
    standing = Standing(found.parts, found.progress)
    return by_type | sum(bit(*each) for each in outcomes(coverage.wanted) if standing.proves(each))


def _watched(found: Explored, claims: int) -> int:
    """The sides that no run may take.

    Of a whole tree these are all that are not covered, since each path was said to be known; else
    those that are claimed, as nothing is claimed behind a place where a term is lost.
    """
    return found.parts.coverage.wanted | claims if found.proved_whole else claims


def _until(parts: Parts, options: Options) -> Moment:
    """When an attack has had its seconds of work, however busy the machine is."""
    timed = options.max_runs is None
    return after_work(MOST_ATTACK_SECONDS, parts.clock) if timed else Moment()


def _by_runs(found: Explored, claims: int, options: Options) -> bool:
    """Whether an input of the declared types refutes the tree, or a claim."""
    parts, progress = found.parts, found.progress
    until = _until(parts, options)
    for given in _inputs(parts, progress, Random(options.seed)):
        if until.has_come:
            return False
        if _refutes(found, claims, parts.runner.run(given)):
            return True
    return any(
        _refutes(found, claims, parts.runner.run(given))
        for given in doubted(progress, options, until)
    )


def _by_other_kinds(found: Explored, claims: int, options: Options) -> None:
    """Try values that the shapes left out; where one refutes a claim, that is noted with the
    call, which becomes an input if it can be written.
    """
    parts, progress = found.parts, found.progress
    until = _until(parts, options)
    watched = _watched(found, claims)
    for each in variants(parts, progress):
        if not watched or until.has_come:
            return
        covered = parts.runner.run_values(each.values).covered
        claimed = 0 if covered is None else covered & watched
        if covered is None or not claimed:
            continue
        watched &= ~claimed
        progress.refute(f"{each.shown(parts)} takes {_named(parts, claimed)}")
        with contextlib.suppress(NoLiteral):  # then the note is all that can be told
            progress.beyond.append(CallBeyond(each.call(parts.arguments), covered))
            parts.coverage.add(covered)


def _inputs(parts: Parts, progress: Progress, random: Random) -> Iterator[Assignment]:
    """The inputs of the attack: some drawn, and some near those that grew the tree."""
    most = min(progress.endless or LARGEST_DRAWN, LARGEST_DRAWN)
    for _ in range(MOST_DRAWN_INPUTS):
        given = parts.runner.sample(parts.pool, random)
        if largest(given) < most:
            yield given
    leaves = _traces(progress)
    for index in range(AROUND if leaves else 0):
        trace = leaves[index % len(leaves)]
        given = mutated(trace.assignment, parts.pool, random)
        if largest(given) < most and all_hold((*trace.assumptions, *trace.bounds), given):
            yield given


def _traces(progress: Progress) -> list[Trace]:
    """The runs that grew the tree, each once."""
    found: dict[int, Trace] = {}
    ahead = [progress.tree.root]
    while ahead and len(found) < AROUND:
        node = ahead.pop()
        if node is not None:
            found.setdefault(id(node.trace), node.trace)
            ahead += node.children
    return list(found.values())


def _refutes(found: Explored, claims: int, trace: Trace) -> bool:
    """Whether a run refutes the tree; if so, that is noted."""
    parts, progress = found.parts, found.progress
    if trace.ending not in FINISHED:
        return False
    whole = found.proved_whole
    claimed = trace.covered & _watched(found, claims)
    progress.lose(trace)
    new = parts.coverage.add(trace.covered)
    if claimed and isinstance(found, Exploration):
        found.keep(trace, new)
    if claimed:
        progress.refute(f"an input takes {_named(parts, claimed)}; {REPORT}")
        return True
    grown = progress.tree.add(trace) if whole and isinstance(found, Exploration) else None
    if grown is not None and (grown.is_new or grown.confused):
        progress.refute(f"an input takes a path that was said not to exist; {REPORT}")
        return True
    return False


def _named(parts: Parts, claimed: int) -> str:
    """The sides that were said to be infeasible, as the report words them."""
    sites = parts.coverage.sites
    told = [
        f"line {sites[site].line} ({wording(sites[site], side)})"
        for site, side in outcomes(claimed)
        if claimed & bit(site, side)
    ]
    return ", ".join(told[:MOST_SIDES_NAMED])
