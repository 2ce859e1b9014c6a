"""An input for a line, or a proof that there is none."""
