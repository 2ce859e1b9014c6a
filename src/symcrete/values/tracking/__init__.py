"""What all tracked values share: the recording, numbers, truths, operators, and calls."""
