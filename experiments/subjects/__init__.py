"""The programs under test: plain Python that knows nothing of the tester."""
