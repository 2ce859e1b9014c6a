"""Branches with an open side, kept so that a strategy finds the next one soon."""
