"""What constraints are made of."""
