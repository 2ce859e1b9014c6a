"""Random programs over finite domains: what is said of them against what all their inputs do."""
