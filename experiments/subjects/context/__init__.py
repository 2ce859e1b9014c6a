"""Subjects of context-guided search (Seo and Kim, FSE 2014)."""
