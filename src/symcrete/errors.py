"""Every exception of Symcrete.

The user's mistakes are `SymcreteError`s, shown as one line. What unwinds the program under test
derives from `BaseException`, so that its own `except Exception` does not swallow it.
"""

INTERNAL_ERROR = 3  # exit code of the command line for a mistake of ours


class SymcreteError(Exception):
    """A mistake the user can mend; its text is all that is shown."""

    exit_code = 4

    def __init__(self, *said: object, exit_code: int | None = None) -> None:
        super().__init__(*said)
        if exit_code is not None:
            self.exit_code = exit_code


class TargetNotFound(SymcreteError):
    """No such file, module or function."""


class ImportFailed(SymcreteError):
    """The module of the target cannot be imported."""


class NothingToAnalyse(SymcreteError):
    """There is no Python code to cover in what was asked for."""

    exit_code = 5


class UnsupportedInput(SymcreteError):
    """A parameter whose type no input can be made for."""


class BadOption(SymcreteError):
    """A flag or configuration value that makes no sense."""


class CannotWrite(SymcreteError):
    """A result file that cannot or must not be written."""


class InternalError(SymcreteError):
    """A mistake of ours in a worker, which the user can only report."""

    exit_code = INTERNAL_ERROR

    def __init__(self, last_line: str, traceback: str) -> None:
        super().__init__(f"internal error: {last_line}; please report this defect of symcrete")
        self.traceback = traceback


class RunCut(BaseException):
    """Ends one run of the program under test from inside."""


class StepLimit(RunCut):
    """The run took more branch steps than it may."""


class LoopLimit(StepLimit):
    """Its loops took more steps than they may; a clock may tell better how long it takes."""


class TimeLimit(RunCut):
    """The run took longer than it may."""


class CutShort(Exception):
    """Code of the program that ran outside of a run was cut as a run is."""


class TooExpensive(RunCut):
    """One operation that would take longer than the whole run may."""


class EitherWay(RunCut):
    """The run came to where Python may go one way or another, whatever the input is."""

    WHY = "`is` between values, of which Python may keep equal ones once"

    def __init__(self) -> None:
        super().__init__(self.WHY)


class AssumptionFailed(RunCut):
    """The input is outside what `assume` or a precondition allows."""


class NotAnInput(AssumptionFailed):
    """The values that were to be tried break what the declared type promises: no run at all."""


class WrongProof(UserWarning):
    """A line that was proved to be unreachable is executed by an input: a defect of this tool."""
