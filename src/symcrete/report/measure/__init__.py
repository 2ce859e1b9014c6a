"""Found inputs run once more under coverage.py, for those who count with it."""
