"""tsafe: two methods of an air-traffic conflict detector, full of trigonometry.

Subject of the concolic walk's evaluation and (with targets) of symcretic execution's. Angles psi1,
bank in degrees, psiC in radians; the constant 68443 turns a squared speed over the tangent of the
bank angle into a turn radius. Eleven if statements in all, as the dissertation counts.

The five marked lines are our choice of chapter 4's targets. An arc tangent lies between -pi and pi,
so a heading never exceeds 2 pi: two of the five cannot be reached, which would explain why one of
the dissertation's tables counts five targets and another three.
"""

import math


def conflict(
    psi1: float, v_a: float, v_c: float, x_c0: float, y_c0: float, psi_c: float, bank: float
) -> float:
    """How near two aircraft come, at most 999, when one of them turns by psi1; -1 if within 2."""
    psi_a = math.radians(psi1)
    if psi_a < 0:
        sign_a = -1
    else:
        sign_a = 1
    bank_angle = math.radians(bank)
    r_a = v_a * v_a / math.tan(bank_angle) / 68443.0
    r_c = v_c * v_c / math.tan(bank_angle) / 68443.0
    t1 = abs(psi_a) * r_a / v_a
    d_psi_c = t1 * v_c / r_c
    x_a = sign_a * r_a * (1.0 - math.cos(psi_a))
    y_a = r_a * sign_a * math.sin(psi_a)
    x_c = x_c0 + r_c * (math.cos(psi_c) - math.cos(psi_c + d_psi_c))
    y_c = y_c0 - r_c * (math.sin(psi_c) - math.sin(psi_c + d_psi_c))
    dx = x_c - x_a
    dy = y_c - y_a
    distance = math.sqrt(dx * dx + dy * dy)
    nearest = 999.0
    if distance < nearest:
        nearest = distance  # target: tsafe_near
    if nearest < 2.0:
        return -1.0  # target: tsafe_conflict
    return nearest


def turn_logic(
    x0: float,
    y0: float,
    gspeed: float,
    x1: float,
    y1: float,
    x2: float,
    y2: float,
    dt: float,
) -> float:
    """The bank angle that takes an aircraft from the leg 0-1 to the leg 1-2; 0 for no leg."""
    dx = x1 - x0
    dy = y1 - y0
    if dx == 0 and dy == 0:
        return 0.0
    heading1 = math.radians(90) - math.atan2(dy, dx)
    if heading1 < 0:
        heading1 = heading1 + math.radians(360)
    if heading1 > 2 * math.pi:
        heading1 = heading1 - math.radians(360)  # target: tsafe_heading1

    dx = x2 - x1
    dy = y2 - y1
    if dx == 0 and dy == 0:
        return 0.0
    heading2 = math.radians(90) - math.atan2(dy, dx)
    if heading2 < 0:
        heading2 = heading2 + math.radians(360)
    if heading2 > 2 * math.pi:
        heading2 = heading2 - math.radians(360)  # target: tsafe_heading2

    difference = heading2 - heading1
    if difference > math.pi:
        difference = difference - math.radians(360)  # target: tsafe_turn
    if difference < -math.pi:
        difference = difference + math.radians(360)
    return math.atan2(difference * gspeed, 32.0 * dt)
