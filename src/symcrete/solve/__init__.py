"""Find an input."""
