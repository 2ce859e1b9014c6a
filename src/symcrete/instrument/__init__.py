"""Make a program report its branches."""
