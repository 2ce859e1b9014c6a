"""Files and folders that a run sees: none of this machine, only what its input says is there."""
