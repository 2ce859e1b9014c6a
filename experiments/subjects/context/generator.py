"""Programs of any size, made from a seed: subjects for the comparison with CarFast.

CarFast's subjects (300 lines to 10,000 and more) were themselves generated. `generate` writes the
text of a module whose `main` takes ints: nested branches on linear conditions, short loops, and
calls. The text depends on the arguments only. A run always ends, within RUN_LIMIT statements: loops
have constant bounds, a function calls only functions written before it, and a call is left out
where the worst case would exceed the limit.

How often each kind of statement and condition comes is our choice, and it decides how far chance
gets: the weights were changed, on seeds 0 to 4, until few programs lay behind a single condition.
As they are, 300 random inputs from -1000..1000 cover 23 to 55 % of the branches (38 % on average
over five seeds each of seven sizes). Some of the rest cannot be reached at all; how much is not
known. Compare strategies on other seeds than those.
"""

from dataclasses import dataclass, field
from random import Random

RUN_LIMIT = 60_000
FUNCTION_LIMIT = 1_500  # statements in one call, in the worst case
FUNCTION_LINES = 60
DEPTH = 4

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(slots=True)
class Function:
    """A function already written: its name, how many ints it takes, what a call may cost."""

    name: str
    arity: int
    cost: int


@dataclass(slots=True)
class Writer:
    """The function being written."""

    random: Random
    variables: list[str]
    written: list[Function]
    uncalled: list[Function]
    limit: int
    result: str  # the variable that calls assign to
    lines: list[str] = field(default_factory=list)
    cost: int = 0
    counters: int = 0

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def variable(self) -> str:
        return self.random.choice(self.variables)

    def constant(self) -> int:
        """Mostly small; some so large that chance will not hit them."""
        if self.random.random() < 0.2:
            return self.random.randint(-100_000, 100_000)
        return self.random.randint(-100, 100)

    def other(self, name: str) -> str:
        """A variable other than this one."""
        return self.random.choice([variable for variable in self.variables if variable != name])

    def sum(self) -> str:
        """A variable, plus or minus another or a small number."""
        name = self.variable()
        sign = self.random.choice("+-")
        if self.random.random() < 0.5:
            return f"{name} {sign} {self.other(name)}"
        return f"{name} {sign} {self.random.randint(1, 100)}"

    def expression(self, *, in_loop: bool) -> str:
        """A linear expression; in a loop one that does not grow fast."""
        form = 0 if in_loop else self.random.randrange(9)
        if form < 6:
            return self.sum()
        if form == 6:
            return f"{self.variable()} * {self.random.randint(2, 9)}"
        if form == 7:
            return f"{self.variable()} % {self.random.randint(100, 1000)}"
        return f"{self.variable()} // {self.random.randint(2, 9)}"

    def comparison(self) -> str:
        relation = self.random.choice(COMPARISONS)
        if self.random.random() < 0.3:
            return f"{self.sum()} {relation} {self.constant()}"
        name = self.variable()
        if self.random.random() < 0.5:
            return f"{name} {relation} {self.other(name)}"
        return f"{name} {relation} {self.constant()}"

    def condition(self) -> str:
        if self.random.random() < 0.15:
            return f"{self.comparison()} {self.random.choice(('and', 'or'))} {self.comparison()}"
        return self.comparison()

    def assign(self, depth: int, times: int) -> None:
        """Assign to a variable; new ones come into being outside branches only."""
        value = self.expression(in_loop=times > 1)
        if depth == 1 and self.random.random() < 0.4:
            name = f"v{len(self.variables)}"
            self.put(depth, f"{name} = {value}")
            self.variables.append(name)
        else:
            self.put(depth, f"{self.variable()} = {value}")
        self.cost += times

    def call(self, depth: int, times: int) -> None:
        """Call a function that fits the limit, or assign if none does."""
        choice = self.written if self.random.random() < 0.3 else self.uncalled[-8:]
        fitting = [f for f in choice if self.cost + times * f.cost <= self.limit]
        if not fitting:
            self.assign(depth, times)
            return
        self.call_function(depth, times, self.random.choice(fitting))

    def call_function(self, depth: int, times: int, callee: Function) -> None:
        arguments = ", ".join(self.variable() for _ in range(callee.arity))
        self.put(depth, f"{self.result} = {callee.name}({arguments})")
        self.cost += times * callee.cost
        if callee in self.uncalled:
            self.uncalled.remove(callee)

    def branch(self, depth: int, times: int) -> None:
        self.put(depth, f"if {self.condition()}:")
        self.cost += times
        self.block(depth + 1, times)
        while self.random.random() < 0.2:
            self.put(depth, f"elif {self.condition()}:")
            self.cost += times
            self.block(depth + 1, times)
        if self.random.random() < 0.6:
            self.put(depth, "else:")
            self.block(depth + 1, times)

    def loop(self, depth: int, times: int) -> None:
        """Count up to a constant, perhaps while another condition holds."""
        counter = f"i{self.counters}"
        self.counters += 1
        bound = self.random.randint(2, 4)
        self.put(depth, f"{counter} = 0")
        if self.random.random() < 0.5:
            self.put(depth, f"while {counter} < {bound} and {self.comparison()}:")
        else:
            self.put(depth, f"while {counter} < {bound}:")
        self.block(depth + 1, times * bound)
        self.put(depth + 1, f"{counter} = {counter} + 1")
        self.cost += times * bound * 2

    def statement(self, depth: int, times: int) -> None:
        chance = self.random.random()
        if depth < DEPTH and chance < 0.4:
            self.branch(depth, times)
        elif depth < DEPTH - 1 and times == 1 and chance < 0.48:
            self.loop(depth, times)
        elif chance < 0.6:
            self.call(depth, times)
        else:
            self.assign(depth, times)

    def block(self, depth: int, times: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, times)


