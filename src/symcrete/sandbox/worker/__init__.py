"""The confined process that holds engine and program."""
