"""The answers of the commands that judge a program, for people, with the tests that show them."""
