"""Calls that would reach out of the process: nothing is started or sent, the answer is an input.

Each call of a function is an input of its own, made of parts: `subprocess.run()#2.stdout`. A test
puts a mock in the place of the function that gives, or raises, what came of each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from symcrete.inputs.late import Late
from symcrete.inputs.literal import literal
from symcrete.inputs.shapes.shape import ChoiceShape, ConstantShape, Shape
from symcrete.world.source import Answer, Asking, Setting, Targets

ERROR = "error"  # the part that tells whether a call raises: "" or a key of the row's errors


class Calls:
    """The calls of one function in the run under way."""

    def __init__(self, ask: Asking, function: str, source: str) -> None:
        self._ask, self._function, self._source = ask, function, source

    def next(self, errors: Iterable[str]) -> Parts:
        """The parts of the next call's answer, which may be one of these errors."""
        made: list[None] = self._ask.remembered(self._function, list)
        made.append(None)
        parts = Parts(self._ask, f"{self._function}()#{len(made)}", self._source)
        parts.error = parts.value(ERROR, ChoiceShape(tuple(map(ConstantShape, ("", *errors)))))
        return parts


class Parts:
    """What one call answers."""

    def __init__(self, ask: Asking, root: str, source: str) -> None:
        self._ask, self._root, self._source = ask, root, source
        self.error = ""

    def value(self, part: str, shape: Shape) -> Any:
        """What the input has for one part of the answer."""
        return self._ask.value(Late(f"{self._root}.{part}", shape, self._source))

    def plain(self, value: Any) -> Any:
        """The value without its term."""
        return self._ask.plain(value)


def by_function(answers: Sequence[Answer]) -> dict[str, list[dict[str, Answer]]]:
    """For each function its calls in order, each as answers by the names of their parts."""
    found: dict[str, dict[str, dict[str, Answer]]] = {}
    for each in answers:
        function, _, rest = each.root.partition("()#")
        number, _, part = rest.partition(".")
        found.setdefault(function, {}).setdefault(number, {})[part] = each
    return {function: list(calls.values()) for function, calls in found.items()}


def text_of(parts: Mapping[str, Answer], name: str, otherwise: str) -> str:
    """The expression of a part of an answer; `otherwise` where the run was cut before it was asked
    for.
    """
    return parts[name].text if name in parts else otherwise


def _raised(parts: Mapping[str, Answer], errors: Mapping[str, str]) -> str:
    """The expression of the error that a call raised, with the values of the parts that `errors`
    names in braces. Parts that the run did not ask for are None, and left out where they are the
    last arguments.
    """
    known = _OrNone({name: each.text for name, each in parts.items()})
    text = errors[parts[ERROR].value].format_map(known)
    while text.endswith(", None)"):
        text = text.removesuffix(", None)") + ")"
    return text


class _OrNone(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return "None"


def mocked(
    function: str,
    calls: Sequence[Mapping[str, Answer]],
    errors: Mapping[str, str],
    told: Callable[[Mapping[str, Answer]], str],
    imports: Sequence[str],
    targets: Targets,
) -> Iterable[Setting]:
    """The statements of a test that put a mock in the place of a function.

    `told` gives the expression of an answer that is no error; `errors` has those of errors, with
    the names of parts in braces.
    """
    module, _, name = function.rpartition(".")
    texts = [_raised(each, errors) if each[ERROR].value else told(each) for each in calls]
    shown = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
    needed = [*imports, "from unittest.mock import Mock"]
    head = "\n".join(sorted(needed, key=lambda each: (each.startswith("from"), each)))
    for target in targets(module, name):
        line = f"monkeypatch.setattr({literal(target)}, Mock(side_effect=[{', '.join(texts)}]))"
        yield Setting(f"{function}()", shown, f"{head}\n\n{line}")
