"""What built-ins do with values that carry a term."""
