"""Branches that need a particular text are covered, each in a few seconds."""

from pathlib import Path

import pytest
from tests.explore.exploring import assert_covers_all, explore

PROGRAMS = {
    "case": """
        def f(s: str):
            return 1 if s.upper() == "HELLO" else 0
        """,
    "number in a base": """
        def f(n: int):
            return 1 if f"{n:04x}" == "beef" else 0
        """,
    "constant": """
        def f(s: str):
            return 1 if s == "SAVE" else 0
        """,
    "version": """
        def f(a: str, b: str):
            xs = [int(p) for p in a.split(".")]
            ys = [int(p) for p in b.split(".")]
            for x, y in zip(xs, ys):
                if x < y:
                    return -1
                if x > y:
                    return 1
            return 2 if len(xs) > len(ys) else 0
        """,
    "roman numeral": """
        def f(s: str):
            values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
            total, last = 0, 0
            for c in reversed(s):
                v = values[c]
                if v < last:
                    total -= v
                else:
                    total += v
                    last = v
            if total == 1994:
                return "film"
            return total
        """,
    "Luhn": """
        def f(s: str):
            if not s.isdigit() or len(s) < 4:
                return False
            total = 0
            for i, c in enumerate(reversed(s)):
                d = int(c)
                if i % 2 == 1:
                    d *= 2
                    if d > 9:
                        d -= 9
                total += d
            if total % 10 == 0 and total > 0:
                return True
            return False
        """,
    "ISO date": """
        def f(s: str):
            if len(s) != 10 or s[4] != "-" or s[7] != "-":
                return "format"
            y, m, d = s[:4], s[5:7], s[8:]
            if not (y.isdigit() and m.isdigit() and d.isdigit()):
                return "digits"
            year, month, day = int(y), int(m), int(d)
            if not 1 <= month <= 12:
                return "month"
            leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
            days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            if not 1 <= day <= days[month - 1]:
                return "day"
            return "leap day" if month == 2 and day == 29 else "ok"
        """,
    "key and value": """
        def f(s: str):
            found = {}
            for part in s.split(";"):
                part = part.strip()
                if "=" not in part:
                    return "bad"
                k, v = part.split("=", 1)
                found[k] = v
            if found.get("key") == "value" and found.get("k2") == "v2":
                return "both"
            return "key" if "key" in found else "none"
        """,
    "regular expression": """
        import re
        def f(s: str):
            m = re.fullmatch(r"(\\d{3})-([a-z]+)", s)
            if not m:
                return 0
            if m.group(1) == "555" and m[2] == "home":
                return 2
            return 1
        """,
    "third field": """
        def f(s: str):
            return 1 if s.split(",")[2].strip() == "x" else 0
        """,
    "integer": """
        def f(s: str):
            return 1 if int(s) == 4711 else 0
        """,
    "identifier": """
        def f(s: str):
            return 1 if s.isidentifier() and len(s) > 5 else 0
        """,
    "palindrome": """
        def f(s: str):
            return 1 if len(s) > 4 and s == s[::-1] and s[0] != s[1] else 0
        """,
    "brackets": """
        def f(s: str):
            stack = []
            match = {")": "(", "]": "["}
            for c in s:
                if c in "([":
                    stack.append(c)
                elif c in ")]":
                    if not stack or stack.pop() != match[c]:
                        return "mismatch"
                else:
                    return "other"
            if stack:
                return "open"
            return "long" if len(s) >= 6 else "balanced"
        """,
    "run lengths": """
        def f(s: str):
            out, i = [], 0
            while i < len(s):
                j = i
                while j < len(s) and s[j] == s[i]:
                    j += 1
                out.append(s[i] + str(j - i))
                i = j
            return 1 if "".join(out) == "a3b2" else 0
        """,
    "reversed": """
        def f(s: str):
            return 1 if s[::-1] == "abc" else 0
        """,
    "magic bytes": """
        def f(b: bytes):
            if b[:4] == b"\\x89PNG":
                return "png"
            if b.startswith(b"RIFF") and int.from_bytes(b[4:8], "little") == 0x1234:
                return "riff"
            return "other"
        """,
    "both ends": """
        def f(s: str):
            return 1 if s.startswith("ab") and s.endswith("yz") and len(s) == 7 else 0
        """,
    "address": """
        def f(s: str):
            if s.count("@") != 1:
                return "at"
            user, host = s.split("@")
            if not user or "." not in host:
                return "parts"
            return "bob" if host.endswith(".org") and user == "bob" else "ok"
        """,
    "calculator": """
        def f(s: str):
            out, i = [], 0
            while i < len(s):
                c = s[i]
                if c.isspace():
                    i += 1
                elif c.isdigit():
                    j = i
                    while j < len(s) and s[j].isdigit():
                        j += 1
                    out.append(int(s[i:j]))
                    i = j
                elif c in "+-*/()":
                    out.append(c)
                    i += 1
                else:
                    raise ValueError(c)
            return "sum" if len(out) == 3 and out[1] == "+" and out[0] + out[2] == 42 else out
        """,
    "shifted letters": """
        def f(s: str, k: int):
            out = []
            for c in s:
                out.append(chr((ord(c) - 97 + k) % 26 + 97) if "a" <= c <= "z" else c)
            return 1 if "".join(out) == "uryyb" else 0
        """,
    "percent": """
        def f(n: int, s: str):
            return 1 if "%05d-%s" % (n, s) == "00042-abc" else 0
        """,
    "known word": """
        def f(s: str):
            colours = {"red": 1, "green": 2, "blue": 3}
            if s in colours:
                return colours[s]
            return 10 if s.strip().lower() in colours else 0
        """,
    "float": """
        def f(s: str):
            x = float(s)
            if x == 2.5:
                return 1
            return 2 if x < -10.0 else 0
        """,
    "utf-8": """
        def f(s: str):
            b = s.encode()
            if len(b) == 3 and len(s) == 1:
                return 1
            return 2 if b == b"\\xc3\\xa9" else 0
        """,
    "replaced blanks": """
        import re
        def f(s: str):
            return 1 if re.sub(r"\\s+", " ", s) == "a b" and len(s) > 4 else 0
        """,
    "long": """
        def f(s: str):
            return 1 if len(s) > 300 else 0
        """,
    "array": """
        def f(a: bytearray):
            a.append(7)
            a.reverse()
            return 1 if a == bytearray(b"\\x07ok") else 0
        """,
    "match": """
        def f(s: str):
            match s.split():
                case ["go", direction]:
                    return direction
                case ["quit"]:
                    return "bye"
                case _:
                    return "what"
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_branches_that_need_a_particular_text_are_covered(name: str, tmp_path: Path) -> None:
    report = explore(PROGRAMS[name], tmp_path, budget=20.0)  # far less on an idle machine

    assert_covers_all(report)
    assert report.divergences == 0
    assert not report.notes


def test_a_text_that_cannot_exist_is_proved_not_to(tmp_path: Path) -> None:
    report = explore(
        """
        def f(s: str):
            if s.startswith("ab") and len(s) < 2:
                return 1
            if s == "abc" and s[1] == "x":
                return 2
            if "q" < s[:1] < "b":
                return 3
            return 0
        """,
        tmp_path,
    )

    assert report.status == "complete"
    assert len(report.infeasible) == 3


def test_no_proof_rests_on_the_length_that_models_look_at(tmp_path: Path) -> None:
    report = explore(
        """
        def f(s: str):
            if s.isdigit() and len(s) > 100 and "77" in s[90:]:
                return 1
            return 0
        """,
        tmp_path,
    )

    assert not report.infeasible


def test_letters_whose_upper_case_is_longer_are_not_forgotten(tmp_path: Path) -> None:
    report = explore(
        """
        def f(s: str):
            return 1 if len(s.upper()) > len(s) else 0
        """,
        tmp_path,
    )

    assert_covers_all(report)


def test_a_digit_that_int_refuses_is_found(tmp_path: Path) -> None:
    report = explore(
        """
        def f(s: str):
            if s.isdigit():
                return int(s)
            return 0
        """,
        tmp_path,
    )

    assert any(each.kind == "ValueError" and each.covered for each in report.implicit)


def test_inputs_are_shown_in_plain_characters(tmp_path: Path) -> None:
    report = explore(
        """
        def f(s: str):
            return 1 if len(s) == 3 and s[1] == "-" else 0
        """,
        tmp_path,
        replay=True,
    )

    assert {each.args["s"] for each in report.inputs} >= {'"a-a"'}
