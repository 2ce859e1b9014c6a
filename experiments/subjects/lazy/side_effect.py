"""side_effect: a called function that changes a global (LATEST, Figure 6).

The marked line cannot be reached, because `foo` always sets the flag. Lazy expansion that only
conjoins the callee's path constraint would think it can.
"""

flag = 0


def foo(u: int) -> int:
    global flag
    flag = 1
    if u == 0:
        return 0
    return 1


def main(y: int) -> bool:
    global flag
    flag = 0
    x = foo(y)
    if flag == 0 and x == 0:
        return True  # target: side_effect
    return False
