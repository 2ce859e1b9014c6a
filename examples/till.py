"""A command-line program: its options, a file, an environment variable and the date decide."""

import argparse
import os
from datetime import date


def main() -> int:
    """The price of an order in cents."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cents", type=int, default=100)
    parser.add_argument("--member", action="store_true")
    options = parser.parse_args()
    if os.environ.get("TILL") == "closed":
        raise SystemExit("the till is closed")
    price: int = options.cents
    if price > 5000:
        price -= 500
    if options.member and date.today().weekday() == 6:
        price //= 2
    if os.path.exists("discount.txt"):
        with open("discount.txt") as file:
            price -= int(file.read())
    return price
