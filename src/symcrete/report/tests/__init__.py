"""The found inputs as test files."""
