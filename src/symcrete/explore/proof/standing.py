"""What keeps an exhausted tree from being a proof, for each branch that nothing covered.

A finished tree says that every path was taken. That proves something about a branch only if no
condition on the way depended on what the inputs do not say, and if at least one input was accepted
and came back. An obstacle that comes later than a branch in every execution does not concern it.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from symcrete.explore.loop.parts import Parts
from symcrete.explore.loop.progress import Progress
from symcrete.explore.proof.assumed import Assumed
from symcrete.explore.proof.changing import (
    Changing,
    constants_changed,
    functions_replaced,
    modules_handed_on,
    replaced_built_ins,
    taken_by_classes,
)
from symcrete.explore.proof.closures import functions_chosen
from symcrete.explore.proof.left_behind import not_seen
from symcrete.explore.proof.mentioned import is_special
from symcrete.explore.proof.object_state import (
    members_changed,
    registered_later,
    special_methods_set,
    states_not_tried,
)
from symcrete.explore.proof.obstacle import Obstacle
from symcrete.explore.proof.own_subtypes import (
    derived_classes,
    made_by_functions,
    own_subtypes,
)
from symcrete.explore.proof.reentry import may_run_again
from symcrete.explore.proof.set_by_callers import set_by_program
from symcrete.explore.proof.told_call import as_written, source_of, told_read
from symcrete.program.graph.cfg import RAISED, Cfg
from symcrete.program.graph.statements import graphs_of_module
from symcrete.program.source.definitions import other_definitions
from symcrete.program.source.module import parsed, walked
from symcrete.program.source.sites import Outcome, Site, functions


class Standing:
    """Tells for each branch what keeps an exhausted tree from proving it infeasible."""

    def __init__(self, parts: Parts, progress: Progress) -> None:
        self._parts, self._progress = parts, progress
        self.obstacles = tuple(_obstacles(parts, progress))
        self._escaping = _escaping(parts)
        self._elsewhere = _elsewhere(parts)
        self._graphs: dict[str, Cfg] | None = None

    def against(self, outcome: Outcome) -> str:
        """Why this branch is not proved infeasible; "" if it is."""
        site = self._parts.coverage.sites[outcome[0]]
        apart = self._apart(site)
        if apart:
            return apart
        for obstacle in self.obstacles:
            if self.concerns(obstacle, site):
                return obstacle.shown
        return ""

    def lost_before(self, outcome: Outcome) -> bool:
        """Whether a term may have been lost on the way to a branch."""
        site = self._parts.coverage.sites[outcome[0]]
        return any(self.concerns(each, site) for each in self._lost_places)

    @cached_property
    def _lost_places(self) -> list[Obstacle]:
        places = dict.fromkeys([(file, line) for file, line, _ in self._progress.losses])
        return [
            Obstacle("", file, line, scope_at(self._parts, file, line)) for file, line in places
        ]

    def proves(self, outcome: Outcome) -> bool:
        """Whether a tree that is whole as far as the first losses proves this branch infeasible."""
        return not self.against(outcome) and not self.lost_before(outcome)

    def state_before(self, outcome: Outcome) -> str:
        """What may change between two calls and is read before a branch; "" if nothing is."""
        site = self._parts.coverage.sites[outcome[0]]
        read = [
            each
            for each in self.obstacles
            if each.file and self.concerns(each, site) and not self.turns_off(each, site)
        ]
        # What stands below the branch is read before it by an earlier call only, and a special
        # method, such as `__repr__`, by whoever uses the object: neither explains the branch.
        own = [each for each in read if each.scope == site.scope and each.file == site.file]
        near = [each for each in own if each.line <= site.line]
        called = [each for each in read if each not in own and not _is_special(each)]
        above = [each for each in called if each.file == site.file and each.line <= site.line]
        last = max(near or above, key=lambda each: each.line, default=next(iter(called), None))
        return last.shown if last is not None else ""

    def escape(self, outcome: Outcome) -> str:
        """Why calls of the target do not decide whether a branch is taken: it is in a function that
        other code may call later, or in another definition of the name; "" if they do.
        """
        return self._apart(self._parts.coverage.sites[outcome[0]])

    def _apart(self, site: Site) -> str:
        """Why calls of the target do not decide whether a condition is met, as `escape` tells it of
        a branch; "" if they do.
        """
        for lines, why in self._elsewhere.items():
            if site.line in lines and site.file == self._parts.coverage.file:
                return why
        return self._escaping.get(site.scope, "")

    def assumes(self, outcome: Outcome) -> tuple[str, ...]:
        """What the proof that a branch is infeasible stands on besides the declared types."""
        return self._assumed.of(self._parts.coverage.sites[outcome[0]])

    @property
    def taken_for_granted(self) -> tuple[str, ...]:
        """What every proof about the target stands on, as far as arguments and classes go."""
        return self._assumed.about_all_branches

    @cached_property
    def _assumed(self) -> Assumed:
        return Assumed(self._parts, self._progress, self.concerns)

    def turns_off(self, obstacle: Obstacle, site: Site) -> bool:
        """Whether the obstacle stands above the branch in the same function, and no way leads from
        there to the branch. Only an earlier call of the function can pass it: it is not named.
        """
        if obstacle.scope != site.scope or obstacle.file != site.file or obstacle.line > site.line:
            return False
        return not self._leads(obstacle, site)

    def concerns(self, obstacle: Obstacle, site: Site) -> bool:
        """Whether the obstacle's place can be executed before the branch in some execution."""
        if obstacle.scope is None or obstacle.scope != site.scope or obstacle.file != site.file:
            return True
        return self._runs_again(site.scope) or self._leads(obstacle, site)

    def _leads(self, obstacle: Obstacle, site: Site) -> bool:
        """Whether the branch can be come to from the obstacle's place, in one call of the function
        that both are in.
        """
        graph = self._graph(site.scope)
        if graph is None:
            return True
        start = [point.number for point in graph.points if _spans(point.node, obstacle.line)]
        goal = [point.number for point in graph.points if point.site == site.number]
        if not start or not goal:
            return True
        return bool(_reachable(graph, start) & set(goal))

    def _runs_again(self, scope: str) -> bool:
        """Whether a run may enter the function twice, so that what comes later in it may also come
        earlier.

        A function inside the target may be called more than once, and so may a method: an object is
        made by earlier calls.
        """
        parts = self._parts
        if scope != parts.coverage.scope or parts.arguments.has_receiver:
            return True
        return self._enters_itself

    @cached_property
    def _enters_itself(self) -> bool:
        own = self._parts.coverage
        others = [file for file in self._parts.imported.rewritten.files if file != own.file]
        texts = [Path(each).read_bytes() for each in others]
        return may_run_again(parsed(own.file), own.scope, texts)

    def _graph(self, scope: str) -> Cfg | None:
        if self._graphs is None:
            file = self._parts.coverage.file
            first = self._parts.imported.rewritten.files[file].first
            graphs = graphs_of_module(parsed(file), file, first)
            self._graphs = {each.scope: each for each in graphs}
        return self._graphs.get(scope)


