"""One input: its shape, its values, its text."""
