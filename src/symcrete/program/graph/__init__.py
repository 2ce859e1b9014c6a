"""Control flow: graphs of functions and of programs, dominators, distances."""
