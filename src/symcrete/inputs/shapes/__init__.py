"""What an input of a type is made of."""
