"""The values of a call that is written as text, once its situation is set."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable
from dataclasses import field
from typing import Any, TypeAlias

from symcrete.run.untouched.monkeypatch import LogLevels, MonkeyPatch
from symcrete.run.untouched.played import Call
from symcrete.run.use import AWAITED, WAYS, Use, awaited_steps
from symcrete.slotted import dataclass

Values: TypeAlias = tuple[list[Any], dict[str, Any]]  # positional ones, and by keyword


@dataclass(frozen=True, slots=True)
class Given:
    """What a function is called with, and what is done with its result."""

    arguments: Values
    uses: tuple[tuple[Use, Values], ...] = ()
    by_label: dict[str, Any] = field(default_factory=dict)  # the arguments as the call names them

    def played(self, function: Callable[..., Any]) -> Any:
        """What the call, or the last use of its result, gives."""
        positional, keywords = self.arguments
        result = function(*positional, **keywords)
        if self.uses and self.uses[0][0].how in AWAITED:
            return awaited_steps(result, [(use.how, values) for use, (values, _) in self.uses])
        thing = None
        for use, (positional, keywords) in self.uses:
            thing = thing if use.again else result
            result = WAYS[use.how](thing, *positional, **keywords)
        return result


def given_by(call: Call, monkeypatch: MonkeyPatch) -> Given:
    """Set the call's situation and evaluate what it is given."""
    namespace: dict[str, Any] = {
        "monkeypatch": monkeypatch,
        "caplog": LogLevels(monkeypatch),
        "tmp_path": monkeypatch.folder,
        "io": io,
    }
    for situated in call.situation:
        monkeypatch.execute(situated.set, namespace)
    for where, name in call.imports:
        module = importlib.import_module(where)
        namespace[name or where] = getattr(module, name.split(".")[0]) if name else module
    for statement in call.setup:
        exec(statement, namespace)
    # One namespace for all: a later argument may be an object that an earlier one has named.
    values = {name: eval(text, namespace) for name, text in call.args.items()}
    namespace["_taken"] = _taken
    uses = [(use, eval(f"_taken({use.given})", namespace)) for use in call.uses]
    return Given(_split(values, call.keywords), tuple(uses), values)


def _taken(*positional: Any, **keywords: Any) -> Values:
    return list(positional), keywords


def _split(values: dict[str, Any], by_keyword: tuple[str, ...]) -> Values:
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for name, value in values.items():
        if name.startswith("**"):
            keywords |= value
        elif name.startswith("*"):
            positional += value
        elif name in by_keyword:
            keywords[name] = value
        else:
            positional.append(value)
    return positional, keywords
