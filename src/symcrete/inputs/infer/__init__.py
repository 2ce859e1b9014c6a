"""What a parameter may be, read off the program where no annotation says so."""
