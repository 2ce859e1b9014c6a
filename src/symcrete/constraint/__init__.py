"""What must hold to take the other side of a branch."""
