"""From our terms to what solvers understand."""
