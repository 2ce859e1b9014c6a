"""Calls that a run follows or replaces by an unknown result: the mechanism of lazy expansion."""
