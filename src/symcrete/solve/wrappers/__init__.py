"""Solvers around a solver: slicing, caching, partial constraints, validation."""
