"""Everything that values know, listed: the one place that names each kind, model and builder."""
