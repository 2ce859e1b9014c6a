"""Lazy expansion (LATEST): calls abstracted first, expanded where a path needs it."""
