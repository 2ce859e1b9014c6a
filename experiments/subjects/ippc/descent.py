"""descent: the phases of a landing in floats (ours: floating-point conditions).

Height, speed (downward), fuel and thrust of a lander; four steps of a tenth of the remaining
height each. Sums and products are IEEE doubles, so that a solver has to reason about rounding.
"""

DOMAIN = {
    "height": (0.0, 1000.0),
    "speed": (-10.0, 100.0),
    "fuel": (0.0, 100.0),
    "thrust": (0.0, 20.0),
}
STEPS = 4
GRAVITY = 1.625  # m/s2 on the moon; a sum of powers of two


def descent(height: float, speed: float, fuel: float, thrust: float) -> str:
    """How the landing ends."""
    if not 0.0 <= height <= 1000.0 or not 0.0 <= fuel <= 100.0 or not 0.0 <= thrust <= 20.0:
        return "no such lander"
    for _ in range(STEPS):
        if fuel < thrust * 0.5:
            thrust = 0.0
        if speed < 0.0:
            return "rises"
        if height < speed:
            return landed(height, speed, fuel)
        height = height - speed
        speed = speed + GRAVITY - thrust * 0.25
        fuel = fuel - thrust * 0.5
    return "still high" if height > 500.0 else "still low"


def landed(height: float, speed: float, fuel: float) -> str:
    """What becomes of a lander that touches down within this step."""
    if speed > 2.0 * height + 8.0:
        return "crash"
    if speed > 4.0:
        return "hard"
    return "perfect" if fuel > 50.0 else "soft"