def _obstacles(parts: Parts, progress: Progress) -> Iterable[Obstacle]:
    # Told before "every input raised": what reads standard input raises here, where it is empty.
    for read in progress.reads:
        if not isinstance(read, int) and source_of(as_written(*read), read[2]) == "standard input":
            file, line, _ = read
            yield Obstacle(told_read(*read), file, line, scope_at(parts, file, line))
    if not progress.returned:
        yield Obstacle(_no_evidence(progress))
    rewritten = parts.imported.rewritten
    names = frozenset(each.name for each in parts.arguments.parameters)
    changing = Changing(parts.imported, parts.target, names)
    if changing.anything():
        yield Obstacle(changing.anything())
    yield from states_not_tried(parts)
    yield from members_changed(parts)
    yield from special_methods_set(parts)
    yield from own_subtypes(parts)
    yield from derived_classes(parts)
    yield from made_by_functions(parts)
    yield from registered_later(parts)
    yield from modules_handed_on(parts)
    yield from replaced_built_ins(parts)
    yield from taken_by_classes(parts)
    yield from constants_changed(parts, changing)
    yield from functions_replaced(parts, changing)
    yield from functions_chosen(parts)
    yield from not_seen(parts)
    yield from set_by_program(parts)
    said: set[tuple[str, str, int]] = set()
    for read in progress.reads:
        if isinstance(read, int):
            place = rewritten.reads[read]
            why, file, line = changing.why(place), place.file, place.line
            scope: str | None = place.scope
        else:
            file, line, _ = read
            why = told_read(*read)
            scope = scope_at(parts, file, line)
        if why and (why, file, line) not in said:
            said.add((why, file, line))
            yield Obstacle(why, file, line, scope)


