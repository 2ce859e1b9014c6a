"""What reaches out of the process: other processes, servers, databases."""
