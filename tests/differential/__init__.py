"""Models of built-ins against the built-ins themselves, on many inputs."""
