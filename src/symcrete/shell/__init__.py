"""What sets Symcrete up in a project and in a shell."""
