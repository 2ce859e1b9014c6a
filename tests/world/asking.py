"""A run that answers what it is told to, for tests of the sources of state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from symcrete.inputs.late import Late
from symcrete.inputs.shapes.shape import Shape


@dataclass(slots=True)
class Answers:
    """Stands for a run; what `given` does not say is plain."""

    given: dict[str, Any] = field(default_factory=dict)
    running: bool = True
    by_program: bool = True
    asked: list[Late] = field(default_factory=list)
    from_input: tuple[Any, ...] = ()
    lost: list[str] = field(default_factory=list)
    memory: dict[str, Any] = field(default_factory=dict)
    ended: list[Callable[[], object]] = field(default_factory=list)
    words: tuple[str, ...] = ()

    def value(self, late: Late) -> Any:
        self.asked.append(late)
        found = self.given.get(late.root)
        return late.shape.plain(late.root, {}) if found is None else found

    def next_value(self, root: str, shape: Shape, source: str) -> Any:
        count = sum(each.root.partition("@")[0] == root for each in self.asked)
        return self.value(Late(root if count == 0 else f"{root}@{count + 1}", shape, source))

    def remembered(self, what: str, make: Callable[[], Any]) -> Any:
        if what not in self.memory:
            self.memory[what] = make()
        return self.memory[what]

    def afterwards(self, call: Callable[[], object]) -> None:
        self.ended.append(call)

    def is_tracked(self, value: Any) -> bool:
        return value in self.from_input

    def plain(self, value: Any) -> Any:
        return value

    def pinned(self, value: Any) -> Any:
        return value

    def item(self, items: Any, index: Any) -> Any:
        return items[index]

    def callee(self, function: Any) -> Any:
        return function

    def mentions(self, word: str) -> bool:
        return word in self.words

    def reads(self, what: str) -> None:
        self.lost.append(what)

    def lose(self, what: str) -> None:
        self.lost.append(what)
