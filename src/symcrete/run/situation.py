"""The sources of state while runs are made: what stands in for them, and what a test sets.

Between `enter` and `leave` the stand-ins of all sources (`world/sources.py`) are in place. They ask
the run under way; where there is none, they are as the originals.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, assert_never

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import write
from symcrete.program.state.facts import ModuleFacts, StateRead
from symcrete.run.module_reads import reader_of, unset_by_import
from symcrete.terms.evaluate import Assignment
from symcrete.values.build.late_inputs import RunUnderWay, attribute_reads, state_reads
from symcrete.values.tracking import modelled
from symcrete.world.setting_roots import CURRENT_FOLDER
from symcrete.world.source import (
    Answer,
    AsA,
    Everywhere,
    Instead,
    InsteadOfMethod,
    ReadAs,
    Setting,
    Source,
    StandIn,
)
from symcrete.world.sources import every_source, sources_by_name


class Situation:
    """What the runs of one program read besides their arguments."""

    def __init__(
        self,
        words: Collection[str] = (),
        facts: Mapping[str, ModuleFacts] | None = None,
        reads: Sequence[StateRead] = (),
        modules: Callable[[], Iterable[ModuleType]] = tuple,
        *,
        sources: Sequence[Source] | None = None,
        facts_of: Callable[[str], ModuleFacts] = ModuleFacts,
    ) -> None:
        """`words`: every name that the program's text mentions; `facts`: what is known of its
        rewritten modules, by file; `reads`: their numbered reads of state; `modules` gives its
        modules as they are now; `sources`: those for which stand-ins are put in place, all if None;
        `facts_of` finds the facts of a file that was not rewritten.
        """
        self._facts_of = facts_of
        self._facts = facts or {}
        self._modules = modules
        self._reads = reads
        self._looked_at = 0  # how many of the reads have been looked up
        self._readers: dict[int, Callable[[Any], Any]] = {}
        ask = RunUnderWay(words)
        if sources is None:
            sources = every_source()
        self._stand_ins: list[StandIn] = [
            each
            for source in sources
            for each in source.stand_ins(ask)
            if each.module in sys.modules
            # `import http.client` in a function mentions only this whole name.
            or not {each.module, each.module.partition(".")[0]}.isdisjoint(words)
        ]
        if sources and ("tempfile" in sys.modules or "tempfile" in words):
            # It remembers its folder, which is to be this process's own whatever a run says.
            importlib.import_module("tempfile").gettempdir()
        self._entered = 0
        self._leave: list[Callable[[], None]] = []

    def enter(self) -> None:
        """Put the stand-ins in place if they are not yet, and look up the reads of modules that
        were rewritten since the last time.
        """
        self._entered += 1
        if self._entered == 1:
            # A file of the program may have the name of a module of the library.
            own = {module.__name__ for module in self._modules()}
            for each in self._stand_ins:
                if each.module not in own:
                    self._put(each)
        self._look_up()
        state_reads.update(self._readers)

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """A context in which the stand-ins stay in place between phases: putting all 86 of them
        takes as long as a small exploration.
        """
        self.enter()
        try:
            yield
        finally:
            self.leave()

    def _look_up(self) -> None:
        """Find the readers for the reads of modules that were rewritten since the last time."""
        if self._looked_at == len(self._reads):
            return
        modules = list(self._modules())
        for number in range(self._looked_at, len(self._reads)):
            read = self._reads[number]
            facts = self._facts.get(read.file, ModuleFacts(read.file))
            found = reader_of(read, modules, facts, self._facts_of)
            if found is not None:
                self._readers[number] = found
        self._looked_at = len(self._reads)

    def unset(self, function: Callable[..., Any]) -> tuple[Late, ...]:
        """As inputs, the names that calls bind and the import does not, if a call of this function
        may read them.
        """
        return unset_by_import(function, list(self._modules()), self._facts)

    def leave(self) -> None:
        """Take the stand-ins away when all that entered have left."""
        self._entered -= 1
        if self._entered == 0:
            for each in reversed(self._leave):
                each()
            self._leave.clear()
            state_reads.clear()

    def _put(self, each: StandIn) -> None:
        # Most are imported already; looking that up by `import_module` took a tenth of a short run.
        found: Any = sys.modules.get(each.module) or importlib.import_module(each.module)
        match each:
            case Instead(name=name, by=by):
                self._leave.append(modelled.stand_in(getattr(found, name), by))
            case Everywhere(name=name, by=by):
                former = getattr(found, name)
                self._leave.append(modelled.stand_in(former, by))
                setattr(found, name, by)
                self._leave.append(functools.partial(setattr, found, name, former))
            case InsteadOfMethod(kind=kind, name=name, by=by):
                self._leave.append(modelled.stand_in_for_method(getattr(found, kind), name, by))
            case AsA(name=name, kind=kind):
                thing = getattr(found, name)
                former = type(thing)
                thing.__class__ = kind
                self._leave.append(lambda: setattr(thing, "__class__", former))
            case ReadAs(module=module, name=name, by=by):
                self._leave.append(_read_as(f"{module}.{name}", by))
            case _:
                assert_never(each)

    def told(self, late: Sequence[Late], given: Assignment) -> tuple[Setting, ...]:
        """The settings by which a test sets what a run asked for. Raises NoLiteral where a value
        has no text.
        """
        if not late:
            return ()
        answers: dict[str, list[Answer]] = {}
        for each in late:
            if each.source:
                value = each.shape.plain(each.root, given)
                text = write(each.shape, each.root, given).text
                answers.setdefault(each.source, []).append(Answer(each.root, value, text))
        found = [
            replace(setting, line=_by_module_where_hidden(setting.line))
            for name, source in sources_by_name().items()
            if name in answers
            for setting in source.shown(answers[name], self.targets)
        ]
        # `os.getcwd` is replaced last: `monkeypatch.chdir` asks it which folder to go back to.
        return tuple(sorted(found, key=lambda each: each.source == CURRENT_FOLDER))

    def targets(self, module: str, name: str) -> Sequence[str]:
        """The dotted names that a test replaces where the program uses a name of a library module:
        in its own modules that import the name, and in the library if it is used from there.
        """
        found: list[str] = []
        by_module = False
        for each in self._modules():
            facts = self._facts.get(str(each.__file__))
            if facts is None:
                continue
            by_module = by_module or module in facts.modules.values()
            found += [
                f"{each.__name__}.{local}"
                for local, origin in facts.imported.items()
                if origin == (module, name) and local in vars(each)
            ]
        return [*found, f"{module}.{name}"] if by_module or not found else found


_BY_DOTTED_NAME = re.compile(r'monkeypatch\.(setattr|delattr)\("([\w.]+)\.(\w+)", ')


def _by_module_where_hidden(line: str) -> str:
    """The line of a test, with the module itself in place of its dotted name where that name means
    something else: the package `wcwidth` has a function `wcwidth` beside its module `wcwidth`.
    """

    def written(match: re.Match[str]) -> str:
        does, module, name = match.groups()
        above, _, last = module.rpartition(".")
        found = sys.modules.get(module)
        if found is None or getattr(sys.modules.get(above), last, found) is found:
            return match[0]
        return f'monkeypatch.{does}(import_module("{module}"), "{name}", '

    made = _BY_DOTTED_NAME.sub(written, line)
    return line if made == line else f"from importlib import import_module\n{made}"


def _read_as(read: str, by: Callable[[Any], Any]) -> Callable[[], None]:
    """Let an attribute be read through a function. Returns a function that undoes it, also where
    another situation around this one had the attribute read through its own.
    """
    former = attribute_reads.get(read)
    attribute_reads[read] = by

    def back() -> None:
        if former is None:
            del attribute_reads[read]
        else:
            attribute_reads[read] = former

    return back
