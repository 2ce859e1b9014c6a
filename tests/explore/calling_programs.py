"""Programs that call functions, made from a seed: for Theorem 1 of LATEST."""

from __future__ import annotations

from random import Random


class ProgramWriter:
    """Writes a module whose function `f` calls others; some have side effects or raise."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._callees: list[tuple[str, int]] = []

    def text(self) -> str:
        parts = ["state = 0\ncount = 0\n"]
        for number in range(self._random.randint(1, 3)):
            parts.append(self._callee(f"g{number}"))
        parts.append(self._target())
        return "\n\n".join(parts)

    def _callee(self, name: str) -> str:
        random = self._random
        arity = random.randint(1, 2)
        names = ["u", "v"][:arity]
        lines = [f"def {name}({', '.join(f'{n}: int' for n in names)}) -> int:"]
        kind = random.random()
        if kind < 0.35:
            lines.append("    global state")
        if kind < 0.15:
            lines.append(f"    state = {random.randint(0, 2)}")
        for _ in range(random.randint(1, 3)):
            lines.append(f"    if {self._condition(names)}:")
            lines.append(f"        {self._callee_body(names, kind)}")
        if random.random() < 0.3:
            lines += [
                "    i = 0",
                f"    while i < {random.randint(1, 3)}:",
                f"        if {names[0]} == i * {random.randint(2, 7)}:",
                "            return i",
                "        i = i + 1",
            ]
        if self._callees and random.random() < 0.5:
            other, needed = random.choice(self._callees)
            lines.append(
                f"    return {other}({', '.join(self._value(names) for _ in range(needed))}) + 1"
            )
        else:
            lines.append(f"    return {self._value(names)}")
        self._callees.append((name, arity))
        return "\n".join(lines)

    def _callee_body(self, names: list[str], kind: float) -> str:
        random = self._random
        if kind < 0.35 and random.random() < 0.5:
            return f"state = {random.randint(0, 3)}"
        if random.random() < 0.15:
            return "raise ValueError(u)"
        return f"return {self._value(names)}"

    def _target(self) -> str:
        random = self._random
        names = ["x", "y"]
        lines = ["def f(x: int, y: int) -> int:", "    global state", "    state = 0", "    r = 0"]
        for _ in range(random.randint(1, 3)):
            callee, needed = random.choice(self._callees)
            arguments = ", ".join(self._value(["x", "y"]) for _ in range(needed))
            if random.random() < 0.25:
                lines += [
                    "    try:",
                    f"        r = {callee}({arguments})",
                    "    except ValueError:",
                    "        r = -5",
                ]
            else:
                lines.append(f"    r = {callee}({arguments})")
            for _ in range(random.randint(1, 2)):
                test = random.choice(
                    [
                        self._condition([*names, "r"]),
                        f"r == {random.randint(-3, 6)}",
                        f"r > {random.randint(-3, 6)}",
                        f"state == {random.randint(0, 3)}",
                    ]
                )
                lines += [f"    if {test}:", f"        r = r + {random.randint(1, 9)}"]
        lines.append("    return r")
        return "\n".join(lines)

    def _condition(self, names: list[str]) -> str:
        random = self._random
        left = self._value(names)
        return f"{left} {random.choice(['==', '<', '>', '!='])} {random.randint(-9, 9)}"

    def _value(self, names: list[str]) -> str:
        random = self._random
        name = random.choice(names)
        return random.choice(
            [
                name,
                f"{name} + {random.randint(1, 5)}",
                f"{name} - {random.randint(1, 5)}",
                f"2 * {name}",
                str(random.randint(0, 5)),
            ]
        )
