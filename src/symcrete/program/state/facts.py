"""What the text of a module says about its names: what reads them, what changes them."""

from __future__ import annotations

import ast
from dataclasses import field
from typing import Literal, TypeAlias

from symcrete.program.state.at_import import Taken
from symcrete.program.state.uses import How
from symcrete.slotted import dataclass

Kind: TypeAlias = Literal["name", "imported", "attribute", "sent", "thrown", "default"]


@dataclass(frozen=True, slots=True)
class StateRead:
    """One place that reads what may change between two calls."""

    kind: Kind
    file: str
    line: int
    scope: str  # the function it is in
    name: str  # the variable, attribute or parameter
    origin: str = ""  # the module that an imported name or attribute belongs to
    shown: str = ""  # as written
    owner: str = ""  # of an attribute: the class, object or function of the module that has it


@dataclass(frozen=True, slots=True)
class Change:
    """One place that changes, or hands on, what a name or an attribute stands for."""

    how: How
    line: int
    scope: str

    @property
    def told(self) -> str:
        """Who makes the change, in a message: a function, or a line."""
        return f"`{self.scope}`" if self.scope else f"line {self.line}"


@dataclass(slots=True)
class ModuleFacts:
    """What a module's text says about its names."""

    file: str
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)  # name -> module, attribute
    modules: dict[str, str] = field(default_factory=dict)  # name -> module
    rebound: dict[str, Change] = field(default_factory=dict)  # names that `global` rebinds
    uses: dict[tuple[str, str], list[Change]] = field(default_factory=dict)  # (module, name)
    # Attributes of modules, (module, name), that are stored from here.
    stores: dict[tuple[str, str], Change] = field(default_factory=dict)
    attributes: dict[str, Change] = field(default_factory=dict)  # stored on classes and functions
    # Where attributes of this name are stored, or what they hold is changed; constructors aside.
    attribute_changes: dict[str, list[Change]] = field(default_factory=dict)
    attributes_set: set[str] = field(
        default_factory=set
    )  # stored otherwise than by `x.name += ...`
    updates: list[StateRead] = field(default_factory=list)  # attributes that `x.name += ...` reads
    loads: set[str] = field(default_factory=set)  # attributes that are read
    nonlocals: set[str] = field(default_factory=set)  # names that `nonlocal` rebinds
    # Attributes of objects that are stored or changed by others than their methods.
    stored_outside: dict[str, Change] = field(default_factory=dict)
    # Where any attribute of an object may be stored so, each with the class that the object is
    # declared as; "" where none is.
    stored_unnamed: list[tuple[str, Change]] = field(default_factory=list)
    # Attributes stored so that may be stored on a class, which has another name there.
    stored_on_any: dict[str, Change] = field(default_factory=dict)
    constants: list[StateRead] = field(default_factory=list)  # where names bound once are read
    # Names that `global` rebinds in other ways than by `name = ...` and `name += ...`.
    stored_otherwise: set[str] = field(default_factory=set)
    # What the import made of something of another module: names, attributes as `Config.token`.
    taken: dict[str, Taken] = field(default_factory=dict)
    anything: Change | None = None  # where names are bound in ways that no text shows

    def module_meant(self, owner: ast.expr, *, imported: bool = False) -> str:
        """The module that `os` or `os.path` means, or may mean where `imported` is true and the
        name is one of another module; "" for what begins with no module.
        """
        if isinstance(owner, ast.Attribute):
            outer = self.module_meant(owner.value, imported=imported)
            return f"{outer}.{owner.attr}" if outer else ""
        name = owner.id if isinstance(owner, ast.Name) else ""
        if imported and name in self.imported:
            return ".".join(filter(None, self.imported[name]))
        return self.modules.get(name, "")

    def learn_taken(self, taken: dict[str, Taken]) -> None:
        """Keep what the import takes of other modules."""
        self.taken = taken

    def learn_unseen(self, change: Change) -> None:
        """Keep a place where names are bound in ways that no text shows; the last one is told."""
        self.anything = change
