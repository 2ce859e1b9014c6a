"""Believe an input only after it was played again."""
