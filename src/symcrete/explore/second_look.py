"""When the inputs of a target have to be others: the types were guessed wrong, or no constructor
gives the state that its branches ask for.

The first inputs stay valid, so that nothing is lost: what is added comes after them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symcrete.explore.loop.loop import Explored
from symcrete.explore.loop.phase import Phase
from symcrete.explore.options import Options
from symcrete.explore.proof.standing import Standing
from symcrete.inputs.infer.complaints import learned_from
from symcrete.inputs.shapes.arguments import Guesses, holds_objects
from symcrete.slotted import copied
from symcrete.tree.coverage import outcomes

# runs after which their errors are looked through for types that were guessed wrong; chosen, not
# measured
MISTAKEN = 40
# inputs that could not be built, after which the constructor may be to blame; chosen, not measured
REJECTED = 50
# inputs that could not be built, after which no object is expected any more; chosen, not measured
MOST_REJECTED = 2000
# What is given where every object was refused, one after the other.
AFTER_REFUSALS = (Guesses(widely=True), Guesses(blank="only"))
CONSTRUCTORS = ("__init__", "__new__", "__post_init__")  # their objects have no state yet


class SecondLook:
    """Watches an exploration, and says when and how it should begin again with more inputs."""

    def __init__(self, explored: Explored, options: Options, began: float) -> None:
        self.explored = explored
        self._options = options
        self._began = began
        self._done: set[str] = set()  # what was tried already, whether it helped or not
        self._wants_object = self._has_object  # whether other objects may be tried

    def goes_on(self, explored: Explored) -> None:
        """Watch this exploration from now on."""
        self.explored = explored
        self._wants_object = self._has_object and "blank" not in self._done

    @property
    def due(self) -> bool:
        """Whether to stop the exploration: because other inputs are to be added, or because no
        object of the method's class can be built.
        """
        progress = self.explored.progress
        if progress.entered == MISTAKEN and "learned" not in self._done and self._learned():
            return True
        # Asked before every step: what most targets answer at once comes first.
        if self._wants_object and self._late and self._state_is_hidden():
            return True
        return progress.rejected >= REJECTED and nothing_built(self.explored) and self._in_vain

    def wider(self) -> Guesses | None:
        """The guesses that add inputs; None where none are to be added."""
        guesses = self.explored.parts.arguments.guesses
        if "learned" not in self._done:
            learned = self._learned()
            if learned:
                self._done.add("learned")
                return replace(guesses, learned=learned)
        if "blank" not in self._done and self._state_is_hidden():
            self._done.add("blank")
            self._wants_object = False
            return replace(guesses, blank="also")
        # Only a proof needs them: they double the choices for each int.
        if "bools" not in self._done and self.explored.proved_whole:
            self._done.add("bools")
            if self.explored.parts.coverage.wanted:
                return replace(guesses, bools=True)
        return None

    @property
    def _has_object(self) -> bool:
        """Whether the target is a method whose object is worth more tries."""
        arguments = self.explored.parts.arguments
        return arguments.has_receiver and not arguments.guesses.blank and not self._options.paths

    @property
    def _late(self) -> bool:
        """Whether half of the budget is spent."""
        most = self._options.max_runs
        if most is not None:
            return self.explored.progress.runs > most / 2
        return self.explored.parts.clock() - self._began > self._options.budget / 2

    @property
    def _in_vain(self) -> bool:
        """Whether inputs were refused for so long, or so often, that it is time to give up."""
        most = self._options.max_runs
        rejected = self.explored.progress.rejected
        late = self._late if most is None else False
        return late or rejected > (MOST_REJECTED if most is None else most / 2)

    def _learned(self) -> dict[str, list[Any]]:
        """Further types by parameter, as the errors of runs suggest them. There are none if runs
        returned and every outcome was taken without an error of a wrong type.
        """
        parts, progress = self.explored.parts, self.explored.progress
        doubtful = progress.returned == 0 or parts.coverage.doubts
        complaints = list(parts.runner.complaints.values())
        if not doubtful or not complaints or not parts.arguments.open:
            return {}
        names = getattr(parts.runner.function, "__globals__", {})
        found = learned_from(complaints, names)
        asked = [each.partition(" ")[0].rpartition(".")[2] for each in parts.arguments.open]
        return {name: kinds for name, kinds in found.items() if name in asked}

    def _state_is_hidden(self) -> bool:
        """Whether a method has open branches that need an object its constructor does not give."""
        parts = self.explored.parts
        if not self._has_object:
            return False
        if self.explored.progress.entered == 0:
            return False
        if parts.target.called.rpartition(".")[2] in CONSTRUCTORS:
            return False
        wanted = list(outcomes(parts.coverage.wanted))
        if not self.explored.proved_whole:
            return bool(wanted)
        # All that the constructor gives was tried; other code may still change the object.
        standing = Standing(parts, self.explored.progress) if wanted else None
        return standing is not None and any(standing.against(each) for each in wanted)


def nothing_built(explored: Explored) -> bool:
    """Whether constructors refused whatever was tried for the object of a method or for others."""
    progress, arguments = explored.progress, explored.parts.arguments
    if progress.entered > 0 or progress.rejected == 0:
        return False
    return arguments.has_receiver or any(holds_objects(p.shape) for p in arguments.parameters)


def has_more(again: Explored, than: Explored) -> bool:
    """Whether an exploration has kinds of inputs that the other one does not have, or knows of
    some that it has not; bools for ints may be anywhere inside.
    """
    more, fewer = again.parts.arguments, than.parts.arguments
    if more.alternatives > fewer.alternatives:
        return True
    if not more.guesses.bools or fewer.guesses.bools:
        return False
    return (more.parameters, [*more.open]) != (fewer.parameters, [*fewer.open])


def widened(
    exploration: Explored,
    phase: Phase,
    ready: Callable[..., tuple[Explored, Phase]],
    more: Guesses,
    begin: Callable[[Explored], None],
) -> tuple[Any, Phase]:
    """An exploration with more kinds of inputs, which starts from the inputs that were kept; the
    same one as before if `more` adds none.
    """
    kept = [each.trace.assignment for each in exploration.progress.kept]
    again, then = ready(imported=exploration.parts.imported, starts=kept, guesses=more)
    if not has_more(again, exploration):
        return exploration, copied(phase, first=())
    begin(again)
    return again, copied(then, budget=then.budget.after(exploration.progress.runs))