def generate(lines: int, seed: int, *, parameters: int = 8) -> str:
    """The text of a program of at least so many lines, and at most a few dozen more."""
    random = Random(f"{seed} {lines} {parameters}")
    texts: list[list[str]] = [
        [f'"""A program of {lines} lines from seed {seed}, with {parameters} inputs."""']
    ]
    written: list[Function] = []
    uncalled: list[Function] = []
    left = lines - 1
    # Main needs its frame, its calls and a branch around each.
    while left > FUNCTION_LINES + 2 * len(uncalled) + parameters:
        text, function = write_function(random, written, uncalled)
        texts.append(text)
        written.append(function)
        uncalled.append(function)
        left -= len(text) + 2
    texts.append(write_main(random, written, uncalled, parameters, size=left - 2))
    return "\n\n\n".join("\n".join(text) for text in texts) + "\n"


def write_function(
    random: Random, written: list[Function], uncalled: list[Function]
) -> tuple[list[str], Function]:
    """One function; it calls functions written before it, rather those that are not called yet."""
    arity = random.randint(2, 4)
    names = [f"a{i}" for i in range(arity)]
    function = f"f{len(written)}"
    writer = Writer(random, [*names, "result"], written, uncalled, FUNCTION_LIMIT, "result")
    writer.put(0, f"def {function}({', '.join(f'{name}: int' for name in names)}) -> int:")
    writer.put(1, f"result = {names[0]}")
    while len(writer.lines) < FUNCTION_LINES - 20:
        writer.statement(1, 1)
    writer.put(1, f"return result + {writer.variable()}")
    return writer.lines, Function(function, arity, writer.cost + 1)


def write_main(
    random: Random,
    written: list[Function],
    uncalled: list[Function],
    parameters: int,
    *,
    size: int,
) -> list[str]:
    """The entry: it calls every function that no other calls, half of them under a condition."""
    names = [f"p{i}" for i in range(parameters)]
    writer = Writer(random, [*names, "result"], written, uncalled, RUN_LIMIT, "result")
    writer.put(0, "def main(")
    for name in names:
        writer.put(1, f"{name}: int,")
    writer.put(0, ") -> int:")
    writer.put(1, "result = p0")
    for number, callee in enumerate(list(uncalled)):
        if number % 2 == 1:
            writer.put(1, f"if {writer.condition()}:")
            writer.call_function(2, 1, callee)
        else:
            writer.call_function(1, 1, callee)
    while len(writer.lines) < size - 1:
        if len(writer.lines) < size - 20:
            writer.statement(1, 1)
        else:
            writer.assign(1, 1)
    writer.put(1, f"return result + {writer.variable()}")
    return writer.lines
