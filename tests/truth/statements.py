"""Random blocks of statements: control flow, stores, aliases, closures, generators, state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.truth.expressions import Expressions, Names
from tests.truth.pieces import Piece

THEMES = (
    "loops",
    "lists",
    "dicts",
    "sets",
    "objects",
    "errors",
    "closures",
    "generators",
    "state",
    "match",
)
SELDOM = "names"  # a theme of its own, beside the others: names that are not bound, or bound twice


class Statements:
    """Writes the body of one function, line by line."""

    def __init__(
        self,
        random: Random,
        expressions: Expressions,
        themes: set[str],
        pieces: tuple[Piece, ...] = (),
    ) -> None:
        self._random = random
        self._pieces = pieces
        self._expressions = expressions
        self._themes = themes
        self._fresh = 0
        self.lines: list[str] = []
        self.room = random.randint(5, 12)  # statements still to write

    def _emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def _new(self, prefix: str) -> str:
        self._fresh += 1
        return f"{prefix}{self._fresh}"

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def block(self, depth: int, names: Names, most: int = 3) -> None:
        """One to `most` statements; there is always one."""
        before = len(self.lines)
        for _ in range(self._random.randint(1, most)):
            if self.room > 0:
                self.room -= 1
                self.statement(depth, names)
        if len(self.lines) == before:
            self._emit(depth, f"return {self._expressions.number(names, 0)}")

    def statement(self, depth: int, names: Names) -> None:
        write = self._random.choice(self._choices(depth))
        write(depth, names)

    def _choices(self, depth: int) -> list[Callable[[int, Names], None]]:
        found: list[Callable[[int, Names], None]] = [
            self._number,
            self._text,
            self._truth,
            self._end,
        ]
        if depth < 4:
            found += [self._if] * 5
            found += [write for theme, write in self._nested() if theme in self._themes]
        found += [write for theme, write in self._flat() if theme in self._themes for _ in range(3)]
        return found + [self._piece] * (4 * len(self._pieces))

    def _nested(self) -> list[tuple[str, Callable[[int, Names], None]]]:
        return [
            ("loops", self._for),
            ("loops", self._while),
            ("errors", self._try),
            ("match", self._match),
            ("generators", self._for_generator),
            ("errors", self._with),
            (SELDOM, self._maybe_bound),
            (SELDOM, self._shadowed),
        ]

    def _flat(self) -> list[tuple[str, Callable[[int, Names], None]]]:
        return [
            ("lists", self._list),
            ("dicts", self._dict),
            ("sets", self._set),
            ("objects", self._object),
            ("errors", self._raise),
            ("closures", self._closure),
            ("generators", self._generator),
            ("state", self._state),
        ]

    def _piece(self, depth: int, names: Names) -> None:
        """One of the uses of a piece."""
        use = self._random.choice(self._random.choice(self._pieces).uses)
        new = {mark: self._new("z") for mark in "xyz" if f"${mark}" in use.text}
        for line in self._expressions.filled(use.text, names, new).split("\n"):
            self._emit(depth, line)
        if use.kind:
            self._know(names, use.kind, new["x"])

    # -- the plain ones

    def _number(self, depth: int, names: Names) -> None:
        old = self._expressions.name(names, "local")
        if old and self._chance(0.5):
            sign = self._random.choice(["=", "+=", "-="])
            self._emit(depth, f"{old} {sign} {self._expressions.number(names)}")
            return
        name = self._new("x")
        self._emit(depth, f"{name} = {self._expressions.number(names)}")
        self._know(names, "int", name)
        self._know(names, "local", name)

    def _text(self, depth: int, names: Names) -> None:
        name = self._new("t")
        self._emit(depth, f"{name} = {self._expressions.text(names)}")
        self._know(names, "str", name)

    def _truth(self, depth: int, names: Names) -> None:
        name = self._new("q")
        self._emit(depth, f"{name} = bool({self._expressions.condition(names)})")
        self._know(names, "bool", name)

    def _end(self, depth: int, names: Names) -> None:
        if depth == 1:
            self._number(depth, names)
        elif self._chance(0.85):
            self._emit(depth, f"return {self._expressions.number(names, 1)}")
        else:
            self._emit(depth, f"assert {self._expressions.condition(names, 1)}")

    def _know(self, names: Names, kind: str, name: str) -> None:
        # A new list: what is known inside a block is forgotten after it.
        names[kind] = [*names.get(kind, []), name]

    def _same(self, names: Names, kind: str) -> str:
        """Whether two objects are one, where there are two."""
        known = names.get(kind, [])
        first, second = self._random.choice(known), self._random.choice(known)
        return f"{first} is {second}" if first != second else f"{first} is not None"

    # -- control flow

    def _if(self, depth: int, names: Names) -> None:
        test = self._expressions.condition(names)
        alike = [kind for kind in ("pair", "list") if len(names.get(kind, [])) > 1]
        if alike and self._chance(0.15):
            test = self._same(names, self._random.choice(alike))
        self._emit(depth, f"if {test}:")
        self.block(depth + 1, dict(names))
        if self._chance(0.25):
            self._emit(depth, f"elif {self._expressions.condition(names)}:")
            self.block(depth + 1, dict(names))
        if self._chance(0.4):
            self._emit(depth, "else:")
            self.block(depth + 1, dict(names))

    def _for(self, depth: int, names: Names) -> None:
        each, inner = self._new("i"), dict(names)
        number = self._expressions.number(names, 1)
        over = self._random.choice(
            [
                f"range({number} % 4)",
                f"range(1, {number} % 5)",
                self._expressions.items(names),
                f"[{number}, 2]",
                f"({number}, 1, 0)",
            ]
        )
        if self._chance(0.15):
            self._emit(depth, f"for {each} in {self._expressions.text(names, 1)}:")
            self._know(inner, "str", each)
        elif self._chance(0.2):
            index = self._new("k")
            start = self._expressions.number(names, 0)
            self._emit(depth, f"for {index}, {each} in enumerate({over}, {start}):")
            self._know(inner, "int", each)
            self._know(inner, "int", index)
        else:
            self._emit(depth, f"for {each} in {over}:")
            self._know(inner, "int", each)
        self.block(depth + 1, inner)
        if self._chance(0.25):
            self._emit(depth + 1, f"if {self._expressions.condition(inner, 0)}:")
            self._emit(depth + 2, self._random.choice(["break", "continue"]))
        if self._chance(0.15):
            self._emit(depth, "else:")
            self.block(depth + 1, dict(names), 1)

    def _while(self, depth: int, names: Names) -> None:
        name = self._new("n")
        self._emit(depth, f"{name} = abs({self._expressions.number(names, 1)}) % 4")
        inner = dict(names)
        self._know(inner, "int", name)
        test = f" and {self._expressions.condition(names, 0)}" if self._chance(0.4) else ""
        self._emit(depth, f"while {name} > 0{test}:")
        self._emit(depth + 1, f"{name} -= 1")
        self.block(depth + 1, inner)

    def _try(self, depth: int, names: Names) -> None:
        self._emit(depth, "try:")
        inner = dict(names)
        self._number(depth + 1, inner)
        self.block(depth + 1, inner, 2)
        errors = [
            "ZeroDivisionError",
            "ValueError",
            "(IndexError, KeyError)",
            "TypeError",
            "Exception",
        ]
        named = self._chance(0.3)
        self._emit(depth, f"except {self._random.choice(errors)}{' as error' if named else ''}:")
        self.block(depth + 1, dict(names), 2)
        if self._chance(0.2):
            self._emit(depth, "else:")
            self.block(depth + 1, dict(names), 1)
        if self._chance(0.25):
            self._emit(depth, "finally:")
            self._number(depth + 1, dict(names))

    def _raise(self, depth: int, names: Names) -> None:
        error = self._random.choice(
            ["ValueError('no')", "KeyError(1)", "TypeError", "IndexError()"]
        )
        self._emit(depth, f"if {self._expressions.condition(names, 1)}:")
        self._emit(depth + 1, f"raise {error}")

    def _with(self, depth: int, names: Names) -> None:
        kind = self._random.choice(["ValueError", "ZeroDivisionError", "LookupError"])
        self._emit(depth, f"with Quiet({kind}) as quiet:")
        self.block(depth + 1, dict(names), 2)
        self._emit(depth, "if quiet.caught:")
        self.block(depth + 1, dict(names), 1)

    def _match(self, depth: int, names: Names) -> None:
        number = self._expressions.number(names, 1)
        kinds = [
            (number, ["0", "1 | 2", "int(v) if v > 3", "-1", "True", "_"]),
            (
                f"({number}, {self._expressions.number(names, 0)})",
                ["(0, _)", "(x, y) if x == y", "(1, 2)", "_"],
            ),
            (self._expressions.items(names), ["[]", "[0, *rest]", "[x]", "[x, y] if x > y", "_"]),
            (self._expressions.text(names, 1), ["''", "'a' | 'b'", "str(s) if len(s) > 2", "_"]),
        ]
        color, pair = self._expressions.name(names, "color"), self._expressions.name(names, "pair")
        kinds += [(color, ["Color.RED", "Color.GREEN | Color.BLUE", "_"])] if color else []
        kinds += [(pair, ["Pair(0, True)", "Pair(n=2)", "Pair(on=False)", "_"])] if pair else []
        subject, patterns = self._random.choice(kinds)
        self._emit(depth, f"match {subject}:")
        chosen = [each for each in patterns if self._chance(0.7)] or ["_"]
        for pattern in chosen:
            self._emit(depth + 1, f"case {pattern}:")
            self.block(depth + 2, dict(names), 1)

    # -- names

    def _maybe_bound(self, depth: int, names: Names) -> None:
        """A local that some inputs leave without a value, read in one of many ways."""
        name, read = self._new("u"), self._new("x")
        if self._chance(0.3):
            self._emit(depth, f"{name} = {self._expressions.number(names, 1)}")
            self._emit(depth, f"if {self._expressions.condition(names, 1)}:")
            self._emit(depth + 1, f"del {name}")
        else:
            self._emit(depth, f"if {self._expressions.condition(names, 1)}:")
            self._emit(depth + 1, f"{name} = {self._expressions.number(names, 1)}")
        test, items = self._expressions.condition(names, 0), self._expressions.items(names)
        ways = [
            name,
            f"{name} + 1",
            f"(1 if {test} else {name})",
            f"(0 if {test} and {name} else 2)",
            f"(lambda: {name})()",
            f"(lambda {name}: {name} + 1)(3)",
            f"sum([{name} + v for v in {items}])",
            f"sum([{name} for {name} in {items}])",
            f"sum(v for v in {items} if v != {name})",
        ]
        self._emit(depth, "try:")
        inner = dict(names)
        self._emit(depth + 1, f"{read} = {self._random.choice(ways)}")
        self._know(inner, "int", read)
        self.block(depth + 1, inner, 2)
        error = self._random.choice(["NameError", "UnboundLocalError", "Exception"])
        self._emit(depth, f"except {error}:")
        self.block(depth + 1, dict(names), 2)

    def _shadowed(self, depth: int, names: Names) -> None:
        """A name that an expression binds for itself, and that is a local afterwards."""
        name, made, items = self._new("u"), self._new("xs"), self._expressions.items(names)
        ways = [
            f"[{name} + 1 for {name} in {items}]",
            f"sorted({items}, key=lambda {name}: -{name})",
            f"list(map(lambda {name}: {name} % 2, {items}))",
            f"[v for v in {items} if ({name} := v) > 0]",
        ]
        self._emit(depth, f"{made} = {self._random.choice(ways)}")
        self._know(names, "list", made)
        self._emit(depth, f"{name} = {self._expressions.number(names, 1)}")
        self._know(names, "int", name)
        self._know(names, "local", name)

    # -- stores

    def _list(self, depth: int, names: Names) -> None:
        name = self._expressions.name(names, "list")
        if name is None or self._chance(0.25):
            name = self._new("xs")
            self._emit(depth, f"{name} = {self._expressions.items(names)}")
            self._know(names, "list", name)
            return
        number, other = self._expressions.number(names, 1), self._expressions.number(names, 0)
        self._emit(
            depth,
            self._random.choice(
                [
                    f"{name}.append({number})",
                    f"{name}.append({number})",
                    f"{name}.insert({other}, {number})",
                    f"{name}.extend({self._expressions.items(names)}[:2])",
                    f"{name}.sort()",
                    f"{name}.sort(key=lambda v: -v)",
                    f"{name}.reverse()",
                    f"{name}.clear()",
                    f"{name}[0] = {number}",
                    f"{name}[{other}] = {number}",
                    f"{name}[:1] = [{number}, 1]",
                    f"{name}[1:] = []",
                    f"del {name}[0]",
                    f"{name} += [{number}]",
                    f"{name}.remove({other})",
                    f"put({name}, {number})",
                ]
            ),
        )
        if self._chance(0.25):
            alias = self._new("ys")
            self._emit(depth, f"{alias} = {name}")
            self._know(names, "list", alias)
        if self._chance(0.2):
            popped = self._new("x")
            self._emit(depth, f"{popped} = {name}.pop()")
            self._know(names, "int", popped)

    def _dict(self, depth: int, names: Names) -> None:
        name = self._expressions.name(names, "dict")
        number = self._expressions.number(names, 1)
        if name is None or self._chance(0.25):
            name = self._new("d")
            made = [
                f"{{'a': {number}}}",
                "{}",
                "defaultdict(int)",
                f"dict(zip('ab', [{number}, 1]))",
            ]
            self._emit(depth, f"{name} = {self._random.choice(made)}")
            self._know(names, "dict", name)
            return
        key = self._random.choice(["'a'", "'b'", self._expressions.text(names, 1)])
        self._emit(
            depth,
            self._random.choice(
                [
                    f"{name}[{key}] = {number}",
                    f"{name}[{key}] = {number}",
                    f"{name}.setdefault({key}, {number})",
                    f"{name}.pop({key}, None)",
                    f"{name}.update({{{key}: {number}}})",
                    f"del {name}[{key}]",
                    f"{name}[{key}] = {name}.get({key}, 0) + 1",
                    f"{name}[{key}] += {number}",
                    f"{name} = {{k: v + 1 for k, v in {name}.items() if v != {number}}}",
                    f"{name}.clear()",
                ]
            ),
        )

    def _set(self, depth: int, names: Names) -> None:
        name = self._expressions.name(names, "set")
        number = self._expressions.number(names, 1)
        if name is None or self._chance(0.25):
            name = self._new("s")
            made = [f"{{ {number} }}", "set()", f"set({self._expressions.items(names)})"]
            self._emit(depth, f"{name} = {self._random.choice(made)}")
            self._know(names, "set", name)
            return
        writes = [
            f"{name}.add({number})",
            f"{name}.discard({number})",
            f"{name} ^= {{ {number} }}",
            f"{name}.remove({number})",
            f"{name} = {{v % 3 for v in {name}}}",
        ]
        self._emit(depth, self._random.choice(writes))

    def _object(self, depth: int, names: Names) -> None:
        name = self._expressions.name(names, "pair")
        number = self._expressions.number(names, 1)
        if name is None or self._chance(0.3):
            made = self._new("p")
            source = [f"Pair({number}, {self._expressions.condition(names, 0)})"]
            source += [name, name, f"Pair({name}.n, not {name}.on)"] if name else []
            self._emit(depth, f"{made} = {self._random.choice(source)}")
            self._know(names, "pair", made)
            return
        writes = [
            f"{name}.n = {number}",
            f"{name}.n += {number}",
            f"{name}.on = not {name}.on",
            f"{name}.on = {self._expressions.condition(names, 0)}",
            f"setattr({name}, 'n', {number})",
            f"vars({name})['n'] = {number}",
            f"bump({name})",
            f"{name}.__dict__.update(n={number})",
        ]
        self._emit(depth, self._random.choice(writes))

    # -- functions inside functions

    def _closure(self, depth: int, names: Names) -> None:
        number, name = self._expressions.number(names, 1), self._new("g")
        shape = self._random.choice(["nonlocal", "lambda", "maker", "default", "partial"])
        local = self._expressions.name(names, "local")
        if shape == "nonlocal" and local:
            self._emit(depth, f"def {name}(v: int = 1) -> int:")
            self._emit(depth + 1, f"nonlocal {local}")
            self._emit(depth + 1, f"{local} += v")
            inner = dict(names)
            self._know(inner, "int", "v")
            if self._chance(0.5):
                self._emit(depth + 1, f"if {self._expressions.condition(inner, 1)}:")
                self._emit(depth + 2, f"return {self._expressions.number(inner, 0)}")
            self._emit(depth + 1, f"return {local}")
            self._know(names, "counter", name)
        elif shape == "lambda":
            self._emit(depth, f"{name} = lambda v: v + {number}")
        elif shape == "maker":
            self._emit(depth, f"{name} = adder({number})")
        elif shape == "partial":
            self._emit(depth, f"{name} = functools.partial(operator.sub, {number})")
        else:
            self._emit(depth, f"def {name}(v: int, w: int = {number}) -> int:")
            inner = dict(names)
            inner["int"] = [*names.get("int", []), "v", "w"]
            self._emit(depth + 1, f"if {self._expressions.condition(inner, 1)}:")
            self._emit(depth + 2, f"return {self._expressions.number(inner, 1)}")
            self._emit(depth + 1, "return v + w")
        self._know(names, "function", name)

    def _generator(self, depth: int, names: Names) -> None:
        number, name = self._expressions.number(names, 1), self._new("it")
        made = [
            f"steps({number})",
            f"iter([{number}, 2])",
            f"(v for v in range(3) if v != {number})",
        ]
        self._emit(depth, f"{name} = {self._random.choice(made)}")
        self._know(names, "generator", name)

    def _for_generator(self, depth: int, names: Names) -> None:
        each, inner = self._new("i"), dict(names)
        known = self._expressions.name(names, "generator")
        over = (
            known if known and self._chance(0.5) else f"steps({self._expressions.number(names, 1)})"
        )
        self._emit(depth, f"for {each} in {over}:")
        self._know(inner, "int", each)
        self.block(depth + 1, inner, 2)

    def _state(self, depth: int, names: Names) -> None:
        number, name = self._expressions.number(names, 1), self._new("x")
        key = self._expressions.number(names, 0)
        writes = [
            f"_log.append({number})",
            f"_table[{key}] = {number}",
            "note()",
            f"{name} = len(_log)",
            f"{name} = _table.get({key}, 0)",
            f"{name} = note()",
            f"{name} = int({key} in _table)",
            f"{name} = _box.n",
            f"_box.n = {number}",
            f"{name} = cached({key})",
        ]
        text = self._random.choice(writes)
        self._emit(depth, text)
        if text.startswith(name):
            self._know(names, "int", name)
