"""What is known of the characters of a text, and the texts that carry it."""
