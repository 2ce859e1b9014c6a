"""Tracked inputs, built from their shapes and the variables of one run."""
