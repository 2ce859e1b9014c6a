"""Random expressions over names of known kinds."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

Names = dict[str, list[str]]  # by kind: int, bool, str, list, dict, set, opt, pair, tuple, color


class Expressions:
    """Writes expressions; those that may raise do so on purpose now and then."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.calls: list[str] = []  # texts with {0}: functions of the program from int to int

    def _one(self, choices: list[str]) -> str:
        return self._random.choice(choices)

    def name(self, names: Names, kind: str) -> str | None:
        """A name of this kind, the newest more often than the others."""
        found = names.get(kind)
        if not found:
            return None
        return found[-1] if self._random.random() < 0.4 else self._random.choice(found)

    def small(self) -> str:
        return str(self._random.choice([0, 1, 1, 2, 2, 3, 5, -1, -2]))

    # -- numbers

    def number(self, names: Names, depth: int = 2) -> str:
        """An int; texts in brackets where they have to be."""
        if depth == 0 or self._random.random() < 0.25:
            return self._known(names) if self._random.random() < 0.8 else self.small()
        return self._one([write for write in self._numbers(names, depth - 1) if write])

    def _known(self, names: Names) -> str:
        """An int that depends on what is known, and does not raise."""
        kinds = [kind for kind in ("int", "int", *_ATOM_FROM) if names.get(kind)]
        if not kinds:
            return self.small()
        kind = self._one(kinds)
        return self._one(_ATOM_FROM.get(kind, ["{0}"])).format(self.name(names, kind))

    def _numbers(self, names: Names, depth: int) -> list[str]:
        left, right = self.number(names, depth), self.number(names, 0)
        found = [
            f"({left} + {right})",
            f"({left} - {right})",
            f"({left} * {self.small()})",
            f"({left} // {right})",
            f"({left} % {right})",
            f"({left} & {right})",
            f"({left} ^ {right})",
            f"(-{right})",
            f"abs({left})",
            f"min({left}, {right})",
            f"max({left}, {right})",
            f"int({self.condition(names, 0)})",
            f"divmod({left}, {self._one(['2', '3', '-2'])})[{self._one(['0', '1'])}]",
            f"pow({right} % 7, 2)",
            f"({left} if {self.condition(names, 0)} else {right})",
            f"(abs({right}) << 1)",
            f"({left} >> 1)",
            f"round({left} / 2)",
            f"sum(range(abs({right}) % 5))",
            f"math.gcd({left}, {right})",
            f"operator.sub({left}, {right})",
            f"functools.reduce(lambda p, q: p - q, [{left}, {right}, 1])",
            f"len({self.text(names, 0)})",
            f"len({self.items(names, 0)})",
            f"({left} or {right})",
            f"({left} and {right})",
            f"next(itertools.count({left}))",
            f"[{left}, {right}][{self._one(['0', '1', '-1'])}]",
            f"[{left}, 7, {right}][{right} % 3]",
            f"{{0: {left}, 1: 4}}.get({right}, -1)",
            f"({left}).bit_length()",
        ]
        found += [call.format(left) for call in self.calls for _ in range(2)]
        for kind, forms in _NUMBER_FROM.items():
            name = self.name(names, kind)
            if name:
                found += [form.format(name, right) for form in forms]
        return found

    # -- truths

    def condition(self, names: Names, depth: int = 2) -> str:
        """Something to be asked for its truth."""
        known = [kind for kind in _TRUTH_FROM if names.get(kind)]
        right = self.number(names, 0)
        if known and self._random.random() < 0.4:
            kind = self._one(known)
            form = self._one(_TRUTH_FROM[kind])
            return form.format(self.name(names, kind), right, self._letters())
        left, small = self.number(names, depth), self._one([right, self.small()])
        sign = self._one(["<", "<=", "==", "!=", ">", ">="])
        found = [f"{left} {sign} {small}"] * 8
        found += [f"{left} % 2 == {self._one(['0', '1'])}", f"{right} in ({left}, 3)"]
        if depth:
            inner = self.condition(names, 0)
            found += [f"not {inner}", f"({inner})"]
            found += [f"{self.condition(names, 0)} {word} {inner}" for word in ("and", "or", "and")]
            text = self.text(names, 1)
            found += [f"{text} == {self._letters()}", f"{self._letters()} in {text}"]
            found += [f"{text}.startswith({self._letters()})", f"{text}.isdigit()"]
            found += [f"any(i == {right} for i in range(3))"]
            found += [f"all(i < {right} for i in {self.items(names, 0)})"]
            found += [self._one([f"isinstance({right}, bool)", f"{right} is None"])]
        if self._random.random() < 0.06:
            return f"{self._atom(names)} < {self._atom(names)} <= {self._atom(names)}"
        return self._one(found)

    def filled(self, text: str, names: Names, new: dict[str, str]) -> str:
        """The text of a use of a piece, with expressions for its places and with these new names."""
        writes: dict[str, Callable[[], str]] = {
            "n": lambda: self.number(names, 1),
            "s": lambda: self.number(names, 0),
            "k": self.small,
            "t": lambda: self.text(names, 1),
            "c": lambda: self.condition(names, 0),
            "l": lambda: self.items(names),
            "i": lambda: self._atom(names),
            "p": lambda: self._plain(names),
        }
        return re.sub(r"\$(\w)", lambda at: new.get(at[1]) or writes[at[1]](), text)

    def _atom(self, names: Names) -> str:
        return self.name(names, "int") or self.small()

    # -- texts

    def _letters(self) -> str:
        return self._one(["'a'", "'b'", "''", "'ab'", "'1'", "'-'", "'A'", "'a1'"])

    def text(self, names: Names, depth: int = 2) -> str:
        name = self.name(names, "str")
        if depth == 0 or self._random.random() < 0.2:
            return name if name and self._random.random() < 0.8 else self._letters()
        inner, number = self.text(names, depth - 1), self.number(names, 0)
        return self._one(
            [
                f"({inner} + {self.text(names, 0)})",
                f"{inner}.upper()",
                f"{inner}.strip()",
                f"{inner}.replace({self._letters()}, 'x')",
                f"{inner}[{number}:]",
                f"{inner}[:{number}]",
                f"{inner}[::-1]",
                f"{inner}[{number}]",
                f"({inner} * ({number} % 3))",
                f"str({number})",
                f"f'{{{self._plain(names)}}}-{{{self._plain(names)}}}'",
                f"('%03d' % {number})",
                f"'-'.join([{inner}, {self.text(names, 0)}])",
                f"chr(97 + {number} % 4)",
                f"{inner}.split('-')[0]",
                f"{inner}.zfill(3)",
                f"{inner}.title()",
                f"repr({number})",
                f"'NY'[{self.condition(names, 0)}]",
                f"re.sub('[a-b]', '_', {inner})",
                f"''.join(sorted({inner}))",
                f"({inner} or 'none')",
                f"'{{:>3}}'.format({inner})",
            ]
        )

    def _plain(self, names: Names) -> str:
        """An expression without quotes, for an f-string."""
        return self.name(names, "str") or self.name(names, "int") or "0"

    # -- containers

    def items(self, names: Names, depth: int = 1) -> str:
        """A list of ints."""
        name = self.name(names, "list")
        if name and self._random.random() < (0.8 if depth == 0 else 0.3):
            return name
        if depth == 0:
            return f"[{self.number(names, 0)}, {self.small()}]"
        left, right = self.number(names, 1), self.number(names, 0)
        inner = self.items(names, 0)
        return self._one(
            [
                f"[{left}, {right}]",
                f"[{left}]",
                "[]",
                f"({inner} + [{right}])",
                f"list(range(abs({right}) % 4))",
                f"sorted({inner})",
                f"[i + 1 for i in {inner} if i != {right}]",
                f"[i for i in range(4) if i > {right}]",
                f"list(reversed({inner}))",
                f"{inner}[{right}:]",
                f"list(map(lambda v: v * 2, {inner}))",
                f"[ord(ch) % 3 for ch in {self.text(names, 0)}]",
                f"list(itertools.accumulate({inner}))",
                f"({inner} * ({right} % 3))",
                f"[*{inner}, {right}]",
                f"list(dict.fromkeys({inner}))",
                f"list(set({inner}))",
                f"[i + j for i, j in zip({inner}, (1, 2))]",
                f"[i * {right} for i, _ in enumerate({inner}, {right})]",
            ]
        )


