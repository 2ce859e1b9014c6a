"""Subjects of "Design of a Modified Concolic Testing Algorithm with Smaller Constraints" (IPPC)."""
