"""Complex numbers, decimals and fractions whose parts carry terms."""
