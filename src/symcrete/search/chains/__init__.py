"""Programs as Markov chains: chances, rewards, and the best choice."""
