"""Values without a solver: boundary values, mined constants, chance, and small changes."""
