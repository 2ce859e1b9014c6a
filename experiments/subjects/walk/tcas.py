"""tcas: the resolution advisory of an aircraft collision avoidance system.

Subject of the concolic walk's evaluation and (with targets) of symcretic execution's. Twelve ints,
no ranges. As in the program used there, the climb bias is 300, a seeded fault: it should be 100.
A layer outside 0..3 raises IndexError. The marked lines are chapter 4's three targets; the line
where both advisories hold is marked as well, and cannot be reached (own altitude below and above).
"""

OLEV = 600
MAX_ALT_DIFF = 600
MIN_SEP = 300
CLIMB_BIAS = 300

UNRESOLVED = 0
UPWARD = 1
DOWNWARD = 2

THRESHOLDS = (400, 500, 640, 740)


def tcas(
    cur_vertical_sep: int,
    high_confidence: int,
    two_of_three_reports_valid: int,
    own_tracked_alt: int,
    own_tracked_alt_rate: int,
    other_tracked_alt: int,
    alt_layer_value: int,
    up_separation: int,
    down_separation: int,
    other_rac: int,
    other_capability: int,
    climb_inhibit: int,
) -> int:
    """0 for no advisory, 1 to climb, 2 to descend."""
    alim = threshold(alt_layer_value)
    enabled = (
        high_confidence == 1 and own_tracked_alt_rate <= OLEV and cur_vertical_sep > MAX_ALT_DIFF
    )
    equipped = other_capability == 1
    intent_not_known = two_of_three_reports_valid == 1 and other_rac == 0

    advisory = UNRESOLVED
    if enabled and ((equipped and intent_not_known) or not equipped):
        below = own_below_threat(own_tracked_alt, other_tracked_alt)
        above = own_above_threat(own_tracked_alt, other_tracked_alt)
        bias = inhibit_biased_climb(up_separation, climb_inhibit)
        climb = non_crossing_biased_climb(
            bias, below, above, cur_vertical_sep, up_separation, down_separation, alim
        )
        descend = non_crossing_biased_descend(
            bias, below, above, cur_vertical_sep, up_separation, down_separation, alim
        )
        need_upward = climb and below
        need_downward = descend and above
        if need_upward and need_downward:
            advisory = UNRESOLVED  # target: tcas_both
        elif need_upward:
            advisory = UPWARD  # target: tcas_upward
        elif need_downward:
            advisory = DOWNWARD  # target: tcas_downward
        else:
            advisory = UNRESOLVED  # target: tcas_unresolved
    return advisory


def threshold(layer: int) -> int:
    if layer == 0:
        return THRESHOLDS[0]
    if layer == 1:
        return THRESHOLDS[1]
    if layer == 2:
        return THRESHOLDS[2]
    if layer == 3:
        return THRESHOLDS[3]
    raise IndexError("no such altitude layer")


def own_below_threat(own_tracked_alt: int, other_tracked_alt: int) -> bool:
    return own_tracked_alt < other_tracked_alt


def own_above_threat(own_tracked_alt: int, other_tracked_alt: int) -> bool:
    return other_tracked_alt < own_tracked_alt


def inhibit_biased_climb(up_separation: int, climb_inhibit: int) -> int:
    if climb_inhibit == 1:
        return up_separation + CLIMB_BIAS
    return up_separation


def non_crossing_biased_climb(
    bias: int,
    below: bool,
    above: bool,
    cur_vertical_sep: int,
    up_separation: int,
    down_separation: int,
    alim: int,
) -> bool:
    if bias > down_separation:
        return not below or (below and not down_separation >= alim)
    return above and cur_vertical_sep >= MIN_SEP and up_separation >= alim


def non_crossing_biased_descend(
    bias: int,
    below: bool,
    above: bool,
    cur_vertical_sep: int,
    up_separation: int,
    down_separation: int,
    alim: int,
) -> bool:
    if bias > down_separation:
        return below and cur_vertical_sep >= MIN_SEP and down_separation >= alim
    return not above or (above and up_separation >= alim)
