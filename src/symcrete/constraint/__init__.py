"""What must hold to get there."""
