"""Functions in three-address form, for the search from a line backwards."""