_ATOM_FROM = {
    "bool": ["int({0})"],
    "str": ["len({0})", "{0}.count('a')"],
    "list": ["len({0})", "sum({0})"],
    "dict": ["len({0})"],
    "set": ["len({0})"],
    "opt": ["({0} or 0)"],
    "pair": ["{0}.n"],
    "tuple": ["{0}[1]"],
    "color": ["{0}.value"],
}

_NUMBER_FROM = {
    "bool": ["int({0})", "(2 if {0} else {1})", "({0} + {1})"],
    "str": [
        "len({0})",
        "{0}.find('a')",
        "{0}.count('a')",
        "int({0})",
        "ord({0})",
        "ord({0}[0])",
        "hash({0} == 'a')",
    ],
    "list": [
        "len({0})",
        "sum({0})",
        "{0}[0]",
        "{0}[{1}]",
        "{0}[-1]",
        "max({0})",
        "min({0}, default={1})",
        "{0}.count({1})",
        "{0}.index({1})",
        "next(iter({0}), {1})",
        "Counter({0})[{1}]",
    ],
    "dict": ["len({0})", "{0}.get('a', {1})", "{0}['a']", "sum({0}.values())"],
    "set": ["len({0})", "sum({0})", "len({0} | {{ {1} }})"],
    "opt": ["({0} or {1})", "({1} if {0} is None else {0})", "({0} + 1)"],
    "pair": ["{0}.n", "({0}.n + {0}.on)", "getattr({0}, 'n')", "vars({0})['n']"],
    "tuple": ["{0}[1]", "len({0})", "sum({0})"],
    "color": ["{0}.value", "len({0}.name)", "list(Color).index({0})"],
    "function": ["{0}({1})"],
    "counter": ["{0}()"],
    "generator": ["next({0}, {1})"],
}

_TRUTH_FROM = {
    "bool": ["{0}", "not {0}", "{0} is True", "{0} == ({1} > 0)"],
    "str": ["{0}", "{0} == {2}", "{0} < {2}", "{2} in {0}", "{0}.isupper()", "{0}.endswith({2})"],
    "list": ["{0}", "not {0}", "{1} in {0}", "{0} == [{1}]", "len({0}) == 2", "{0} < [1]"],
    "dict": ["'a' in {0}", "{0}", "{0} == {{'a': {1}}}"],
    "set": ["{1} in {0}", "{0}", "{0} <= {{0, 1, 2}}", "{0} == {{ {1} }}"],
    "opt": ["{0} is None", "{0}", "{0} == {1}", "{0} is not None and {0} > {1}"],
    "pair": ["{0}.on", "{0}.n == {1}", "{0} == Pair(1, True)", "{0}.n > 1 and not {0}.on"],
    "tuple": ["{0}[0]", "{0} == (True, {1})", "{0}[1] > 0", "{0} > (False, 1)"],
    "color": [
        "{0} is Color.RED",
        "{0} == Color.BLUE",
        "{0}.value > 1",
        "{0} in (Color.RED, Color.GREEN)",
    ],
}
