"""Run strangers' code safely."""
