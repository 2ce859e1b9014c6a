"""Tests that were written, run under other conditions before they are kept."""
