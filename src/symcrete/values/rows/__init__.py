"""The rows that say what values know, and the tables that are looked up while a program runs."""
