"""Subjects of the concolic walk's evaluation (Dinges' dissertation, chapter 5)."""
