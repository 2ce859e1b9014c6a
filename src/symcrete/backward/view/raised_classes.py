"""Which class of exception a `raise` raises, and which handlers catch it."""

from __future__ import annotations

import builtins

from symcrete.backward.view.program_view import Program
from symcrete.program.lowering.three_address import Flow, Raise

# Classes that refuse some arguments, or choose another class by what they are given: the first
# raises TypeError for anything but five arguments, a group of Exceptions is an ExceptionGroup.
_CHOOSY = (UnicodeDecodeError, UnicodeEncodeError, UnicodeTranslateError, BaseExceptionGroup)
# Classes that do so with more than one argument: `OSError(2, "gone")` is a FileNotFoundError.
_CHOOSY_OF_TWO = (OSError, SyntaxError)


class RaisedClasses:
    """Tells of exceptions of a program, by the names that its text gives them, what they are."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def is_as_written(self, flow: Flow, statement: Raise) -> bool:
        """Whether a `raise` surely raises the class it names, and not what making one raises."""
        if statement.error is None or statement.given is None:
            return False
        raised = self._class(flow, statement.error)
        if raised is None:
            return False
        several = statement.given > 1 and issubclass(raised, _CHOOSY_OF_TWO)
        return not several and not issubclass(raised, _CHOOSY)

    def is_one_of(self, flow: Flow, error: str | None, names: tuple[str, ...]) -> bool | None:
        """Whether an exception is of one of these classes; None where only a run can tell."""
        if names == ("BaseException",):
            return True
        if error is None:
            return None
        raised = self._class(flow, error)
        if raised is None:
            return None
        found: bool | None = False
        for name in names:
            caught = self._class(flow, name)
            if caught is None:
                found = None
            elif issubclass(raised, caught):
                return True
        return found

    def _class(self, flow: Flow, name: str) -> type | None:
        known, value = self._program.resolve(flow, name)
        if not known and hasattr(builtins, name):
            return None
        is_class = isinstance(value, type) and issubclass(value, BaseException)
        return value if known and is_class else None
