"""Faulty versions of a function, and the inputs that tell them from it."""
