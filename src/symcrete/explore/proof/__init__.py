"""What a proof stands on, and what stands in its way."""
