"""One file for each way to show a report."""
