"""Yices 2 through its C library."""
