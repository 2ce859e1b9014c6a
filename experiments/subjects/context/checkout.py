"""checkout: shipping, discount and points, the example of context-guided search (its Figure 1).

Three conditionals in a row, six branches b1 to b6. Points (b5) need a total for which the discount
(b3) has been granted too: flipping b6 works only in a context with b3. The figure's thresholds are
lost in our copy of the paper; those here are chosen so that the dependency holds.
"""

PRIME = 2
DISCOUNT_FROM = 100
POINTS_FROM = 250


def checkout(member_level: int, total: int) -> tuple[str, int, int]:
    """How an order is shipped, its discount and the points it earns."""
    if member_level >= PRIME:
        shipping = "fast"  # b1
    else:
        shipping = "slow"  # b2
    if total >= DISCOUNT_FROM:
        discount = get_discount(total)  # b3
    else:
        discount = 0  # b4
    if total >= POINTS_FROM:
        paid = total - discount
        points = get_points(paid)  # b5
    else:
        points = 0  # b6
    return shipping, discount, points


def get_discount(total: int) -> int:
    return total // 10


def get_points(paid: int) -> int:
    return paid // 20
