"""What the program sees of this machine while it is imported."""
