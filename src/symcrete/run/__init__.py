"""One concolic run."""
