"""The page: one file for a whole project, without network."""
