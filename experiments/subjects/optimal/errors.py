"""How the numeric subjects fail: each is a branch of its own, as in the library they follow."""


class DomainError(ValueError):
    """The function is not defined for these arguments."""


class ConvergenceError(ArithmeticError):
    """An iteration did not settle within its bound."""


class PrecisionError(ArithmeticError):
    """Cancellation left no digits worth returning."""
