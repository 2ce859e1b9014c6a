"""Everything seen so far."""
