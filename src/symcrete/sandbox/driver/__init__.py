"""The process that starts, watches and outlives workers."""
