"""What confined code cannot do, and how it is told."""
