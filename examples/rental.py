"""What renting something for some days costs."""


def rate(days: int) -> int:
    if days > 30:
        return 2
    return 5


def fee(days: int, member: bool) -> int:
    if days < 0:
        raise ValueError("nobody rents for less than no time")
    price = rate(days) * days
    if member:
        price -= 10
    if price == 92:
        return 0
    return price
