"""What the operations of texts mean as conditions and characters."""
