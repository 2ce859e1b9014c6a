"""Texts that carry terms."""
