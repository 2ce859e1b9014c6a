"""What was found, told."""
