"""Subjects of LATEST, lazy dynamic test input generation."""
