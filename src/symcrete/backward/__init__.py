"""From a line to the entry."""
