"""What keeps this repository in order; none of it is shipped."""
