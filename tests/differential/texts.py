"""Every modelled operation on texts against CPython.

    python -m tests.differential.texts --each 5000

prints one line per operation; any disagreement is shown with the input that gives it.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from tests.differential.judge import Disagreement, World, judge

PLAIN = "ab,. 1-"
ODD = "ßΣİıﬁǅ١²Ⅳ½\u00a0\u2028\x85\x1c\r\n\tşΩé🙂\x00ªŉſK"
WORDS = ("", "a", "b", ",", " ", "ab", "a,b", "abc", "aa", "aba", "1", "-", "--", "é", "ß", ", ")


def text(r: random.Random) -> str:
    alphabet = r.choice((PLAIN, PLAIN, "ab", "aAbB", "ab \t\n", PLAIN + ODD, ODD + "aZ"))
    return "".join([r.choice(alphabet) for _ in range(r.choice((0, 1, 2, 3, 3, 4, 5, 6, 8)))])


def short(r: random.Random) -> str:
    return r.choice(WORDS) if r.random() < 0.7 else text(r)[:2]


def number_text(r: random.Random) -> str:
    digits = "".join([r.choice("0123456789") for _ in range(r.choice((1, 1, 2, 3, 4)))])
    kind = r.randrange(8)
    if kind < 3:
        return digits
    if kind == 3:
        return r.choice("+-") + digits
    if kind == 4:
        return digits + "." + digits
    if kind == 5:
        return r.choice(
            (" 12 ", "1_0", "٣٤", "0x1f", "1e3", "nan", "inf", "-", "", ".", "1.", "0b1", "0o7")
        )
    if kind == 6:
        return "".join([r.choice("0123456789abcdefxXF_+- .") for _ in range(r.randrange(5))])
    return text(r)


def blob(r: random.Random) -> bytes:
    if r.random() < 0.2:
        return text(r).encode("utf-8", "replace")
    alphabet = r.choice(
        (b"ab,. 1-", b"aAbB", b"ab \t\n\r\x0b", bytes(range(256)), b"\xc3\xa9\xe4a")
    )
    return bytes([r.choice(alphabet) for _ in range(r.choice((0, 1, 2, 3, 4, 5, 6)))])


def short_blob(r: random.Random) -> bytes:
    return (
        r.choice((b"", b"a", b"b", b",", b" ", b"ab", b"aa")) if r.random() < 0.8 else blob(r)[:2]
    )


def small(r: random.Random) -> int:
    return r.choice((0, 0, 1, 1, 2, 3, 4, 5, 8, -1, -1, -2, -3, -9))


def integer(r: random.Random) -> int:
    return r.choice((small(r), r.randrange(-300, 300), r.randrange(-(10**6), 10**6), 2**40))


def real(r: random.Random) -> float:
    return r.choice(
        (0.0, -0.0, 1.5, -2.25, 1e20, 1e-7, float("nan"), float("inf"), r.uniform(-9, 9))
    )


DEFAULTS: dict[str, Callable[[random.Random], Any]] = {
    "s": text,
    "t": short,
    "b": blob,
    "c": short_blob,
    "a": lambda r: bytearray(blob(r)),
    "n": small,
    "m": small,
    "x": real,
}


def both(*expressions: str) -> list[str]:
    """An expression over s and t, and the same over bytes."""
    made = []
    for each in expressions:
        made.append(each)
        as_bytes = (
            each.replace("s.", "b.")
            .replace("s[", "b[")
            .replace("(t", "(c")
            .replace("t in s", "c in b")
        )
        as_bytes = as_bytes.replace("'", "b'") if "'" in each else as_bytes
        made.append(as_bytes)
    return made


EXPRESSIONS: dict[str, dict[str, Callable[[random.Random], Any]]] = {}


def _add(*expressions: str, **drawn: Callable[[random.Random], Any]) -> None:
    for each in expressions:
        EXPRESSIONS[each] = drawn


# -- by position
_add(*both("s[n]", "s[-1]", "s[0]", "s[n:m]", "s[n:]", "s[:n]", "s[n:m:2]", "s[::-1]", "s[::n]"))
_add(
    "s[1:-1]",
    "s[-2:]",
    "s[:-1]",
    "s[len(s) - 1]",
    "s[n:][m]",
    "'abcdef'[n]",
    "b'abc'[n]",
    "s[m:][:2]",
)
_add("len(s)", "len(b)", "len(s) > 3", "bool(s)", "not s", "1 if s else 2")
_add(
    "[h for h in s]",
    "[h for h in b]",
    "list(s)",
    "''.join(reversed(s))",
    "[i for i, h in enumerate(s)]",
)
_add("sum(1 for h in s if h == 'a')", "sorted(s)", "list(zip(s, t))", "max(s)")
# -- comparing
_add(
    "s == t",
    "s != t",
    "s < t",
    "s <= t",
    "s > t",
    "s >= t",
    "b == c",
    "b < c",
    "b >= c",
    "s == 'ab'",
)
_add(
    "'ab' == s",
    "s < 'ab'",
    "'ab' < s",
    "s == s[::-1]",
    "s[::-1] == t",
    "s == 1",
    "s[1:] == t",
    "s + t == 'ab'",
)
_add(
    "t in s",
    "t not in s",
    "'a' in s",
    "s in 'abc,'",
    "c in b",
    "97 in b",
    "n in b",
    "s in ('a', 'ab', 1)",
)
_add("s in {'a': 1, 'b': 2}", "{'a': 1, 'b': 2, 'ab': 3}.get(s)", "{'a': 1, 'b': 2, 'ab': 3}[s]")
_add("{'a': 'x', 'b': 'y'}[s]", "{'': 0.5, 'a': 1.5}[t]", "s in ['a', t]", s=short)
# -- looking for
for _name in ("find", "rfind", "index", "rindex", "count"):
    _add(*both(f"s.{_name}(t)", f"s.{_name}(t, n)", f"s.{_name}(t, n, m)"))
_add(*both("s.startswith(t)", "s.endswith(t)", "s.startswith(t, n)", "s.endswith(t, n, m)"))
_add("s.startswith(('a', t))", "s.endswith(('', 'b'))", "b.find(97)", "b.count(n)", "b.index(n)")
_add(*both("s.removeprefix(t)", "s.removesuffix(t)"))
_add(
    "s[:s.find(t)]",
    "s[s.find(t) + 1:]",
    "s[s.find(','):s.rfind(',')]",
    "s[s.index(t):]",
    "s[:s.rindex(t)]",
)
# -- taking apart
_add(*both("s.strip()", "s.lstrip()", "s.rstrip()", "s.strip(t)", "s.lstrip(t)", "s.rstrip(t)"))
_add(*both("s.split()", "s.split(None, n)", "s.rsplit()", "s.rsplit(None, n)"))
_add(
    *both("s.split(t)", "s.split(t, n)", "s.rsplit(t)", "s.rsplit(t, n)"),
    "s.split(sep=t, maxsplit=n)",
)
_add(*both("s.splitlines()", "s.splitlines(True)", "s.partition(t)", "s.rpartition(t)"))
_add("s.strip().split(',')", "[p.strip() for p in s.split(',')]", "s.split(',')[-1].strip() == 'a'")
_add("s.split(',')[n]", "[list(p) for p in s.split(',')]", "[len(p) for p in s.split()]")
_add("s.lower().split('a')[0].strip()", "s.partition('-')[2].partition(',')[0]")
_add("[w[::-1] for w in s.split()]", "s.split(',', 1)[-1][1:]", "[w.upper() for w in s.split('b')]")
# -- case and classes
for _name in ("upper", "lower", "swapcase", "title", "capitalize"):
    _add(*both(f"s.{_name}()"))
_add(
    "s.casefold()",
    "s.upper() == 'ABA'",
    "s.lower() == t.lower()",
    "s.casefold() == 'ss'",
    "s.upper().lower()",
)
_add("s.upper()[::-1]", "s.strip().title()", "s[1:].capitalize()", "s.swapcase().find('a')")
for _name in (
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "istitle",
    "isascii",
):
    _add(*both(f"s.{_name}()"), f"s.strip().{_name}()")
_add(*[f"s.{_name}()" for _name in ("isdecimal", "isnumeric", "isprintable", "isidentifier")])
_add(
    "[h.isdigit() for h in s]",
    "[h.isupper() for h in s]",
    "s[n:].isidentifier()",
    "s.upper().isupper()",
)
# -- putting together
_add(*both("s + t", "s * n", "n * s", "s.join([t, s, t])", "s.replace(t, s)", "s.replace(t, '')"))
_add(
    "s.replace('a', t)",
    "s.replace('a', 'b')",
    "s.replace(t, 'xy', n)",
    "','.join([s, t])",
    "'-'.join(s)",
)
_add(
    "s + 'x' == 'abx'", "'x' + s + 'y' == t", "','.join(s.split('a'))", "(s + t)[n]", "(s + t)[n:m]"
)
_add(
    "(s + t).strip()",
    "(s + ',' + t).split(',')",
    "s + t < 'ab'",
    "len(s + t)",
    "'' + s",
    "(s + t).find('a')",
)
_add(
    *both(
        "s.ljust(n)", "s.rjust(n)", "s.center(n)", "s.zfill(n)", "s.expandtabs()", "s.expandtabs(n)"
    )
)
_add("s.center(n, '*')", "s.rjust(n, '0')", "b.ljust(n, b'-')")
_add(
    "s.translate({97: 'b', 98: 97})", "s.translate({97: None, 44: 'xy'})", "b.translate(None, b'a')"
)
_add("s.translate(str.maketrans('ab', 'xy'))", "b.translate(bytes(range(256)))")
# -- formatting
_add(
    "f'{s}'",
    "f'{s}-{t}'",
    "f'{s:>5}|{t:<3}|'",
    "f'{s!r}'",
    "f'{n}{s}'",
    "f'{s:^6.2}'",
    "f'{s:{n}}'",
)
_add(
    "'%s' % s",
    "'%s-%s' % (s, t)",
    "'%5s|%-4s|%.2s' % (s, t, s)",
    "'%r' % (s,)",
    "'%(a)s' % {'a': s}",
    "s % t",
)
_add(
    "'{}'.format(s)",
    "'{0}{1}{0}'.format(s, t)",
    "'{:>4}|{!r}'.format(s, t)",
    "'{a}'.format(a=s)",
    "s.format(t)",
)
_add(
    "repr(s)",
    "str(s)",
    "ascii(s)",
    "format(s, '>4')",
    "str(b)",
    "repr(b)",
    "b'%s' % b",
    "s.format_map({'a': t})",
)
for _spec in (
    "",
    "d",
    "04x",
    "x",
    "#x",
    "08b",
    "o",
    "5d",
    "<5",
    ">5d",
    "^7d",
    "+d",
    ",",
    "05",
    "X",
    "#06x",
    "e",
    ".1f",
):
    _add(f"f'{{n:{_spec}}}'" if _spec else "f'{n}'", n=integer)
_add(
    "str(n)",
    "repr(n)",
    "hex(n)",
    "oct(n)",
    "bin(n)",
    "str(n) == '-3'",
    "f'{n:04x}' == 'beef'",
    n=integer,
)
_add(
    "'%d' % n",
    "'%5d|%-5d|%05d' % (n, n, n)",
    "'%x %X %o' % (n, n, n)",
    "'%+d' % n",
    "'%c' % (n % 999)",
    n=integer,
)
_add(
    "'{:>6}{:x}'.format(n, n)",
    "str(n)[0]",
    "str(n)[::-1]",
    "len(str(n))",
    "sum(int(h) for h in str(abs(n)))",
    n=integer,
)
_add(
    "str(n) + s",
    "f'{n}-{m}' == '1-2'",
    "str(n).zfill(4)",
    "str(n).split('-')",
    "bin(n).count('1')",
    n=integer,
)
_add(
    "str(x)",
    "repr(x)",
    "f'{x:.2f}'",
    "'%.1f' % x",
    "f'{x}' == '1.5'",
    "format(x, 'g')",
    "'{:.3e}'.format(x)",
)
# -- numbers
_add(
    "int(s)",
    "float(s)",
    "int(s, 16)",
    "int(s, 2)",
    "int(s, 0)",
    "int(s) == 42",
    "int(s) + 1",
    s=number_text,
)
_add(
    "int(s.strip())",
    "int(s[1:])",
    "int(s[:2])",
    "float(s) > 1.5",
    "int(s, base=8)",
    "int(s, 36)",
    s=number_text,
)
_add(
    "[int(p) for p in s.split('.')]",
    "int(s.split('.')[0])",
    "int(s[::-1])",
    "float(s.strip())",
    s=number_text,
)
_add("int(b)", "float(b)", b=lambda r: number_text(r).encode())
_add(
    "[ord(h) for h in s]",
    "ord(s)",
    "ord(b)",
    "chr(n)",
    "chr(n + 97)",
    "chr(ord(s[0]) + 1)",
    "chr(n) + s",
    s=text,
)
_add(
    "''.join([chr(ord(h) ^ 1) for h in s])",
    "sum([ord(h) for h in s])",
    "[ord(h) - 48 for h in s if h.isdigit()]",
)
# -- between str and bytes
_add(
    "s.encode()",
    "s.encode('ascii')",
    "s.encode('latin-1')",
    "s.encode('ascii', 'replace')",
    "s.encode('utf-16')",
)
_add(
    "s.encode('ascii', 'ignore')",
    "s.upper().encode()",
    "s[1:].encode()",
    "bytes(s, 'utf-8')",
    "s.encode().decode()",
)
_add(
    "b.decode()",
    "b.decode('ascii')",
    "b.decode('latin-1')",
    "b.decode('utf-8', 'replace')",
    "str(b, 'latin-1')",
)
_add(
    "b.hex()",
    "b.hex(':')",
    "bytes([n, 1])",
    "bytes(b)",
    "b.decode('latin-1').upper()",
    "b[1:].decode('ascii')",
)

# -- regular expressions
_PATTERNS = (
    r"(\d{3})-([a-z]+)",
    r"a+b*",
    r"(a|b)*,",
    r"\w+",
    r"[^,]*",
    r"^\s*(\w*)\s*$",
    r"(a)?(b)?c?",
    r"a{2,3}",
    r"(?i)aB",
    r"\b\w",
    r"(?P<k>[a-z]+)=(?P<v>\d*)",
    r"(?:ab)+",
    r"a.*b",
    r"a.*?b",
    r"[\d.]+",
    r"(?=a)\w+",
    r"$",
    r"(?m)^a",
    r"a\Z",
    r"(a)\1",
    r"(?<!a)b",
    r"(?s).+",
    r"-?\d+(\.\d+)?",
    r"[^\W\d_]+",
    r"\.|,|-",
)


def _regex_text(r: random.Random) -> str:
    return r.choice(
        (
            text(r),
            "123-ab",
            "12-ab",
            "aab",
            "ab,",
            "k=1",
            "kk=",
            "aXb",
            "a\nb",
            "Ab",
            "abab",
            "aa",
            "b",
            "1.5",
            "-12",
        )
    )


for _pattern in _PATTERNS:
    for _how in ("match", "fullmatch", "search"):
        _add(f"re.{_how}(r'{_pattern}', s) is not None", s=_regex_text)
        _body = f"m = re.{_how}(r'{_pattern}', s)\nif m is None: return None\nreturn (m.group(), m.groups(), m.span())"
        _add(_body, s=_regex_text)
    _add(f"re.findall(r'{_pattern}', s)", f"re.split(r'{_pattern}', s)", s=_regex_text)
    _add(
        f"re.sub(r'{_pattern}', 'x', s)",
        f"re.subn(r'{_pattern}', r'[\\g<0>]', s, 1)",
        s=_regex_text,
    )
_add(
    "re.compile('a+').match(s, 1) is None",
    "re.sub('a', lambda m: m.group().upper(), s)",
    s=_regex_text,
)
_add("[m.start() for m in re.finditer('[ab]', s)]", "re.compile('[,;]').split(s, 1)", s=_regex_text)
_add(
    "re.match(rb'a+', b) is not None",
    "re.findall(rb'[a-c]', b)",
    "re.sub(rb'a', b'x', b)",
    "re.split(',', s)[0] == 'a'",
)
_add(
    "re.fullmatch(r'(\\w+)@(\\w+)', s).group(2) == 'b'",
    "re.search(r'(\\d+)', s).group(1)",
    s=_regex_text,
)


def draw(names: tuple[str, ...], drawn: dict[str, Any], r: random.Random) -> dict[str, Any]:
    return {name: {**DEFAULTS, **drawn}[name](r) for name in names}


def neighbours(
    values: dict[str, Any], drawn: dict[str, Any], r: random.Random, count: int
) -> list[dict[str, Any]]:
    """Inputs that differ a little: those that take the same path are the test."""
    made = []
    for _ in range(count):
        other = dict(values)
        for name in r.sample(list(other), r.choice((1, len(other))) if other else 0):
            other[name] = _near(other[name], {**DEFAULTS, **drawn}[name], r)
        made.append(other)
    return made


def _near(value: Any, again: Callable[[random.Random], Any], r: random.Random) -> Any:
    if isinstance(value, str | bytes | bytearray) and r.random() < 0.8:
        kind = type(value)
        codes = list(map(ord, value)) if kind is str else list(value)
        fresh = again(r)
        pool = (list(map(ord, fresh)) if kind is str else list(fresh)) or [97]
        for _ in range(r.choice((1, 1, 2))):
            how = r.randrange(4)
            at = r.randrange(len(codes) + 1)
            if how == 0 or not codes:
                codes.insert(at, r.choice(pool))
            elif how == 1:
                del codes[min(at, len(codes) - 1)]
            else:
                codes[min(at, len(codes) - 1)] = r.choice(pool)
        return "".join(map(chr, codes)) if kind is str else kind(codes)
    return again(r)


def check(
    world: World, expression: str, each: int, seed: int, *, others: int = 4
) -> tuple[int, int]:
    """How many inputs were tried, and how many others took the same path."""
    operation = world.compile(expression)
    drawn = EXPRESSIONS[expression]
    r = random.Random(f"{expression}:{seed}")
    followed = 0
    for number in range(each):
        values = draw(operation.names, drawn, r)
        constants = frozenset(name for name in operation.names[1:] if r.random() < 0.5)
        near = neighbours(values, drawn, r, others)
        followed += judge(operation, values, near, constants, models=number % 4 == 0)
    return each, followed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    world = World()
    failed = total = shared = 0
    began = time.perf_counter()
    for expression in EXPRESSIONS:
        if options.only not in expression:
            continue
        try:
            tried, followed = check(world, expression, options.each, options.seed)
        except Disagreement as error:
            failed += 1
            print(f"FAILED {expression}: {str(error)[:1500]}")
            continue
        total, shared = total + tried, shared + followed
        print(f"{expression}: {tried} inputs, {followed} others on the same path")
    seconds = time.perf_counter() - began
    print(f"{total} inputs, {shared} others on the same path, {failed} failed, {seconds:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
