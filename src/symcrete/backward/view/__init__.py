"""The program as the backward search sees it: its text, what names mean, who calls whom."""
