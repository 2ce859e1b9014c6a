"""Hypothesis tests that a project has: what was found as `@example` lines for them."""
