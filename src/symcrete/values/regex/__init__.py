"""Regular expressions on tracked texts."""
