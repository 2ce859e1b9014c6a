"""Where the walk can go from a point."""