def scope_at(parts: Parts, file: str, line: int) -> str | None:
    """The innermost function at a line of the target's file; None elsewhere, or inside a lambda."""
    return _scope_in(parsed(file), line) if file == parts.coverage.file else None


# Asked for every loss before every open branch: 270 times for `netrc.netrc._parse`, where parsing
# the file each time took more than half of what came after the budget.
@functools.lru_cache(maxsize=4096)  # lines; chosen, not measured
def _scope_in(tree: ast.Module, line: int) -> str | None:
    spanning = [(scope, node) for scope, node in functions(tree) if _spans(node, line)]
    if not spanning:
        return None
    scope, node = max(spanning, key=lambda each: len(each[0]))
    lambdas = [each for each in ast.walk(node) if isinstance(each, ast.Lambda)]
    return None if any(_spans(each, line) for each in lambdas) else scope


def _no_evidence(progress: Progress) -> str:
    if progress.rejected and not progress.raised:
        return "no input could be built"
    return "every input raised" if progress.raised else "no input came back"


def _is_special(obstacle: Obstacle) -> bool:
    """Whether operators and statements run the obstacle's function without naming it."""
    return is_special((obstacle.file, obstacle.scope or ""))


def _spans(node: ast.AST | None, line: int) -> bool:
    first = getattr(node, "lineno", None)
    last = getattr(node, "end_lineno", None)
    return first is not None and first <= line <= (last or first)


def _reachable(graph: Cfg, start: list[int]) -> set[int]:
    seen, ahead = set(start), list(start)
    while ahead:
        for edge in graph.after[ahead.pop()]:
            if edge.target not in seen and edge.target > RAISED:
                seen.add(edge.target)
                ahead.append(edge.target)
    return seen


def _escaping(parts: Parts) -> dict[str, str]:
    """Functions inside the target that other code may call later, by scope, and why that is."""
    own = parts.coverage
    nested = {site.scope for site in own.own if site.scope != own.scope}
    if not nested or own.scope == "":
        return {}
    tree = parsed(own.file)
    found: dict[str, str] = {}
    for scope, node in functions(tree):
        if scope in nested and _leaves(tree, node):
            name = scope.rpartition(".")[2]
            found[scope] = f"`{name}` leaves the function, and whoever has it may call it later"
    for scope in nested:
        outer = next((each for each in found if scope.startswith(each + ".")), None)
        if outer is not None:
            found.setdefault(scope, found[outer])
        elif "<lambda>" in scope or scope not in dict(functions(tree)):
            found.setdefault(scope, "a lambda or class inside the function may be used later")
    return found


def _elsewhere(parts: Parts) -> dict[range, str]:
    """Other definitions of the target's name, by their lines, and why it is not called there."""
    own = parts.coverage
    if own.scope == "" or own.file != str(parts.target.source.file):
        return {}
    return other_definitions(parts.target.source.tree(), own.scope, parts.runner.function)


def _leaves(tree: ast.Module, function: ast.AST) -> bool:
    """Whether a function is used for more than a call: it is returned, stored or passed on."""
    name = getattr(function, "name", "")
    if getattr(function, "decorator_list", []):
        return True
    called = {id(node.func) for node in walked(tree) if isinstance(node, ast.Call)}
    called |= {
        id(word.value)
        for node in walked(tree)
        if isinstance(node, ast.Call) and _consumes(node)
        for word in node.keywords
        if word.arg == "key"
    }
    return any(
        isinstance(node, ast.Name)
        and node.id == name
        and isinstance(node.ctx, ast.Load)
        and id(node) not in called
        for node in walked(tree)
    )


def _consumes(call: ast.Call) -> bool:
    """Whether a call has done with its key function when it returns: `sorted`, `min`, `max` and
    `sort` have.
    """
    match call.func:
        case ast.Name(id="sorted" | "min" | "max") | ast.Attribute(attr="sort"):
            return True
    return False
