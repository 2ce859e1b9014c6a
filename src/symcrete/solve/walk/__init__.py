"""The concolic walk: solving by evaluating the conditions."""
