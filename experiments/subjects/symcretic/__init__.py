"""Subjects of symcretic execution's evaluation (Dinges' dissertation, chapter 4)."""
