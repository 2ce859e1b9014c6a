"""What a customer pays."""

LARGEST_DISCOUNT = 0.3


def price(quantity: int, unit_price: float, years: int | None, coupon: float | None) -> float:
    if quantity <= 0:
        raise ValueError("quantity must be positive")
    if unit_price < 0.0 or unit_price != unit_price:
        raise ValueError("a price is not negative")
    discount = 0.0
    if quantity >= 100:
        discount = 0.15
    elif quantity >= 10:
        discount = 0.05
    if years is not None and years > 2:
        discount += 0.02 * min(years, 10)
    if coupon is not None:
        if not 0.0 <= coupon <= 1.0:
            raise ValueError("a coupon is a share of the price")
        discount += coupon
    if discount > LARGEST_DISCOUNT:
        discount = LARGEST_DISCOUNT
    total = quantity * unit_price * (1.0 - discount)
    if total > 1000.0:
        total -= 10.0
    return total
