"""Is there such a day?"""


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def is_valid(year: int, month: int, day: int) -> bool:
    if year < 1 or not 1 <= month <= 12:
        return False
    if month == 2:
        last = 29 if is_leap(year) else 28
    elif month in (4, 6, 9, 11):
        last = 30
    else:
        last = 31
    return 1 <= day <= last
