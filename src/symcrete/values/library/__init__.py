"""Dates, times, paths and other library values whose parts carry terms."""
