"""Every proof is attacked before it is printed."""
