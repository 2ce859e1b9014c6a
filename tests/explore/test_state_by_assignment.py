"""Objects whose state comes by `x[key] = value`, and defaults that are functions."""

from pathlib import Path

from tests.explore.exploring import assert_covers_all, explore

CACHE = """
import operator
import time


class Cache:
    def __init__(self, ttl: int, timer=time.monotonic, size=operator.length_hint):
        self._ttl = ttl
        self._timer = timer
        self._size = size
        self._data = {}

    def __setitem__(self, key: str, value: int) -> None:
        data = self._data
        data[key] = (value, self._timer() + self._ttl)

    def get(self, key: str) -> int:
        if key not in self._data:
            return -1
        value, expires = self._data[key]
        if self._timer() < expires:
            return value
        return -2
"""


def test_items_are_assigned_and_a_clock_kept_as_a_default_is_a_function_of_the_test(
    tmp_path: Path,
) -> None:
    report = explore(CACHE, tmp_path, name="Cache.get", budget=20.0)

    assert_covers_all(report)
    objects = [found.args["self"] for found in report.inputs]
    assert any(".__setitem__(" in text for text in objects)
    assert all("lambda" in text and "monotonic" not in text for text in objects)
    assert not any(found.situation for found in report.inputs)
