"""What editors show of Symcrete: the language server."""
