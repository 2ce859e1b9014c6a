"""Functions that no solver knows are solved by searching with the real code."""

from pathlib import Path

import pytest
from tests.explore.exploring import assert_covers_all, explore
from tests.limits import allowed

PROGRAMS = {
    "math.sin": """
        import math
        def f(u: float):
            return 1 if math.sin(u) > 0.9 and u > 100 else 0
        """,
    "math.floor": """
        import math
        def f(u: float):
            return 1 if math.floor(u * 3.7) == 1234 else 0
        """,
    "math.sqrt": """
        import math
        def f(u: float):
            return 1 if math.sqrt(u) == 12.5 else 0
        """,
    "zlib.crc32 of a number": """
        import zlib
        def f(x: int):
            return 1 if zlib.crc32(x.to_bytes(4, "big")) & 0xFF == 0x5A else 0
        """,
    "zlib.crc32 of bytes": """
        import zlib
        def f(data: bytes):
            return 1 if zlib.crc32(data) & 0xFF == 0x5A else 0
        """,
    "zlib.crc32 of text": """
        import zlib
        def f(name: str):
            return 1 if len(name) > 2 and zlib.crc32(name.encode()) & 0xFF == 0x5A else 0
        """,
    "width of a character behind others": """
        import unicodedata
        def f(text: str):
            if len(text) == 9 and text.startswith("id:"):
                return 2 if unicodedata.east_asian_width(text[7]) in "WF" else 1
            return 0
        """,
    "normal form of a text": """
        import unicodedata
        def f(text: str):
            return 1 if unicodedata.normalize("NFKD", text) != text else 0
        """,
    "bits of a double": """
        import struct
        def f(u: float):
            bits = struct.unpack("<Q", struct.pack("<d", u))[0]
            return 1 if bits & 0xFF000 == 0x12000 else 0
        """,
    "exponent of a double": """
        import struct
        def f(u: float):
            return 1 if (struct.unpack("<Q", struct.pack("<d", u))[0] >> 52) & 0x7FF == 1050 else 0
        """,
    "a byte of a packed number": """
        import struct
        def f(n: int):
            return 1 if struct.pack(">q", n)[2] == 77 else 0
        """,
    "statistics.stdev": """
        import statistics
        def f(a: float, b: float, c: float):
            return 1 if 10 < statistics.stdev([a, b, c]) < 10.5 else 0
        """,
    "first byte of a hash": """
        import hashlib
        def f(n: int):
            return 1 if hashlib.sha256(str(n).encode()).digest()[0] == 0x7F else 0
        """,
    "first digits of a hash": """
        import hashlib
        def f(s: str):
            return 1 if hashlib.md5(s.encode()).hexdigest().startswith("a7") else 0
        """,
}


@pytest.mark.timed
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_branch_on_an_opaque_function_is_covered(name: str, tmp_path: Path) -> None:
    report = explore(PROGRAMS[name], tmp_path)

    assert_covers_all(report)
    assert report.seconds < allowed(5.0)


def test_draws_go_on_where_the_solver_gave_up(tmp_path: Path) -> None:
    # One input in thirty two: `linear` knows no way there.
    source = """
        import zlib
        def f(x: int):
            return 1 if zlib.crc32(repr(x * 7919).encode()) & 0x1F == 3 else 0
        """

    report = explore(source, tmp_path, solver="linear")

    assert_covers_all(report)
