"""The program's text: targets, branching points, places, what the text tells."""
