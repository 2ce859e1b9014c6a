"""The papers' tables, run again on this project's own engine and subjects."""
