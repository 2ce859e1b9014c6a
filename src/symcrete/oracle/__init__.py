"""What says whether a program is right: another program, its own contracts, its documentation."""
