"""Bubble sort of five numbers."""


def bubble_sort(a: int, b: int, c: int, d: int, e: int) -> list[int]:
    items = [a, b, c, d, e]
    for end in range(len(items) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if items[i] > items[i + 1]:
                items[i], items[i + 1] = items[i + 1], items[i]
                swapped = True
        if not swapped:
            break
    return items
