"""nested: a branch under many dominators, the example of context-guided search (its Figure 5).

The branch b11 lies below b3, b5, b7 and b9, which every path to it takes; what tells its paths
apart is whether b1 or b2 came before. Without dominators the context has to grow to six branches
to see that; with them two are enough. The figure shows part of grep's regular-expression compiler
without its text; names and thresholds are ours, so that b12 is reachable only after b1.
"""

REPEATABLE = 1
GREEDY = 7


def nested(syntax: int, token: int, depth: int, count: int, flags: int) -> str:
    """What a repetition in a pattern is compiled to."""
    if syntax > 4:
        lowest = 0  # b1
    else:
        lowest = 10  # b2
    if token == REPEATABLE:  # b3, else b4
        if depth > 0:  # b5, else b6
            if count > 0:  # b7, else b8
                if flags == GREEDY:  # b9, else b10
                    if lowest + count > 10:  # b11, else b12
                        return "counted"
                    return "unrolled"
                return "lazy"
            return "never"
        return "nothing to repeat"
    return "literal"
