"""Run the examples of a docstring as doctest does, and tell those that give something else.

A copy of this file is imported, as it is and not rewritten, by the program that runs examples
(`oracle/docstring_examples.py`). Of ours it imports nothing.
"""

from __future__ import annotations

import doctest
from types import ModuleType
from typing import Any

Wrong = tuple[int, str, str, str]  # the line in the docstring, source, what is shown, what is given


class _Listing(doctest.DocTestRunner):
    """Keeps what failed instead of printing it."""

    def __init__(self, flags: int) -> None:
        super().__init__(verbose=False, optionflags=flags)
        self.wrong: list[Wrong] = []

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        """An example gave something else."""
        if example.exc_msg is not None:
            self.wrong.append((example.lineno, example.source, example.exc_msg, _last_words(got)))
        else:
            self.wrong.append((example.lineno, example.source, example.want, got))

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        """An example raised what it does not show."""
        got = f"{exc_info[0].__name__}: {exc_info[1]}"
        self.wrong.append((example.lineno, example.source, example.want, got))


def _last_words(traceback: str) -> str:
    """The exception that a traceback ends with, without the way there."""
    _, *lines = traceback.splitlines() or [""]
    words = [number for number, line in enumerate(lines) if not line.startswith(" ")]
    return "\n".join(lines[words[0] :]) if words else traceback


def wrong_examples(module: ModuleType, text: str, flags: tuple[str, ...]) -> list[Wrong]:
    """The examples of a docstring that do not give what they show, in the names of a module."""
    known = doctest.OPTIONFLAGS_BY_NAME
    runner = _Listing(sum({known[name] for name in flags if name in known}))
    names = dict(vars(module))
    test = doctest.DocTestParser().get_doctest(text, names, module.__name__, None, 0)
    runner.run(test, out=lambda line: None)
    return runner.wrong
