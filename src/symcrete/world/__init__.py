"""What a run reads besides its arguments."""
