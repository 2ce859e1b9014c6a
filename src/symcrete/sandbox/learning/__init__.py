"""The calls that a project's own tests make, recorded by running them once."""
