"""Calls of the untouched function, in processes without engine, and what they agree on."""
