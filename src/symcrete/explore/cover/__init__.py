"""From an exploration to the report of a target."""
