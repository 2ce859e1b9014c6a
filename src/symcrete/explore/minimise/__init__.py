"""Plainer inputs that do the same."""
