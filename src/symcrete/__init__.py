"""Symcrete: a concolic tester for Python."""
