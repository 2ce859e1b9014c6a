"""What a program reads besides its arguments, told from its text."""
