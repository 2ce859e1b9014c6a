"""The solvers themselves."""
