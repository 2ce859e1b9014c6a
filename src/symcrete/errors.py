"""Every exception of Symcrete."""


class SymcreteError(Exception):
    """Something the user can put right; the message shows the value and the way out."""
