"""z3 through its C functions."""
