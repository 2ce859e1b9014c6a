"""A discount that looks right, and is wrong in two ways."""


def price(cents: int, code: str) -> int:
    """What is left to pay with a code such as SAVE20."""
    if cents < 0:
        raise ValueError("a price is not negative")
    if code.startswith("SAVE") and code[4:].isdigit():
        return cents - cents * int(code[4:]) // 100
    return cents
