"""What driver and worker say to each other."""
