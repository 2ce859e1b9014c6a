"""Choose, solve, run, learn."""
