"""Every branch seen so far, and what is covered."""
