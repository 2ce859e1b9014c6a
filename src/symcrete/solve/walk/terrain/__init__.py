"""What the walk stands on: goals, scores, variables, linear parts."""
