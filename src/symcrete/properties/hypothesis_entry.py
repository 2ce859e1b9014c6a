"""Tells Hypothesis of the backend `symcrete`; called whenever Hypothesis is imported."""

from __future__ import annotations


def register() -> None:
    """From now on `@settings(backend="symcrete")` works; the engine is imported when it is used."""
    from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS

    AVAILABLE_PROVIDERS["symcrete"] = "symcrete.properties.provider.SymcreteProvider"
