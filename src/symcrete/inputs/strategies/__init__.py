"""Strategies of Hypothesis, read as shapes: what `@given` hands to a test."""
