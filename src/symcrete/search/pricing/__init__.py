"""What the next step is worth for what it costs: one decision over all kinds of steps."""
