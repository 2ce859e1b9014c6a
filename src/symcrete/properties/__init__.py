"""Tests of properties, explored in the process that runs the tests: `forall`, and Hypothesis."""
