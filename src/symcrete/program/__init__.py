"""The program under test, seen from outside."""
