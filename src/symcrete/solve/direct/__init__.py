"""Answers and contradictions found without a solver."""
