"""Many targets: a file, a package, a repository."""
