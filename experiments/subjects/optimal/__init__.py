"""Numeric subjects after those of "Towards Optimal Concolic Testing" (Wang et al., ICSE 2018)."""
