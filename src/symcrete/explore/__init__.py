"""The loop that joins all stages."""
