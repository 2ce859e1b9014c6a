"""What was found, kept on disk."""
