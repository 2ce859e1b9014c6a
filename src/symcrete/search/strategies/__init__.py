"""One file for each family of strategies."""
