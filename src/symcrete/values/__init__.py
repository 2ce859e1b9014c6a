"""Python values that carry a term."""
